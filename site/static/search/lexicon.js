/**
 * What the query needs to know about the indexed text, from the shards that are loaded: `Dictionary` of `dictionary.py`.
 *
 * The core tells of every word that several languages share. A word that a loaded vocabulary has and the core does not
 * mention is in no other language; so a reader's own language mostly suffices, and `Missing` asks for the rest.
 */
/**
 * @typedef {Record<string, any>} Weights the numbers that the Python modules set, by name
 * @typedef {{
 *   id: string, title: Record<string, string>, terms: string, explained: number[], private?: boolean,
 * }} GameData
 * @typedef {{
 *   ids: string, games: number[], kinds: number[], parents: number[], overviews: number[], languages: number[][],
 * }} EntryData columns, a row per entry; all but the ids and the parents are places in lists of the core
 * @typedef {{
 *   weights: Weights, tables: any, vocabularies: string[], averages: number[], fallbacks: Record<string, string[]>,
 *   streams: Record<string, number[]>, games: GameData[], gameNames: [string, number[]][], interface: string[],
 *   entries: EntryData, shared: [string, ...(number | [string, number])[]][],
 *   sharedForms: Record<string, (string | number)[][]>, sharedTitles: Record<string, [string, ...number[]][]>,
 *   han: boolean, hanInTexts: boolean,
 * }} Core
 * @typedef {string | [text: string, kind: string, depth: number, marker: string]} BlockData
 * @typedef {{
 *   documents: number[], lengths: number[], titles: (string | 0)[], aliases: string[], asks: string[],
 *   blocks: BlockData[][], forms: string[], stems: Record<string, string>, foreign: string[],
 * }} TextData a game's texts in one language: columns with a row per entry that has any; then its glossary
 * @typedef {{ stems: string, questionWords: string, functionWords: string }} LanguageData
 * @typedef {Map<string, any>} Shelf shards by name
 */

