/** Calls a function by name. */
import { getFunctions, httpsCallable } from "firebase/functions";
import { toFirerankError } from "./firerank-error.ts";
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
  const send = httpsCallable<object, Answer>(functions, name, options);
  try {
    return (await send({ leaderboard: board.id, ...given(request) })).data;
  } catch (error) {
    throw toFirerankError(name, error);
  }
}

/** Sends a question about the board's season. @throws FirerankError */
export function ask<Answer>(board: Leaderboard, name: string, request: object): Promise<Answer> {
  const { season, span } = board;
  return call(board, name, {
    ...(season === undefined ? {} : { season }),
    ...(span === undefined ? {} : { span }),
    ...request,
  });
}

/** The fields that are there: the SDK would send one that is undefined as null, which is refused. */
export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
