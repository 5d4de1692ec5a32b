/** All systems, in the order of the report. */
import { deepBuckets, fiveBuckets, hundredBuckets } from "./buckets.ts";
import { compositeBuckets, newerCompositeBuckets } from "./composite-buckets.ts";
import { countBetter, readBetter } from "./count-better.ts";
import { deepEntrySets, entrySets, smallEntrySets } from "./entry-sets.ts";
import { firerankSystems } from "./firerank.ts";
import { partitionByHash, partitionByMonth } from "./partition-by-hash.ts";
import { partitionByScore } from "./partition-by-score.ts";
import { pipelineSystems } from "./pipelines.ts";
import { postgresSystems } from "./postgres-rank.ts";
import { redisSql } from "./redis-sql.ts";
import { scoreSystems } from "./score-systems.ts";
import { sketchSystems } from "./sketches.ts";
import type { FormulaSystem, System } from "./system.ts";
import { topTen } from "./top-ten.ts";

export const systems: readonly System[] = [
  ...firerankSystems,
  readBetter,
  countBetter,
  ...scoreSystems,
  fiveBuckets,
  hundredBuckets,
  deepBuckets,
  ...sketchSystems,
  topTen,
  entrySets,
  deepEntrySets,
  compositeBuckets,
  newerCompositeBuckets,
  partitionByScore,
  partitionByHash,
  partitionByMonth,
  redisSql,
  ...postgresSystems,
];

/** Systems that cannot be run yet. */
export const formulaSystems: readonly FormulaSystem[] = pipelineSystems;

/** Forms of them that are only tested. */
export const testedSystems: readonly System[] = smallEntrySets;
