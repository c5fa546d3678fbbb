/**
 * Every form that occurs, with its stem, and the glossary's forms: the same as `dictionary.py`.
 *
 * Not all of it is loaded at first. Where the answer could depend on something that is not, `Missing` is thrown; whoever
 * asked loads what it names and asks again.
 */
/**
 * @typedef {[string, number][]} Forms forms of one stem, and for each the number of entries that have it, or its place in a
 *   list of such numbers
 * @typedef {[concept: string, weight: number][]} Meanings
 */

const SearchDictionary = (() => {
  const { fold, hasHan, isAlnum, isAlpha, isHan } = SearchAnalysis;

  /** Something that has to be loaded before the question can be answered. */
  class Missing extends Error {
    /** @param {string[]} shards */
    constructor(shards) {
      super(`not loaded: ${shards.join(", ")}`);
      this.shards = shards;
    }
  }

  /** The order of code points, in which Python sorts strings. @param {string} a @param {string} b @returns {number} */
  const byCodePoint = (a, b) => {
    const length = Math.min(a.length, b.length);
    for (let i = 0; i < length; i++) {
      const x = a.charCodeAt(i);
      const y = b.charCodeAt(i);
      if (x !== y) return surrogatesLast(x) - surrogatesLast(y);
    }
    return a.length - b.length;
  };

  /** @param {number} unit @returns {number} */
  const surrogatesLast = (unit) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

  /** A word by its characters. @param {string} word @returns {string | string[]} */
  const charsOf = (word) => (/[\ud800-\udfff]/.test(word) ? Array.from(word) : word);

  /** Edit distance with swaps of neighbours, or `null` if it is over `bound`. @param {string} first @param {string} second @param {number} bound */
  const damerau = (first, second, bound) => {
    const a = charsOf(first);
    const b = charsOf(second);
    /** @type {number[]} */
    let older = [];
    /** @type {number[]} */
    let before = [];
    let row = Array.from({ length: b.length + 1 }, (_, n) => n);
    for (let i = 1; i <= a.length; i++) {
      [older, before, row] = [before, row, [i]];
      let least = i;
      for (let j = 1; j <= b.length; j++) {
        let cost = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, older[j - 2] + 1);
        row.push(cost);
        least = Math.min(least, cost);
      }
      if (least > bound) return null;
    }
    return row[b.length] <= bound ? row[b.length] : null;
  };

  /** All forms of one language. */
  class Vocabulary {
    /**
     * @param {string} lang
     * @param {Map<string, Forms>} groups stem -> forms, in the order of the first forms
     * @param {number} minStem
     * @param {(() => number[]) | null} uses the list of numbers, if that is how they are told
     */
    constructor(lang, groups, minStem, uses) {
      this.lang = lang;
      this.groups = groups;
      this.minStem = minStem;
      this.uses = uses;
      /** @type {Map<string, string>} */
      this.stems = new Map();
      /** @type {string[] | null} */
      this.sorted = null;
      /** @type {Set<string> | null} */
      this.knownEndings = null;
      for (const [stem, forms] of groups) {
        for (const [form] of forms) this.stems.set(fold(form), stem);
      }
      for (const [stem, forms] of groups) {
        if (forms.length === 1 && forms[0][0] === stem && fold(stem) === stem) this.stems.set(stem, stem);
      }
    }

    /** @param {string} word @returns {string | null} */
    stemOf(word) {
      return this.stems.get(fold(word)) ?? null;
    }

    /** @param {string} stem @returns {Forms} */
    formsOf(stem) {
      return /** @type {Forms} */ (this.groups.get(stem));
    }

    /** @param {string} word @returns {Forms} */
    sameFold(word) {
      const stem = this.stemOf(word);
      const folded = fold(word);
      return stem === null ? [] : this.formsOf(stem).filter(([form]) => fold(form) === folded);
    }

    /** @returns {string[]} */
    get sortedFolds() {
      this.sorted ??= [...this.stems.keys()]
        .filter((word) => isAlnum(word) && isAlpha(charsOf(word)[0]) && !isHan(charsOf(word)[0]))
        .sort(byCodePoint);
      return this.sorted;
    }

    /** @returns {Set<string>} */
    get endings() {
      this.knownEndings ??= this.findEndings();
      return this.knownEndings;
    }

    /** @returns {Set<string>} */
    findEndings() {
      /** @type {Map<string, number>} */
      const seen = new Map();
      for (const forms of this.groups.values()) {
        const folded = [...new Set(forms.map(([form]) => fold(form)))];
        if (folded.length < 2) continue;
        const common = commonStart(folded);
        for (const word of folded) {
          const ending = word.slice(common.length);
          seen.set(ending, (seen.get(ending) ?? 0) + 1);
        }
      }
      return new Set([...seen].filter(([, n]) => n > 1).map(([ending]) => ending));
    }

    /** @param {string} stem @returns {number} */
    frequency(stem) {
      const uses = this.uses?.();
      return Math.max(...this.formsOf(stem).map(([, n]) => (uses ? uses[n] : n)));
    }

    /** The stem of which a word is an unseen form. @param {string} word @returns {string | null} */
    inflectionOf(word) {
      const chars = Array.from(fold(word));
      for (let cut = chars.length; cut >= this.minStem; cut--) {
        if (!this.endings.has(chars.slice(cut).join(""))) continue;
        const opening = chars.slice(0, cut).join("");
        const found = this.starting(opening).filter((known) => this.endings.has(known.slice(opening.length)));
        if (found.length) return this.stemOf(this.commonest(found));
      }
      return null;
    }

    /** @param {string[]} words @returns {string} */
    commonest(words) {
      return words.reduce((best, word) => (this.frequencyOf(word) > this.frequencyOf(best) ? word : best));
    }

    /** Stems of the words that begin with a word, the commonest first. @param {string} word @returns {string[]} */
    openingOf(word) {
      const folded = fold(word);
      if (charsOf(folded).length < this.minStem) return [];
      const found = new Set(this.starting(folded).map((known) => /** @type {string} */ (this.stemOf(known))));
      return [...found].sort((a, b) => this.frequency(b) - this.frequency(a) || byCodePoint(a, b));
    }

    /** The known form at the smallest edit distance. @param {string} word @returns {[number, string] | null} */
    nearest(word) {
      const folded = fold(word);
      const length = charsOf(folded).length;
      if (length < 4 || !isAlpha(folded)) return null;
      const bound = length <= 5 ? 1 : 2;
      /** @type {[number, number, string] | null} */
      let best = null;
      for (const known of this.starting(charsOf(folded)[0])) {
        if (Math.abs(charsOf(known).length - length) > bound) continue;
        const distance = damerau(folded, known, bound);
        if (distance === null) continue;
        /** @type {[number, number, string]} */
        const candidate = [distance, -this.frequencyOf(known), known];
        if (!best || isLess(candidate, best)) best = candidate;
      }
      return best && [best[0], best[2]];
    }

    /** @param {string} folded @returns {number} */
    frequencyOf(folded) {
      return this.frequency(this.stemOf(folded) ?? folded);
    }

    /** @param {string} opening @returns {string[]} */
    starting(opening) {
      const words = this.sortedFolds;
      let low = 0;
      for (let high = words.length; low < high; ) {
        const middle = (low + high) >> 1;
        if (byCodePoint(words[middle], opening) < 0) low = middle + 1;
        else high = middle;
      }
      let end = low;
      while (end < words.length && words[end].startsWith(opening)) end++;
      return words.slice(low, end);
    }
  }

  /** @param {[number, number, string]} a @param {[number, number, string]} b @returns {boolean} */
  const isLess = (a, b) => (a[0] - b[0] || a[1] - b[1] || byCodePoint(a[2], b[2])) < 0;

  /** @param {string[]} words @returns {string} */
  const commonStart = (words) => {
    const sorted = [...words].sort(byCodePoint);
    const first = Array.from(sorted[0]);
    const last = Array.from(sorted[sorted.length - 1]);
    let n = 0;
    while (n < Math.min(first.length, last.length) && first[n] === last[n]) n++;
    return first.slice(0, n).join("");
  };

  /** Rows of keys that stand for something: stems or Han characters, with spaces between. @template T */
  class FormTable {
    /** @param {Map<string, T>} meanings */
    constructor(meanings) {
      this.meanings = meanings;
      /** @type {Map<string, number>} */
      this.longest = new Map();
      for (const form of meanings.keys()) {
        const words = form.split(" ");
        this.longest.set(words[0], Math.max(words.length, this.longest.get(words[0]) ?? 0));
      }
    }

    /** The longest forms in a row of keys, left to right. @param {(string | null)[]} keys @returns {[number, number, string][]} */
    foundIn(keys) {
      /** @type {[number, number, string][]} */
      const found = [];
      for (let i = 0; i < keys.length; i++) {
        const longest = this.longest.get(keys[i] ?? "");
        if (!longest) continue;
        let form = "";
        let end = 0;
        for (let j = i, row = ""; j < Math.min(keys.length, i + longest) && keys[j] !== null; j++) {
          if (keys[j]) row += row ? ` ${keys[j]}` : keys[j];
          if (this.meanings.has(row)) [form, end] = [row, j + 1];
        }
        if (!end) continue;
        found.push([i, end, form]);
        i = end - 1;
      }
      return found;
    }
  }

  /** Reads what `browserindex.packed_vocabulary` wrote. @param {string} packed @returns {Map<string, Forms>} */
  const unpacked = (packed) => {
    let n = 0;
    /** @type {Map<string, Forms>} */
    const groups = new Map();
    let before = "";
    for (const line of packed.split("\n")) {
      const [head, ...tails] = line.split("|");
      const stem = before.slice(0, head.charCodeAt(0) - 48) + head.slice(1);
      groups.set(stem, tails.map((tail) => [withTail(stem, tail), n++]));
      before = stem;
    }
    return groups;
  };

  /** @param {string} stem @param {string} tail @returns {string} */
  const withTail = (stem, tail) => {
    const less = tail.length - tail.replace(/^<+/, "").length;
    return stem.slice(0, stem.length - less) + tail.slice(less);
  };

  /**
   * Groups forms found in texts by their stems.
   *
   * @param {Map<string, number>} uses form -> number of entries
   * @param {(form: string, n: number) => string} stemOf the stem of the n-th form in alphabetical order
   * @returns {Map<string, Forms>}
   */
  const grouped = (uses, stemOf) => {
    /** @type {Map<string, Forms>} */
    const groups = new Map();
    [...uses.keys()].sort(byCodePoint).forEach((form, n) => {
      const stem = stemOf(form, n);
      const forms = groups.get(stem);
      const use = /** @type {[string, number]} */ ([form, uses.get(form)]);
      if (forms) forms.push(use);
      else groups.set(stem, [use]);
    });
    return groups;
  };

  return { FormTable, Missing, Vocabulary, byCodePoint, charsOf, damerau, grouped, hasHan, unpacked };
})();