const SearchLexicon = (() => {
  const { analyse, fold, hasHan, isHan, isPlain, tablesOf } = SearchAnalysis;
  const { FormTable, Missing, Vocabulary, grouped, unpacked } = SearchDictionary;

  class Lexicon {
    /** @param {Core} core @param {Shelf} shelf */
    constructor(core, shelf) {
      this.core = core;
      this.weights = core.weights;
      this.tables = tablesOf(core.tables);
      this.shelf = shelf;
      /** @type {Map<string, string> | null} */
      this.han = null;
      this.languages = core.vocabularies;
      this.gameIds = core.games.map((game) => game.id);
      this.entryIds = core.entries.ids.split(" ");
      this.gameOf = core.entries.games;
      this.gameNames = new FormTable(new Map(core.gameNames.map(([name, of]) => [name, of.map((n) => this.gameIds[n])])));
      this.shared = new Map(core.shared.map(([word, ...uses]) => [word, uses]));
      /** @type {Map<string, InstanceType<typeof Vocabulary>>} */
      this.vocabularies = new Map();
      /** @type {Map<string, InstanceType<typeof FormTable<Meanings>>>} */
      this.formTables = new Map();
      /** @type {Map<string, number[]>} */
      this.uses = new Map();
      /** @type {Map<string, InstanceType<typeof FormTable<Meanings>>>} */
      this.sharedForms = new Map();
      /** @type {(lang: string) => Map<string, number> | null} */
      this.usesInTexts = () => null;
      /** @type {(char: string) => boolean} */
      this.standsInTexts = () => false;
    }

    /** @param {string} name @returns {any} */
    need(name) {
      const data = this.shelf.get(name);
      if (data === undefined) throw new Missing([name]);
      return data;
    }

    /** @param {string} lang @returns {boolean} */
    isSpaced(lang) {
      return this.tables.languages.get(lang)?.spaced ?? false;
    }

    /** The languages with spaces between words, one left out. @param {string} but @returns {string[]} */
    spaced(but) {
      return this.languages.filter((lang) => lang !== but && this.isSpaced(lang));
    }

    /** @param {string} lang @returns {string[]} */
    fallbacks(lang) {
      return this.core.fallbacks[lang] ?? [];
    }

    /** Traditional to Simplified, as far as a query needs it. @param {string} text @returns {ReadonlyMap<string, string>} */
    simplified(text) {
      const plain = text.normalize("NFKC");
      if (!this.core.han || !hasHan(plain)) return NOTHING;
      const known = this.shelf.get("han");
      if (known) {
        this.han ??= new Map(Object.entries(/** @type {Record<string, string>} */ (known)));
        return this.han;
      }
      for (const char of plain) {
        if (isHan(char) && !this.standsInTexts(char)) throw new Missing(["han"]);
      }
      return NOTHING;
    }

    /** A query cut as the index cuts, Traditional characters and all. @param {string} text @param {string} lang @returns {Token[]} */
    analyse(text, lang) {
      return analyse(text, lang, this.tables, this.simplified(text));
    }

    /** The same for a text of the corpus. @param {string} text @param {string} lang @returns {Token[]} */
    analyseText(text, lang) {
      if (!this.core.hanInTexts || !hasHan(text.normalize("NFKC"))) return analyse(text, lang, this.tables);
      this.need("han");
      return this.analyse(text, lang);
    }

    /** A text as titles are compared. @param {string} text @returns {string} */
    titleKey(text) {
      return analyse(text, "", this.tables).filter(SearchAnalysis.isWritten).map((token) => fold(token.term)).join(" ");
    }

    /** All forms of a language. @param {string} lang @returns {InstanceType<typeof Vocabulary>} */
    vocabulary(lang) {
      const known = this.knownVocabulary(lang);
      if (!known) throw new Missing(this.isSpaced(lang) ? [`dictionary-${lang}`] : this.textShards(lang));
      return known;
    }

    /** @param {string} lang @returns {string[]} */
    textShards(lang) {
      return (this.core.streams[lang] ?? []).map((n) => `texts-${lang}-${this.gameIds[n]}`);
    }

    /** All forms of a language where they are loaded, else null. @param {string} lang */
    knownVocabulary(lang) {
      const known = this.vocabularies.get(lang);
      if (known) return known;
      const groups = this.groupsOf(lang);
      if (!groups) return null;
      const packed = this.shelf.has(`dictionary-${lang}`);
      const made = new Vocabulary(lang, groups, this.weights.MIN_STEM, packed ? () => this.packedUses(lang) : null);
      this.vocabularies.set(lang, made);
      return made;
    }

    /** @param {string} lang @returns {number[]} */
    packedUses(lang) {
      let known = this.uses.get(lang);
      if (!known) {
        known = /** @type {string} */ (this.need(`uses-${lang}`)).split(" ").map((n) => Number(n || 1));
        this.uses.set(lang, known);
      }
      return known;
    }

    /** @param {string} lang @returns {Map<string, Forms> | null} */
    groupsOf(lang) {
      const packed = this.shelf.get(`dictionary-${lang}`);
      if (packed !== undefined) return unpacked(packed);
      if (this.isSpaced(lang) && !this.shelf.has(`language-${lang}`)) return null;
      const uses = this.usesInTexts(lang);
      if (!uses) return null;
      if (!this.isSpaced(lang)) return grouped(uses, fold);
      const codes = /** @type {LanguageData} */ (this.need(`language-${lang}`)).stems.split(" ");
      return grouped(uses, (form, n) => (isPlain(form) ? stemByCode(fold(form), codes[n]) : form));
    }

    /** What the core says of a word in a language: its stem and uses; `null`: not there; `undefined`: cannot tell. */
    /** @param {string} lang @param {string} word @returns {[string, number] | null | undefined} */
    sharedUse(lang, word) {
      const folded = fold(word);
      const row = this.shared.get(folded);
      const use = row?.[this.languages.indexOf(lang)] ?? 0;
      if (use) return typeof use === "number" ? [folded, use] : use;
      if (row || this.isSpaced(lang) === hasHan(folded)) return null;
      const elsewhere = this.languages.some((other) => this.vocabularies.get(other)?.stemOf(word) != null);
      return elsewhere ? null : undefined;
    }

    /** @param {string} lang @param {string} word @returns {string | null} */
    stemOf(lang, word) {
      const known = this.knownVocabulary(lang);
      if (known) return known.stemOf(word);
      const use = this.sharedUse(lang, word);
      return use === undefined ? this.vocabulary(lang).stemOf(word) : use && use[0];
    }

    /** The share of a word's uses that a language has, accents apart. @param {string} lang @param {string} word @returns {number} */
    share(lang, word) {
      const row = this.shared.get(fold(word));
      if (!row) return this.stemOf(lang, word) === null ? 0 : 1;
      const uses = this.languages.map((other, n) => (this.isSpaced(other) ? numberOf(row[n]) : 0));
      return uses[this.languages.indexOf(lang)] / Math.max(1, uses.reduce((sum, n) => sum + n, 0));
    }

    /** The forms that are the words, accents apart, each; or null where the language lacks one. */
    /** @param {string} lang @param {string[]} words @returns {string[][] | null} */
    sameFolds(lang, words) {
      if (!words.length || words.some((word) => this.stemOf(lang, word) === null)) return null;
      const vocabulary = this.vocabulary(lang);
      return words.map((word) => vocabulary.sameFold(word).map(([form]) => form));
    }

    /**
     * The glossary's forms that a query can name.
     *
     * @param {string} lang @param {string[]} words those of the query that the language knows
     * @returns {InstanceType<typeof FormTable<Meanings>>}
     */
    formsFor(lang, words) {
      if (!words.every((word) => this.shared.has(fold(word)))) return this.forms(lang);
      let known = this.sharedForms.get(lang);
      if (!known) {
        known = new FormTable(new Map((this.core.sharedForms[lang] ?? []).map((row) => this.sharedForm(row))));
        this.sharedForms.set(lang, known);
      }
      return known;
    }

    /** @param {(string | number)[]} row @returns {[string, Meanings]} */
    sharedForm([form, ...parts]) {
      /** @type {Meanings} */
      const meanings = [];
      for (let n = 0; n < parts.length; n += 3) {
        const [game, term, weight] = /** @type {number[]} */ (parts.slice(n, n + 3));
        meanings.push([this.concepts(game)[term], weight]);
      }
      return [/** @type {string} */ (form), meanings];
    }

    /** All forms of the glossary in a language. @param {string} lang @returns {InstanceType<typeof FormTable<Meanings>>} */
    forms(lang) {
      let known = this.formTables.get(lang);
      if (!known) {
        known = new FormTable(this.meaningsOf(lang));
        this.formTables.set(lang, known);
      }
      return known;
    }

    /** @param {string} lang @returns {Map<string, Meanings>} */
    meaningsOf(lang) {
      const games = this.core.streams[lang] ?? [];
      const missing = this.textShards(lang).filter((name) => !this.shelf.has(name));
      if (missing.length) throw new Missing(missing);
      /** @type {Map<string, Meanings>} */
      const meanings = new Map();
      for (const game of games) this.addForms(meanings, lang, game);
      return meanings;
    }

    /** The forms that matter in a game's own texts. @param {string} lang @param {number} game @returns {InstanceType<typeof FormTable<Meanings>>} */
    ownForms(lang, game) {
      /** @type {Map<string, Meanings>} */
      const meanings = new Map();
      for (const form of this.texts(lang, game).foreign) meanings.set(form, []);
      this.addForms(meanings, lang, game);
      return new FormTable(meanings);
    }

    /** @param {string} lang @param {number} game @returns {TextData} */
    texts(lang, game) {
      return this.need(`texts-${lang}-${this.gameIds[game]}`);
    }

    /** @param {Map<string, Meanings>} meanings @param {string} lang @param {number} game */
    addForms(meanings, lang, game) {
      const { forms, stems } = this.texts(lang, game);
      const { FIRST_FORM, OTHER_FORM, VAGUE_FORM } = this.weights;
      const extra = new Map(Object.entries(stems));
      const concepts = this.concepts(game);
      const keyed = forms.map((lines) => this.formKeys(lines, lang, extra));
      const vague = vagueForms(keyed);
      keyed.forEach((keys, term) =>
        keys.forEach((key, n) => {
          const weight = n === 0 ? FIRST_FORM : vague.has(key) ? VAGUE_FORM : OTHER_FORM;
          const known = meanings.get(key) ?? [];
          known.push([concepts[term], weight]);
          meanings.set(key, known);
        }),
      );
    }

    /** The full names of a game's terms. @param {number} game @returns {string[]} */
    concepts(game) {
      const { id, terms, explained } = this.core.games[game];
      return terms.split(" ").map((term, n) => `${id}/${term === "=" ? this.entryIds[explained[n]] : term}`);
    }

    /** @param {string} forms @param {string} lang @param {Map<string, string>} extra @returns {string[]} */
    formKeys(forms, lang, extra) {
      const keys = linesOf(forms).map((form) => this.keysOf(this.analyseText(form, lang), lang, extra));
      return [...new Set(keys.filter((key) => key.length).map((key) => key.filter(Boolean).join(" ")))];
    }

    /**
     * One key per position: the stem of its word or the Han character.
     *
     * @param {Token[]} tokens @param {string} lang @param {Map<string, string>} [extra] stems of words in no text
     * @returns {(string | null)[]}
     */
    keysOf(tokens, lang, extra) {
      /** @type {(string | null)[]} */
      const keys = tokens.length ? Array(tokens[tokens.length - 1].pos + 1).fill(null) : [];
      for (const { term, pos, kind } of tokens) {
        if (kind === "han") keys[pos] = term;
        else if (kind === "word" || kind === "part") keys[pos] = this.stem(term, lang, extra);
      }
      return keys;
    }

    /** @param {string} term @param {string} lang @param {Map<string, string>} [extra] @returns {string} */
    stem(term, lang, extra) {
      if (!this.isSpaced(lang)) return fold(term);
      return isPlain(term) ? this.vocabulary(lang).stemOf(term) ?? extra?.get(term) ?? fold(term) : term;
    }

    /** @param {string} lang @returns {Set<string>} */
    questionWords(lang) {
      return this.wordsOf(lang, "questionWords");
    }

    /** @param {string} lang @returns {Set<string>} */
    functionWords(lang) {
      return this.wordsOf(lang, "functionWords");
    }

    /** @param {string} lang @param {"questionWords" | "functionWords"} which @returns {Set<string>} */
    wordsOf(lang, which) {
      if (!this.tables.languages.has(lang)) return new Set();
      const words = /** @type {LanguageData} */ (this.need(`language-${lang}`))[which];
      return new Set(words ? words.split(" ") : []);
    }
  }

  /** @param {number | [string, number]} use @returns {number} */
  const numberOf = (use) => (typeof use === "number" ? use : use[1]);

  /** @type {ReadonlyMap<string, string>} */
  const NOTHING = new Map();

  /** @param {string} folded @param {string} code how many letters less, and what follows @returns {string} */
  const stemByCode = (folded, code) => {
    const less = parseInt(code, 10);
    return folded.slice(0, folded.length - less) + code.replace(/^\d+/, "");
  };

  /** Several short texts that a shard holds as one. @param {string} joined @returns {string[]} */
  const linesOf = (joined) => (joined ? joined.split("\n") : []);

  /** Forms that two terms share, or that are one word of another's first form. @param {string[][]} keyed @returns {Set<string>} */
  const vagueForms = (keyed) => {
    /** @type {Set<string>} */
    const seen = new Set();
    /** @type {Set<string>} */
    const vague = new Set();
    for (const keys of keyed) {
      for (const key of keys) (seen.has(key) ? vague : seen).add(key);
      if (keys.length && keys[0].includes(" ")) for (const word of keys[0].split(" ")) vague.add(word);
    }
    return vague;
  };

  return { Lexicon, linesOf };
})();
