/** Which season of a span runs, as the server said last: remembered for as long as the app runs, for all who ask. */
import type { FirebaseApp } from "firebase/app";
import type { Running, Seasons } from "./answers.ts";
import { FirerankError } from "./firerank-error.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { send } from "./send.ts";
import { betterClock, deviceTime, readingOf, type ServerClock } from "./server-clock.ts";

/** What the server said of a board's spans, and its clock. */
export interface Known {
  running: readonly Running[];
  clock: ServerClock;
}

interface Memory {
  known?: Known;
  /** The question under way, which all who ask meanwhile share. */
  asking?: Promise<Known> | undefined;
}

const memories = /* @__PURE__ */ new WeakMap<FirebaseApp, Map<string, Memory>>();

function memoryOf({ app, id }: Leaderboard): Memory {
  const boards = memories.get(app) ?? new Map<string, Memory>();
  memories.set(app, boards);
  const memory = boards.get(id) ?? {};
  boards.set(id, memory);
  return memory;
}

/** What is known, if anything. */
export function knownOf(board: Leaderboard): Known | undefined {
  return memoryOf(board).known;
}

/**
 * Asks the server. Cost: a function call, and none of its reads.
 * @throws FirerankError
 */
export function askRunning(board: Leaderboard): Promise<Known> {
  const memory = memoryOf(board);
  return (memory.asking ??= ask(board, memory).finally(() => {
    memory.asking = undefined;
  }));
}

/** A question that takes longer is asked again: its answer would say little of the time. */
const askMs = 10_000;

async function ask(board: Leaderboard, memory: Memory): Promise<Known> {
  const sdk = await loadFunctions();
  const asked = deviceTime();
  const { as_of: stamp, running } = await send<Seasons>(sdk, board, "listSeasons", { limit: 0 }, askMs);
  const clock = readingOf(Date.parse(stamp), asked, deviceTime());
  return (memory.known = { running, clock: betterClock(memory.known?.clock, clock) });
}

/** Only when it is needed, so that an app that watches `all_time` alone loads nothing of it. */
async function loadFunctions() {
  try {
    return await import("firebase/functions");
  } catch (cause) {
    // An app that keeps it in a file of its own cannot fetch that offline.
    throw new FirerankError("unavailable", "firebase/functions could not be loaded; is the device offline?", {
      cause,
    });
  }
}

/** A season that runs, in the server's time, in milliseconds since 1970; `all_time` has no ends. */
export interface Present {
  season: string;
  opensMs: number;
  closesMs: number;
}

/** Which season of a span runs at a moment: the one that did when the server was asked, or the next. Pure; nothing if it is a later one. */
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
