/** All systems, in the order of the report. */
import { countBetter, readBetter } from "./count-better.ts";
import { firerankCount, firerankIndex } from "./firerank.ts";
import type { System } from "./system.ts";

export const systems: readonly System[] = [firerankIndex, firerankCount, readBetter, countBetter];
