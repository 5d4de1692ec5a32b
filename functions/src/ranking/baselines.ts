/**
 * Rankings as they were at midnights, for movement. A generation never has slots of two days, so the pages that end a day
 * are its last ranking. The run that replaces them copies them first, to `baselines/{midnight}`; until then they are the
 * baseline themselves, and an idle board writes nothing.
 */
import { baselinesPath, pagePath, type SeasonKey } from "../documents/paths.ts";
import type { Page } from "../documents/page.ts";
import type { Timestamp } from "../documents/firestore.ts";
import { idsIn } from "../documents/reads.ts";
import { type Calendar, zoneProblem } from "../model/calendar.ts";
import { keptMidnights } from "../model/midnights.ts";
import { keepsHistory } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import type { Services } from "../world/services.ts";

export interface Days extends Pick<Services, "slotMs"> {
  calendar: Calendar;
  /** The first midnight that can be compared with: since then every instance lets marks say what they were before. */
  fromMs: number;
}

/** The days of a board; undefined if it keeps no movement, or if this runtime does not know its time zone. Pure. */
export function daysOf({ slotMs, endWaitMs }: Services, board: Board): Days | undefined {
  const { definition, movementSinceMs = Infinity } = board;
  if (!definition.movement || !keepsHistory(board)) return undefined;
  if (zoneProblem(definition.time_zone) !== undefined) return undefined;
  return { calendar: definition, fromMs: movementSinceMs + endWaitMs, slotMs };
}

export interface Midnights {
  /** The published pages, which the next generation replaces. */
  pages: readonly Page[];
  /** Midnights of which these pages are the ranking, and which have no copy yet. */
  added: number[];
  /** The midnights that the new pages list, each with the copy that has its ranking. */
  kept: NonNullable<Page["baselines"]>;
  /** When a repair made these pages anew: they are the ranking of no midnight before. */
  remadeAt?: Timestamp | undefined;
}

/**
 * The midnights of which some pages are the ranking: all since their `as_of`, and before the next change. While a board keeps
 * no movement, or by a runtime that does not know its time zone, none is added and none goes. Pure.
 * @param untilMs when the oldest slot began that the pages do not include.
 */
export function midnightsOf(days: Days | undefined, pages: readonly Page[], untilMs: number): Midnights {
  const [first] = pages;
  if (first === undefined) return { pages, added: [], kept: [] };
  const { baselines = [], remade_at: remadeAt } = first;
  if (days === undefined) return { pages, added: [], kept: baselines, remadeAt };
  const { calendar, fromMs } = days;
  const wanted = keptMidnights(untilMs, calendar).filter((at) => at >= fromMs);
  const listed = baselines.filter(({ at }) => wanted.includes(at));
  const added = wanted.filter((at) => mayBeOf(first, at) && !listed.some((one) => one.at === at));
  const copy = added.at(-1) ?? NaN;
  return { pages, added, kept: [...listed, ...added.map((at) => ({ at, copy }))], remadeAt };
}

/**
 * Whether a ranking includes no change after a midnight. The `as_of` of a repair's ranking does not tell: it is when the
 * oldest pending slot began, and changes of later slots may be ranked already. Pure.
 */
export function mayBeOf(
  { as_of: asOf, remade_at: remadeAt }: Pick<Page, "as_of" | "remade_at">,
  midnightMs: number,
): boolean {
  return midnightMs >= asOf.toMillis() && midnightMs > (remadeAt?.toMillis() ?? -Infinity);
}

/**
 * Copies the pages of a midnight before they are replaced, and deletes copies that no page lists any more. If another run
 * has copied a newer generation, which has changes that came late, its copy stays.
 *
 * Cost: nothing, but for the first publication after a midnight: 1 write a page, 1 delete for each of an older copy that
 * goes, 1 read for the copy, and 1 for each that is kept, at most 13.
 */
export async function keepBaseline(
  { db }: Services,
  key: SeasonKey,
  { pages, added, kept }: Midnights,
): Promise<void> {
  const [first] = pages;
  const midnight = added.at(-1);
  if (first === undefined || midnight === undefined) return;
  const copies = [...(first.baselines ?? []), ...kept].map(({ copy }) => copy);
  const others = (await idsIn(db, baselinesPath(key))).map(Number);
  for (const old of others)
    if (old < midnight && !copies.includes(old)) await replace(db, { ...key, baseline: old }, []);
  await replace(db, { ...key, baseline: midnight }, pages);
}

/** Replaces the pages of a copy, unless their generation is as new. Without pages it deletes the copy. */
async function replace(db: Services["db"], key: SeasonKey & { baseline: number }, pages: readonly Page[]) {
  const generation = pages[0]?.generation ?? Infinity;
  await db.runTransaction(async (transaction) => {
    const found = await transaction.get(db.doc(pagePath(key, 0)));
    if (Number(found.get("generation") ?? 0) >= generation) return;
    for (const page of pages) transaction.set(db.doc(pagePath(key, page.page)), page);
    for (let page = pages.length; page < Number(found.get("pages") ?? 0); page++)
      transaction.delete(db.doc(pagePath(key, page)));
  });
}
