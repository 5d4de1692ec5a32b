/** The model's results as tables in Markdown. */
import { cost } from "../../functions/src/model/prices.ts";
import { breakEven, countOperations, indexOperations, publishingSeconds, shardDocumentsOf } from "./bill.ts";
import { allowedAfter, operationsOf } from "./rollover.ts";
import {
  canCarry,
  intervalSeconds,
  type Opening,
  playersOf,
  rates,
  type Rollover,
  type Scenario,
} from "./scenarios.ts";
import type { Variant } from "./variants.ts";

/** One line a scenario. */
export function scenarioTable(scenarios: readonly Scenario[]): string[][] {
  const head = [
    "submissions/s",
    "commit",
    "wait p50",
    "wait p99",
    "wait max",
    "retries",
    "redelivered",
    "shards after each run",
    "shards read a run",
    "largest shard",
    "freshness p50",
    "freshness p99",
  ];
  return [head, ...scenarios.map(lineOf)];
}

function lineOf({ rate, serviceSeconds, result }: Scenario): string[] {
  const name = [rate.toLocaleString("en-US"), `${serviceSeconds} s`];
  if (result === undefined) return [...name, "more than 4,096 shards carry", ...Array<string>(9).fill("")];
  const documents = result.shardDocuments.slice(0, -1);
  const most = Math.max(...documents);
  const publishing = publishingSeconds(most);
  const seconds = [result.waitP50, result.waitP99, result.waitMax].map((wait) => `${wait.toFixed(1)} s`);
  return [
    ...name,
    ...seconds,
    `${((100 * result.retries) / result.submissions).toFixed(2)} %`,
    String(result.redeliveries),
    result.shards.slice(0, 4).join(", "),
    documents.slice(0, 4).join(", "),
    `${(result.shardBytesMax / 1_024).toFixed(0)} KiB`,
    `${(result.foldedP50 + publishing).toFixed(0)} s`,
    `${(result.foldedP99 + publishing).toFixed(0)} s (interval ${signed(result.foldedP99 + publishing - intervalSeconds)} s)`,
  ];
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"} ${Math.abs(value).toFixed(0)}`;
}

/** Dollars a day of both sources, at rest, without the players' own writes. */
export function costTable(): string[][] {
  const head = [
    "submissions/s",
    "players",
    "index, us-central1",
    "index, nam5",
    "count, us-central1",
    "count, nam5",
    "count is cheaper from",
  ];
  return [
    head,
    ...rates.map((rate) => {
      const players = playersOf(rate);
      const shardDocuments = shardDocumentsOf(rate, intervalSeconds);
      const board = { changesPerSecond: rate, players, intervalSeconds, shardDocuments };
      const index = indexOperations(board);
      const count = countOperations(board);
      const carried = canCarry(rate, 0.1);
      const dollars = [
        ...(["us-central1", "nam5"] as const).map((region) => (carried ? money(cost(index, region)) : "—")),
        ...(["us-central1", "nam5"] as const).map((region) => money(cost(count, region))),
      ];
      const even = breakEven(players, intervalSeconds, "us-central1");
      return [
        rate.toLocaleString("en-US"),
        players.toLocaleString("en-US"),
        ...dollars,
        `${even.toFixed(2)}/s`,
      ];
    }),
  ];
}

/** One line a variant. */
export function variantTable(variants: readonly Variant[]): string[][] {
  return [
    [
      "first choice",
      "range of attempt k",
      "shards at first",
      "wait p50",
      "wait p99",
      "wait max",
      "redelivered",
    ],
    ...variants.map(({ first, factor, shards, result }) => [
      first,
      `shards × ${factor}^k`,
      String(shards),
      ...[result.waitP50, result.waitP99, result.waitMax].map((wait) => `${wait.toFixed(1)} s`),
      String(result.redeliveries),
    ]),
  ];
}

/** One line a way to open a season. */
export function openingTable(openings: readonly Opening[]): string[][] {
  return [
    ["commit", "who opens", "transactions", "submissions that wait", "wait p50", "wait max"],
    ...openings.map(({ serviceSeconds, opens, result }) => [
      `${serviceSeconds} s`,
      opens === "each" ? "each submission" : "one for an instance",
      String(result.transactions),
      String(result.waiting),
      `${result.waitP50.toFixed(2)} s`,
      `${result.waitMax.toFixed(2)} s`,
    ]),
  ];
}

/** A new season's first minutes with the shards of the season before and with the default, and what the old one's end leaves. */
export function shardsTable(scenarios: readonly Scenario[]): string[][] {
  return [
    [
      "shards at first",
      "commit",
      "wait p99 of the first 40 s",
      "wait p99",
      "still to index at the end",
      "last one",
    ],
    ...scenarios.flatMap(({ rate, serviceSeconds, start, result }) =>
      rate !== 1_000 || result === undefined
        ? []
        : [
            [
              start === "rest" ? "2,000: inherited" : "8: the default",
              `${serviceSeconds} s`,
              `${(result.stretches[0]?.waitP99 ?? NaN).toFixed(1)} s`,
              `${result.waitP99.toFixed(1)} s`,
              result.late.toLocaleString("en-US"),
              `${result.backlogSeconds.toFixed(1)} s`,
            ],
          ],
    ),
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
      "to the index, p99",
      "no long waits after",
    ],
    ...rollovers.map(({ rate, hour, counted, result }) => [
      hour === "busy" ? rate.toLocaleString("en-US") : `${rate}, twice as many each half hour`,
      counted === "operations" ? "reads and writes" : "writes",
      operationsOf(rate, counted).toLocaleString("en-US"),
      minutes(allowedAfter(operationsOf(rate, counted))),
      `${((100 * result.atOnce) / result.submissions).toFixed(1)} %`,
      `${result.waitP50.toFixed(1)} s`,
      `${result.waitP99.toFixed(1)} s`,
      result.refused.toLocaleString("en-US"),
      `${result.indexedP99.toFixed(0)} s`,
      minutes(result.calmAfter),
    ]),
  ];
}

function minutes(seconds: number): string {
  return seconds === 0 ? "—" : `${(seconds / 60).toFixed(0)} min`;
}

function money(dollars: number): string {
  return `$${dollars < 100 ? dollars.toFixed(2) : Math.round(dollars).toLocaleString("en-US")}`;
}

/** Prints a table in Markdown; the first line is its head. */
export function printTable(lines: readonly string[][]): void {
  lines.forEach((line, i) => {
    console.log(`| ${line.join(" | ")} |`);
    if (i === 0) console.log(`|${" --- |".repeat(line.length)}`);
  });
}
