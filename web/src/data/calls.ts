/** The functions' calls, with their own types of requests and answers. */
import type { z } from "zod";
import { FirerankError, type FirerankErrorCode } from "../../../client/src/firerank-error.ts";
import { generationsOf } from "../../../client/src/generations.ts";
import type { Leaderboard } from "../../../client/src/leaderboard.ts";
import { send } from "../../../client/src/send.ts";
import { functionName } from "../../../functions/src/model/function-name.ts";
import type { OperationSpec } from "../../../functions/src/operations/shared/spec.ts";
import type * as specs from "../../../functions/src/operations/specs.ts";
import { firebase } from "../firebase/connect.ts";
import { functionsSdk } from "../firebase/functions.ts";

type Calls = typeof specs;
type RequestOf<Spec> = Spec extends OperationSpec<infer Schema, unknown> ? z.input<Schema> : never;
export type AnswerOf<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]["handle"]>>;

/** The calls that answer from the ranking. */
const reading: readonly (keyof Calls)[] = ["getRank", "getAround", "getPage", "getThreshold"];

/** As long as the functions themselves may take. */
const timeoutMs = 540_000;

/** A board, or a season, as the client's package names it. */
export function boardOf({
  leaderboard = "",
  season,
}: {
  leaderboard?: string;
  season?: string;
}): Leaderboard {
  const { app, config } = firebase();
  const { region, prefix, database } = config;
  return { app, region, prefix, database, id: leaderboard, season };
}

/**
 * Calls a function. Answers about a season are never of an older generation than this page has seen.
 * @throws FirerankError, `unavailable` if no answer of a function arrived
 */
export async function call<Name extends keyof Calls>(
  name: Name,
  request: RequestOf<Calls[Name]>,
): Promise<AnswerOf<Name>> {
  const board = boardOf(request as { leaderboard?: string; season?: string });
  const { seen, saw } = generationsOf(board);
  const least = reading.includes(name) ? { min_generation: seen } : {};
  const asked = { leaderboard: undefined, ...least, ...request };
  try {
    const answer = await send<AnswerOf<Name>>(functionsSdk, board, name, asked, { timeoutMs });
    const { generation } = answer as { generation?: number | null };
    if (board.season !== undefined && typeof generation === "number") saw(generation);
    return answer;
  } catch (error) {
    throw inWords(functionName(name, board.prefix), error as FirerankError, firebase().config.region);
  }
}

/** The function's words; or that it did not answer, or cannot be reached. */
export function inWords(name: string, error: FirerankError, region: string): FirerankError {
  const { code, fields, cause } = error;
  const lost: readonly FirerankErrorCode[] = ["unavailable", "function_not_found", "permission_denied"];
  if (cause instanceof Error && cause.message === "internal [500]")
    return new FirerankError("internal", `${name} failed; the function's log says why.`, { cause });
  const words = lost.includes(code)
    ? `${name} cannot be reached. Is this device online, and are the functions deployed in region ${region}? If they are in another one, build the dashboard with VITE_FIRERANK_REGION set to it.`
    : code === "deadline_exceeded"
      ? `${name} did not answer in time. It may still be running; see Runs.`
      : error.message.replace(`${name}: `, "");
  return new FirerankError(code, words, { fields, cause });
}
