/** Texts -> postings: what the index holds, made again from the texts by the same rules as `indexer.py`. */
/**
 * @typedef {{ documents: number[], ends: number[], positions: number[], boosts: number[] }} Postings
 *   where a document's positions end in the list of all, and what its fields add up to
 * @typedef {{ document: number, tokens: Token[], position: (place: number) => number }} Cut a text that may name concepts
 */

const SearchStore = (() => {
  const { Missing } = SearchDictionary;
  const { linesOf } = SearchLexicon;
  const BODY = 0;
  const TITLE = 1;
  const ALIAS = 2;
  const ASKS = 3;

  /** @param {number} position @returns {number} */
  const fieldOf = (position) => position >> 24;
  /** @param {number} position @returns {number} */
  const shortText = (position) => position >> 12;
  /** The positions in the n-th document. @param {Postings} postings @param {number} n @returns {number[]} */
  const positionsIn = ({ ends, positions }, n) => positions.slice(n ? ends[n - 1] : 0, ends[n]);

  /** Work in steps. What misses something begins anew the next time. */
  class Steps {
    /** @param {() => Generator<void>} begin makes a clean start */
    constructor(begin) {
      this.begin = begin;
      this.work = begin();
    }

    /** Take a step; whether more is left. @returns {boolean} */
    next() {
      try {
        return !this.work.next().done;
      } catch (error) {
        this.work = this.begin();
        throw error;
      }
    }
  }

  /** The postings of one game in one language. */
  class GameTexts {
    /** @param {TextData} data @param {string} lang @param {number} game @param {InstanceType<typeof SearchLexicon.Lexicon>} lexicon */
    constructor(data, lang, game, lexicon) {
      this.data = data;
      this.lang = lang;
      this.game = game;
      this.lexicon = lexicon;
      /** @type {number[]} by field */
      this.boosts = [BODY, TITLE, ALIAS, ASKS].map((field) => lexicon.weights.FIELD_BOOST[field]);
      /** @type {Map<string, Postings>} */
      this.postings = new Map();
      /** @type {Map<string, Postings>} */
      this.concepts = new Map();
      /** @type {Cut[]} */
      this.cuts = [];
      this.rows = new Map(data.documents.map((document, row) => [document, row]));
      this.words = new Steps(() => {
        this.postings.clear();
        this.cuts = [];
        return this.cutAll();
      });
      this.naming = new Steps(() => {
        this.concepts.clear();
        return this.findConcepts();
      });
    }

    /** The work of making the postings, an entry at a time. */
    *cutAll() {
      const { documents } = this.data;
      for (let row = 0; row < documents.length; row++) {
        this.cutEntry(documents[row], row);
        yield;
      }
    }

    /** @param {number} document @param {number} row */
    cutEntry(document, row) {
      const { titles, asks, blocks } = this.data;
      const title = titles[row];
      if (title !== 0) this.cutShort(document, title, TITLE, 0);
      this.aliasesOf(document, row).forEach((alias, n) => this.cutShort(document, alias, ALIAS, n));
      linesOf(asks[row]).forEach((ask, n) => this.cutShort(document, ask, ASKS, n));
      let start = 0;
      for (const block of blocks[row]) {
        const from = start;
        start += this.cut(document, typeof block === "string" ? block : block[0], () => (place) => from + place);
        start += this.lexicon.weights.BLOCK_GAP;
      }
    }

    /** @param {number} document @param {number} row @returns {string[]} */
    aliasesOf(document, row) {
      const game = this.lexicon.core.games[this.game];
      const id = this.lexicon.entryIds[document];
      const forms = this.data.forms.filter((_, term) => game.explained[term] === document).flatMap(linesOf);
      return [...linesOf(this.data.aliases[row]), ...forms, ...(this.lang === "en" ? [id.replaceAll("-", " ")] : [])];
    }

    /** @param {number} document @param {string} text @param {number} field @param {number} number */
    cutShort(document, text, field, number) {
      const most = this.lexicon.weights.MAX_PLACE;
      this.cut(document, text, (length) => (place) =>
        (field << 24) | (Math.min(number, 4095) << 12) | (Math.min(length, most) << 6) | Math.min(place, most),
      );
    }

    /**
     * @param {number} document @param {string} text
     * @param {(length: number) => (place: number) => number} positions
     * @returns {number} its length in words
     */
    cut(document, text, positions) {
      const tokens = this.lexicon.analyseText(text, this.lang);
      const length = tokens.length ? tokens[tokens.length - 1].pos + 1 : 0;
      const position = positions(length);
      for (const token of tokens) this.add(this.postings, token.term, document, position(token.pos));
      this.cuts.push({ document, tokens, position });
      return length;
    }

    /** @param {Map<string, Postings>} postings @param {string} term @param {number} document @param {number} position */
    add(postings, term, document, position) {
      let found = postings.get(term);
      if (!found) postings.set(term, (found = { documents: [], ends: [], positions: [], boosts: [] }));
      const last = found.documents.length - 1;
      const boost = this.boosts[fieldOf(position)];
      const end = found.positions.push(position);
      if (found.documents[last] === document) {
        found.ends[last] = end;
        found.boosts[last] += boost;
      } else {
        found.documents.push(document);
        found.ends.push(end);
        found.boosts.push(boost);
      }
    }

    /** @param {string} term @returns {Postings | undefined} */
    find(term) {
      if (!term.startsWith("@")) return this.postings.get(term);
      while (this.naming.next());
      return this.concepts.get(term);
    }

    /** Find the glossary's concepts that the texts name; vague forms do not count. */
    *findConcepts() {
      const forms = this.lexicon.ownForms(this.lang, this.game);
      const own = `${this.lexicon.gameIds[this.game]}/`;
      for (const { document, tokens, position } of this.cuts) {
        for (const [start, , form] of forms.foundIn(this.lexicon.keysOf(tokens, this.lang))) {
          for (const [concept, weight] of forms.meanings.get(form) ?? []) {
            if (weight > this.lexicon.weights.VAGUE_FORM && concept.startsWith(own)) {
              this.add(this.concepts, `@${concept}`, document, position(start));
            }
          }
        }
        yield;
      }
      this.cuts = [];
    }
  }

  /** The whole index, as far as it is loaded. */
  class Store {
    /** @param {InstanceType<typeof SearchLexicon.Lexicon>} lexicon */
    constructor(lexicon) {
      this.lexicon = lexicon;
      this.documents = lexicon.entryIds.length;
      /** @type {Map<string, GameTexts>} */
      this.texts = new Map();
      /** @type {Map<string, Map<string, number[]>>} */
      this.keyedTitles = new Map();
      /** @type {Map<string, number[]> | null} */
      this.ids = null;
      lexicon.usesInTexts = (lang) => this.uses(lang);
      lexicon.standsInTexts = (char) => [...this.texts.values()].some((texts) => texts.postings.has(char));
    }

    /** A game's texts in a language, ready. @param {string} lang @param {number} game @returns {GameTexts} */
    game(lang, game) {
      const texts = this.begun(lang, game);
      while (texts.words.next());
      return texts;
    }

    /** A game's texts in a language, perhaps not ready yet. @param {string} lang @param {number} game @returns {GameTexts} */
    begun(lang, game) {
      const name = `texts-${lang}-${this.lexicon.gameIds[game]}`;
      let known = this.texts.get(name);
      if (!known) {
        known = new GameTexts(this.lexicon.texts(lang, game), lang, game, this.lexicon);
        this.texts.set(name, known);
      }
      return known;
    }

    /** Whether all texts of a language are there, so that its words can be told. @param {string} lang @returns {boolean} */
    isReady(lang) {
      return this.lexicon.textShards(lang).every((name) => this.lexicon.shelf.has(name));
    }

    /** Take a step towards a shard's postings; whether more is left. @param {string} name @param {boolean} concepts not only the words @returns {boolean} */
    step(name, concepts) {
      const [kind, lang] = name.split("-", 2);
      if (kind !== "texts" || !this.lexicon.shelf.has(`language-${lang}`)) return false;
      const texts = this.begun(lang, this.lexicon.gameIds.indexOf(name.slice(`texts-${lang}-`.length)));
      return texts.words.next() || (concepts && this.isReady(lang) && texts.naming.next());
    }

    /** All texts of a language in some games. @param {string} lang @param {number[]} games @returns {GameTexts[]} */
    all(lang, games) {
      const names = games.map((n) => `texts-${lang}-${this.lexicon.gameIds[n]}`);
      const missing = names.filter((name) => !this.lexicon.shelf.has(name));
      if (missing.length) throw new Missing(missing);
      return games.map((n) => this.game(lang, n));
    }

    /** @param {string} lang @returns {number[]} */
    gamesIn(lang) {
      return this.lexicon.core.streams[lang] ?? [];
    }

    /** In how many entries each form stands; null unless all texts of the language are loaded. @param {string} lang */
    uses(lang) {
      const shelf = this.lexicon.shelf;
      if (!this.lexicon.textShards(lang).every((name) => shelf.has(name))) return null;
      /** @type {Map<string, number>} */
      const uses = new Map();
      for (const texts of this.all(lang, this.gamesIn(lang))) {
        for (const [term, { documents }] of texts.postings) uses.set(term, (uses.get(term) ?? 0) + documents.length);
      }
      return uses;
    }

    /**
     * The postings of a term, a part per game.
     *
     * @param {string} lang @param {string} term
     * @param {(game: number) => boolean} [matters] whether a game's entries count at all
     * @returns {Postings[]}
     */
    postings(lang, term, matters = () => true) {
      const own = term.startsWith("@") ? term.slice(1, term.indexOf("/")) : "";
      const games = this.gamesIn(lang).filter((n) => matters(n) && (!own || this.lexicon.gameIds[n] === own));
      return this.all(lang, games).flatMap((texts) => texts.find(term) ?? []);
    }

    /** @param {string} lang @param {number} document @returns {number} */
    length(lang, document) {
      const texts = this.game(lang, this.lexicon.gameOf[document]);
      return texts.data.lengths[/** @type {number} */ (texts.rows.get(document))];
    }

    /** @param {string} lang @returns {number} */
    averageLength(lang) {
      return this.lexicon.core.averages[this.lexicon.languages.indexOf(lang)] ?? 0;
    }

    /** The entries whose id or title, in any language, a text is. @param {string} title @returns {Set<number>} */
    exactly(title) {
      const found = new Set(this.idKeys().get(title));
      for (const lang of this.lexicon.languages) {
        for (const document of this.titled(title, lang)) found.add(document);
      }
      return found;
    }

    /** @returns {Map<string, number[]>} */
    idKeys() {
      if (this.ids) return this.ids;
      /** @type {Map<string, number[]>} */
      const ids = new Map();
      this.lexicon.entryIds.forEach((id, document) => {
        const game = this.lexicon.gameIds[this.lexicon.gameOf[document]];
        for (const key of new Set([id.replaceAll("-", " "), this.lexicon.titleKey(`${game} ${id}`)])) {
          ids.set(key, [...(ids.get(key) ?? []), document]);
        }
      });
      this.ids = ids;
      return ids;
    }

    /**
     * A title's words all occur in its language, so that most languages need not be looked at.
     *
     * @param {string} title @param {string} lang @returns {number[]}
     */
    titled(title, lang) {
      if (this.lexicon.textShards(lang).every((name) => this.lexicon.shelf.has(name))) return this.allTitles(lang).get(title) ?? [];
      const words = title.split(" ");
      if (words.some((word) => this.lexicon.stemOf(lang, word) === null)) return [];
      const column = this.lexicon.languages.indexOf(lang);
      if (!words.every((word) => this.lexicon.shared.get(word)?.[column])) throw new Missing(this.lexicon.textShards(lang));
      const row = (this.lexicon.core.sharedTitles[lang] ?? []).find(([key]) => key === title);
      return row ? /** @type {number[]} */ (row.slice(1)) : [];
    }

    /** @param {string} lang @returns {Map<string, number[]>} */
    allTitles(lang) {
      /** @type {Map<string, number[]>} */
      let known = this.keyedTitles.get(lang) ?? new Map();
      if (known.size) return known;
      for (const name of this.lexicon.textShards(lang)) {
        const { documents, titles } = /** @type {TextData} */ (this.lexicon.need(name));
        titles.forEach((title, row) => {
          if (title === 0) return;
          const key = this.lexicon.titleKey(title);
          known.set(key, [...(known.get(key) ?? []), documents[row]]);
        });
      }
      this.keyedTitles.set(lang, known);
      return known;
    }
  }

  return { ALIAS, ASKS, BODY, Store, TITLE, fieldOf, positionsIn, shortText };
})();
