/** docs/benchmark.md: its tables and the sentences with numbers, from results. All other words are the page's own. */
import { cost, pricesAsOf } from "../../cli/prices.ts";
import { segmentRowsMax } from "../../functions/src/model/limits.ts";
import { type BreakEven, breakEven } from "../contest/dollars.ts";
import { count, withTables } from "./markdown.ts";
import { billOf, rateText, type Results } from "./results.ts";
import {
  bestWaysTable,
  billText,
  countriesTable,
  errorsTable,
  layoutList,
  leagueTable,
  waysTable,
} from "./tables.ts";

/** The page with its tables anew. */
export function pageOf(page: string, results: Results): string {
  return withTables(
    page,
    [bestWaysTable, waysTable, countriesTable, leagueTable, errorsTable].map((of) => of(results)),
  );
}

/** What the page says in numbers, outside its tables: first of all ways, then of Firerank, then how it was made. */
export function sentencesOf(results: Results): string[] {
  const { systems, work, emulator, errors, version, date, seed, node, countryDay, leagueWeek } = results;
  const reads = (id: string) => count(billOf(results, id, "rank").reads);
  const bill = (id: string, operation: "update" | "run") => billText(billOf(results, id, operation));
  const most = (id: string) => rateText(results, id);
  const { course, sizes } = results.scaled;
  const even = (xs: number[], dollars: Record<string, number[]>, id: string) =>
    evenText(breakEven(xs, dollars[id] ?? [], dollars["firerank"] ?? []));
  const dollarsOf = (id: string) => cost(billOf(results, id, "update"), "us-central1");
  return [
    `times list prices of ${pricesAsOf}`,
    `${reads("count-better")} on average with 1,000,000 players`,
    `each run reads and writes everybody: ${bill("regular-update", "run")}.`,
    `1 for each 1,000 better _scores_: ${reads("score-documents-sum")} here`,
    `above ${most("score-documents-sum")}; with 10 documents for each score, above ${most("score-documents-sharded")}.`,
    `An update is ${bill("score-ranking", "update")}, and a run reads and writes all scores: ${bill("score-ranking", "run")}. Firerank's takes ${bill("firerank", "run")}. Updates pile up above ${most("score-ranking")}. Cheaper than Firerank: ${even(course.rates, course.dollars, "score-ranking")}.`,
    `only ${reads("rank-tree")} reads. But every update writes the root document, so updates pile up above ${most("rank-tree")}.`,
    `It takes ${most("rank-tree-aggregated")} by the model`,
    `${bill("firerank", "update")}, where the player's own document alone is ${bill("count-better", "update")}. That is ${count(dollarsOf("firerank") / dollarsOf("count-better"))} times the price.`,
    `with ${sizes.load.updatesPerSecond} update and ${sizes.load.ranksPerSecond} rank a second, ${even(sizes.players, sizes.dollars, "count-better")} players.`,
    `**Many updates**: ${most("firerank")} is the highest rate`,
    `With ${count(countryDay.players)} players, as many in each of ${countryDay.countries} countries, ${countryDay.load.updatesPerSecond} updates and ${countryDay.load.ranksPerSecond} ranks a second`,
    `With up to ${count(segmentRowsMax)} different scores in all countries together`,
    `a million players, each with ${leagueWeek.scores} better scores and ${leagueWeek.looks} looks at the group`,
    `By hand is cheaper for players who look fewer than ${count(leagueWeek.looksEven)} times a week.`,
    `a full sort of ${count(errors[0]?.players ?? 0)} players`,
    `**Counted** on the emulator (${emulator}): ${work},`,
    ...layoutList(systems),
    `Played on ${date} with seed ${seed}: Firerank ${version}, the emulator (${emulator}), Node ${node}.`,
  ];
}

/** For example "up to 2.3", "from 9.8", or "up to 0.06 and from 5". */
function evenText({ cheaperBelow, at }: BreakEven): string {
  const isFirst = cheaperBelow === "first";
  if (at.length === 0) return isFirst ? "always" : "never";
  const parts = at.map((value, i) => {
    const rounded = Number(value.toPrecision(2));
    return `${(i % 2 === 0) === isFirst ? "up to" : "from"} ${count(rounded)}`;
  });
  return parts.join(" and ");
}
