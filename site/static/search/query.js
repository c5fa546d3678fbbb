/** String -> query: the little query language, the same as `query.py`. No input is an error. */
/**
 * @typedef {{
 *   text: string, words: string, phrases: string[], excluded: string[], filters: Map<string, string>, cut: boolean,
 * }} Query
 */

RulesLawyer.query = (() => {
  "use strict";
  const { hasAlnum, isAlpha, isSpace } = RulesLawyer.analysis;
  const NAME = /^(game|lang|kind|id)[:：]/i;
  const VALUE = /^(?:"([^"]+)"|“([^”]+)”|«([^»]+)»|「([^」]+)」|([^\p{Z}\t-\r"“«「]+))(?=[\p{Z}\t-\r]|$)/u;
  const QUOTES = new Map([['"', '"'], ["“", "”"], ["„", "“"], ["«", "»"], ["「", "」"], ["『", "』"]]);

  /** @param {string} text @param {number} maxChars @returns {Query} */
  const parse = (text, maxChars) => {
    const clean = trim(text.replace(/[\p{Cc}\p{Cs}]/gu, " "));
    const chars = Array.from(clean);
    const cut = chars.length > maxChars;
    /** @type {Query} */
    const query = { text: clean, words: "", phrases: [], excluded: [], filters: new Map(), cut };
    /** @type {string[]} */
    const words = [];
    let rest = cut ? chars.slice(0, maxChars).join("") : clean;
    while ((rest = trimStart(rest))) {
      const filter = filterAt(rest);
      if (filter) {
        query.filters.set(filter.name, filter.value);
        rest = rest.slice(filter.length);
        continue;
      }
      const negative = rest[0] === "-" && rest.length > 1 && !isSpace(rest[1]);
      const phrase = phraseAt(negative ? rest.slice(1) : rest);
      if (phrase !== null) {
        (negative ? query.excluded : query.phrases).push(phrase);
        if (!negative) words.push(phrase);
        rest = rest.slice(phrase.length + 2 + Number(negative));
        continue;
      }
      const word = untilQuote(token(rest));
      rest = rest.slice(word.length);
      if (negative && isAlpha(firstChar(word.slice(1)))) query.excluded.push(word.slice(1));
      else words.push(word);
    }
    query.words = words.join(" ");
    return query;
  };

  /** @param {string} text @returns {string} */
  const firstChar = (text) => (text ? String.fromCodePoint(/** @type {number} */ (text.codePointAt(0))) : "");

  /** @param {string} text @returns {string} */
  const trimStart = (text) => text.replace(/^[\p{Z}\t-\r]+/u, "");

  /** @param {string} text @returns {string} */
  const trim = (text) => trimStart(text).replace(/[\p{Z}\t-\r]+$/u, "");

  /** @param {string} text @returns {string} */
  const token = (text) => /** @type {RegExpMatchArray} */ (text.match(/^[^\p{Z}\t-\r]+/u))[0];

  /** The filter that a text begins with: its name, its value and its length. @param {string} text */
  const filterAt = (text) => {
    const name = text.match(NAME);
    const value = name && text.slice(name[0].length).match(VALUE);
    if (!value) return null;
    const meant = value.slice(1).find((group) => group) ?? "";
    return { name: name[1].toLowerCase(), value: meant.toLowerCase(), length: name[0].length + value[0].length };
  };

  /** The phrase in quotes that a text begins with; one without a word in it is none. @param {string} text */
  const phraseAt = (text) => {
    const close = QUOTES.get(text[0]);
    const end = close ? text.indexOf(close, 1) : -1;
    const inside = end > 1 ? text.slice(1, end) : "";
    return hasAlnum(inside) ? inside : null;
  };

  /** A word stops where a quoted phrase begins inside it. @param {string} word @returns {string} */
  const untilQuote = (word) => {
    for (let n = 1; n < word.length; n++) {
      const close = QUOTES.get(word[n]);
      if (close && word[n] !== '"' && word.includes(close, n)) return word.slice(0, n);
    }
    return word;
  };

  return { parse };
})();
