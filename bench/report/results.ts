/**
 * What a run of the benchmark found: the content of docs/benchmark.json, from which docs/benchmark.md is written. One
 * part was played on an emulator; the other follows from formulas and models, and can be computed again at any time.
 */
import type { Counted } from "../contest/counted.ts";
import type { Drift } from "../contest/drift.ts";
import type { SystemError } from "../contest/errors.ts";
import type { Faults } from "../contest/faults.ts";
import type { Published } from "../contest/published.ts";
import type { Day, Scaled } from "../contest/scaled.ts";
import type { SystemWaits } from "../contest/system-waits.ts";
import { type Staleness, stalenessOf } from "../systems/staleness.ts";
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
  staleness: Staleness;
  /** Whether it is a server of its own, whose price no table shows. */
  server?: boolean;
  /** What bounds its board. */
  limit?: string;
  /** What the formulas of a system that cannot be run yet assume; absent for one that was played. */
  assumes?: string;
}

/** What was played. */
export interface Played {
  version: string;
  /** The day on which it was played. */
  date: string;
  seed: number;
  /** The work on which the operations were counted. */
  work: string;
  emulator: string;
  /** Of what else took part, by name. */
  versions: Record<string, string>;
  /** Systems that were left out, each with the reason. */
  leftOut: { name: string; why: string }[];
  counted: Counted[];
  /** Of ranks that are not estimates. */
  faults: Faults[];
}

/** What follows from formulas and models. */
export interface Computed {
  systems: SystemFacts[];
  scaled: Scaled;
  /** By the model of contest/waits.ts. */
  waits: SystemWaits[];
  published: Published[];
  /** Of sketches that are fed changes. */
  drift: Drift[];
  /** Of ranks that are estimates, against a full sort. */
  errors: SystemError[];
}

export type Results = Played & Computed;

/** Systems that the pictures show; more lines than these cannot be told apart. */
export const drawnIds = [
  "firerank",
  "count-better-reading",
  "count-better",
  "regular-update",
  "score-documents-sum",
  "score-ranking",
  "rank-tree-aggregated",
];
/** So wide are the pictures that their text can be read on a phone. */
export const pictureWidth = 640;

export function nameOf(systems: readonly SystemFacts[], id: string): string {
  return systems.find((system) => system.id === id)?.name ?? id;
}

/** The largest board up to a million players. */
export function largeBoard({ growth }: Scaled): number {
  const sizes = growth[0]?.sizes.map(({ players }) => players) ?? [];
  return Math.max(...sizes.filter((players) => players <= 1_000_000));
}

/** The load that ways are compared at: a million players, 10 updates and 10 ranks a second. */
export function comparedDay({ scaled }: Results): Day | undefined {
  return scaled.days.find(
    ({ players, load: { updatesPerSecond, ranksPerSecond }, region }) =>
      region === "us-central1" && players === 1_000_000 && updatesPerSecond === 10 && ranksPerSecond === 10,
  );
}

/** What the report says of a system. */
export function factsOf(
  system: Omit<SystemFacts, "server" | "staleness"> & Pick<System, "load" | "runSeconds" | "asOfRun" | "lag">,
): SystemFacts {
  const { id, name, layout, source, rank, keeps, cannot, limit, assumes, load } = system;
  return {
    id,
    name,
    layout,
    source,
    rank,
    keeps,
    cannot,
    staleness: stalenessOf(system),
    ...(load.kind === "outside" ? { server: true } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(assumes === undefined ? {} : { assumes }),
  };
}
