/** What other scripts may use: the registration that every shard calls, and the search. */
const RulesLawyer = {
  shards: SearchShards,
  Engine: SearchEngine.Engine,
  analyse: SearchAnalysis.analyse,
  mergeSpans: SearchShowing.merged,
};
Object.assign(globalThis, { RulesLawyer });
