/** The model's results as tables in Markdown. */
import { cost, type FunctionTime, type Operations } from "../../cli/prices.ts";
import {
  boardCharges,
  boardFunctions,
  boardOperations,
  fitsCommit,
  liveAge,
  pendingOf,
  publishing,
  secondsOfDay,
  triggerFunctions,
} from "./bill.ts";
import { allowedAfter, operationsOf } from "./rollover.ts";
import { intervalSeconds, playersOf, type Rollover, type Scenario } from "./scenarios.ts";
import { player, unitsOf } from "./stored.ts";

/** Waits, writes and publications at rest: one line a scenario. */
export function restTable(scenarios: readonly Scenario[]): string[][] {
  const head = [
    "submissions/s",
    "instances",
    "commit",
    "wait p50",
    "wait p99",
    "wait max",
    "writes a score",
    "at once in an instance",
    "shard documents a slot",
    "all are published in",
  ];
  const lines = scenarios
    .filter(({ start }) => start === "rest")
    .map(({ rate, serviceSeconds, instances, result }) => {
      const { submissions, commits, slots, atOnceMax, waitP50, waitP99, waitMax } = result;
      const usual = slots.at(-1);
      if (usual === undefined) throw new Error("no slot has ended");
      return [
        number(rate),
        String(instances),
        `${serviceSeconds} s`,
        ...[waitP50, waitP99, waitMax].map(waitText),
        (1 + commits / submissions).toFixed(2),
        String(atOnceMax),
        number(usual.documents),
        `${publishing(usual, intervalSeconds).seconds.toFixed(0)} s`,
      ];
    });
  return [head, ...lines];
}

/** The first ten seconds of each start, beside each other: one line a load. */
export function beginningTable(scenarios: readonly Scenario[]): string[][] {
  const head = [
    "submissions/s",
    "commit",
    "p99 at rest",
    "p99 of a rush",
    "p99 after midnight",
    "longest wait",
    "shard documents of a rush's first slot",
  ];
  const lines = scenarios
    .filter(({ start }) => start === "rest")
    .map(({ rate, serviceSeconds }) => {
      const [rest, cold, midnight] = (["rest", "cold", "midnight"] as const).map(
        (start) =>
          scenarios.find(
            (one) => one.start === start && one.rate === rate && one.serviceSeconds === serviceSeconds,
          )?.result,
      );
      const first = cold?.slots[0];
      if (rest === undefined || cold === undefined || midnight === undefined || first === undefined)
        throw new Error("a start is missing, or no slot has ended");
      return [
        number(rate),
        `${serviceSeconds} s`,
        ...[rest, cold, midnight].map(({ firstP99 }) => waitText(firstP99)),
        waitText(Math.max(cold.waitMax, midnight.waitMax)),
        `${number(first.documents)}${fitsCommit(first) ? "" : ", joined"}`,
      ];
    });
  return [head, ...lines];
}

function waitText(seconds: number): string {
  return `${seconds.toFixed(2)} s`;
}

/** Loads that a day is priced for: changed scores and ranks a second, on boards of a million players at least. */
const pricedLoads = [1, 10, 100, 1_000];

/** Dollars a day at rest, as many ranks by player as changed scores, with the pages in memory. */
export function costTable(): string[][] {
  return [
    [
      "scores/s + ranks/s",
      "players",
      "us-central1",
      "nam5",
      "Enterprise, us-central1",
      "functions by schedules",
      "… with the trigger",
    ],
    ...pricedLoads.map((rate) => {
      const { players, operations, units, functions, trigger } = dayOf(rate);
      return [
        `${number(rate)} + ${number(rate)}`,
        number(players),
        money(cost(operations, "us-central1")),
        money(cost(operations, "nam5")),
        money(cost(units, "us-central1, Enterprise")),
        money(cost(functions, "us-central1")),
        money(cost(functions, "us-central1") + cost(trigger, "us-central1")),
      ];
    }),
  ];
}

/** A day of a board of a million players at least, all with different scores: the top of ten. */
export function dayOf(rate: number): {
  players: number;
  operations: Operations;
  units: Operations;
  functions: FunctionTime;
  trigger: FunctionTime;
} {
  const players = Math.max(1_000_000, playersOf(rate));
  const board = { changesPerSecond: rate, players, intervalSeconds };
  const ranks = rate * secondsOfDay;
  // A rank by player reads the player. The page comes from memory, once an interval for each of its 256 pages.
  const pages = Math.min(256, rate * intervalSeconds) * (secondsOfDay / intervalSeconds);
  const standard = boardOperations(board);
  const units = unitsOf([...boardCharges(board), { on: player, reads: ranks }]);
  return {
    players,
    operations: { ...standard, reads: standard.reads + ranks + pages },
    // A full page is two units.
    units: { ...units, reads: units.reads + 2 * pages },
    functions: boardFunctions(board),
    trigger: triggerFunctions(rate * secondsOfDay),
  };
}

/** How old live ranks get, and what an instance that is asked without pause reads. */
export function liveTable(): string[][] {
  return [
    [
      "scores/s in one instance",
      "shards pending",
      "live ranks are at most",
      "reads a minute",
      "dollars a day",
    ],
    ...[0.1, 1, 10, 100].map((rate) => {
      const pending = pendingOf(rate, intervalSeconds);
      const age = liveAge(pending);
      const reads = ((pending + 1) * 60) / age;
      const dollars = cost({ reads: (reads * secondsOfDay) / 60 }, "us-central1");
      return [number(rate), pending.toFixed(0), `${age.toFixed(0)} s old`, reads.toFixed(0), money(dollars)];
    }),
  ];
}

/** One line a day's edge. */
export function rolloverTable(rollovers: readonly Rollover[]): string[][] {
  return [
    [
      "submissions/s",
      "what the rule counts",
      "so many/s in `players`",
      "allowed after",
      "recorded at once",
      "wait p50",
      "wait p99",
      "refused",
      "no long waits after",
    ],
    ...rollovers.map(({ rate, counted, result }) => [
      number(rate),
      counted === "operations" ? "reads and writes" : "writes",
      number(operationsOf(rate, counted)),
      minutes(allowedAfter(operationsOf(rate, counted))),
      `${((100 * result.atOnce) / result.submissions).toFixed(1)} %`,
      `${result.waitP50.toFixed(1)} s`,
      `${result.waitP99.toFixed(1)} s`,
      number(result.refused),
      minutes(result.calmAfter),
    ]),
  ];
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

function minutes(seconds: number): string {
  return seconds === 0 ? "—" : `${(seconds / 60).toFixed(0)} min`;
}

function money(dollars: number): string {
  return `$${dollars < 100 ? dollars.toFixed(2) : Math.round(dollars).toLocaleString("en-US")}`;
}
