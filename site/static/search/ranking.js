/** Plan -> hits: walks the postings, the very loop of `search.py`, with the same operations in the same order. */
/**
 * @typedef {{ document: number, score: number, coverage: number, exact: boolean, matched: string[] }} Ranked
 * @typedef {{ hits: Ranked[], nearest: Ranked[], total: number }} Ranking
 */

const SearchRanking = (() => {
  const { byCodePoint } = SearchDictionary;
  const { isEmpty } = SearchPlan;
  const { BODY, fieldOf, positionsIn, shortText } = SearchStore;
  const KINDS = ["rule", "faq", "info"];

  /** What is known of an entry: best score and match by unit, short texts matched, where the units stand. */
  class Evidence {
    constructor() {
      /** @type {Map<number, [score: number, quality: number]>} */
      this.units = new Map();
      /** @type {Map<number, { text: number, length: number, units: number[] }>} by language and short text */
      this.shorts = new Map();
      /** @type {Map<string, Map<number, number[]>>} */
      this.places = new Map();
    }
  }

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
      /** @type {Map<number, Evidence>} */
      this.evidence = new Map();
      this.unitWeights = plan.units.map((unit, number) => this.scoreUnit(unit, number));
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
      if (!plan.phrases.length && plan.units.length) return;
      for (const document of allowed ?? []) {
        if (!this.evidence.has(document)) this.evidence.set(document, new Evidence());
      }
    }

    /** Score one unit in every entry; returns its weight. @param {Unit} unit @param {number} number @returns {number} */
    scoreUnit(unit, number) {
      const { K1, UNKNOWN_PAIR } = this.weights;
      let rarity = 0;
      for (const alternative of unit.alternatives) {
        const found = this.frequencies(alternative);
        if (!found.size) continue;
        const idf = inverse(this.store.documents, found.size);
        rarity = Math.max(rarity, idf * (alternative.how === "concept" ? alternative.weight : 1));
        for (const [document, { frequency, positions }] of found) {
          if (this.allowed && !this.allowed.has(document)) continue;
          const score = (unit.weight * alternative.weight * idf * frequency * (K1 + 1)) / (frequency + K1);
          this.note(document, number, score, idf, alternative, positions);
        }
      }
      // a function word that nothing in the corpus has says nothing
      if (!rarity && unit.importance === 1) rarity = inverse(this.store.documents, 0) * (unit.kind === "pair" ? UNKNOWN_PAIR : 1);
      return unit.weight * rarity;
    }

    /** Per entry the boosted, length-normalised frequency of an alternative, and where it stands. @param {Alternative} alternative */
    frequencies({ lang, terms, untranslated }) {
      const { B } = this.weights;
      const average = this.store.averageLength(lang);
      /** @type {Map<number, { frequency: number, positions: number[] }>} */
      const found = new Map();
      const matters = untranslated ? (/** @type {number} */ game) => this.gamesWithUntranslated.has(game) : undefined;
      for (const [term, weight] of terms) {
        for (const postings of this.store.postings(lang, term, matters)) {
          const { documents, boosts } = postings;
          for (let n = 0; n < documents.length; n++) {
            const document = documents[n];
            if (untranslated && this.translated[document]) continue;
            const norm = 1 - B + (B * this.store.length(lang, document)) / average;
            const share = (weight * boosts[n]) / norm;
            const known = found.get(document);
            if (known) {
              known.frequency += share;
              known.positions = known.positions.concat(positionsIn(postings, n));
            } else found.set(document, { frequency: share, positions: positionsIn(postings, n) });
          }
        }
      }
      return found;
    }

    /**
     * @param {number} document @param {number} number @param {number} score @param {number} idf
     * @param {Alternative} alternative @param {number[]} positions
     */
    note(document, number, score, idf, alternative, positions) {
      let evidence = this.evidence.get(document);
      if (!evidence) this.evidence.set(document, (evidence = new Evidence()));
      const unit = this.plan.units[number];
      const quality = alternative.weight;
      const [best, share] = evidence.units.get(number) ?? [0, 0];
      evidence.units.set(number, [Math.max(score, best), Math.max(quality, share)]);
      const lang = this.store.lexicon.languages.indexOf(alternative.lang);
      for (const position of positions) {
        if (fieldOf(position) !== BODY) this.noteShort(evidence, lang, position, number, idf * unit.weight * quality);
      }
      const places = evidence.places.get(alternative.lang) ?? new Map();
      evidence.places.set(alternative.lang, places);
      const known = places.get(unit.pos);
      places.set(unit.pos, known ? known.concat(positions) : positions);
    }

    /** @param {Evidence} evidence @param {number} lang @param {number} position @param {number} number @param {number} weight */
    noteShort(evidence, lang, position, number, weight) {
      const text = shortText(position);
      const key = lang * 0x100000 + text;
      let short = evidence.shorts.get(key);
      if (!short) {
        short = { text, length: (position >> 6) & this.weights.MAX_PLACE, units: [] };
        evidence.shorts.set(key, short);
      }
      while (short.units.length <= number) short.units.push(0);
      short.units[number] = Math.max(short.units[number], weight);
    }

    /** How well the best short text matches the query as a whole, 0 to 1. @param {Evidence} evidence @returns {number} */
    shortMatch(evidence) {
      const { SHORT_KIND, UNMATCHED } = this.weights;
      let best = 0;
      for (const { text, length, units } of evidence.shorts.values()) {
        const shared = sum(units);
        const words = new Set(this.plan.units.filter((_, n) => units[n]).map((unit) => unit.pos)).size;
        const against = this.total + UNMATCHED * Math.max(0, length - words);
        best = Math.max(best, against ? (SHORT_KIND[text >> 12] * shared) / against : 0);
      }
      return best;
    }

    /** How much of the query's neighbourhoods an entry keeps, 0 to 1. @param {Evidence} evidence @returns {number} */
    nearness(evidence) {
      let have = 0;
      for (const [pos, weight] of this.neighbours) {
        for (const places of evidence.places.values()) {
          if (areNear(places.get(pos), places.get(pos + 1), this.weights.NEAR_WORDS)) {
            have += weight;
            break;
          }
        }
      }
      return this.allNeighbours ? have / this.allNeighbours : 0;
    }

    /** The share of the query's weight that an entry has, 0 to 1. @param {Evidence} evidence @returns {number} */
    coverage(evidence) {
      /** @type {Map<number, number>} */
      const covered = new Map();
      for (const [number, [, quality]] of evidence.units) {
        const unit = this.plan.units[number];
        const share = quality * (unit.kind === "han" && unit.weight < unit.importance ? this.weights.LONE_HAN : 1);
        for (const pos of unit.kind === "pair" ? [unit.pos, unit.pos + 1] : [unit.pos]) {
          covered.set(pos, Math.max(share, covered.get(pos) ?? 0));
        }
      }
      let have = 0;
      for (const [pos, weight] of this.places) have += weight * Math.min(1, covered.get(pos) ?? 0);
      return this.allPlaces ? have / this.allPlaces : 1;
    }
  }

  /** @param {Iterable<number>} numbers @returns {number} */
  const sum = (numbers) => {
    let all = 0;
    for (const n of numbers) all += n;
    return all;
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

  /** All entries that matched, in order. @param {Plan} plan @param {Scoring} scoring @returns {Ranked[]} */
  const ranked = (plan, scoring) => {
    const { store, weights, total } = scoring;
    const { kinds, overviews } = store.lexicon.core.entries;
    const exact = plan.title ? store.exactly(plan.title) : new Set();
    /** @type {Ranked[]} */
    const found = [];
    for (const [document, evidence] of scoring.evidence) {
      const coverage = scoring.coverage(evidence);
      let score = 0;
      for (const [best] of evidence.units.values()) score += best;
      score += total * (weights.SHORT_MATCH * scoring.shortMatch(evidence) + weights.NEAR * scoring.nearness(evidence));
      score *= 1 - weights.COVERAGE + weights.COVERAGE * coverage;
      const kind = KINDS[kinds[document]];
      score *= plan.question && kind === "faq" ? weights.QUESTION_FAQ : kind === "info" ? weights.INFORMATION : 1;
      score *= overviews[document] ? weights.OVERVIEW : 1;
      score *= scoring.translated[document] ? 1 : weights.UNTRANSLATED;
      const texts = [...evidence.units.keys()].map((n) => plan.units[n].text);
      found.push({ document, score, coverage, exact: exact.has(document), matched: [...new Set(texts)].sort(byCodePoint) });
    }
    return found.sort(
      (a, b) => Number(b.exact) - Number(a.exact) || byScore(a.score, b.score) || a.document - b.document,
    );
  };

  /** The higher score first, rounded to 9 digits as Python rounds. @param {number} a @param {number} b @returns {number} */
  const byScore = (a, b) => (Math.abs(a - b) > 2e-9 ? b - a : Number(b.toFixed(9)) - Number(a.toFixed(9)));

  /**
   * Execute a plan: score, filter, order, and decide whether there is an answer.
   *
   * @param {InstanceType<typeof SearchStore.Store>} store @param {Plan} plan @param {number} limit
   * @returns {Ranking}
   */
  const run = (store, plan, limit) => {
    if (isEmpty(plan)) return { hits: [], nearest: [], total: 0 };
    const scoring = new Scoring(store, plan, allowedBy(store, plan));
    const all = ranked(plan, scoring);
    const [first] = all;
    const confident = !!first && (first.coverage >= scoring.weights.CONFIDENT || first.exact || plan.phrases.length > 0);
    const hits = all.slice(0, limit);
    return confident ? { hits, nearest: [], total: all.length } : { hits: [], nearest: hits.slice(0, 5), total: 0 };
  };

  return { nameOf, run };
})();
