/** The final table of a season, made by plain sorting, without any code of the closing, and where it has to show. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type SeasonKey, standingsPath, standingsSummaryPath } from "../../functions/src/documents/paths.ts";
import type { Top } from "../../functions/src/documents/top.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { insist } from "./violation.ts";
import type { Data } from "../memory/store.ts";
import type { Store } from "../memory/store.ts";
import type { FinalLine } from "./finals.ts";

/** A line of a table. */
export interface Line {
  player: string;
  score: number;
  at: Timestamp;
  name: string;
  rank: number;
}

type Ordering = Pick<Definition, "order" | "ties">;

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
export function checkStandings(store: Store, key: SeasonKey, table: readonly Line[]): void {
  const documents = documentsIn(store, key);
  const shown: string[] = [];
  const counts: number[] = [];
  documents.forEach((data) => {
    const [players, scores, times, names] = ["players", "scores", "achieved_at", "display_names"].map(
      (field) => data[field] as unknown[],
    );
    counts.push(players?.length ?? NaN);
    players?.forEach((player, i) => shown.push(lineOf(player, scores?.[i], times?.[i], names?.[i])));
  });
  const expected = table.map(({ player, score, at, name }) => lineOf(player, score, at, name));
  insist(
    shown.join() === expected.join(),
    () => `standings: ${key.season} has ${shown.join()}, counted are ${expected.join()}`,
  );
  const summary = summaryIn(store, key);
  const numbers = { players: summary["players"], counts: summary["counts"], ...edgesIn(summary, counts) };
  const right = { players: table.length, counts, ...edgesOf(table, counts) };
  insist(
    JSON.stringify(numbers) === JSON.stringify(right),
    () =>
      `standings: the summary of ${key.season} says ${JSON.stringify(numbers)}, counted is ${JSON.stringify(right)}`,
  );
}

/** A top list has the best of a table. @throws a violation */
export function checkEntries({ as_of: asOf, entries }: Top, table: readonly Line[], size: number): void {
  const told = (position: number, { player, name, score, rank }: Omit<Line, "at">) =>
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
function summaryIn(store: Store, key: SeasonKey): Readonly<Record<string, unknown>> {
  const part = (n: number) => store.get(standingsSummaryPath(key, n))?.data ?? {};
  const whole: Record<string, unknown> = { ...part(0) };
  for (let n = 1; n < Number(whole["parts"] ?? 1); n++)
    for (const [name, values] of Object.entries(part(n)))
      whole[name] = [...(whole[name] as unknown[]), ...(values as unknown[])];
  return whole;
}

/** What the stored standings say; undefined where they are still being written. */
export function tableIn(store: Store, key: SeasonKey): Line[] | undefined {
  if (store.get(standingsSummaryPath(key)) === undefined) return undefined;
  let rank = 0;
  const lines = documentsIn(store, key).flatMap(
    ({ players, scores, achieved_at: times, display_names: names }) =>
      (players as string[]).map((player, i) => {
        return {
          player,
          score: (scores as number[])[i] ?? NaN,
          at: (times as Timestamp[])[i] ?? new Timestamp(0, 0),
          name: (names as string[])[i] ?? "",
        };
      }),
  );
  return lines.map((line, i) => {
    if (line.score !== lines[i - 1]?.score) rank = i + 1;
    return { ...line, rank };
  });
}

/** The documents in the order that the summary names. */
function documentsIn(store: Store, key: SeasonKey): Data[] {
  const ranges = (summaryIn(store, key)["ranges"] ?? []) as { first: number; documents: number }[];
  return ranges.flatMap(({ first, documents }) =>
    Array.from({ length: documents }, (_, i) => {
      const found = store.get(standingsPath(key, first + i));
      insist(found !== undefined, () => `standings: document ${first + i} of ${key.season} is missing`);
      return found.data;
    }),
  );
}

const lineOf = (player: unknown, score: unknown, at: unknown, name: unknown) =>
  `${String(player)} ${String(name)} ${String(score)} ${at instanceof Timestamp ? at.valueOf() : "?"}`;

/** For each document with players: the first player's score, the equals before it, and the distinct better scores. */
interface Edges {
  first_scores: unknown[];
  ties_before: unknown[];
  dense_before: unknown[];
}

/** What a summary says about the non-empty documents. */
function edgesIn(summary: Readonly<Record<string, unknown>> | undefined, counts: readonly number[]): Edges {
  const of = (field: string) =>
    ((summary?.[field] ?? []) as unknown[]).filter((_, n) => (counts[n] ?? 0) > 0);
  return {
    first_scores: of("first_scores"),
    ties_before: of("ties_before"),
    dense_before: of("dense_before"),
  };
}

function edgesOf(table: readonly Line[], counts: readonly number[]): Edges {
  const edges: Edges = { first_scores: [], ties_before: [], dense_before: [] };
  let start = 0;
  for (const count of counts) {
    const first = table[start];
    if (count > 0 && first !== undefined) {
      const before = table.slice(0, start).map(({ score }) => score);
      edges.first_scores.push(first.score);
      edges.ties_before.push(before.filter((score) => score === first.score).length);
      edges.dense_before.push(new Set(before.filter((score) => score !== first.score)).size);
    }
    start += count;
  }
  return edges;
}
