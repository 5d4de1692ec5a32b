/** Calls a function by name. */
import { getFunctions, httpsCallable } from "firebase/functions";
import type { CallOptions } from "./call-options.ts";
import { generationsOf } from "./generations.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { send } from "./send.ts";

/** Sends a request about a board and resolves to the answer; see `send`. @throws FirerankError */
export function call<Answer>(
  board: Leaderboard,
  name: string,
  request: object,
  options?: CallOptions,
): Promise<Answer> {
  return send({ getFunctions, httpsCallable }, board, name, request, options);
}

/**
 * Sends a request that may name a `season` or a `span`. By default it is about the one that the board names.
 * @throws FirerankError
 */
export function callAbout<Answer>(
  { season, span, ...board }: Leaderboard,
  name: string,
  request: object,
  options?: CallOptions,
): Promise<Answer> {
  const named: Pick<Leaderboard, "season" | "span"> = request;
  const isNamed = (named.season ?? named.span) !== undefined;
  return call(board, name, isNamed ? request : { ...request, season, span }, options);
}

/**
 * Sends a question about the board's season. The answer is never of an older generation than the app has seen.
 * @throws FirerankError
 */
export async function ask<Answer extends { season: string; generation: number }>(
  board: Leaderboard,
  name: string,
  request: object,
  options?: CallOptions,
): Promise<Answer> {
  // No request of these names another season; by `callAbout` the smallest app would be larger than it may be.
  const { season, span } = board;
  const { seen, saw } = generationsOf(board);
  const answer = await call<Answer>(board, name, { season, span, min_generation: seen, ...request }, options);
  saw(answer.generation, answer.season);
  return answer;
}
