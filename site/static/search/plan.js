/** Query + lexicon -> plan: what to look for, with weights. The same as `plan.py`, function by function. */
/**
 * @typedef {{ lang: string, terms: [string, number][], weight: number, how: string, untranslated: boolean }} Alternative
 * @typedef {{
 *   text: string, pos: number, start: number, end: number, alternatives: Alternative[], kind: string,
 *   importance: number, weight: number, known: boolean,
 * }} Unit
 * @typedef {{ lang: string, places: string[][] }} Phrase
 * @typedef {{ key: string, values: Record<string, string> }} Note
 * @typedef {{
 *   units: Unit[], phrases: Phrase[][], excluded: Phrase[][], filters: Map<string, string>, lang: string, title: string,
 *   question: boolean, notes: Note[],
 * }} Plan
 * @typedef {{ pos: number, tokens: Map<string, Token[]>, base: Token }} Cell
 */

const SearchPlan = (() => {
  const { analyse, fold, hasAlnum, hasHan, isAlpha, isHan, isWritten } = SearchAnalysis;
  const { byCodePoint, charsOf } = SearchDictionary;
  const KINDS = ["rule", "faq", "info"];

  /** Makes the plan of one query. */
  class Planner {
    /** @param {Query} query @param {InstanceType<typeof SearchLexicon.Lexicon>} lexicon @param {boolean} exact @param {string} fallback */
    constructor(query, lexicon, exact, fallback) {
      this.query = query;
      this.lexicon = lexicon;
      this.weights = lexicon.weights;
      this.exact = exact;
      /** @type {Map<string, string>} */
      this.filters = new Map();
      /** @type {Note[]} */
      this.notes = [];
      const words = this.narrow();
      this.lang = this.queryLanguage(words || query.text) ?? (this.filters.get("lang") || fallback);
      this.cells = this.cut(words);
    }

    /** @returns {Plan} */
    plan() {
      const { query, lexicon, weights } = this;
      if (query.cut || this.cells.length > weights.MAX_UNITS) this.note("cut", { limit: String(weights.MAX_UNITS) });
      const units = this.units();
      return {
        units: this.withConcepts(units),
        phrases: query.phrases.map((text) => this.phrase(text)),
        excluded: query.excluded.map((text) => this.phrase(text)),
        filters: this.filters,
        lang: this.lang,
        title: lexicon.titleKey(query.words),
        question: this.isQuestion(),
        notes: [...this.notes, ...corrections(units)],
      };
    }

    /** @param {string} key @param {Record<string, string>} values */
    note(key, values) {
      this.notes.push({ key, values });
    }

    /** The filters, and the words that are left. @returns {string} */
    narrow() {
      let words = this.query.words;
      for (const [name, value] of this.query.filters) {
        const meant = this.filterValue(name, value);
        if (meant) this.filters.set(name, meant);
        else {
          words = `${words} ${name} ${value}`;
          this.note("unknown_filter", { name, value });
        }
      }
      const named = this.filters.has("game") ? null : this.namedGame();
      if (!named) return words;
      this.filters.set("game", named[0]);
      this.note("narrowed", { game: named[0] });
      return named[1];
    }

    /** @param {string} name @param {string} value @returns {string | null} */
    filterValue(name, value) {
      if (name === "game") {
        const games = this.lexicon.gameNames.meanings.get(this.lexicon.titleKey(value)) ?? [];
        return games.length === 1 ? games[0] : null;
      }
      const known = { kind: KINDS, lang: this.lexicon.languages, id: [value] }[name] ?? [];
      return known.includes(value) ? value : null;
    }

    /** The one game that some of the words outside phrases name, and all other words. @returns {[string, string] | null} */
    namedGame() {
      const { loose, phrases } = this.query;
      const tokens = this.lexicon.analyse(loose, "").filter(isWritten);
      for (const [start, end, form] of this.lexicon.gameNames.foundIn(tokens.map((token) => fold(token.term)))) {
        const rest = [loose.slice(0, tokens[start].start), loose.slice(tokens[end - 1].end), ...phrases].join(" ");
        const games = this.lexicon.gameNames.meanings.get(form) ?? [];
        if (games.length === 1 && hasAlnum(rest)) return [games[0], rest];
      }
      return null;
    }

    /** Chinese by its characters, else the language that has most of the words. @param {string} text @returns {string | null} */
    queryLanguage(text) {
      if (hasHan(text)) return "zh";
      const languages = this.lexicon.spaced("");
      const votes = languages.map(() => 0);
      for (const token of analyse(text, "", this.lexicon.tables)) {
        languages.forEach((lang, at) => (votes[at] += this.lexicon.share(lang, token.term)));
      }
      const order = languages.map((_, at) => at).sort((a, b) => votes[b] - votes[a]);
      return order.length && votes[order[0]] > (votes[order[1]] ?? 0) ? languages[order[0]] : null;
    }

    /** @param {string} words @returns {Cell[]} */
    cut(words) {
      /** @type {Map<number, Map<string, Token[]>>} */
      const byPosition = new Map();
      for (const lang of this.lexicon.languages) {
        for (const token of this.lexicon.analyse(words, lang)) {
          const tokens = byPosition.get(token.pos) ?? new Map();
          byPosition.set(token.pos, tokens);
          tokens.set(lang, [...(tokens.get(lang) ?? []), token]);
        }
      }
      return [...byPosition]
        .sort(([a], [b]) => a - b)
        .map(([pos, tokens]) => ({ pos, tokens, base: [...tokens.values()][0][0] }));
    }

    /** @returns {Unit[]} */
    units() {
      const alone = this.cells.filter((cell) => cell.base.kind === "han").length === 1;
      return this.cells
        .slice(0, this.weights.MAX_UNITS)
        .flatMap((cell, n) => (cell.base.kind === "han" ? this.hanUnits(cell, alone) : [this.wordUnit(n)]));
    }

    /** A pair is a word, a single character helps. @param {Cell} cell @param {boolean} alone @returns {Unit[]} */
    hanUnits(cell, alone) {
      const single = cell.base;
      const tokens = cell.tokens.get("zh") ?? [...cell.tokens.values()][0];
      const pairs = tokens.filter((token) => token.kind === "pair");
      const meanings = tokens
        .filter(({ kind }) => kind === "level" || kind === "number")
        .map(({ term, kind }) => oneTerm("zh", term, kind, kind === "number" ? this.weights.NUMBER_WORD : 1));
      const importance = this.importance(single.term, "zh");
      const found = this.hanAlternatives([single], "single");
      const weight = importance * (alone ? 1 : this.weights.SINGLE_HAN);
      const alternatives = [...found, ...meanings];
      const units = [this.unit(cell, single, "han", { alternatives, importance, weight, known: found.length > 0 })];
      if (pairs.length) {
        const counts = this.importance(pairs[0].term, "zh");
        const there = this.hanAlternatives(pairs, "exact");
        const rest = { alternatives: [...there, ...meanings], importance: counts, weight: counts, known: there.length > 0 };
        units.push(this.unit(cell, pairs[0], "pair", rest));
      }
      return units;
    }

    /** Han is looked up in Chinese; in the other languages where Chinese does not have it. @param {Token[]} tokens @param {string} how */
    hanAlternatives(tokens, how) {
      const languages = this.lexicon.languages;
      for (const lang of [...languages].sort((a, b) => Number(a !== "zh") - Number(b !== "zh"))) {
        const known = tokens.filter((token) => this.lexicon.stemOf(lang, token.term) !== null);
        if (known.length) return known.map((token) => oneTerm(lang, token.term, how));
      }
      return [];
    }

    /**
     * @param {Cell} cell @param {Token} token @param {string} kind
     * @param {{ alternatives: Alternative[], importance: number, weight: number, known: boolean }} rest
     * @returns {Unit}
     */
    unit(cell, { term, start, end }, kind, rest) {
      return { text: term, pos: cell.pos, start, end, kind, ...rest };
    }

    /** @param {number} n @returns {Unit} */
    wordUnit(n) {
      const { lexicon, lang } = this;
      const { OTHER_LANGUAGE } = this.weights;
      const word = this.cells[n].base;
      let found = lexicon.languages.includes(lang) ? this.inLanguage(n, lang) : [];
      const others = found.length ? lexicon.fallbacks(lang) : lexicon.spaced(lang);
      const untranslated = found.length > 0;
      for (const other of others) {
        const there = this.inLanguage(n, other);
        found = [...found, ...there.map((a) => ({ ...a, weight: a.weight * OTHER_LANGUAGE, untranslated }))];
      }
      const known = found.length > 0;
      if (!known) found = this.guesses(word.term);
      const importance = this.importance(word.term, lang);
      return this.unit(this.cells[n], word, "word", { alternatives: found, importance, weight: importance, known });
    }

    /** What one language has for a word of the query. @param {number} n @param {string} lang @returns {Alternative[]} */
    inLanguage(n, lang) {
      const tokens = this.cells[n].tokens.get(lang) ?? [];
      return [...tokens.flatMap((token) => this.known(token, lang)), ...this.joined(n, lang)];
    }

    /** What a word counts for: one that only holds the sentence together, less. @param {string} word @param {string} lang */
    importance(word, lang) {
      return this.lexicon.functionWords(lang).has(fold(word)) ? this.weights.FUNCTION_WORD : 1;
    }

    /** @param {Token} token @param {string} lang @returns {Alternative[]} */
    known({ term, kind }, lang) {
      const stem = this.lexicon.stemOf(lang, term);
      if (stem === null || kind === "opening") return [];
      if (kind === "number") return [oneTerm(lang, term, kind, this.weights.NUMBER_WORD)];
      if (kind === "level") return [oneTerm(lang, term, kind)];
      if (kind === "pair" || kind === "whole" || !isAlpha(charsOf(term)[0])) {
        const opening = `${term}.`;
        const more = this.lexicon.stemOf(lang, opening) !== null;
        return [oneTerm(lang, term, "exact"), ...(more ? [oneTerm(lang, opening, "opening", this.weights.SAME_STEM)] : [])];
      }
      return [alternative(lang, this.forms(term, stem, lang), 1, "exact")];
    }

    /** All forms of a stem with their weights. @param {string} word @param {string} stem @param {string} lang @returns {[string, number][]} */
    forms(word, stem, lang) {
      const { OTHER_ACCENT, SAME_FOLD, SAME_STEM } = this.weights;
      const plain = fold(word);
      const same = word === plain ? SAME_FOLD : OTHER_ACCENT;
      return this.lexicon
        .vocabulary(lang)
        .formsOf(stem)
        .map(([form]) => [form, form === word ? 1 : fold(form) === plain ? same : SAME_STEM]);
    }

    /** `re roll` meets `reroll`. @param {number} n @param {string} lang @returns {Alternative[]} */
    joined(n, lang) {
      /** @type {Alternative[]} */
      const found = [];
      for (const [a, b] of [[n, n + 1], [n - 1, n]]) {
        if (a < 0 || b >= this.cells.length) continue;
        const pair = [this.cells[a].base, this.cells[b].base];
        if (!pair.every(({ kind }) => kind === "word" || kind === "part")) continue;
        const joined = pair[0].term + pair[1].term;
        const stem = isAlpha(joined) ? this.lexicon.vocabulary(lang).stemOf(joined) : null;
        if (stem !== null) found.push(alternative(lang, this.forms(joined, stem, lang), this.weights.JOINED, "form"));
      }
      return found;
    }

    /** What an unknown word may mean; the best kind only. @param {string} word @returns {Alternative[]} */
    guesses(word) {
      const { INFLECTION, OPENING } = this.weights;
      const languages = [this.lang, ...this.lexicon.spaced(this.lang)].filter((lang) => this.lexicon.languages.includes(lang));
      const vocabularies = languages.map((lang) => this.lexicon.vocabulary(lang));
      const found = vocabularies.flatMap((v) => {
        const stem = v.inflectionOf(word);
        return stem === null ? [] : [alternative(v.lang, this.forms(word, stem, v.lang), INFLECTION, "inflection")];
      });
      if (found.length || this.exact) return found;
      const { corrected, distance } = this.corrected(word, vocabularies);
      if (distance === 1) return corrected;
      const split = vocabularies.flatMap((v) => this.split(word, v));
      if (split.length || corrected.length) return split.length ? split : corrected;
      return vocabularies.flatMap((v) => {
        const stems = v.openingOf(word);
        if (!stems.length) return [];
        const terms = stems.slice(0, 3).flatMap((stem) => v.formsOf(stem).map(([form]) => /** @type {[string, number]} */ ([form, 1])));
        return [alternative(v.lang, terms, OPENING, "opening")];
      });
    }

    /**
     * The known words at the smallest edit distance.
     *
     * @param {string} word @param {InstanceType<typeof SearchDictionary.Vocabulary>[]} vocabularies
     * @returns {{ corrected: Alternative[], distance: number }}
     */
    corrected(word, vocabularies) {
      const { CORRECTION, LEAST_CORRECTED, OTHER_LANGUAGE } = this.weights;
      const near = vocabularies.flatMap((v) => {
        const nearest = v.nearest(word);
        return nearest ? [{ away: nearest[0], form: nearest[1], v }] : [];
      });
      const distance = near.length ? Math.min(...near.map(({ away }) => away)) : 0;
      const corrected = near
        .filter(({ away }) => away === distance)
        .map(({ form, v }) => {
          const share = Math.max(LEAST_CORRECTED, 1 - (CORRECTION * distance) / Array.from(word).length);
          const weight = share * (v.lang === this.lang ? 1 : OTHER_LANGUAGE);
          return alternative(v.lang, this.forms(form, v.stemOf(form) ?? form, v.lang), weight, "corrected");
        });
      return { corrected, distance };
    }

    /** `tiebreak` where the text has only `tie break`. @param {string} word @param {InstanceType<typeof SearchDictionary.Vocabulary>} v @returns {Alternative[]} */
    split(word, v) {
      const chars = Array.from(word);
      for (let cut = 2; cut < chars.length - 2; cut++) {
        const halves = [chars.slice(0, cut).join(""), chars.slice(cut).join("")];
        const stems = halves.map((half) => v.stemOf(half));
        if (stems.every(Boolean) && (cut > 2 || halves[0] === "re")) {
          const terms = halves.flatMap((half, n) => this.forms(half, stems[n] ?? "", v.lang));
          return [alternative(v.lang, terms, this.weights.INFLECTION, "form")];
        }
      }
      return [];
    }

    /** Forms are those of the languages that are written as the question is. @param {Unit[]} units @returns {Unit[]} */
    withConcepts(units) {
      /** @type {Map<number, Map<string, number>>} */
      const covered = new Map();
      const scripts = new Set(this.cells.map((cell) => cell.base.kind === "han"));
      for (const lang of Object.keys(this.lexicon.core.sharedForms)) {
        if (!scripts.has(!this.lexicon.isSpaced(lang))) continue;
        const keys = this.cells.map((cell) => this.key(cell, lang));
        const known = this.cells.filter((_, n) => keys[n] !== null).map((cell) => cell.base.term);
        const forms = this.lexicon.formsFor(lang, known);
        for (const [start, end, form] of forms.foundIn(keys)) {
          for (let n = start; n < end; n++) this.cover(covered, this.cells[n].pos, forms.meanings.get(form) ?? []);
        }
      }
      return units.map((unit) => this.withConcept(unit, covered.get(unit.pos) ?? new Map()));
    }

    /** @param {Map<number, Map<string, number>>} covered @param {number} pos @param {Meanings} meanings */
    cover(covered, pos, meanings) {
      const concepts = covered.get(pos) ?? new Map();
      covered.set(pos, concepts);
      for (const [concept, weight] of meanings) concepts.set(concept, Math.max(weight, concepts.get(concept) ?? 0));
    }

    /** @param {Cell} cell @param {string} lang @returns {string | null} */
    key({ base }, lang) {
      if (base.kind === "han") return lang === "zh" ? base.term : null;
      return this.lexicon.languages.includes(lang) ? this.lexicon.stemOf(lang, base.term) : null;
    }

    /** @param {Unit} unit @param {Map<string, number>} concepts @returns {Unit} */
    withConcept(unit, concepts) {
      const { CONCEPT, OTHER_LANGUAGE } = this.weights;
      /** @type {Map<number, string[]>} */
      const byWeight = new Map();
      for (const [concept, weight] of concepts) byWeight.set(weight, [...(byWeight.get(weight) ?? []), `@${concept}`]);
      const extra = [...byWeight]
        .sort(([a], [b]) => b - a)
        .flatMap(([weight, names]) => {
          const terms = names.sort(byCodePoint).map((term) => /** @type {[string, number]} */ ([term, 1]));
          return [
            alternative(this.lang, terms, CONCEPT * weight, "concept"),
            ...this.lexicon
              .fallbacks(this.lang)
              .map((lang) => alternative(lang, terms, CONCEPT * weight * OTHER_LANGUAGE, "concept", true)),
          ];
        });
      return { ...unit, alternatives: [...unit.alternatives, ...extra] };
    }

    /** A phrase's reading in each language that has all of its words. @param {string} text @returns {Phrase[]} */
    phrase(text) {
      /** @type {Phrase[]} */
      const readings = [];
      for (const lang of this.lexicon.languages) {
        const words = this.lexicon.analyse(text, lang).filter(isWritten).map((token) => token.term).slice(0, this.weights.MAX_UNITS);
        const places = this.lexicon.sameFolds(lang, words);
        if (places) readings.push({ lang, places });
      }
      return readings;
    }

    /** @returns {boolean} */
    isQuestion() {
      const text = this.query.text;
      if (/[?？¿]/.test(text)) return true;
      if (!this.cells.length) return false;
      const words = this.lexicon.questionWords(this.lang);
      if (this.cells.some((cell) => cell.base.kind === "han")) return [...words].some((word) => text.includes(word));
      return words.has(fold(this.cells[0].base.term));
    }
  }

  /**
   * @param {string} lang @param {[string, number][]} terms @param {number} weight @param {string} how
   * @param {boolean} [untranslated] counts only in entries without a text in the query's language
   * @returns {Alternative}
   */
  const alternative = (lang, terms, weight, how, untranslated = false) => ({ lang, terms, weight, how, untranslated });

  /** @param {string} lang @param {string} term @param {string} how @param {number} [weight] @returns {Alternative} */
  const oneTerm = (lang, term, how, weight = 1) => alternative(lang, [[term, 1]], weight, how);

  /** What is to be said of words that the dictionary lacks. @param {Unit[]} units @returns {Note[]} */
  const corrections = (units) =>
    units.flatMap(({ text, alternatives: [first] }) => {
      /** @type {Note[]} */
      const notes = [];
      if (first?.how === "corrected") notes.push({ key: "corrected", values: { typed: text, read: first.terms[0][0] } });
      else if (!first && !isHan(charsOf(text)[0])) notes.push({ key: "unknown", values: { word: text } });
      return notes;
    });

  /**
   * @param {Query} query @param {InstanceType<typeof SearchLexicon.Lexicon>} lexicon
   * @param {boolean} exact correct no spelling @param {string} fallback the language of a query that does not tell its own
   * @returns {Plan}
   */
  const makePlan = (query, lexicon, exact, fallback) => new Planner(query, lexicon, exact, fallback).plan();

  /** Whether nothing is asked for. @param {Plan} plan @returns {boolean} */
  const isEmpty = (plan) => !plan.units.length && !plan.phrases.length && !plan.filters.has("id");

  return { isEmpty, makePlan };
})();
