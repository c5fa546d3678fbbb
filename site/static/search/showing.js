/** Entries as results show them: title, text, excerpt, and where the query matched the text as written. */
/**
 * @typedef {{ text: string, kind: string, depth: number, marker: string }} Block
 * @typedef {{
 *   document: number, name: string, id: string, game: string, kind: string, lang: string, title: string, path: string[],
 *   blocks: Block[],
 * }} Entry
 * @typedef {[start: number, end: number]} Span
 */

const SearchShowing = (() => {
  const { analyse } = SearchAnalysis;
  const { nameOf } = SearchRanking;
  const KINDS = ["rule", "faq", "info"];
  const EXCERPT = 200;

  class Showing {
    /** @param {InstanceType<typeof SearchStore.Store>} store */
    constructor(store) {
      this.store = store;
      this.lexicon = store.lexicon;
      this.entries = store.lexicon.core.entries;
    }

    /** The language shown to a reader: it, or English, or the first there is. @param {number} document @param {string} lang */
    languageFor(document, lang) {
      const languages = this.entries.languages[document].map((n) => this.lexicon.languages[n]);
      return languages.includes(lang) ? lang : languages.includes("en") ? "en" : languages[0];
    }

    /** An entry's row in the texts that a reader is shown. @param {number} document @param {string} lang @returns {[TextData, number]} */
    row(document, lang) {
      const name = `texts-${this.languageFor(document, lang)}-${this.lexicon.gameIds[this.lexicon.gameOf[document]]}`;
      const data = /** @type {TextData} */ (this.lexicon.need(name));
      return [data, data.documents.indexOf(document)];
    }

    /** @param {number} document @param {string} lang @returns {string} */
    title(document, lang) {
      const [data, row] = this.row(document, lang);
      return data.titles[row] || "";
    }

    /** A game's title for a reader. @param {string} game @param {string} lang @returns {string} */
    gameTitle(game, lang) {
      const { title } = this.lexicon.core.games[this.lexicon.gameIds.indexOf(game)];
      return title[lang] || title.en || Object.values(title)[0];
    }

    /** Whose an entry is and what it is called. @param {number} document */
    place(document) {
      const game = this.lexicon.gameIds[this.lexicon.gameOf[document]];
      return { id: this.lexicon.entryIds[document], game, kind: KINDS[this.entries.kinds[document]] };
    }

    /** @param {number} document @param {string} lang @returns {Entry} */
    entry(document, lang) {
      const [data, row] = this.row(document, lang);
      return {
        document,
        name: nameOf(this.store, document),
        ...this.place(document),
        lang: this.languageFor(document, lang),
        title: this.title(document, lang),
        path: this.ancestors(document).map((above) => this.title(above, lang)),
        blocks: data.blocks[row].map(blockOf),
      };
    }

    /** @param {number} document @returns {number[]} */
    ancestors(document) {
      /** @type {number[]} */
      const path = [];
      for (let above = this.entries.parents[document]; above >= 0; above = this.entries.parents[above]) path.unshift(above);
      return path;
    }

    /** Where a text has what the query asked for, in order, not overlapping. @param {string} text @param {string} lang @param {Plan} plan @returns {Span[]} */
    matches(text, lang, plan) {
      const wanted = wantedTerms(plan, lang);
      return this.tokens(text, lang)
        .filter(({ term, kind }) => kind !== "number" && wanted.has(term))
        .map(({ start, end }) => /** @type {Span} */ ([start, end]));
    }

    /** A text cut into tokens, once: much of what is shown is the same from key to key. @param {string} text @param {string} lang @returns {Token[]} */
    tokens(text, lang) {
      const known = remembered(CUT, this.lexicon, () => new Map());
      return remembered(known, `${lang} ${text}`, () => analyse(text, lang, this.lexicon.tables));
    }

    /** The paragraph that has most of what was asked for. @param {Entry} entry @param {Plan} plan @returns {string} */
    excerpt(entry, plan) {
      let best = "";
      let most = -1;
      for (const { text } of entry.blocks) {
        const ranges = this.matches(text, entry.lang, plan);
        const different = new Set(ranges.map(([a, b]) => SearchAnalysis.caseFold(text.slice(a, b)))).size;
        if (different > most) [best, most] = [text, different];
      }
      const chars = Array.from(best);
      return chars.length <= EXCERPT ? best : `${chars.slice(0, EXCERPT).join("").trimEnd()}…`;
    }
  }

  /** @type {WeakMap<object, Map<string, Token[]>>} by index */
  const CUT = new WeakMap();
  /** @type {WeakMap<Plan, Map<string, Set<string>>>} */
  const WANTED = new WeakMap();

  /** What a map has under a key; made where it is missing. */
  /** @template K, V @param {{ get: (key: K) => V | undefined, set: (key: K, value: V) => unknown }} map @param {K} key @param {() => V} make @returns {V} */
  const remembered = (map, key, make) => {
    let value = map.get(key);
    if (value === undefined) map.set(key, (value = make()));
    return value;
  };

  /** @param {Plan} plan @param {string} lang @returns {Set<string>} */
  const wantedTerms = (plan, lang) =>
    remembered(
      remembered(WANTED, plan, () => new Map()),
      lang,
      () => termsOf(plan, lang),
    );

  /** @param {Plan} plan @param {string} lang @returns {Set<string>} */
  const termsOf = (plan, lang) => {
    const units = plan.units.filter((unit) => unit.weight >= unit.importance);
    const alternatives = units.flatMap((unit) => unit.alternatives).filter((alternative) => alternative.lang === lang);
    const readings = plan.phrases.flat().filter((phrase) => phrase.lang === lang);
    return new Set([...alternatives.flatMap(({ terms }) => terms.map(([term]) => term)), ...readings.flatMap(({ places }) => places.flat())]);
  };

  /** @param {BlockData} block @returns {Block} */
  const blockOf = (block) => {
    const [text, kind, depth, marker] = typeof block === "string" ? /** @type {const} */ ([block, "p", 0, ""]) : block;
    return { text, kind, depth, marker };
  };

  /** Ranges in order, those that meet made one. @param {Span[]} ranges @returns {Span[]} */
  const merged = (ranges) => {
    /** @type {Span[]} */
    const out = [];
    for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
      const last = out[out.length - 1];
      if (last && start <= last[1]) last[1] = Math.max(last[1], end);
      else out.push([start, end]);
    }
    return out;
  };

  return { Showing, merged };
})();
