/** Plan -> hits: walks the postings, the very loop of `ranking.py`, with the same operations in the same order. */
/**
 * @typedef {{ document: number, score: number, coverage: number, exact: boolean, matched: string[] }} Ranked
 * @typedef {{ hits: Ranked[], nearest: Ranked[], total: number }} Ranking
 * @typedef {Map<number, { text: number, length: number, units: number[] }>} Shorts by language and short text
 */

const SearchRanking = (() => {
  const { byCodePoint } = SearchDictionary;
  const { isEmpty } = SearchPlan;
  const { BODY, fieldOf, positionsIn, shortText } = SearchStore;
  const KINDS = ["rule", "faq", "info"];

  /** What one unit of the query found: per entry the best score, the surest match, and the best in a short text. */
  class Match {
    /** @param {number} documents */
    constructor(documents) {
      this.scores = new Float64Array(documents).fill(-1);
      this.shorts = new Float64Array(documents);
      /** Which of `qualities` each entry has. */
      this.codes = new Uint8Array(documents);
      /** @type {number[]} */
      this.qualities = [0];
      /** @type {{ alternative: Alternative, idf: number, terms: Postings[][] }[]} what found something */
      this.used = [];
    }

    /** The number of a quality. @param {number} quality @returns {number} */
    codeOf(quality) {
      const known = this.qualities.indexOf(quality);
      return known >= 0 ? known : this.qualities.push(quality) - 1;
    }
  }

  /**
   * Scores the entries of a plan. First every entry that matched gets what is cheap to know and a bound that its score cannot
   * pass; what needs the places of the words is worked out only for those whose bound is high enough.
   */
  class Scoring {
    /** @param {InstanceType<typeof SearchStore.Store>} store @param {Plan} plan @param {Set<number> | null} allowed */
    constructor(store, plan, allowed) {
      this.store = store;
      this.plan = plan;
      this.allowed = allowed;
      this.weights = store.lexicon.weights;
      const own = store.lexicon.languages.indexOf(plan.lang);
      this.translated = store.lexicon.core.entries.languages.map((languages) => languages.includes(own));
      this.gamesWithUntranslated = new Set(store.lexicon.gameOf.filter((_, document) => !this.translated[document]));
      this.found = new Uint8Array(store.documents);
      this.frequency = new Float64Array(store.documents);
      this.inShort = new Uint8Array(store.documents);
      /** @type {Match[]} */
      this.matches = [];
      this.unitWeights = plan.units.map((unit) => this.match(unit));
      this.total = sum(this.unitWeights);
      /** @type {Map<number, number>} */
      this.places = new Map();
      plan.units.forEach((unit, n) => {
        if (unit.kind !== "pair") this.places.set(unit.pos, (this.unitWeights[n] / unit.weight) * unit.importance);
      });
      this.allPlaces = sum(this.places.values());
      /** @type {Map<number, number>} */
      this.neighbours = new Map();
      for (const [pos, weight] of this.places) {
        const next = this.places.get(pos + 1);
        if (next !== undefined) this.neighbours.set(pos, Math.min(weight, next));
      }
      this.allNeighbours = sum(this.neighbours.values());
      /** @type {Map<string, { coverage: number, nearness: number }>} */
      this.outlines = new Map();
      this.mostOfShort = Math.max(...Object.values(this.weights.SHORT_KIND));
      if (!plan.phrases.length && plan.units.length) return;
      for (const document of allowed ?? []) this.found[document] = 1;
    }

    /** Every entry that matched. @returns {number[]} */
    documents() {
      /** @type {number[]} */
      const documents = [];
      this.found.forEach((found, document) => found && documents.push(document));
      return documents;
    }

    /** Match one unit in every entry; returns its weight. @param {Unit} unit @returns {number} */
    match(unit) {
      const { UNKNOWN_PAIR } = this.weights;
      const match = new Match(this.store.documents);
      this.matches.push(match);
      let rarity = 0;
      for (const alternative of unit.alternatives) {
        const terms = this.postingsOf(alternative);
        const documents = this.frequencies(alternative, terms);
        if (!documents.length) continue;
        const idf = inverse(this.store.documents, documents.length);
        rarity = Math.max(rarity, idf * (alternative.how === "concept" ? alternative.weight : 1));
        match.used.push({ alternative, idf, terms });
        this.add(match, unit, alternative, idf, documents);
      }
      // a function word that nothing in the corpus has says nothing
      if (!rarity && unit.importance === 1) rarity = inverse(this.store.documents, 0) * (unit.kind === "pair" ? UNKNOWN_PAIR : 1);
      return unit.weight * rarity;
    }

    /** By term, the postings of an alternative. @param {Alternative} alternative @returns {Postings[][]} */
    postingsOf({ lang, terms, untranslated }) {
      const matters = untranslated ? (/** @type {number} */ game) => this.gamesWithUntranslated.has(game) : undefined;
      return terms.map(([term]) => this.store.postings(lang, term, matters));
    }

    /** @param {Match} match @param {Unit} unit @param {Alternative} alternative @param {number} idf @param {number[]} documents */
    add({ scores, shorts, codes, qualities }, unit, alternative, idf, documents) {
      const { K1 } = this.weights;
      const { frequency, inShort, allowed } = this;
      const quality = alternative.weight;
      const code = this.matches[this.matches.length - 1].codeOf(quality);
      const factor = unit.weight * quality * idf;
      const short = idf * unit.weight * quality;
      for (const document of documents) {
        if (!allowed || allowed.has(document)) {
          const score = (factor * frequency[document] * (K1 + 1)) / (frequency[document] + K1);
          if (score > scores[document]) scores[document] = score;
          if (quality > qualities[codes[document]]) codes[document] = code;
          if (inShort[document] && short > shorts[document]) shorts[document] = short;
          this.found[document] = 1;
        }
        frequency[document] = 0;
        inShort[document] = 0;
      }
    }

    /**
     * The entries that have an alternative; `frequency` and `inShort` then tell its boosted, length-normalised frequency in each, and
     * whether it stands in a short text. A term's positions begin with those in short texts.
     *
     * @param {Alternative} alternative @param {Postings[][]} terms @returns {number[]}
     */
    frequencies({ lang, terms: weighted, untranslated }, terms) {
      const { B } = this.weights;
      const average = this.store.averageLength(lang);
      /** @type {number[]} */
      const found = [];
      terms.forEach((parts, term) => {
        const weight = weighted[term][1];
        for (const { documents, ends, positions, boosts } of parts) {
          for (let n = 0; n < documents.length; n++) {
            const document = documents[n];
            if (untranslated && this.translated[document]) continue;
            const norm = 1 - B + (B * this.store.length(lang, document)) / average;
            if (!this.frequency[document]) found.push(document);
            this.frequency[document] += (weight * boosts[n]) / norm;
            if (fieldOf(positions[n ? ends[n - 1] : 0]) !== BODY) this.inShort[document] = 1;
          }
        }
      });
      return found;
    }

    /** The share of the query's weight that an entry has, 0 to 1. @param {number} document @returns {number} */
    coverage(document) {
      return this.outline(document).coverage;
    }

    /** What follows from which units an entry has: its coverage, and the most it can have of neighbours. @param {number} document */
    outline(document) {
      let key = "";
      for (const { codes } of this.matches) key += String.fromCharCode(codes[document]);
      let known = this.outlines.get(key);
      if (!known) {
        const qualities = this.matches.map((match) => match.qualities[match.codes[document]]);
        known = { coverage: this.covered(qualities), nearness: this.nearestPossible(qualities) };
        this.outlines.set(key, known);
      }
      return known;
    }

    /** @param {number[]} qualities by unit @returns {number} */
    covered(qualities) {
      /** @type {Map<number, number>} */
      const covered = new Map();
      this.plan.units.forEach((unit, n) => {
        const share = qualities[n] * (unit.kind === "han" && unit.weight < unit.importance ? this.weights.LONE_HAN : 1);
        for (const pos of unit.kind === "pair" ? [unit.pos, unit.pos + 1] : [unit.pos]) {
          covered.set(pos, Math.max(share, covered.get(pos) ?? 0));
        }
      });
      let have = 0;
      for (const [pos, weight] of this.places) have += weight * Math.min(1, covered.get(pos) ?? 0);
      return this.allPlaces ? have / this.allPlaces : 1;
    }

    /** @param {number[]} qualities by unit @returns {number} */
    nearestPossible(qualities) {
      const having = new Set(this.plan.units.filter((_, n) => qualities[n]).map((unit) => unit.pos));
      let have = 0;
      for (const [pos, weight] of this.neighbours) if (having.has(pos) && having.has(pos + 1)) have += weight;
      return this.allNeighbours ? have / this.allNeighbours : 0;
    }

    /** The sum of the units' best scores. @param {number} document @returns {number} */
    base(document) {
      let score = 0;
      for (const { scores } of this.matches) if (scores[document] > 0) score += scores[document];
      return score;
    }

    /** What the score of an entry cannot pass. @param {number} document @returns {number} */
    bound(document) {
      const { SHORT_MATCH, NEAR } = this.weights;
      let short = 0;
      for (const { shorts } of this.matches) short += shorts[document];
      const most = Math.min(short, this.total) * this.mostOfShort;
      return this.final(document, this.base(document) + SHORT_MATCH * most + NEAR * this.outline(document).nearness * this.total);
    }

    /** A score with what depends on coverage and on the kind of entry. @param {number} document @param {number} score @returns {number} */
    final(document, score) {
      const { weights, plan } = this;
      const { kinds, overviews } = this.store.lexicon.core.entries;
      const kind = KINDS[kinds[document]];
      score *= 1 - weights.COVERAGE + weights.COVERAGE * this.coverage(document);
      score *= plan.question && kind === "faq" ? weights.QUESTION_FAQ : 1;
      score *= kind === "info" ? weights.INFORMATION : 1;
      score *= overviews[document] ? weights.OVERVIEW : 1;
      return score * (this.translated[document] ? 1 : weights.UNTRANSLATED);
    }

    /** The score of an entry. @param {number} document @returns {number} */
    score(document) {
      const { SHORT_MATCH, NEAR } = this.weights;
      /** @type {Shorts} */
      const shorts = new Map();
      /** @type {Map<string, Map<number, number[]>>} by language and place in the query */
      const places = new Map();
      this.plan.units.forEach((unit, n) => {
        for (const { alternative, idf, terms } of this.matches[n].scores[document] >= 0 ? this.matches[n].used : []) {
          const positions = this.positions(alternative, terms, document);
          if (!positions.length) continue;
          const known = places.get(alternative.lang) ?? new Map();
          places.set(alternative.lang, known);
          known.set(unit.pos, (known.get(unit.pos) ?? []).concat(positions));
          this.noteShorts(shorts, alternative, n, idf * unit.weight * alternative.weight, positions);
        }
      });
      const raised = SHORT_MATCH * this.shortMatch(shorts) + NEAR * this.nearness([...places.values()]);
      return this.final(document, this.base(document) + this.total * raised);
    }

    /** @param {Alternative} alternative @param {Postings[][]} terms @param {number} document @returns {number[]} */
    positions({ untranslated }, terms, document) {
      if (untranslated && this.translated[document]) return [];
      return terms.flatMap((parts) => parts.flatMap((postings) => positionsOfDocument(postings, document)));
    }

    /**
     * Note which short texts have a unit.
     *
     * @param {Shorts} shorts @param {Alternative} alternative @param {number} unit @param {number} weight @param {number[]} positions
     */
    noteShorts(shorts, { lang }, unit, weight, positions) {
      const language = this.store.lexicon.languages.indexOf(lang);
      for (const position of positions) {
        if (fieldOf(position) === BODY) continue;
        const text = shortText(position);
        const key = language * 0x100000 + text;
        let short = shorts.get(key);
        if (!short) shorts.set(key, (short = { text, length: (position >> 6) & this.weights.MAX_PLACE, units: [] }));
        while (short.units.length <= unit) short.units.push(0);
        short.units[unit] = Math.max(short.units[unit], weight);
      }
    }

    /** How well the best short text matches the query as a whole, 0 to 1. @param {Shorts} shorts @returns {number} */
    shortMatch(shorts) {
      const { SHORT_KIND, UNMATCHED } = this.weights;
      let best = 0;
      for (const { text, length, units } of shorts.values()) {
        const shared = sum(units);
        const words = new Set(this.plan.units.filter((_, n) => units[n]).map((unit) => unit.pos)).size;
        const against = this.total + UNMATCHED * Math.max(0, length - words);
        best = Math.max(best, against ? (SHORT_KIND[text >> 12] * shared) / against : 0);
      }
      return best;
    }

    /** How much of the query's neighbourhoods an entry keeps, 0 to 1. @param {Map<number, number[]>[]} places @returns {number} */
    nearness(places) {
      let have = 0;
      for (const [pos, weight] of this.neighbours) {
        if (places.some((known) => areNear(known.get(pos), known.get(pos + 1), this.weights.NEAR_WORDS))) have += weight;
      }
      return this.allNeighbours ? have / this.allNeighbours : 0;
    }

    /** The words of the query that an entry has. @param {number} document @returns {string[]} */
    matched(document) {
      const texts = this.plan.units.filter((_, n) => this.matches[n].scores[document] >= 0).map((unit) => unit.text);
      return [...new Set(texts)].sort(byCodePoint);
    }
  }

  /** @param {Iterable<number>} numbers @returns {number} */
  const sum = (numbers) => {
    let all = 0;
    for (const n of numbers) all += n;
    return all;
  };

  /** Where a term stands in an entry. @param {Postings} postings @param {number} document @returns {number[]} */
  const positionsOfDocument = (postings, document) => {
    const { documents } = postings;
    let low = 0;
    let high = documents.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (documents[middle] < document) low = middle + 1;
      else high = middle;
    }
    return documents[low] === document ? positionsIn(postings, low) : [];
  };

  /** @param {number[] | undefined} a @param {number[] | undefined} b @param {number} words @returns {boolean} */
  const areNear = (a, b, words) =>
    !!a && !!b && a.some((x) => b.some((y) => x !== y && Math.abs(y - x) <= words));

  /** How rare something is. @param {number} documents @param {number} having @returns {number} */
  const inverse = (documents, having) => Math.log(1 + (documents - having + 0.5) / (having + 0.5));

  /** The entries that filters, phrases and exclusions leave, or null for all. @param {InstanceType<typeof SearchStore.Store>} store @param {Plan} plan @returns {Set<number> | null} */
  const allowedBy = (store, plan) => {
    const { games, kinds } = store.lexicon.core.entries;
    /** @type {((document: number) => boolean)[]} */
    const tests = [];
    const game = plan.filters.get("game");
    if (game !== undefined) tests.push((document) => store.lexicon.gameIds[games[document]] === game);
    const kind = plan.filters.get("kind");
    if (kind !== undefined) tests.push((document) => KINDS[kinds[document]] === kind);
    const id = plan.filters.get("id");
    if (id !== undefined) {
      const exact = store.exactly(store.lexicon.titleKey(id));
      tests.push((document) => exact.has(document) || nameOf(store, document) === id);
    }
    for (const readings of plan.phrases) {
      const having = withPhrase(store, readings);
      tests.push((document) => having.has(document));
    }
    const excluded = new Set(plan.excluded.flatMap((readings) => [...withPhrase(store, readings)]));
    if (!tests.length && !excluded.size) return null;
    const all = Array.from({ length: store.documents }, (_, document) => document);
    return new Set(all.filter((document) => !excluded.has(document) && tests.every((test) => test(document))));
  };

  /** @param {InstanceType<typeof SearchStore.Store>} store @param {number} document @returns {string} */
  const nameOf = ({ lexicon }, document) => `${lexicon.gameIds[lexicon.gameOf[document]]}/${lexicon.entryIds[document]}`;

  /** @param {InstanceType<typeof SearchStore.Store>} store @param {Phrase[]} readings @returns {Set<number>} */
  const withPhrase = (store, readings) => {
    /** @type {Set<number>} */
    const found = new Set();
    for (const { lang, places } of readings) {
      const [first, ...rest] = places.map((forms) => positionsOf(store, lang, forms));
      for (const [document, starts] of first) {
        const follows = (/** @type {number} */ start) => rest.every((next, n) => next.get(document)?.has(start + n + 1));
        if ([...starts].some(follows)) found.add(document);
      }
    }
    return found;
  };

  /** @param {InstanceType<typeof SearchStore.Store>} store @param {string} lang @param {string[]} forms @returns {Map<number, Set<number>>} */
  const positionsOf = (store, lang, forms) => {
    /** @type {Map<number, Set<number>>} */
    const found = new Map();
    for (const postings of forms.flatMap((form) => store.postings(lang, form))) {
      postings.documents.forEach((document, n) => {
        const known = found.get(document) ?? new Set();
        for (const position of positionsIn(postings, n)) known.add(position);
        found.set(document, known);
      });
    }
    return found;
  };

  /**
   * The first entries in order, and how many matched. Entries are scored from the highest bound down, until none that is left
   * could be among the first.
   *
   * @param {Scoring} scoring @param {number} limit @returns {[best: Ranked[], total: number]}
   */
  const bestOf = (scoring, limit) => {
    const { plan, store, weights } = scoring;
    const exact = plan.title ? store.exactly(plan.title) : new Set();
    const documents = scoring.documents();
    const bounds = documents.map((document) => ({ document, bound: exact.has(document) ? Infinity : scoring.bound(document) }));
    bounds.sort((a, b) => (a.bound === b.bound ? a.document - b.document : b.bound - a.bound));
    /** @type {Ranked[]} */
    const scored = [];
    /** @type {number[]} the best scores, the highest first */
    const best = [];
    for (const { document, bound } of bounds) {
      if (best.length === limit && bound < best[limit - 1] - weights.TIE) break;
      const score = scoring.score(document);
      const at = best.findIndex((other) => other < score);
      best.splice(at < 0 ? best.length : at, 0, score);
      best.length = Math.min(best.length, limit);
      scored.push({ document, score, coverage: scoring.coverage(document), exact: exact.has(document), matched: [] });
    }
    scored.sort((a, b) => Number(b.exact) - Number(a.exact) || byScore(a.score, b.score) || a.document - b.document);
    const first = scored.slice(0, limit).map((found) => ({ ...found, matched: scoring.matched(found.document) }));
    return [first, documents.length];
  };

  /** The higher score first, rounded to 9 digits as Python rounds. @param {number} a @param {number} b @returns {number} */
  const byScore = (a, b) => (Math.abs(a - b) > 2e-9 ? b - a : Number(b.toFixed(9)) - Number(a.toFixed(9)));

  /** The share of the query that an entry must cover to be an answer. @param {InstanceType<typeof SearchStore.Store>} store @param {number} document */
  const lineFor = ({ lexicon }, document) =>
    lexicon.core.games[lexicon.gameOf[document]].private ? lexicon.weights.CONFIDENT_PRIVATE : lexicon.weights.CONFIDENT;

  /**
   * Execute a plan: score, filter, order, and decide whether there is an answer.
   *
   * @param {InstanceType<typeof SearchStore.Store>} store @param {Plan} plan @param {number} limit
   * @returns {Ranking}
   */
  const run = (store, plan, limit) => {
    if (isEmpty(plan)) return { hits: [], nearest: [], total: 0 };
    const scoring = new Scoring(store, plan, allowedBy(store, plan));
    const [hits, total] = bestOf(scoring, limit);
    const [first] = hits;
    const confident = !!first && (first.coverage >= lineFor(store, first.document) || first.exact || plan.phrases.length > 0);
    return confident ? { hits, nearest: [], total } : { hits: [], nearest: hits.slice(0, 5), total: 0 };
  };

  return { nameOf, run };
})();
