/** All systems, in the order of the report. */
import { countBetter, readBetter } from "./count-better.ts";
import type { System } from "./system.ts";

export const systems: readonly System[] = [readBetter, countBetter];
