/** What was simulated and what was estimated, as tables and a picture. */
import type { Drift } from "../contest/drift.ts";
import type { SystemError } from "../contest/errors.ts";
import type { Faults, Wrong } from "../contest/faults.ts";
import type { Published } from "../contest/published.ts";
import type { SystemWaits } from "../contest/system-waits.ts";
import { lineChart, shortNumber } from "../charts/line-chart.ts";
import { count, dollars, percent, table } from "./markdown.ts";
import { nameOf, pictureWidth, type SystemFacts } from "./results.ts";

/** What others published, beside what comes out here. */
export function publishedTable(published: readonly Published[]): string {
  const rows = published.map(({ what, published: theirs, here, unit, label, note }) => [
    what,
    theirs,
    `${hereText(here, unit)} (${label})`,
    note ?? "",
  ]);
  return table([["figure", "published", "here", ""], ...rows]);
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

/** The ways whose ranks were wrong after doubled, late and lost events, and what healed them. */
export function faultsList(systems: readonly SystemFacts[], faults: readonly Faults[]): string {
  const wrong = faults.filter(({ atEnd }) => atEnd.ranks > 0);
  const lines = wrong.map(({ id, of, done, atEnd, afterRun, afterChanges, afterMending }) => {
    const what =
      of === "requests"
        ? `${done.doubled} requests twice`
        : `of ${done.events} events ${done.doubled} twice, ${done.reordered} late and ${done.lost} never`;
    const healed = [
      ["after one more run", afterRun],
      ["after a new score of everybody", afterChanges],
      ["after a repair", afterMending],
    ] as const;
    const later = healed.flatMap(([when, found]) =>
      found === undefined ? [] : [`${when} ${wrongText(found)}`],
    );
    return `- **${nameOf(systems, id)}**, ${what}: ${[wrongText(atEnd), ...later].join("; ")}.`;
  });
  const free = faults.length - wrong.length;
  return [...lines, `- **The other ${free} ways**: none wrong.`].join("\n");
}

function wrongText({ ranks, players, placesMax }: Wrong): string {
  return ranks === 0 ? "none wrong" : `${ranks} of ${players} ranks wrong, by up to ${count(placesMax)}`;
}
