/** The final table of a season, made by plain sorting, without any code of the closing, and where it has to show. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type SeasonKey, standingsPath, standingsSummaryPath } from "../../functions/src/documents/paths.ts";
import type { Top } from "../../functions/src/documents/top.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { add, type Tally } from "./counts.ts";
import { insist } from "./violation.ts";
import type { Documents, Found } from "../memory/store.ts";
import type { FinalLine } from "./finals.ts";

/** A line of a table. */
export interface Line {
  player: string;
  score: number;
  at: Timestamp;
  name: string;
  /** As in the standings: `country=AT guild=g1`. */
  segments: string;
  rank: number;
}

/** The segments that a line counts in. */
export const segmentsIn = ({ segments }: Pick<Line, "segments">) =>
  segments === "" ? [] : segments.split(" ");

/** Whether a line counts in a segment; without one, every line does. */
export const isIn = (line: Line, segment: string | undefined) =>
  segment === undefined || segmentsIn(line).includes(segment);

/** A table's players at each score, or those in a segment. */
export function tallyIn(table: readonly Line[], segment?: string): Tally {
  const players = new Map<number, number>();
  for (const line of table) if (isIn(line, segment)) add(players, line.score, 1);
  return { players, apart: 0 };
}

export type Ordering = Pick<Definition, "order" | "ties">;

/** The players of a table, best first. */
export function recount(players: ReadonlyMap<string, FinalLine>, { order, ties }: Ordering): Line[] {
  const sign = order === "descending" ? -1 : 1;
  const tie = ties === "first" ? 1 : -1;
  const ranked = [...players].map(([player, line]) => ({ player, ...line }));
  const time = ({ at }: { at: Timestamp }) => at.valueOf();
  ranked.sort(
    (a, b) =>
      sign * (a.score - b.score) ||
      (time(a) < time(b) ? -tie : time(a) > time(b) ? tie : 0) ||
      (a.player < b.player ? -tie : tie),
  );
  let rank = 0;
  return ranked.map((line, i) => {
    if (line.score !== ranked[i - 1]?.score) rank = i + 1;
    return { ...line, rank };
  });
}

/**
 * Compares the stored standings with a table: the documents, line by line, and each number of the summary.
 * @throws a violation
 */
export function checkStandings(store: Documents, key: SeasonKey, table: readonly Line[]): void {
  const [shown, counted] = [textOf(tableIn(store, key) ?? []), textOf(table)];
  insist(shown === counted, () => `standings: ${key.season} has ${shown}, counted are ${counted}`);
  const counts = documentsIn(store, key).map(({ data }) => (data["players"] as unknown[]).length);
  const summary = summaryIn(store, key);
  const listOf = (field: string) => (summary[field] ?? []) as unknown[];
  const is = [
    summary["players"],
    listOf("counts"),
    ...counts.map((count, n) =>
      count === 0 ? [] : ["first_scores", "ties_before", "dense_before"].map((field) => listOf(field)[n]),
    ),
  ];
  const right = [table.length, counts, ...counts.map((count, n) => edgeOf(table, counts, count, n))];
  const [told, due] = [JSON.stringify(is), JSON.stringify(right)];
  insist(told === due, () => `standings: the summary of ${key.season} says ${told}, counted is ${due}`);
}

/** Of a document with players: the first player's score, the equals before it, and the distinct better scores. */
function edgeOf(table: readonly Line[], counts: readonly number[], count: number, n: number): number[] {
  const start = counts.slice(0, n).reduce((sum, one) => sum + one, 0);
  const first = table[start];
  if (count === 0 || first === undefined) return [];
  const before = table.slice(0, start).map(({ score }) => score);
  const better = before.filter((score) => score !== first.score);
  return [first.score, before.length - better.length, new Set(better).size];
}

/** A table as a text. */
export const textOf = (table: readonly Line[]) =>
  table
    .map(({ player, name, score, segments, at }) => `${player} ${name} ${score} ${segments} ${at.valueOf()}`)
    .join();

/** A top list has the best of a table. @throws a violation */
export function checkEntries({ as_of: asOf, entries }: Top, table: readonly Line[], size: number): void {
  const told = (position: number, { player, name, score, rank }: Omit<Line, "at" | "segments">) =>
    `${position}. ${player} ${name} ${score} (${rank})`;
  const shown = entries
    .map(({ position, display_name: name = "", ...entry }) => told(position, { ...entry, name }))
    .join();
  const expected = table
    .slice(0, size)
    .map((line, i) => told(i + 1, line))
    .join();
  insist(shown === expected, () => `top: as of ${asOf.valueOf()} it has ${shown} instead of ${expected}`);
}

/** The summary, with the elements of all of its parts. */
function summaryIn(store: Documents, key: SeasonKey): Readonly<Record<string, unknown>> {
  const part = (n: number) => store.get(standingsSummaryPath(key, n))?.data ?? {};
  const whole: Record<string, unknown> = { ...part(0) };
  for (let n = 1; n < Number(whole["parts"] ?? 1); n++)
    for (const [name, values] of Object.entries(part(n)))
      whole[name] = [...(whole[name] as unknown[]), ...(values as unknown[])];
  return whole;
}

/** What the stored standings say; undefined where they are still being written. */
export function tableIn(store: Documents, key: SeasonKey): Line[] | undefined {
  if (store.get(standingsSummaryPath(key)) === undefined) return undefined;
  let rank = 0;
  const lines = documentsIn(store, key).flatMap(
    ({ data: { players, scores, achieved_at: times, display_names: names, segments } }) =>
      (players as string[]).map((player, i) => {
        return {
          player,
          score: (scores as number[])[i] ?? NaN,
          at: (times as Timestamp[])[i] ?? new Timestamp(0, 0),
          name: (names as string[])[i] ?? "",
          segments: (segments as string[] | undefined)?.[i] ?? "",
        };
      }),
  );
  return lines.map((line, i) => {
    if (line.score !== lines[i - 1]?.score) rank = i + 1;
    return { ...line, rank };
  });
}

/** The documents of the standings, in the order that the summary names. */
export function documentsIn(store: Documents, key: SeasonKey): Found[] {
  const ranges = (summaryIn(store, key)["ranges"] ?? []) as { first: number; documents: number }[];
  return ranges.flatMap(({ first, documents }) =>
    Array.from({ length: documents }, (_, i) => {
      const found = store.get(standingsPath(key, first + i));
      insist(found !== undefined, () => `standings: document ${first + i} of ${key.season} is missing`);
      return found;
    }),
  );
}
