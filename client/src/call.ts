/** Calls a function by name. */
import { getFunctions, httpsCallable } from "firebase/functions";
import { toFirerankError } from "./firerank-error.ts";
import { generationsOf } from "./generations.ts";
import type { Leaderboard } from "./leaderboard.ts";

/**
 * Sends a request about a board and resolves to the answer.
 * @param timeoutMs how long to wait; by default the SDK's 70 s.
 * @throws FirerankError
 */
export async function call<Answer>(
  board: Leaderboard,
  name: string,
  request: object,
  timeoutMs?: number,
): Promise<Answer> {
  const functions = board.functions ?? getFunctions(board.app, board.region);
  const options = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  const send = httpsCallable<unknown, Answer>(functions, name, options);
  try {
    return (await send(given({ leaderboard: board.id, ...request }))).data;
  } catch (error) {
    throw toFirerankError(name, error);
  }
}

/** Sends a question about the board's season; the answer is of no older generation than the app has seen. @throws FirerankError */
export async function ask<Answer extends { generation: number }>(
  board: Leaderboard,
  name: string,
  request: object,
): Promise<Answer> {
  const { season, span } = board;
  const { seen, saw } = generationsOf(board);
  const answer = await call<Answer>(board, name, { season, span, min_generation: seen, ...request });
  saw(answer.generation);
  return answer;
}

/**
 * A value without the fields that are undefined, in objects and lists however deep: the SDK would send one as null,
 * which is refused.
 */
function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, given(field)]));
}
