/** Asks the server for the current season of each span. All callers share the answer while the app runs. */
import type { Running, Seasons } from "./answers.ts";
import { type BoardMemory, type SpansKnown, memoryOf } from "./board-memory.ts";
import { FirerankError } from "./firerank-error.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { send } from "./send.ts";
import { betterClock, deviceTime, readingOf } from "./server-clock.ts";

export function knownOf(board: Leaderboard): SpansKnown | undefined {
  return memoryOf(board).known;
}

/**
 * Asks the server. Cost: a function call, without reads.
 * @throws FirerankError
 */
export function askRunning(board: Leaderboard): Promise<SpansKnown> {
  const memory = memoryOf(board);
  return (memory.asking ??= askServer(board, memory).finally(() => {
    memory.asking = undefined;
  }));
}

/** A request that takes longer than this is sent again, as its answer would say little about the server's clock. */
const askMs = 10_000;

async function askServer(board: Leaderboard, memory: BoardMemory): Promise<SpansKnown> {
  const sdk = await loadFunctions();
  const asked = deviceTime();
  const { as_of: stamp, running } = await send<Seasons>(
    sdk,
    board,
    "listSeasons",
    { limit: 0 },
    { timeoutMs: askMs },
  );
  const clock = readingOf(Date.parse(stamp), asked, deviceTime());
  return (memory.known = { running, clock: betterClock(memory.known?.clock, clock) });
}

/** Loads the Functions SDK when it is needed, so that an app that only watches `all_time` never loads it. */
async function loadFunctions() {
  try {
    return await import("firebase/functions");
  } catch (cause) {
    // If the app's bundler puts the SDK into a file of its own, the app cannot fetch the file offline.
    throw new FirerankError("unavailable", "firebase/functions could not be loaded. Is the device offline?", {
      cause,
    });
  }
}

/** A current season. Times are the server's, in milliseconds since 1970, and infinite for `all_time`. */
export interface Present {
  season: string;
  opensMs: number;
  closesMs: number;
}

/**
 * The season of a span at a given time: the season that was current when the server was asked, or the next season. Undefined
 * after the end of both. Pure.
 */
export function presentOf({ season, opens_at: opens, closes_at: closes, next }: Running, nowMs: number) {
  const present = presentFrom(season, opens, closes);
  if (nowMs < present.closesMs) return present;
  const after = next === null ? undefined : presentFrom(next.season, next.opens_at, next.closes_at);
  return after !== undefined && nowMs < after.closesMs ? after : undefined;
}

function presentFrom(season: string, opens: string | null, closes: string | null): Present {
  return {
    season,
    opensMs: opens === null ? -Infinity : Date.parse(opens),
    closesMs: closes === null ? Infinity : Date.parse(closes),
  };
}
