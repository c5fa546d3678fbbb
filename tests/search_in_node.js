"use strict";
// Runs the browser's search in Node: node search_in_node.js FOLDER < requests.jsonl > answers.jsonl
// FOLDER holds search.js and search/*.js as the site has them. A request: {"terms": TEXT, "lang": LANG} or
// {"ask": QUERY, "options": {...}}; with "fresh" nothing is loaded before. An answer is one line of JSON.
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const readline = require("node:readline");

const folder = process.argv[2];
const scripts = new Map();

/** @param {string} name @returns {import("node:vm").Script} */
const script = (name) => {
  if (!scripts.has(name)) scripts.set(name, new vm.Script(fs.readFileSync(path.join(folder, name), "utf8"), { filename: name }));
  return scripts.get(name);
};

script("search.js").runInThisContext();
const RulesLawyer = globalThis.RulesLawyer;

const makeEngine = () => {
  const shards = { shelf: new Map(), loaded: [] };
  shards.load = async (names) => {
    for (const name of names) {
      if (shards.shelf.has(name)) continue;
      RulesLawyer.shards.shelf.clear();
      script(`search/${name}.js`).runInThisContext();
      shards.shelf.set(name, RulesLawyer.shards.shelf.get(name));
      shards.loaded.push(name);
    }
  };
  const engine = new RulesLawyer.Engine(shards);
  engine.loaded = shards.loaded;
  return engine;
};

const expansion = (plan) =>
  plan.units.map((unit) => ({
    text: unit.text,
    weight: unit.weight,
    known: unit.known,
    alternatives: unit.alternatives.map((a) => [a.lang, a.how, a.weight, a.untranslated, a.terms]),
  }));

const answerTo = (found, engine) => ({
  lang: found.lang,
  language: found.plan.lang,
  question: found.plan.question,
  filters: Object.fromEntries(found.plan.filters),
  units: expansion(found.plan),
  phrases: found.plan.phrases.map((readings) => readings.map(({ lang, places }) => [lang, places])),
  excluded: found.plan.excluded.map((readings) => readings.map(({ lang, places }) => [lang, places])),
  confident: found.confident,
  ids: [...found.hits, ...found.nearest].map((hit) => hit.entry.name),
  scores: [...found.hits, ...found.nearest].map((hit) => hit.score),
  shown: [...found.hits, ...found.nearest].map(({ entry }) => [entry.lang, entry.title, engine.showing.excerpt(entry, found.plan)]),
  total: found.total,
  notes: found.notes.map(({ key, values }) => [key, values]),
});

const shared = makeEngine();

/** @param {any} request */
const answer = async (request) => {
  const engine = request.fresh ? makeEngine() : shared;
  const start = performance.now();
  if (request.prepare) {
    await engine.prepare(request.prepare);
    return { loaded: engine.loaded, ms: performance.now() - start };
  }
  if ("terms" in request) {
    await engine.shards.load(["core", ...(request.han ? ["han"] : [])]);
    const { lexicon } = engine.store;
    const simplified = new Map(Object.entries(engine.shards.shelf.get("han") ?? {}));
    const tokens = RulesLawyer.analyse(request.terms, request.lang, lexicon.tables, request.han ? simplified : undefined);
    return { terms: tokens.map((t) => [t.term, t.start, t.end, t.pos, t.kind]) };
  }
  const found = await engine.ask(request.ask, request.options ?? {});
  return { ...answerTo(found, engine), loaded: engine.loaded, ms: performance.now() - start };
};

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let said;
    try {
      said = await answer(JSON.parse(line));
    } catch (error) {
      said = { error: String(error && error.stack) };
    }
    process.stdout.write(`${JSON.stringify(said)}\n`);
  }
})();
