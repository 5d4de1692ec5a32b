/** The systems that write ranks periodically, or count the players of each score: in documents, trees or counters. */
import { counterExtension } from "./counter-extension.ts";
import { rankTree, rankTreeAggregated, rankTreeQueues, rankTreeSharded } from "./rank-tree.ts";
import { regularUpdate } from "./regular-update.ts";
import {
  scoreDocuments,
  scoreDocumentsHighest,
  scoreDocumentsSharded,
  scoreDocumentsSum,
} from "./score-documents.ts";
import { scoreRanking } from "./score-ranking.ts";
import type { System } from "./system.ts";

export const scoreSystems: readonly System[] = [
  regularUpdate,
  scoreDocuments,
  scoreDocumentsHighest,
  scoreDocumentsSum,
  scoreDocumentsSharded,
  scoreRanking,
  rankTree,
  rankTreeAggregated,
  rankTreeQueues,
  rankTreeSharded,
  counterExtension,
];
