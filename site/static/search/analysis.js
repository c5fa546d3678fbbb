/**
 * Text -> terms: the same cutting as `analysis.py`, rule by rule. The contract file holds both to it.
 *
 * A normalised text is a string where every character is one code unit, else an array of characters. Where each comes from
 * is counted in code units of the text as written; nothing is noted of ASCII, which stays as long as it is.
 */
/**
 * @typedef {{ term: string, start: number, end: number, pos: number, kind: string }} Token
 * @typedef {{ spaced: boolean, numbers: Map<string, string>, levelWords: Set<string> }} Language
 * @typedef {{
 *   languages: Map<string, Language>,
 *   hanNumbers: Map<string, string>,
 *   levelNumerals: Map<string, string>,
 *   listing: Set<string>,
 *   levelWords: Set<string>,
 *   oneLevel: Set<string>,
 *   numberLevels: Map<string, string>,
 *   levelSigns: Set<string>,
 * }} Tables the signs of levels: words without one of which a text has no level
 * @typedef {{ chars: string | string[], starts: number[] | null, ends: number[] | null }} Normal
 */

const SearchAnalysis = (() => {
  const HAN = "\\u3400-\\u4dbf\\u4e00-\\u9fff\\u3005\\u3007\\u{20000}-\\u{3ffff}";
  const WORD = new RegExp(`^(?![${HAN}])[\\p{L}\\p{N}\\p{M}]$`, "u");
  const HAS_HAN = new RegExp(`[${HAN}]`, "u");
  const ASCII = /^[\x00-\x7f]*$/;
  const HAN_NUMBER = /[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]/g;
  const ORDINAL = "第";
  const MOST_OPENINGS = 8;
  const DECIMAL = /^\p{Nd}$/u;
  const PLAIN = /^[a-z0-9]*$/;
  const ROMAN = ["ii", "iii", "iiii", "iv"];
  const MARK = /^\p{M}$/u;
  // What Python calls a digit: decimal digits, and digits that stand for themselves and survive NFKC.
  const DIGIT =
    "\\p{Nd}\\u1369-\\u1371\\u19da\\u24f5-\\u24fd\\u24ff\\u2776-\\u277e\\u2780-\\u2788\\u278a-\\u2792" +
    "\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}\\u{11052}-\\u{1105a}\\u{1f10c}";
  const DIGITS = new RegExp(`^[${DIGIT}]+$`, "u");
  const HAS_DIGIT_OR_HAN = new RegExp(`[${DIGIT}${HAN}]`, "u");
  const ALPHA = /^\p{L}+$/u;
  const ALNUM = /^[\p{L}\p{N}]+$/u;
  const HAS_ALNUM = /[\p{L}\p{N}]/u;
  const SPACE = /^[\p{Z}\t-\r]$/u;

  /** @type {Map<string, string>} */
  const PUNCTUATION = new Map();
  for (const char of "’‘ʼ＇") PUNCTUATION.set(char, "'");
  for (const char of "“”„«»") PUNCTUATION.set(char, '"');
  for (const char of "‐‑‒–−") PUNCTUATION.set(char, "-");

  // Characters whose case folding is not "to capitals, then to small letters".
  const FOLDED = new Map([["ı", "ı"], ["ẞ", "ss"]]);

  /** @param {string} char @returns {boolean} */
  const isHan = (char) => char >= "々" && HAS_HAN.test(char);

  /** @param {string} text @returns {boolean} */
  const hasHan = (text) => HAS_HAN.test(text);

  /** @type {Map<string, boolean>} */
  const wordChars = new Map();

  /** @param {string} char @returns {boolean} */
  const isWordChar = (char) => {
    if (char >= "a" && char <= "z") return true;
    let known = wordChars.get(char);
    if (known === undefined) {
      known = WORD.test(char);
      wordChars.set(char, known);
    }
    return known;
  };

  /** @type {Map<string, string>} */
  const folds = new Map();

  /** A term without accents and apostrophes. @param {string} term @returns {string} */
  const fold = (term) => {
    if (PLAIN.test(term)) return term;
    let known = folds.get(term);
    if (known === undefined) {
      known = ASCII.test(term) ? term.replaceAll("'", "") : term.normalize("NFD").replace(/['\p{Mn}]/gu, "");
      folds.set(term, known);
    }
    return known;
  };

  /** Case folding as Python does it. @param {string} text @returns {string} */
  const caseFold = (text) => {
    let folded = "";
    for (const char of text) folded += FOLDED.get(char) ?? foldedChar(char);
    return folded;
  };

  /** @param {string} char @returns {string} */
  const foldedChar = (char) => {
    const code = /** @type {number} */ (char.codePointAt(0));
    if ((code >= 0x13a0 && code <= 0x13f5) || (code >= 0xab70 && code <= 0xabbf)) return char.toUpperCase();
    if (code >= 0x13f8 && code <= 0x13fd) return char.toUpperCase();
    let folded = "";
    for (const upper of char.toUpperCase()) folded += upper.toLowerCase();
    return folded;
  };

  /** @type {Map<string, string[]>} */
  const clusters = new Map();

  /** The characters that a base character with its marks is compared as. @param {string} cluster @returns {string[]} */
  const normalCluster = (cluster) => {
    let known = clusters.get(cluster);
    if (!known) {
      const folded = caseFold(cluster.normalize("NFKC")).normalize("NFKC");
      known = Array.from(folded.replace(/\p{Cf}/gu, ""), (char) => PUNCTUATION.get(char) ?? char);
      clusters.set(cluster, known);
    }
    return known;
  };

  /** @param {string} text @param {ReadonlyMap<string, string>} simplified @returns {Normal} */
  const normalise = (text, simplified) => {
    if (ASCII.test(text)) return { chars: text.toLowerCase(), starts: null, ends: null };
    /** @type {string[]} */
    const chars = [];
    /** @type {number[]} */
    const starts = [];
    /** @type {number[]} */
    const ends = [];
    let single = true;
    /** @param {number} start @param {number} end */
    const add = (start, end) => {
      for (const char of normalCluster(text.slice(start, end))) {
        const simple = simplified.get(char) ?? char;
        single &&= simple.length === 1;
        chars.push(simple);
        starts.push(start);
        ends.push(end);
      }
    };
    let start = 0;
    let i = 0;
    for (const char of text) {
      if (i > 0 && !(char > "\u02ff" && MARK.test(char))) {
        add(start, i);
        start = i;
      }
      i += char.length;
    }
    if (text) add(start, text.length);
    return { chars: single ? chars.join("") : chars, starts, ends };
  };

  /** @param {string | string[]} chars @param {number} a @param {number} b @returns {string} */
  const part = (chars, a, b) => (typeof chars === "string" ? chars.slice(a, b) : chars.slice(a, b).join(""));

  /** @param {string} term @returns {boolean} */
  const isDigits = (term) => DIGITS.test(term);

  /** Every token of one text, cut once. */
  class Cutter {
    /** @param {Normal} normal @param {Tables} tables */
    constructor({ chars, starts, ends }, tables) {
      this.chars = chars;
      this.starts = starts;
      this.ends = ends;
      this.tables = tables;
      /** @type {Token[]} */
      this.tokens = [];
    }

    /** @returns {Token[]} */
    cut() {
      const chars = this.chars;
      let pos = 0;
      for (let i = 0; i < chars.length; ) {
        if (isHan(chars[i])) {
          const end = this.endOfHan(i);
          this.addHan(i, end, pos);
          pos += end - i;
          i = end;
        } else if (isWordChar(chars[i])) {
          const end = this.endOfCompound(i);
          pos = this.addCompound(i, end, pos) + 1;
          i = end;
        } else i++;
      }
      return this.tokens;
    }

    /** @param {string} term @param {number} a @param {number} b @param {number} pos @param {string} kind */
    add(term, a, b, pos, kind) {
      const start = this.starts ? this.starts[a] : a;
      const end = this.ends ? this.ends[b - 1] : b;
      this.tokens.push({ term, start, end, pos, kind });
    }

    /** @param {number} i @returns {number} */
    endOfHan(i) {
      while (i < this.chars.length && isHan(this.chars[i])) i++;
      return i;
    }

    /** @param {number} i @returns {number} */
    endOfCompound(i) {
      const chars = this.chars;
      for (;;) {
        while (i < chars.length && isWordChar(chars[i])) i++;
        if (i + 1 >= chars.length || !"'-.".includes(chars[i]) || !isWordChar(chars[i + 1])) return i;
        if (chars[i] === "." && !(isDigits(chars[i - 1]) && isDigits(chars[i + 1]))) return i;
        i++;
      }
    }

    /** @param {number} start @param {number} end @param {number} pos @returns {number} the last position */
    addCompound(start, end, pos) {
      const chars = this.chars;
      const parts = this.parts(start, end);
      if (parts.length === 1 && !(end < chars.length && isHan(chars[end]))) {
        const term = part(chars, start, end);
        if (!term.includes(".")) {
          this.add(term, start, end, pos, "word");
          return pos;
        }
      }
      parts.forEach(([a, b], n) => {
        const term = part(chars, a, b);
        this.add(term, a, b, pos + n, parts.length > 1 ? "part" : "word");
        if (n === 0 && parts.length > 1) {
          const whole = part(chars, start, end);
          const joined = whole.replaceAll("-", "");
          this.add(isDigits(joined.replaceAll(".", "")) ? whole : joined, start, end, pos, "whole");
        }
        for (let dot = term.indexOf("."), left = MOST_OPENINGS; dot >= 0 && left; dot = term.indexOf(".", dot + 1), left--) {
          this.add(term.slice(0, dot + 1), a, b, pos + n, "opening");
        }
        if (b === end && isDigits(term) && end < chars.length && isHan(chars[end])) {
          this.add(term + chars[end], a, end + 1, pos + n, "pair");
        }
      });
      return pos + parts.length - 1;
    }

    /** @param {number} start @param {number} end @returns {[number, number][]} */
    parts(start, end) {
      /** @type {[number, number][]} */
      const parts = [];
      let a = start;
      for (let b = start; b < end; b++) {
        if (this.chars[b] === "-") {
          parts.push([a, b]);
          a = b + 1;
        }
      }
      parts.push([a, end]);
      return parts;
    }

    /** @param {number} start @param {number} end @param {number} pos */
    addHan(start, end, pos) {
      const chars = this.chars;
      const numbers = this.hanNumbers(start, end);
      for (let i = start; i < end; i++, pos++) {
        this.add(chars[i], i, i + 1, pos, "han");
        if (i + 1 < end) this.add(chars[i] + chars[i + 1], i, i + 2, pos, "pair");
        this.addHanNumber(i, numbers.get(i), end, pos);
        const following = numbers.get(i + 1);
        if (following && chars[i] === ORDINAL) {
          this.add(chars[i] + this.valueOf(following), i, i + 1 + following.length, pos, "pair");
        }
      }
      if (end < chars.length && isDigits(chars[end])) {
        let after = end + 1;
        if (DECIMAL.test(chars[end])) while (after < chars.length && DECIMAL.test(chars[after])) after++;
        this.add(part(chars, end - 1, after), end - 1, after, pos - 1, "pair");
      }
    }

    /** The numbers in a run of Han, by where they begin. @param {number} start @param {number} end @returns {Map<number, string>} */
    hanNumbers(start, end) {
      const chars = this.chars;
      const run = typeof chars === "string" ? chars.slice(start, end) : chars.slice(start, end).map((c) => c[0]).join("");
      return new Map(Array.from(run.matchAll(HAN_NUMBER), (match) => [start + match.index, match[0]]));
    }

    /** @param {number} i @param {string | undefined} number @param {number} end @param {number} pos */
    addHanNumber(i, number, end, pos) {
      if (!number) return;
      const value = this.valueOf(number);
      const after = i + number.length;
      if (value !== "1") this.add(value, i, after, pos, "number");
      if (after < end) this.add(value + this.chars[after], i, after + 1, pos, "pair");
    }

    /** The digits of a Chinese number up to 99. @param {string} number @returns {string} */
    valueOf(number) {
      const { hanNumbers } = this.tables;
      const ten = number.lastIndexOf("十");
      if (ten < 0) return hanNumbers.get(number) ?? "";
      const tens = Number(hanNumbers.get(number.slice(0, ten)) ?? 1);
      return String(10 * tens + Number(hanNumbers.get(number.slice(ten + 1)) ?? 0));
    }
  }

  /** @type {ReadonlyMap<string, string>} */
  const NONE = new Map();

  /**
   * All tokens of a text, in the order of their positions.
   *
   * @param {string} text
   * @param {string} lang the language whose number words count; none where it is empty
   * @param {Tables} tables
   * @param {ReadonlyMap<string, string>} [simplified] Traditional to Simplified characters
   * @returns {Token[]}
   */
  const analyse = (text, lang, tables, simplified = NONE) =>
    withMeanings(new Cutter(normalise(text, simplified), tables).cut(), lang, tables);

  /** @param {Token} token @returns {boolean} */
  const isWritten = ({ kind }) => kind === "word" || kind === "part" || kind === "han";

  /** @param {Token[]} tokens @param {string} lang @param {Tables} tables @returns {Token[]} */
  const withMeanings = (tokens, lang, tables) => {
    const numbers = tables.languages.get(lang)?.numbers ?? NONE;
    const levels = levelPositions(tokens, tables);
    /** @param {Token} token */
    const numberOf = ({ term, kind }) => (kind === "word" || kind === "part" ? numbers.get(fold(term)) : undefined);
    if (!levels.size && !(numbers.size && tokens.some(numberOf))) return tokens;
    /** @type {Token[]} */
    const out = [];
    for (const token of tokens) {
      out.push(token);
      const number = numberOf(token);
      if (number) out.push({ ...token, term: number, kind: "number" });
      const level = levels.get(token.pos);
      if (level && isWritten(token)) out.push({ ...token, term: `level:${level}`, kind: "level" });
    }
    return out;
  };

  /** @param {Token[]} tokens @param {Tables} tables @returns {ReadonlyMap<number, string>} */
  const levelPositions = (tokens, tables) => {
    if (!tokens.some(({ term }) => tables.levelSigns.has(term))) return NO_LEVELS;
    /** @type {Map<number, string>} */
    const numerals = new Map();
    for (const token of tokens) {
      if (!isWritten(token)) continue;
      const numeral = tables.levelNumerals.get(token.term) ?? tables.numberLevels.get(token.term);
      if (numeral) numerals.set(token.pos, numeral);
    }
    if (!numerals.size) return NO_LEVELS;
    const words = new Map(tokens.filter(isWritten).map((token) => [token.pos, token.term]));
    const sure = new Set([...numerals.keys()].filter((p) => isSurely(p, words, tables)));
    for (let grown = true; grown; ) {
      const near = [...numerals.keys()].filter((p) => !sure.has(p) && isBeside(p, sure, words, tables));
      for (const p of near) sure.add(p);
      grown = near.length > 0;
    }
    return new Map([...numerals].filter(([p]) => sure.has(p)));
  };

  /** @type {ReadonlyMap<number, string>} */
  const NO_LEVELS = new Map();

  /** @param {number} p @param {Map<number, string>} words @param {Tables} tables @returns {boolean} */
  const isSurely = (p, words, tables) => {
    const word = words.get(p) ?? "";
    if (ROMAN.includes(word)) return true;
    if (tables.levelWords.has(words.get(p - 1) ?? "") || words.get(p + 1) === "级") return true;
    return tables.numberLevels.has(word) && tables.oneLevel.has(words.get(p + 1) ?? "");
  };

  /**
   * Whether a level of the same writing stands beside it, a listing word between or not.
   *
   * @param {number} p @param {Set<number>} sure @param {Map<number, string>} words @param {Tables} tables
   * @returns {boolean}
   */
  const isBeside = (p, sure, words, tables) => {
    const writing = writingOf(words.get(p) ?? "", tables);
    return [-1, 1].some((d) =>
      [p + d, ...(tables.listing.has(words.get(p + d) ?? "") ? [p + 2 * d] : [])].some(
        (q) => sure.has(q) && writingOf(words.get(q) ?? "", tables) === writing,
      ),
    );
  };

  /** @param {string} numeral @param {Tables} tables @returns {string} */
  const writingOf = (numeral, tables) => {
    if (isHan(numeral[0])) return "han";
    return isDigits(numeral) ? "digit" : tables.numberLevels.has(numeral) ? "word" : "roman";
  };

  /** Whether a term is a plain word, which has a stem. @param {string} term @returns {boolean} */
  const isPlain = (term) => !HAS_DIGIT_OR_HAN.test(term);
  /** @param {string} text @returns {boolean} */
  const isAlpha = (text) => ALPHA.test(text);
  /** @param {string} text @returns {boolean} */
  const isAlnum = (text) => ALNUM.test(text);
  /** @param {string} text @returns {boolean} */
  const hasAlnum = (text) => HAS_ALNUM.test(text);
  /** @param {string} char @returns {boolean} */
  const isSpace = (char) => SPACE.test(char);

  /**
   * Tables as the core shard has them, made ready.
   *
   * @param {{
   *   languages: Record<string, { spaced: boolean, numbers: Record<string, string>, levelWords: string[] }>,
   *   hanNumbers: Record<string, string>, levelNumerals: Record<string, string>, listing: string[],
   *   oneLevel: string[],
   * }} data
   * @returns {Tables}
   */
  const tablesOf = (data) => {
    const languages = new Map(
      Object.entries(data.languages).map(([lang, { spaced, numbers, levelWords }]) => [
        lang,
        { spaced, numbers: byWord(numbers), levelWords: new Set(levelWords) },
      ]),
    );
    const all = [...languages.values()];
    const levelWords = new Set(all.flatMap((language) => [...language.levelWords]));
    return {
      languages,
      hanNumbers: byWord(data.hanNumbers),
      levelNumerals: byWord(data.levelNumerals),
      listing: new Set(data.listing),
      oneLevel: new Set(data.oneLevel),
      levelWords,
      levelSigns: new Set([...levelWords, ...data.oneLevel, ...ROMAN, "级"]),
      numberLevels: new Map(all.flatMap((language) => [...language.numbers].filter(([, n]) => "1234".includes(n)))),
    };
  };

  /** `{"2": "two second"}` -> two: 2, second: 2. @param {Record<string, string>} values @returns {Map<string, string>} */
  const byWord = (values) =>
    new Map(
      Object.entries(values).flatMap(([value, words]) =>
        words.split(" ").map((word) => /** @type {[string, string]} */ ([word, value])),
      ),
    );

  return { analyse, caseFold, fold, hasAlnum, hasHan, isAlnum, isAlpha, isDigits, isHan, isPlain, isSpace, isWritten, normalise, tablesOf };
})();
