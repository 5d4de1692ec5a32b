/** All systems, in the order of the report. */
import { deepBuckets, fiveBuckets, hundredBuckets } from "./buckets.ts";
import { countBetter, readBetter } from "./count-better.ts";
import { firerankSystems } from "./firerank.ts";
import { pipelineSystems } from "./pipelines.ts";
import { rankTree, rankTreeAggregated } from "./rank-tree.ts";
import { regularUpdate } from "./regular-update.ts";
import { scoreDocumentsSharded, scoreDocumentsSum } from "./score-documents.ts";
import { scoreRanking } from "./score-ranking.ts";
import type { FormulaSystem, System } from "./system.ts";
import { tDigest } from "./t-digest.ts";

export const systems: readonly System[] = [
  ...firerankSystems,
  readBetter,
  countBetter,
  regularUpdate,
  scoreDocumentsSum,
  scoreDocumentsSharded,
  scoreRanking,
  rankTree,
  rankTreeAggregated,
  fiveBuckets,
  hundredBuckets,
  deepBuckets,
  tDigest,
];

/** Systems that cannot be run yet. */
export const formulaSystems: readonly FormulaSystem[] = pipelineSystems;
