/** What a run of the benchmark found: the content of docs/benchmark.json, from which docs/benchmark.md is written. */
import type { Counted } from "../contest/counted.ts";
import type { Drift } from "../contest/drift.ts";
import type { SystemError } from "../contest/errors.ts";
import type { Faults } from "../contest/faults.ts";
import type { Scaled } from "../contest/scaled.ts";
import type { SystemWaits } from "../contest/system-waits.ts";
import type { Operation, RankClaim, System } from "../systems/system.ts";

/** What the report says of a system, beside its numbers. */
export interface SystemFacts {
  id: string;
  name: string;
  layout: string;
  source: string;
  rank: RankClaim;
  keeps: System["keeps"];
  cannot: Partial<Record<Operation, string>>;
  /** Whether it is a server of its own, whose price no table shows. */
  server?: boolean;
  /** What bounds its board. */
  limit?: string;
  /** What the formulas of a system that cannot be run yet assume; absent for one that was played. */
  assumes?: string;
}

export interface Results {
  version: string;
  seed: number;
  /** The work on which the operations were counted. */
  work: string;
  emulator: string;
  systems: SystemFacts[];
  /** Systems that were left out, each with the reason. */
  leftOut: { name: string; why: string }[];
  counted: Counted[];
  scaled: Scaled;
  /** By the model of contest/waits.ts. */
  waits: SystemWaits[];
  /** Of ranks that are not estimates. */
  faults: Faults[];
  /** Of sketches that are fed changes. */
  drift: Drift[];
  /** Of ranks that are estimates, against a full sort. */
  errors: SystemError[];
}

/** Systems that the pictures show; more lines than these cannot be told apart. */
export const drawnIds = [
  "firerank-index",
  "firerank-count",
  "count-better-reading",
  "count-better",
  "regular-update",
  "score-documents",
  "score-documents-sum",
  "score-ranking",
  "rank-tree",
];

export function nameOf(systems: readonly SystemFacts[], id: string): string {
  return systems.find((system) => system.id === id)?.name ?? id;
}

export function factsOf(system: Omit<SystemFacts, "server"> & Pick<System, "load">): SystemFacts {
  const { id, name, layout, source, rank, keeps, cannot, limit, assumes, load } = system;
  return {
    ...{ id, name, layout, source, rank, keeps, cannot, server: load.kind === "outside" },
    ...(limit === undefined ? {} : { limit }),
    ...(assumes === undefined ? {} : { assumes }),
  };
}
