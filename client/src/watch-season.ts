/** `watchSeason`: a season, live. It says which season runs, when the season ends, and how many play. */
import { type DocumentData, onSnapshot, type Timestamp, type Unsubscribe } from "firebase/firestore";
import type { Season as FullSeason } from "../../functions/src/documents/season.ts";
import { isoTime } from "../../functions/src/model/instant.ts";
import type { WatchedSeason } from "./answers.ts";
import {
  type FirerankError,
  invalidField,
  logError,
  seasonNotFound,
  toFirerankError,
} from "./firerank-error.ts";
import { followSignIn } from "./follow-sign-in.ts";
import { lookUpOnce, presentIn, worldOf } from "./follow-span.ts";
import type { Leaderboard } from "./leaderboard.ts";
import type { SpansKnown } from "./board-memory.ts";
import type { Present } from "./running.ts";
import { changesAtMs, type SeasonStored, statusAt, unopened } from "./season-shown.ts";
import { changesOfMetadataToo, seasonDocument } from "./stored.ts";
import { tellChanges } from "./tell-changes.ts";
import { startTicking } from "./ticking.ts";

/**
 * Which season to watch: a `span` or a `season`, not both. By default the season or span that the board names, or the board's
 * first span.
 */
export interface SeasonWanted {
  /** A span, which stands for its current season, and then for its next season. */
  span?: string | undefined;
  /** A season by its id. */
  season?: string | undefined;
}

/**
 * Reports a season, at once and on every change, until the returned function is called. For a span this is the current season,
 * whether anybody has played in it or not. When the season ends by the server's clock, the next season follows at that moment.
 * `remaining(season)` counts down to the end.
 *
 * On a board for users who are signed in, the watcher waits until a user signs in, and after a sign-out for the next user.
 * Offline it continues with the last reading of the server's clock, and `from_cache` is true.
 *
 * Cost: 1 read to start, then 1 for each publication and each step of the season's closing: 12 an hour while scores come. Also
 * function calls without reads: one to start, another if the first call took more than a second, and one for each season.
 *
 * @param onError gets the error that ended the watching, such as `season_not_found` for a season or span that does not exist
 * or was deleted; by default the error is logged.
 */
export function watchSeason(
  board: Leaderboard,
  wanted: SeasonWanted,
  onSeason: (season: WatchedSeason) => void,
  onError: (error: FirerankError) => void = logError,
): Unsubscribe {
  return followSignIn(board, onError, (fail) => watchOne(board, wanted, onSeason, fail));
}

/** This is one function, as listener, clock and season replace each other while it runs. */
function watchOne(
  board: Leaderboard,
  wanted: SeasonWanted,
  onSeason: (season: WatchedSeason) => void,
  onError: (error: FirerankError) => void,
): Unsubscribe {
  const { span, season } = wanted;
  const isNamed = span !== undefined || season !== undefined;
  const asked: Leaderboard = isNamed ? { ...board, span, season } : board;
  let followed: Present | undefined;
  let stored: { value: SeasonStored | undefined; fromCache: boolean } | undefined;
  let stopDocument: Unsubscribe | undefined;
  const tell = tellChanges(onSeason);
  const lookUp = lookUpOnce(asked, (present) => {
    if (ticking.isStopped()) return;
    if (followed === undefined) follow(present);
    ticking.lookAgain();
  });
  const ticking = startTicking(worldOf(asked), { look, fail });

  function look(nowMs: number, known: SpansKnown | undefined): number | undefined {
    if (asked.span !== undefined && asked.season !== undefined)
      throw invalidField("span", "name season or span, not both");
    const present = presentAt(nowMs, known);
    if (present === undefined) {
      if (known === undefined) lookUp();
      return undefined;
    }
    if (present.season !== followed?.season) follow(present);
    const shown = shownAt(present, nowMs, known);
    if (shown !== undefined) tell(shown);
    const endsAtMs = Math.min(shown === undefined ? Infinity : changesAtMs(shown, nowMs), present.closesMs);
    return endsAtMs > nowMs ? endsAtMs : Infinity;
  }

  function presentAt(nowMs: number, known: SpansKnown | undefined): Present | undefined {
    if (asked.season !== undefined) return { season: asked.season, opensMs: -Infinity, closesMs: Infinity };
    // If the season's end was changed, its document shows this first.
    const closes = stored?.value?.closes_at;
    if (followed !== undefined && closes != null && nowMs < Date.parse(closes)) return followed;
    return known === undefined ? followed : presentIn(asked, known, nowMs, followed);
  }

  function follow(present: Present): void {
    stopDocument?.();
    followed = present;
    stored = undefined;
    stopDocument = onSnapshot(seasonDocument(asked, present.season), changesOfMetadataToo, {
      next(found) {
        stored = { value: storedSeason(found.data()), fromCache: found.metadata.fromCache };
        ticking.lookAgain();
      },
      error: fail,
    });
  }

  /** The season as it is shown; undefined until its document has arrived. @throws `season_not_found` */
  function shownAt(
    { season: id }: Present,
    nowMs: number,
    known: SpansKnown | undefined,
  ): WatchedSeason | undefined {
    if (stored === undefined) return undefined;
    const { value, fromCache } = stored;
    const found = value ?? unopened(known?.running ?? [], id);
    if (found === undefined) {
      if (fromCache) return undefined;
      throw seasonNotFound({ ...asked, season: id });
    }
    const status = statusAt(found, nowMs);
    const clock = known?.clock ?? null;
    return { leaderboard: asked.id, season: id, ...found, status, clock, from_cache: fromCache };
  }

  function stop(): void {
    ticking.stop();
    stopDocument?.();
  }

  function fail(error: unknown): void {
    stop();
    onError(toFirerankError("watchSeason", error));
  }

  return stop;
}

/** The fields of a season's document that are reported; undefined if there is no document, or it is being deleted. */
function storedSeason(data: DocumentData | undefined): SeasonStored | undefined {
  if (data === undefined) return undefined;
  const { span, status, opens_at, closes_at, closed_at, ranking } = data as SeasonRead;
  if (status === "deleting") return undefined;
  return {
    span,
    status,
    opens_at: isoTime(opens_at),
    closes_at: closes_at === null ? null : isoTime(closes_at),
    ...(closed_at == null ? {} : { closed_at: isoTime(closed_at) }),
    players: ranking.players,
    generation: ranking.generation,
  };
}

/** The fields of a season's document that are read, as in functions/src/documents/season.ts. */
type SeasonRead = Pick<FullSeason, "span" | "status" | "ranking"> & {
  opens_at: Timestamp;
  closes_at: Timestamp | null;
  closed_at?: Timestamp | null;
};
