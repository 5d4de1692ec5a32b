/** The model's charts, in docs/. */
import { writeFileSync } from "node:fs";
import { cost, pricesAsOf } from "../../functions/src/model/prices.ts";
import { type Line, lineChart, shortNumber } from "../charts/line-chart.ts";
import { countOperations, indexOperations, shardDocumentsOf } from "./bill.ts";
import { intervalSeconds, type Rollover, type Scenario, type ScoreWaits, serviceTimes } from "./scenarios.ts";

const number = (value: number) => value.toLocaleString("en-US");
const panelName = (serviceSeconds: number) => `${serviceSeconds} s for each commit to a document`;

/** Wait against rate, at rest, beside a document for each score. */
export function drawWaits(
  scenarios: readonly Scenario[],
  perScore: readonly (ScoreWaits & { rate: number; serviceSeconds: number; scores: "even" | "hot" })[],
): void {
  const firerank = (serviceSeconds: number, wait: "waitP50" | "waitP99", name: string): Line => ({
    name,
    dashed: wait === "waitP50",
    points: scenarios
      .filter((one) => one.start === "rest" && one.serviceSeconds === serviceSeconds)
      .map(({ rate, result }) => [rate, result?.[wait] ?? NaN]),
  });
  const layout = (serviceSeconds: number, scores: "even" | "hot", name: string): Line => ({
    name,
    points: perScore
      .filter((one) => one.serviceSeconds === serviceSeconds && one.scores === scores)
      .map(({ rate, waitP99, growing }) => [rate, growing ? NaN : waitP99]),
  });
  const chart = lineChart({
    title: "How long a score waits to be indexed",
    caption: [
      "A model of documents as queues, not a measurement of Firestore (docs/load-model.md). A line ends where work piles up without end.",
      "A document per score: 1,000 scores, taken evenly, or 30 % of the players on one of them. Firerank does not see which scores are hot.",
    ],
    x: {
      label: "submissions a second →",
      domain: [1, 100_000],
      ticks: [1, 10, 100, 1e3, 1e4, 1e5],
      format: shortNumber,
    },
    y: {
      label: "↑ seconds from submission to commit",
      domain: [0.05, 100],
      ticks: [0.1, 1, 10, 100],
      format: number,
    },
    panels: serviceTimes.map((serviceSeconds) => ({
      name: panelName(serviceSeconds),
      lines: [
        firerank(serviceSeconds, "waitP99", "Firerank, 99th percentile"),
        firerank(serviceSeconds, "waitP50", "Firerank, median"),
        layout(serviceSeconds, "even", "a document per score, even, 99th percentile"),
        layout(serviceSeconds, "hot", "a document per score, one hot, 99th percentile"),
      ],
    })),
    marks: [{ name: "5 s", y: 5 }],
  });
  writeFileSync("docs/load-wait.svg", chart);
}

/** Wait against time, from a cold start. */
export function drawColdStart(scenarios: readonly Scenario[]): void {
  const chart = lineChart({
    title: "A rush onto a board with 8 shards: waits until the runs have raised their number",
    caption: [
      "A model of documents as queues, not a measurement of Firestore (docs/load-model.md). 99th percentile of those who submit then.",
      "The first run is due after 305 s, and writers remember the old number for up to a minute more.",
    ],
    x: {
      label: "seconds since the rush began →",
      domain: [20, 1_200],
      ticks: [20, 60, 120, 300, 600],
      format: number,
    },
    y: {
      label: "↑ seconds from submission to commit",
      domain: [0.05, 1_000],
      ticks: [0.1, 1, 10, 100, 1_000],
      format: number,
    },
    panels: serviceTimes.map((serviceSeconds) => ({
      name: panelName(serviceSeconds),
      lines: [10, 100, 1_000, 10_000].map((rate) => ({
        name: `${number(rate)} submissions a second`,
        points: scenarios
          .filter((one) => one.start === "cold" && one.serviceSeconds === serviceSeconds && one.rate === rate)
          .flatMap(({ result }) => result?.stretches ?? [])
          .map(({ fromSecond, waitP99 }) => [Math.max(20, fromSecond), waitP99] as const)
          .filter(([second]) => second <= 1_200),
      })),
    })),
  });
  writeFileSync("docs/load-cold-start.svg", chart);
}

/** Wait against time after midnight, in seasons that begin then. */
export function drawRollovers(rollovers: readonly Rollover[]): void {
  const chart = lineChart({
    title: "The first minutes of a new season, if Firestore's rule for new collections were a wall",
    caption: [
      "A model, not a measurement of Firestore (docs/load-model.md). 99th percentile of the submissions of that time that are recorded.",
      "Nobody waits longer than 107 s: by then a fifth attempt has failed, and the submission is refused.",
    ],
    x: {
      label: "seconds after midnight →",
      domain: [60, 2_400],
      ticks: [60, 120, 300, 600, 1_200, 2_400],
      format: number,
    },
    y: {
      label: "↑ seconds from submission to record",
      domain: [0.01, 200],
      ticks: [0.01, 0.1, 1, 10, 100],
      format: number,
    },
    panels: (["operations", "writes"] as const).map((counted) => ({
      name: counted === "operations" ? "if reads and writes count" : "if only writes count",
      lines: rollovers
        .filter((one) => one.counted === counted && one.hour === "busy")
        .map(({ rate, result }) => ({
          name: `${number(rate)} submissions a second`,
          points: result.stretches
            .map(({ fromSecond, waitP99 }) => [Math.max(60, fromSecond), Math.max(0.01, waitP99)] as const)
            .slice(1),
        })),
    })),
  });
  writeFileSync("docs/load-rollover.svg", chart);
}

/** Dollars a day against rate, for both sources. */
export function drawCosts(): void {
  const changes = Array.from({ length: 21 }, (_, i) => 10 ** (-1 + i * 0.25)).filter((rate) => rate <= 4_096);
  const index = (players: number) =>
    changes.map((rate) => {
      const shardDocuments = shardDocumentsOf(rate, intervalSeconds);
      const board = { changesPerSecond: rate, players, intervalSeconds, shardDocuments };
      return [rate, cost(indexOperations(board), "us-central1")] as const;
    });
  const count = (players: number) =>
    changes.map((rate) => {
      const board = { changesPerSecond: rate, players, intervalSeconds };
      return [rate, cost(countOperations(board), "us-central1")] as const;
    });
  const chart = lineChart({
    title: "Dollars a day of a board's two sources",
    caption: [
      `Computed from list prices of ${pricesAsOf} (us-central1), runs each 5 minutes; without the players' own writes, reads by`,
      "callers, the free quota and CPU time. index: every score exact. count: ranks beyond the best 512 within 1 %.",
    ],
    x: {
      label: "changed scores a second →",
      domain: [0.1, 5_000],
      ticks: [0.1, 1, 10, 100, 1_000],
      format: number,
    },
    y: {
      label: "↑ dollars a day",
      domain: [0.05, 2_000],
      ticks: [0.1, 1, 10, 100, 1_000],
      format: (y) => `$${number(y)}`,
    },
    panels: [30_000, 1_000_000, 10_000_000].map((players) => ({
      name: `${number(players)} players`,
      lines: [
        { name: "index", points: index(players) },
        { name: "count", points: count(players) },
      ],
    })),
  });
  writeFileSync("docs/load-cost.svg", chart);
}
