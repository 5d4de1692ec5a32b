/** The model's results as the tables of docs/load-model.md. */
import { cost, type FunctionTime, type Operations } from "../../cli/prices.ts";
import { count, table } from "../report/markdown.ts";
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
import { intervalSeconds, type Scenario } from "./scenarios.ts";
import { player, unitsOf } from "./stored.ts";

/** Waits, writes and publications at rest: one line a scenario. */
export function restTable(scenarios: readonly Scenario[]): string {
  const head =
    "submissions/s|instances|commit|wait p50|wait p99|wait max|writes a score|at once in an instance|" +
    "shard documents a slot|all are published in";
  const rows = scenarios
    .filter(({ start }) => start === "rest")
    .map(({ rate, serviceSeconds, instances, result }) => {
      const { submissions, commits, slots, atOnceMax, waitP50, waitP99, waitMax } = result;
      const usual = slots.at(-1);
      if (usual === undefined) throw new Error("no slot has ended");
      return [
        count(rate),
        String(instances),
        `${serviceSeconds} s`,
        ...[waitP50, waitP99, waitMax].map(waitText),
        (1 + commits / submissions).toFixed(2),
        String(atOnceMax),
        count(usual.documents),
        `${publishing(usual, intervalSeconds).seconds.toFixed(0)} s`,
      ];
    });
  return table(head, rows);
}

/** The first ten seconds of each start, beside each other: one line a load. */
export function beginningTable(scenarios: readonly Scenario[]): string {
  const head =
    "submissions/s|commit|p99 at rest|p99 of a rush|p99 after midnight|longest wait|" +
    "shard documents of a rush's first slot";
  const loads = Map.groupBy(scenarios, ({ rate, serviceSeconds }) => `${count(rate)}|${serviceSeconds} s`);
  const rows = [...loads].map(([load, ofLoad]) => {
    const first = ofLoad.find(({ start }) => start === "cold")?.result.slots[0];
    if (first === undefined) throw new Error("no slot has ended");
    const unready = ofLoad.filter(({ start }) => start !== "rest").map(({ result }) => result.waitMax);
    return [
      ...load.split("|"),
      ...ofLoad.map(({ result }) => waitText(result.firstP99)),
      waitText(Math.max(...unready)),
      `${count(first.documents)}${fitsCommit(first) ? "" : ", joined"}`,
    ];
  });
  return table(head, rows);
}

/** Dollars a day at rest, as many ranks by player as changed scores, with the pages in memory. */
export function costTable(): string {
  const head =
    "scores/s + ranks/s|us-central1|nam5|Enterprise, us-central1|functions by schedules|… with the trigger";
  const rows = [1, 10, 100, 1_000].map((rate) => {
    const { operations, units, functions, trigger } = dayOf(rate);
    const byClock = cost(functions, "us-central1");
    const dollars = [
      cost(operations, "us-central1"),
      cost(operations, "nam5"),
      cost(units, "us-central1, Enterprise"),
      byClock,
      byClock + cost(trigger, "us-central1"),
    ];
    return [`${count(rate)} + ${count(rate)}`, ...dollars.map(money)];
  });
  return table(head, rows);
}

/** A day of a board of a million players, all with different scores. */
export function dayOf(rate: number): {
  operations: Operations;
  units: Operations;
  functions: FunctionTime;
  trigger: FunctionTime;
} {
  const board = { changesPerSecond: rate, players: 1_000_000, intervalSeconds };
  const ranks = rate * secondsOfDay;
  // A rank by player reads the player. The page comes from memory, once an interval for each of its 256 pages.
  const pages = Math.min(256, rate * intervalSeconds) * (secondsOfDay / intervalSeconds);
  const standard = boardOperations(board);
  const units = unitsOf([...boardCharges(board), { on: player, reads: ranks }]);
  return {
    operations: { ...standard, reads: standard.reads + ranks + pages },
    // A full page is two units.
    units: { ...units, reads: units.reads + 2 * pages },
    functions: boardFunctions(board),
    trigger: triggerFunctions(rate * secondsOfDay),
  };
}

/** How old live ranks get, and what an instance that is asked without pause reads. */
export function liveTable(): string {
  const rows = [0.1, 1, 10, 100].map((rate) => {
    const pending = pendingOf(rate, intervalSeconds);
    const age = liveAge(pending);
    const reads = ((pending + 1) * 60) / age;
    const dollars = cost({ reads: (reads * secondsOfDay) / 60 }, "us-central1");
    return [count(rate), pending.toFixed(0), `${age.toFixed(0)} s old`, count(reads), money(dollars)];
  });
  const head = "scores/s in one instance|shards pending|live ranks are at most|reads a minute|dollars a day";
  return table(head, rows);
}

function waitText(seconds: number): string {
  return `${seconds.toFixed(2)} s`;
}

function money(dollars: number): string {
  return `$${dollars < 100 ? dollars.toFixed(2) : Math.round(dollars).toLocaleString("en-US")}`;
}
