/** String -> query: the little query language, the same as `query.py`. No input is an error. */
/**
 * @typedef {{
 *   text: string, words: string, loose: string, phrases: string[], excluded: string[], filters: Map<string, string>, cut: boolean,
 * }} Query
 */

const SearchQuery = (() => {
  const { hasAlnum, isAlpha, isSpace } = SearchAnalysis;
  const FILTERS = ["game", "lang", "kind", "id"];
  const FILTER =
    /^(game|lang|kind|id):(?:"([^"]+)"|“([^”]+)”|„([^“]+)“|«([^»]+)»|「([^」]+)」|『([^』]+)』|'([^']+)'|([^ \t-\r"'“„«「『]+))(?=[ \t-\r]|$)/i;
  const QUOTES = new Map([['"', '"'], ["“", "”"], ["„", "“"], ["«", "»"], ["「", "」"], ["『", "』"]]);

  /** Different phrases, and things to leave out, that are heeded at most: `query.MAX_PHRASES`. */
  const MAX_PHRASES = 16;

  /** @param {string} text @param {number} maxChars @returns {Query} */
  const parse = (text, maxChars) => {
    const clean = trim(text.replace(/[\p{Cc}\p{Cs}]/gu, " "));
    const chars = Array.from(clean);
    const cut = chars.length > maxChars;
    /** @type {Query} */
    const query = { text: clean, words: "", loose: "", phrases: [], excluded: [], filters: new Map(), cut };
    /** @type {string[]} */
    const words = [];
    /** @type {string[]} */
    const loose = [];
    let rest = cut ? chars.slice(0, maxChars).join("") : clean;
    while ((rest = trimStart(rest))) {
      rest = withPlainStart(rest);
      const filter = rest.match(FILTER);
      if (filter) {
        const value = filter.slice(2).find((group) => group) ?? "";
        query.filters.set(filter[1].toLowerCase(), value.toLowerCase());
        rest = rest.slice(filter[0].length);
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
      else {
        words.push(word);
        loose.push(word);
      }
    }
    query.phrases = [...new Set(query.phrases)].slice(0, MAX_PHRASES);
    query.excluded = [...new Set(query.excluded)].slice(0, MAX_PHRASES);
    query.words = words.join(" ");
    query.loose = loose.join(" ");
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

  /** A full-width filter in plain letters; anything else as it is. @param {string} text @returns {string} */
  const withPlainStart = (text) => {
    const first = token(text);
    const plainColon = first.replace("：", ":");
    const colon = plainColon.indexOf(":");
    const name = plainColon.slice(0, Math.max(0, colon)).normalize("NFKC");
    const isFilter = FILTERS.includes(name.toLowerCase());
    return isFilter ? name + plainColon.slice(colon) + text.slice(first.length) : text;
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
