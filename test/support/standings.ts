/** Standings made the slow and obvious way, for tests: a full sort, cut into documents, and every number counted. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { Standings, StandingsSummary } from "../../functions/src/documents/standings.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { isBetter } from "../../functions/src/model/score.ts";

/** A player of the standings. */
export interface Finalist {
  id: string;
  score: number;
  /** `achieved_at`, in milliseconds since 1970. */
  achievedMs: number;
  name?: string;
  metadata?: Record<string, unknown>;
}

type Ordering = Pick<Definition, "order" | "ties">;

/** Players in the total order: score, then time, then the bytes of the id; the latter two turned round for `last`. */
export function sortFinalists<Player extends Finalist>(
  { order, ties }: Ordering,
  players: readonly Player[],
): Player[] {
  const later = (a: Finalist, b: Finalist) =>
    a.achievedMs - b.achievedMs || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
  return players.toSorted((a, b) => {
    if (a.score !== b.score) return isBetter(order, a.score, b.score) ? -1 : 1;
    return ties === "first" ? later(a, b) : later(b, a);
  });
}

/**
 * The standings of players, `size` to a document.
 * @param gone players who were taken out after the documents were cut: theirs have fewer, or none.
 */
export function standingsOf(
  ordering: Ordering,
  all: readonly Finalist[],
  { size = 1_000, gone = new Set<string>() } = {},
) {
  const sorted = sortFinalists(ordering, all);
  const groups: Finalist[][] = [];
  for (let from = 0; from < sorted.length; from += size) groups.push(sorted.slice(from, from + size));
  const kept = groups.map((group) => group.filter(({ id }) => !gone.has(id)));
  const first = groups.map((group, n) => (kept[n]?.[0] ?? group[0])?.score ?? NaN);
  const before = (n: number) => kept.slice(0, n).flat();
  const summary: StandingsSummary = {
    players: kept.flat().length,
    counts: kept.map(({ length }) => length),
    first_scores: first,
    ties_before: first.map((score, n) => before(n).filter((one) => one.score === score).length),
    dense_before: first.map((score, n) => {
      const better = before(n).filter((one) => isBetter(ordering.order, one.score, score));
      return new Set(better.map((one) => one.score)).size;
    }),
    ranges: [{ first: 0, documents: kept.length }],
    as_of: Timestamp.fromMillis(0),
    revisions: 0,
  };
  return { summary, documents: kept.map(documentOf) };
}

function documentOf(group: readonly Finalist[]): Standings {
  return {
    players: group.map(({ id }) => id),
    scores: group.map(({ score }) => score),
    achieved_at: group.map(({ achievedMs }) => Timestamp.fromMillis(achievedMs)),
    display_names: group.map(({ name }) => name ?? ""),
    has_metadata: group.some(({ metadata }) => metadata !== undefined),
  };
}
