/** The search as pages use it: ask a question, and what it takes is loaded by itself. */
/**
 * @typedef {{ game?: string, kind?: string, lang?: string, limit?: number, exact?: boolean, fallback?: string }} Options
 *   `lang`: the reader's language, if chosen; `fallback`: that of a query that does not tell its own
 * @typedef {Ranked & { entry: Entry }} Hit
 * @typedef {{
 *   query: Query, plan: Plan, lang: string, confident: boolean, hits: Hit[], nearest: Hit[], total: number, notes: Note[],
 * }} Found the answer; `lang` is the language it is read in
 */

const SearchEngine = (() => {
  const { hasHan } = SearchAnalysis;
  const { Missing } = SearchDictionary;
  const { Lexicon } = SearchLexicon;
  const { Store } = SearchStore;
  const { Showing } = SearchShowing;

  /** Milliseconds of work after which keys and painting have their turn. */
  const SLICE = 12;

  /** Let keys and painting have their turn. @returns {Promise<void>} */
  const breath = () => new Promise((resolve) => setTimeout(resolve));

  class Engine {
    /** @param {Shards} shards */
    constructor(shards) {
      this.shards = shards;
      /** @type {InstanceType<typeof Store> | null} */
      this.made = null;
      /** How long the last answer took, in milliseconds, loading apart. */
      this.took = 0;
    }

    /** The index, once the core is there. @returns {InstanceType<typeof Store>} */
    get store() {
      const core = this.shards.shelf.get("core");
      if (!core) throw new Missing(["core"]);
      this.made ??= new Store(new Lexicon(core, this.shards.shelf));
      return this.made;
    }

    /** @returns {InstanceType<typeof Showing>} */
    get showing() {
      return new Showing(this.store);
    }

    /**
     * Answer a question.
     *
     * @param {string} text any string
     * @param {Options} [options]
     * @returns {Promise<Found>}
     */
    ask(text, options = {}) {
      return this.complete(() => this.answer(text, options));
    }

    /** Load what a reader's first question will need, and make postings of it. @param {string} lang @returns {Promise<void>} */
    async begin(lang) {
      await this.shards.load(["core", `language-${lang}`]);
      await this.shards.load(this.wanted(lang));
      await this.build(false);
    }

    /** Be ready for a reader's first question. @param {string} lang @returns {Promise<void>} */
    async prepare(lang) {
      await this.begin(lang);
      await this.complete(() => void this.needAll(lang));
      await this.build();
    }

    /** The shards of a language, and of the entries that have no text in it. @param {string} lang @returns {string[]} */
    wanted(lang) {
      const { lexicon } = this.store;
      const own = lexicon.languages.indexOf(lang);
      const foreign = new Set(lexicon.gameOf.filter((_, document) => !lexicon.core.entries.languages[document].includes(own)));
      const others = (lexicon.core.fallbacks[lang] ?? []).flatMap((other) => [
        ...(lexicon.isSpaced(lang) && lexicon.isSpaced(other) ? [`dictionary-${other}`] : []),
        ...(lexicon.core.streams[other] ?? []).filter((game) => foreign.has(game)).map((game) => `texts-${other}-${lexicon.gameIds[game]}`),
      ]);
      return [...lexicon.textShards(lang), ...others];
    }

    /** Do something, loading what it misses, until it is done. @template T @param {() => T} action @returns {Promise<T>} */
    async complete(action) {
      for (;;) {
        try {
          const start = performance.now();
          const done = action();
          this.took = performance.now() - start;
          return done;
        } catch (error) {
          if (!(error instanceof Missing)) throw error;
          await this.shards.load(error.shards);
          if (error.shards.some((name) => name.startsWith("texts-"))) await this.build();
        }
      }
    }

    /** Take a step towards a shard's postings, or load what it misses; whether more is left. @param {string} name @param {boolean} concepts */
    async stepped(name, concepts) {
      try {
        return this.store.step(name, concepts);
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        await this.shards.load(error.shards);
        return true;
      }
    }

    /**
     * Make postings of all texts that are there, in slices: it may take seconds, and nobody's typing waits for it. The words of all
     * come first, since what names a concept depends on them.
     *
     * @param {boolean} concepts not only the words
     */
    async build(concepts = true) {
      let start = performance.now();
      for (const stage of concepts ? [false, true] : [false]) {
        for (const name of this.shards.shelf.keys()) {
          while (await this.stepped(name, stage)) {
            if (performance.now() - start > SLICE) {
              await breath();
              start = performance.now();
            }
          }
        }
      }
    }

    /** All of a language's own data. @param {string} lang */
    needAll(lang) {
      const { lexicon } = this.store;
      if (!lexicon.languages.includes(lang) || lexicon.knownVocabulary(lang)) return;
      const missing = [`language-${lang}`, ...lexicon.textShards(lang)].filter((name) => !this.shards.shelf.has(name));
      throw new Missing(missing);
    }

    /** @param {string} text @param {Options} options @returns {Found} */
    answer(text, { game, kind, lang, limit = 10, exact = false, fallback = "en" }) {
      const store = this.store;
      const query = SearchQuery.parse(text, store.lexicon.weights.MAX_CHARS);
      if (game) query.filters.set("game", game);
      if (kind) query.filters.set("kind", kind);
      if (lang) query.filters.set("lang", lang);
      this.needAll(fallback);
      if (hasHan(query.text.normalize("NFKC"))) this.needAll("zh");
      const plan = SearchPlan.makePlan(query, store.lexicon, exact, fallback);
      const { hits, nearest, total } = SearchRanking.run(store, plan, limit);
      const reader = plan.filters.get("lang") ?? plan.lang;
      const shown = (/** @type {Ranked} */ hit) => ({ ...hit, entry: this.showing.entry(hit.document, reader) });
      return {
        query,
        plan,
        lang: reader,
        confident: hits.length > 0,
        hits: hits.map(shown),
        nearest: nearest.map(shown),
        total,
        notes: plan.notes,
      };
    }
  }

  return { Engine };
})();
