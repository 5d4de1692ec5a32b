/** What was simulated and what was estimated, as tables and a picture. */
import type { Drift } from "../contest/drift.ts";
import type { SystemError } from "../contest/errors.ts";
import type { Faults, Wrong } from "../contest/faults.ts";
import type { SystemWaits, WaitsAt } from "../contest/system-waits.ts";
import { lineChart, shortNumber } from "../charts/line-chart.ts";
import { count, percent, table } from "./markdown.ts";
import { drawnIds, nameOf, type SystemFacts } from "./results.ts";

const ratesShown = [1, 10, 100];

/** Waits at some rates with a commit of 1 s, and the largest rate with either length of a commit. */
export function waitsTable(systems: readonly SystemFacts[], waits: readonly SystemWaits[]): string {
  const head = [
    "system",
    ...ratesShown.map((rate) => `${rate}/s: p50 / p99`),
    "largest rate, 1 s a commit",
    "0.1 s a commit",
  ];
  const rows = waits
    .filter(({ serviceSeconds }) => serviceSeconds === 1)
    .map(({ id, rates, ratePerSecondMax }) => {
      const kind = waits.find((one) => one.id === id && one.serviceSeconds !== 1);
      const at = ratesShown.map((rate) => waitText(rates.find((one) => one.updatesPerSecond === rate)));
      return [
        nameOf(systems, id),
        ...at,
        rateText(ratePerSecondMax),
        rateText(kind?.ratePerSecondMax ?? null),
      ];
    });
  return table([head, ...rows]);
}

function waitText(at: WaitsAt | undefined): string {
  if (at === undefined) return "–";
  return at.growing ? "grows" : `${count(at.waitP50)} s / ${count(at.waitP99)} s`;
}

function rateText(rate: number | null): string {
  return rate === null ? "no limit of its own" : `${count(rate)}/s`;
}

/** The wait of one update in a hundred, as updates become more, with a commit of 1 s. */
export function waitsChart(systems: readonly SystemFacts[], waits: readonly SystemWaits[]): string {
  const shown = waits.filter(({ id, serviceSeconds }) => serviceSeconds === 1 && drawnIds.includes(id));
  const rates = shown[0]?.rates.map(({ updatesPerSecond }) => updatesPerSecond) ?? [];
  return lineChart({
    title: "From an update to its last commit: 99 of 100 take less",
    caption: [
      "Simulated: a document takes one commit at a time, each for a second, in the order of arrival.",
      "A line ends where work piles up without end.",
    ],
    x: {
      label: "updates a second",
      domain: [rates[0] ?? 1, rates.at(-1) ?? 10],
      ticks: rates,
      format: shortNumber,
    },
    y: { label: "seconds", domain: [1, 1_000], ticks: [1, 10, 100, 1_000], format: shortNumber },
    panels: [
      {
        name: "",
        lines: shown.map(({ id, rates: at }) => ({
          name: nameOf(systems, id),
          points: at.map((one) => [one.updatesPerSecond, one.growing ? NaN : one.waitP99] as const),
          dashed: drawnIds.indexOf(id) >= 6,
        })),
      },
    ],
  });
}

/** Mean and largest error of a rank, and the median among the first hundred, on each shape of scores. */
export function errorsTable(systems: readonly SystemFacts[], errors: readonly SystemError[]): string {
  const shapes = [...new Set(errors.map(({ shape }) => shape))];
  const ids = [...new Set(errors.map(({ id }) => id))];
  const rows = ids.map((id) => {
    const cells = shapes.map((shape) => {
      const found = errors.find((one) => one.id === id && one.shape === shape);
      return found === undefined ? "–" : [found.mean, found.worst, found.head].map(percent).join(" / ");
    });
    return [nameOf(systems, id), ...cells];
  });
  return table([["system", ...shapes], ...rows]);
}

/** The largest rank error of sketches that are built again, and of those that are fed each new score. */
export function driftTable(systems: readonly SystemFacts[], drift: readonly Drift[]): string {
  const rows = drift.map(({ id, rebuilt, fed }) => [nameOf(systems, id), percent(rebuilt), percent(fed)]);
  return table([["sketch", "built again at each run", "fed each new score"], ...rows]);
}

/** Wrong ranks after doubled, reordered and lost events, and after what may heal them. */
export function faultsTable(systems: readonly SystemFacts[], faults: readonly Faults[]): string {
  const rows = faults.map(({ id, of, done, atEnd, afterRun, afterChanges, afterMending }) => [
    nameOf(systems, id),
    of === "requests"
      ? `${done.doubled} requests twice`
      : `${done.doubled} / ${done.reordered} / ${done.lost}`,
    ...[atEnd, afterRun, afterChanges, afterMending].map(wrongText),
  ]);
  const head = ["system", "events doubled / reordered / lost", "wrong ranks at the end"];
  return table([
    [...head, "after one more run", "after a new score of everybody", "after a repair"],
    ...rows,
  ]);
}

function wrongText(wrong: Wrong | undefined): string {
  if (wrong === undefined) return "–";
  if (wrong.ranks === 0) return "none";
  return `${wrong.ranks} of ${wrong.players}, by up to ${count(wrong.placesMax)}`;
}
