/** Follows a span from its current season to the next season. */
import {
  collection,
  getDoc,
  getDocs,
  limit,
  orderBy,
  query,
  type Timestamp,
  where,
} from "firebase/firestore";
import { seasonsPath } from "../../functions/src/documents/paths.ts";
import { FirerankError, noSpans, toFirerankError } from "./firerank-error.ts";
import type { Leaderboard, SeasonBoard } from "./leaderboard.ts";
import { isPassing } from "./retries.ts";
import type { SpansKnown } from "./board-memory.ts";
import { askRunning, knownOf, type Present, presentOf } from "./running.ts";
import { deviceTime, isDoubtful, serverMsAt } from "./server-clock.ts";
import { firestoreOf, seasonDocument } from "./stored.ts";
import { startTicking, type Ticking, type TickingWorld } from "./ticking.ts";

/** The device's clocks and timers, and the functions, for a board. */
export function worldOf(board: Leaderboard): TickingWorld<SpansKnown> {
  return {
    now: deviceTime,
    known: () => knownOf(board),
    ask: () => askRunning(board),
    wait(ms, then) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
  };
}

/**
 * Reports the current season of the board's span at once, and the next season when it begins by the server's clock. While
 * the server cannot be asked, the newest season of the span in Firestore's cache counts as the current season. If the device's
 * date was set ahead offline, the next season may be reported too early; then the current season is reported again.
 *
 * Cost: a function call to start and one for each season, without reads. If the functions cannot be reached, 1 read.
 * @param fail gets the error that ended this, such as `season_not_found` for a span that the board does not have.
 */
export function followSpan(
  board: Leaderboard,
  tell: (season: string) => void,
  fail: (error: FirerankError) => void,
): Ticking {
  let told: Present | undefined;
  const lookUp = lookUpOnce(board, (present) => {
    if (told === undefined && !ticking.isStopped()) follow(present);
  });

  function follow(present: Present): void {
    if (present.season === told?.season) return;
    told = present;
    tell(present.season);
  }

  const ticking = startTicking(worldOf(board), {
    look(nowMs, known) {
      if (known === undefined) {
        lookUp();
        return undefined;
      }
      const present = presentIn(board, known, nowMs, told);
      if (present !== undefined) follow(present);
      return present?.closesMs;
    },
    fail,
  });
  return ticking;
}

/** A clock that is corrected by less than this leads no watcher back from a season that has just begun. */
const correctedMsMax = 10_000;

/**
 * The season of the board's span at a given time; undefined if the time is after the end of all seasons known.
 * @param before the season so far. It stays if it begins in a moment, as a clock that was slightly fast may have been corrected;
 * a season that is further ahead was a wrong guess. It runs to its end even if the span was removed from the board.
 * @throws `season_not_found`
 */
export function presentIn(
  { id, span }: Leaderboard,
  { running }: SpansKnown,
  nowMs: number,
  before?: Present,
): Present | undefined {
  const found = span === undefined ? running[0] : running.find((one) => one.span === span);
  if (found !== undefined) {
    const soon = presentOf(found, nowMs + correctedMsMax);
    return soon !== undefined && soon.season === before?.season ? soon : presentOf(found, nowMs);
  }
  if (before !== undefined && nowMs < before.closesMs) return before;
  if (span === undefined) throw noSpans({ id });
  const spans = running.map((one) => `"${one.span}"`).join(", ");
  const message = `Leaderboard "${id}" has no span "${span}"; it has ${spans || "none"}.`;
  throw new FirerankError("season_not_found", message);
}

/**
 * The board with the current season of its span.
 *
 * Cost: a function call the first time and after the end of the next season, otherwise nothing. If the functions cannot be
 * reached, 1 read.
 * @throws FirerankError
 */
export async function withPresentSeason(board: Leaderboard): Promise<SeasonBoard> {
  const present = (await presentNow(board))?.season;
  if (present !== undefined) return { ...board, season: present, span: undefined };
  throw new FirerankError(
    "unavailable",
    `Which season of "${board.span ?? ""}" runs is not known yet. Is the device offline?`,
  );
}

async function presentNow(board: Leaderboard): Promise<Present | undefined> {
  const now = deviceTime();
  const known = knownOf(board);
  if (known !== undefined && !isDoubtful(known.clock, now)) {
    const present = presentIn(board, known, serverMsAt(known.clock, now));
    if (present !== undefined) return present;
  }
  try {
    const answer = await askRunning(board);
    return presentIn(board, answer, serverMsAt(answer.clock, deviceTime()));
  } catch (error) {
    if (!isPassing(toFirerankError("listSeasons", error))) throw error;
    return newestOf(board);
  }
}

/**
 * Returns a function that looks up the newest season of the board's span, for the time in which the server cannot be asked.
 * Once it has found a season, further calls do nothing.
 */
export function lookUpOnce(board: Leaderboard, then: (present: Present) => void): () => void {
  let isBegun = false;
  return () => {
    if (isBegun) return;
    isBegun = true;
    void newestOf(board).then(
      (present) => {
        isBegun = present !== undefined;
        if (present !== undefined) then(present);
      },
      () => {
        isBegun = false;
      },
    );
  };
}

/** The newest season of the board's span that was opened. Cost: 1 read; offline Firestore answers from its cache. */
async function newestOf(board: Leaderboard): Promise<Present | undefined> {
  const seasons = collection(firestoreOf(board), seasonsPath(board.id));
  const newest = query(
    seasons,
    where("span", "==", board.span ?? "all_time"),
    orderBy("opens_at", "desc"),
    limit(1),
  );
  const [found] = (await getDocs(newest)).docs;
  if (found === undefined) return undefined;
  const ends = found.data() as { opens_at: Timestamp; closes_at: Timestamp | null };
  return {
    season: found.id,
    opensMs: ends.opens_at.toMillis(),
    closesMs: ends.closes_at?.toMillis() ?? Infinity,
  };
}

/** Puts a season's document into Firestore's cache, for an app that starts offline. Cost: 1 read. */
export function rememberSeason(board: Leaderboard, season: string): void {
  getDoc(seasonDocument(board, season)).catch(() => undefined);
}
