/** All systems, in the order of the report. */
import { deepBuckets, evenBuckets } from "./buckets.ts";
import { countBetter } from "./count-better.ts";
import { firerankSystems } from "./firerank.ts";
import { rankTree, rankTreeAggregated } from "./rank-tree.ts";
import { regularUpdate } from "./regular-update.ts";
import { scoreDocumentsSharded, scoreDocumentsSum } from "./score-documents.ts";
import { scoreRanking } from "./score-ranking.ts";
import type { System } from "./system.ts";

export const systems: readonly System[] = [
  ...firerankSystems,
  countBetter,
  regularUpdate,
  scoreDocumentsSum,
  scoreDocumentsSharded,
  scoreRanking,
  rankTree,
  rankTreeAggregated,
  evenBuckets,
  deepBuckets,
];
