/** The model's charts, in docs/. */
import { writeFileSync } from "node:fs";
import { cost, pricesAsOf } from "../../cli/prices.ts";
import { type Line, lineChart, shortNumber } from "../charts/line-chart.ts";
import { boardCharges, boardOperations, type BusyBoard, secondsOfDay, triggerFunctions } from "./bill.ts";
import { intervalSeconds, type Rollover, type Scenario, serviceTimes, type Start } from "./scenarios.ts";
import { unitsOf } from "./stored.ts";

const number = (value: number) => value.toLocaleString("en-US");

/** Wait against rate: at rest, and in the first seconds of a rush and of a day. */
export function drawWaits(scenarios: readonly Scenario[]): void {
  const line = (serviceSeconds: number, start: Start, wait: "waitP99" | "firstP99", name: string): Line => ({
    name,
    dashed: start === "rest",
    points: scenarios
      .filter((one) => one.start === start && one.serviceSeconds === serviceSeconds)
      .map(({ rate, result }) => [rate, result[wait]]),
  });
  const chart = lineChart({
    title: "How long a score takes to be stored and counted",
    caption: [
      "A model of group commits, not a measurement of Firestore (docs/load-model.md). 99 of 100 take less.",
      "A rush meets a sleeping board in instances that don't know it. At midnight the seasons of three spans begin.",
    ],
    x: {
      label: "submissions a second →",
      domain: [1, 7_000],
      ticks: [1, 10, 100, 1e3, 7e3],
      format: shortNumber,
    },
    y: {
      label: "↑ seconds from submission to commit",
      domain: [0.05, 5],
      ticks: [0.1, 1, 2, 5],
      format: number,
    },
    panels: serviceTimes.map((serviceSeconds) => ({
      name: `${serviceSeconds} s a commit`,
      lines: [
        line(serviceSeconds, "rest", "waitP99", "at rest"),
        line(serviceSeconds, "cold", "firstP99", "the first 10 s of a rush"),
        line(serviceSeconds, "midnight", "firstP99", "the first 10 s of a day"),
      ],
    })),
    marks: [{ name: "2 s", y: 2 }],
  });
  writeFileSync("docs/load-wait.svg", chart);
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
      domain: [60, 1_800],
      ticks: [60, 120, 300, 600, 1_200, 1_800],
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
        .filter((one) => one.counted === counted)
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

/** Dollars a day against rate. */
export function drawCosts(): void {
  const changes = Array.from({ length: 19 }, (_, i) => 10 ** (-1 + i * 0.25)).filter((rate) => rate <= 2_500);
  const dollars = (players: number, priced: (board: BusyBoard) => number) =>
    changes.map(
      (changesPerSecond) =>
        [changesPerSecond, priced({ changesPerSecond, players, intervalSeconds })] as const,
    );
  const standard = (board: BusyBoard) => cost(boardOperations(board), "us-central1");
  const enterprise = (board: BusyBoard) => cost(unitsOf(boardCharges(board)), "us-central1, Enterprise");
  const trigger = ({ changesPerSecond }: BusyBoard) =>
    cost(triggerFunctions(changesPerSecond * secondsOfDay), "us-central1");
  const chart = lineChart({
    title: "Dollars a day of a board",
    caption: [
      `Computed from list prices of ${pricesAsOf} (us-central1), with the players' own writes; without reads by callers,`,
      "the free quota and the app's own calls. All players have different scores; a run each 5 minutes.",
    ],
    x: {
      label: "changed scores a second →",
      domain: [0.1, 2_500],
      ticks: [0.1, 1, 10, 100, 1_000],
      format: number,
    },
    y: {
      label: "↑ dollars a day",
      domain: [0.01, 1_000],
      ticks: [0.01, 0.1, 1, 10, 100, 1_000],
      format: (y) => `$${number(y)}`,
    },
    panels: [
      {
        name: "Firestore, and the trigger's time",
        lines: [
          { name: "1,000 players", points: dollars(1_000, standard) },
          { name: "1,000,000 players", points: dollars(1_000_000, standard) },
          { name: "1,000,000 players, Enterprise", points: dollars(1_000_000, enterprise), dashed: true },
          { name: "the trigger, where it is deployed", points: dollars(1_000, trigger), dashed: true },
        ],
      },
    ],
  });
  writeFileSync("docs/load-cost.svg", chart);
}
