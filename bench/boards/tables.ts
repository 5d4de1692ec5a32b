/** The tables of small boards in docs/costs.md. */
import { count, dollars, percent, table } from "../report/markdown.ts";
import { kinds, type Kind, type Part, type Spendings } from "./ledger.ts";
import { type Row, rowsOf } from "./rows.ts";
import { dollarsOf, inAll, type Spent, sumOf } from "./spent.ts";

const priceOf = (spent: Spent) => inAll(dollarsOf(spent));
const allOf = (spendings: Spendings) => sumOf(...Object.values(spendings));

/** What some boards cost a day, and for each changed score, beside `count()`. */
export function pricesTable(rows = rowsOf()): string {
  const rowOf = ({ title, scores, count: counted, firerank }: Row) => {
    const all = allOf(firerank);
    const [other, own] = [priceOf(counted), priceOf(all)];
    const { functions, queue } = dollarsOf(all);
    const million = (price: number) => dollars((1e6 * price) / scores);
    return [
      title,
      ...[other, own].map(dollars),
      count(own / other),
      ...[other, own].map(million),
      percent((functions + queue) / own),
    ];
  };
  const day = "`count()` a day|Firerank a day|times";
  const score = "`count()`, a million scores|Firerank, a million scores|of it functions and tasks";
  return table(`boards|${day}|${score}`, rows.map(rowOf));
}

/** How kinds of calls are named in the table of shares. */
const kindNames: Record<Kind, string> = {
  scores: "scores",
  ranks: "ranks",
  schedule: "the schedule",
  runs: "runs that publish",
  looks: "runs that find nothing",
  "shared tasks": "tasks that runs share",
  refreshes: "refreshes of the top by tasks",
  audits: "audits",
  "daily look": "the daily look for alerts",
  "season ends": "ends of seasons",
};

/** What of it all goes where, as shares. */
export function sharesTable(rows = rowsOf()): string {
  const shown = rows.filter(({ short }) => short !== undefined);
  const shareOf = ({ firerank }: Row, isMeant: (part: Part) => boolean) => {
    const parts = Object.entries(firerank) as [Part, Spent][];
    const meant = parts.filter(([part]) => isMeant(part)).map(([, spent]) => spent);
    return priceOf(sumOf(...meant)) / priceOf(allOf(firerank));
  };
  const lines: [string, (part: Part) => boolean][] = [
    ...kinds
      .filter((kind) => kind !== "season ends")
      .map((kind): [string, (part: Part) => boolean] => [kindNames[kind], (part) => part === kind]),
    ["the top, renewed by scores", (part) => part === "scores: top"],
    ["wakes", (part) => part === "scores: wakes"],
    ["boards, gates and pages, read into memory", (part) => /: (board|gate|pages)$/.test(part)],
  ];
  const body = lines.map(([name, isMeant]) => [
    name,
    ...shown.map((row) => {
      const share = shareOf(row, isMeant);
      return share < 0.0005 ? "" : percent(share);
    }),
  ]);
  return table(["part of the bill", ...shown.map(({ short = "" }) => short)].join("|"), body);
}
