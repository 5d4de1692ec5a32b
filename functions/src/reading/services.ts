/** The world, with what an instance remembers to answer questions. */
import type { World } from "../world/world.ts";
import type { LiveReads } from "./live-sums.ts";
import type { PageCache } from "./page-cache.ts";
import type { StandingsReads } from "./standings-reads.ts";

export interface ReadingServices extends World {
  pages: PageCache;
  standings: StandingsReads;
  live: LiveReads;
}
