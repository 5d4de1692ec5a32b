/**
 * What a run of the benchmark found: the content of docs/benchmark.json, from which docs/benchmark.md is written. One
 * part was played on an emulator; the other follows from formulas and models, and can be computed again at any time.
 */
import { type Bill, free } from "../contest/bill.ts";
import type { CountryDay } from "../contest/countries.ts";
import type { SystemError } from "../contest/errors.ts";
import type { Day, Scaled } from "../contest/scaled.ts";
import type { LeagueWeek } from "../league/ways.ts";
import { type Operation, runSecondsDefault, type System } from "../systems/system.ts";
import { count } from "./markdown.ts";

/** What the report says of a system, beside its numbers. */
export interface SystemFacts extends Pick<System, "id" | "name" | "layout" | "source" | "rank" | "limit"> {
  /** How old a rank can be: "live", or "up to 5 minutes". */
  age: string;
}

/** What was counted of one system. */
export interface Counted {
  id: string;
  /** What each kind of operation was billed, on average. */
  billed: Partial<Record<Operation, { times: number; mean: Bill }>>;
  /** Answers that its claim does not allow, and bills that are not its formula's; none if all is well. */
  problems: string[];
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
  /** The version of Node. */
  node: string;
  counted: Counted[];
}

/** What follows from formulas and models. */
export interface Computed {
  systems: SystemFacts[];
  scaled: Scaled;
  countryDay: CountryDay;
  leagueWeek: LeagueWeek;
  /** The most updates a second by the model of contest/waits.ts; `null` where only the players' own documents limit them. */
  rates: Record<string, number | null>;
  /** Of ranks that are estimates, against a full sort. */
  errors: SystemError[];
}

export type Results = Played & Computed;

export function nameOf(systems: readonly SystemFacts[], id: string): string {
  return systems.find((system) => system.id === id)?.name ?? id;
}

/** The load that ways are compared at: a million players, 10 updates and 10 ranks a second; or the last one. */
export function comparedDay({ scaled: { days } }: Pick<Results, "scaled">): Day | undefined {
  const isCompared = ({ players, load }: Day) => players === 1_000_000 && load.ranksPerSecond === 10;
  return days.find(isCompared) ?? days.at(-1);
}

/** The mean bill of an operation on the board that ways are compared on; nothing if the way does not have it. */
export function billOf(results: Results, id: string, operation: Operation): Bill {
  return billedOf(results, id)[operation] ?? free;
}

export function billedOf({ scaled }: Results, id: string): Partial<Record<Operation, Bill>> {
  const sizes = scaled.growth.find((one) => one.id === id)?.sizes;
  return sizes?.findLast(({ players }) => players <= 1_000_000)?.billed ?? {};
}

/** For example "161/s": the most updates that a way takes, by the model; "any" if nothing limits it. */
export function rateText({ rates }: Results, id: string): string {
  const rate = rates[id];
  if (rate === undefined) return "–";
  return rate === null ? "any" : `${count(rate)}/s`;
}

/** What the report says of a system. */
export function factsOf(system: System): SystemFacts {
  const { id, name, layout, source, rank, limit } = system;
  return { id, name, layout, source, rank, age: ageOf(system), ...(limit !== undefined && { limit }) };
}

/** Ranks are as old as the last run, unless the system claims to be exact. */
function ageOf({ rank, runSeconds = runSecondsDefault, ageSeconds }: System): string {
  const seconds = rank === "exact" ? ageSeconds : runSeconds;
  return seconds === undefined ? "live" : `up to ${durationText(seconds)}`;
}

/** "1 hour", "5 minutes" or "5 seconds". */
function durationText(seconds: number): string {
  if (seconds === 3_600) return "1 hour";
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}
