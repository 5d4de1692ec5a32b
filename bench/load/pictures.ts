/** The model's charts, in docs/. */
import { writeFileSync } from "node:fs";
import { cost, pricesAsOf } from "../../cli/prices.ts";
import { type Line, lineChart } from "../charts/line-chart.ts";
import { boardCharges, boardOperations, type BusyBoard, secondsOfDay, triggerFunctions } from "./bill.ts";
import { intervalSeconds, type Scenario, serviceTimes, type Start } from "./scenarios.ts";
import { unitsOf } from "./stored.ts";

/** Wait against rate: at rest, and in the first seconds of a rush and of a day. */
export function drawWaits(scenarios: readonly Scenario[]): void {
  const line = (serviceSeconds: number, start: Start, name: string): Line => ({
    name,
    dashed: start === "rest",
    points: scenarios
      .filter((one) => one.start === start && one.serviceSeconds === serviceSeconds)
      .map(({ rate, result }) => [rate, start === "rest" ? result.waitP99 : result.firstP99]),
  });
  const chart = lineChart({
    title: "How long a score takes to be stored and counted",
    caption: [
      "A model of group commits, not a measurement of Firestore (docs/load-model.md). 99 of 100 take less.",
      "A rush meets a sleeping board in instances that don't know it. At midnight the seasons of three spans begin.",
    ],
    x: { label: "submissions a second →", ticks: [1, 10, 100, 1e3, 7e3] },
    y: { label: "↑ seconds from submission to commit", ticks: [0.1, 1, 2, 5], domain: [0.05, 5] },
    panels: serviceTimes.map((serviceSeconds) => ({
      name: `${serviceSeconds} s a commit`,
      lines: [
        line(serviceSeconds, "rest", "at rest"),
        line(serviceSeconds, "cold", "the first 10 s of a rush"),
        line(serviceSeconds, "midnight", "the first 10 s of a day"),
      ],
    })),
    marks: [{ name: "2 s", y: 2 }],
  });
  writeFileSync("docs/load-wait.svg", chart);
}

/** Dollars a day against rate. */
export function drawCosts(): void {
  const changes = Array.from({ length: 19 }, (_, i) => 10 ** (-1 + i * 0.25)).filter((rate) => rate <= 2_500);
  const line = (
    name: string,
    players: number,
    priced: (board: BusyBoard) => number,
    dashed = false,
  ): Line => ({
    name,
    dashed,
    points: changes.map((rate) => [rate, priced({ changesPerSecond: rate, players, intervalSeconds })]),
  });
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
    x: { label: "changed scores a second →", ticks: [0.1, 1, 10, 100, 1_000], domain: [0.1, 2_500] },
    y: {
      label: "↑ dollars a day",
      ticks: [0.01, 0.1, 1, 10, 100, 1_000],
      format: (y) => `$${y.toLocaleString("en-US")}`,
    },
    panels: [
      {
        name: "Firestore, and the trigger's time",
        lines: [
          line("1,000 players", 1_000, standard),
          line("1,000,000 players", 1_000_000, standard),
          line("1,000,000 players, Enterprise", 1_000_000, enterprise, true),
          line("the trigger, where it is deployed", 1_000, trigger, true),
        ],
      },
    ],
  });
  writeFileSync("docs/load-cost.svg", chart);
}
