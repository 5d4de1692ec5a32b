/** What was simulated and what was estimated, as tables and a picture. */
import type { Drift } from "../contest/drift.ts";
import type { SystemError } from "../contest/errors.ts";
import type { Faults, Wrong } from "../contest/faults.ts";
import type { Published } from "../contest/published.ts";
import type { SystemWaits, WaitsAt } from "../contest/system-waits.ts";
import { lineChart, shortNumber } from "../charts/line-chart.ts";
import { groupedTable } from "./groups.ts";
import { count, dollars, percent, table } from "./markdown.ts";
import { nameOf, pictureWidth, type SystemFacts } from "./results.ts";

/** Updates a second, with 1 s a commit and with 0.1 s. */
const ratesShown = [
  [1, 1],
  [10, 1],
  [100, 1],
  [10, 0.1],
  [100, 0.1],
] as const;

/** Waits at some rates, and the largest rate, for systems in which updates wait for each other. */
export function waitsTable(systems: readonly SystemFacts[], waits: readonly SystemWaits[]): string {
  const head = [
    ...ratesShown.map(([rate, seconds]) => `${rate}/s, ${seconds} s a commit`),
    "at most, 1 s a commit",
    "at most, 0.1 s a commit",
  ];
  return groupedTable(head, systems, ({ id }) => {
    const of = (seconds: number) => waits.find((one) => one.id === id && one.serviceSeconds === seconds);
    const most = [1, 0.1].map((seconds) => of(seconds)?.ratePerSecondMax ?? null);
    if (most.includes(null)) return undefined;
    const at = ratesShown.map(([rate, seconds]) =>
      waitText(of(seconds)?.rates.find((one) => one.updatesPerSecond === rate)),
    );
    return [...at, ...most.map((rate) => `${count(rate ?? NaN)}/s`)];
  });
}

/** The systems in which no update waits for another, by name. */
export function unlimitedNames(systems: readonly SystemFacts[], waits: readonly SystemWaits[]): string {
  const isFree = (id: string) => waits.some((one) => one.id === id && one.ratePerSecondMax === null);
  return systems
    .filter(({ id }) => isFree(id))
    .map(({ name }) => name)
    .join("; ");
}

function waitText(at: WaitsAt | undefined): string {
  if (at === undefined) return "–";
  return at.growing ? "grows" : `${count(at.waitP50)} s / ${count(at.waitP99)} s`;
}

/** What others published, beside what comes out here. */
export function publishedTable(published: readonly Published[]): string {
  const rows = published.map(({ what, source, published: theirs, here, unit, label, note }) => [
    what,
    theirs,
    `${hereText(here, unit)} (${label})`,
    note ?? "",
    source,
  ]);
  return table([["figure", "published", "here", "", "source"], ...rows]);
}

function hereText(here: number, unit: Published["unit"]): string {
  if (unit === "share") return percent(here);
  if (unit === "$") return dollars(here);
  return `${count(unit === "updates/s" ? Math.round(here) : Number(here.toPrecision(2)))} ${unit}`;
}

/** Systems that the picture shows: of those that share documents in the same way, one. */
const drawnWaits = [
  "firerank",
  "score-documents-sum",
  "score-documents-sharded",
  "rank-tree",
  "rank-tree-aggregated",
  "partition-by-score",
];

/** The wait of one update in a hundred, as updates become more, with a commit of 1 s. */
export function waitsChart(systems: readonly SystemFacts[], waits: readonly SystemWaits[]): string {
  const shown = waits.filter(({ id, serviceSeconds }) => serviceSeconds === 1 && drawnWaits.includes(id));
  const rates = shown[0]?.rates.map(({ updatesPerSecond }) => updatesPerSecond) ?? [];
  return lineChart({
    title: "From an update to its last commit: 99 of 100 take less",
    caption: [
      "Simulated: a document takes one commit at a time, each for a second, in the order of arrival.",
      "A line ends where work piles up without end. Ways that write only the player's document wait 1 s.",
    ],
    x: {
      label: "updates a second",
      domain: [rates[0] ?? 1, rates.at(-1) ?? 10],
      ticks: rates,
      format: shortNumber,
    },
    y: { label: "seconds", domain: [1, 100], ticks: [1, 10, 100], format: shortNumber },
    panels: [
      {
        name: "",
        lines: shown.map(({ id, rates: at }) => ({
          name: nameOf(systems, id),
          points: at.map((one) => [one.updatesPerSecond, one.growing ? NaN : one.waitP99] as const),
        })),
      },
    ],
    width: pictureWidth,
  });
}

/** Mean and largest error of a rank, and the median among the first hundred, on each shape of scores. */
export function errorsTable(systems: readonly SystemFacts[], errors: readonly SystemError[]): string {
  const shapes = [...new Set(errors.map(({ shape }) => shape))];
  const ids = [...new Set(errors.map(({ id }) => id))];
  const rows = ids.map((id) => {
    const cells = shapes.map((shape) => {
      const found = errors.find((one) => one.id === id && one.shape === shape);
      if (found === undefined) return "–";
      return [percent(found.mean), percent(found.worst), shareOfRank(found.head)].join(" / ");
    });
    return [nameOf(systems, id), ...cells];
  });
  return table([["system", ...shapes], ...rows]);
}

/** A difference as a share of a rank; above ten, how many times the rank it is. */
function shareOfRank(share: number): string {
  return share < 10 ? percent(share) : `${count(Math.round(share))} ×`;
}

/** The largest rank error of sketches that are built again, and of those that are fed each new score. */
export function driftTable(systems: readonly SystemFacts[], drift: readonly Drift[]): string {
  const rows = drift.map(({ id, rebuilt, fed }) => [nameOf(systems, id), percent(rebuilt), percent(fed)]);
  return table([["sketch", "built again at each run", "fed each new score"], ...rows]);
}

/** Wrong ranks after doubled, reordered and lost events, and after what may heal them. */
export function faultsTable(systems: readonly SystemFacts[], faults: readonly Faults[]): string {
  const head = ["doubled / late / lost", "wrong ranks at the end", "after one more run"];
  return groupedTable([...head, "after a new score of everybody", "after a repair"], systems, ({ id }) => {
    const found = faults.find((one) => one.id === id);
    if (found === undefined) return undefined;
    const { of, done, atEnd, afterRun, afterChanges, afterMending } = found;
    return [
      of === "requests"
        ? `${done.doubled} requests twice`
        : `${done.doubled} / ${done.reordered} / ${done.lost} of ${done.events} events`,
      ...[atEnd, afterRun, afterChanges, afterMending].map(wrongText),
    ];
  });
}

function wrongText(wrong: Wrong | undefined): string {
  if (wrong === undefined) return "–";
  if (wrong.ranks === 0) return "none";
  return `${wrong.ranks} of ${wrong.players}, by up to ${count(wrong.placesMax)}`;
}
