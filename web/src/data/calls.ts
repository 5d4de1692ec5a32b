/** The functions' calls, with their own types of requests and answers. */
import { FunctionsError, httpsCallable } from "firebase/functions";
import type { z } from "zod";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { ErrorDetails } from "../../../functions/src/model/errors.ts";
import { functionName } from "../../../functions/src/model/function-name.ts";
import type { OperationSpec } from "../../../functions/src/operations/spec.ts";
import type * as specs from "../../../functions/src/operations/specs.ts";
import { firebase } from "../firebase/connect.ts";
import { generationSeen, sawGeneration } from "./generations.ts";

type Calls = typeof specs;
type RequestOf<Spec> = Spec extends OperationSpec<infer Schema, unknown> ? z.input<Schema> : never;
export type AnswerOf<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]["handle"]>>;

/** The calls that answer from the ranking. */
const reading: readonly (keyof Calls)[] = ["getRank", "getAround", "getPage"];

/** As long as the functions themselves may take. */
const timeout = 540_000;

/**
 * Calls a function. Answers about a season are never of an older generation than this page has seen. @throws CallError
 */
export async function call<Name extends keyof Calls>(
  name: Name,
  request: RequestOf<Calls[Name]>,
): Promise<AnswerOf<Name>> {
  const { functions, config } = firebase();
  const deployed = functionName(name, config.prefix);
  const callable = httpsCallable<unknown, AnswerOf<Name>>(functions, deployed, { timeout });
  const key = seasonIn(request);
  const seen = key !== undefined && reading.includes(name) ? generationSeen(key) : {};
  try {
    const { data } = await callable({ ...request, ...seen });
    const { generation } = data as { generation?: number | null };
    if (key !== undefined && typeof generation === "number")
      sawGeneration(key, generation, seen.min_generation);
    return data;
  } catch (error) {
    throw asCallError(deployed, error, config.region);
  }
}

function seasonIn(request: object): SeasonKey | undefined {
  const { leaderboard, season } = request as Partial<SeasonKey>;
  return leaderboard === undefined || season === undefined ? undefined : { leaderboard, season };
}

/**
 * A failed call: Firerank's code and the wrong fields if it refused; `unavailable` if no answer of a function arrived.
 */
export class CallError extends Error {
  readonly code: string;
  readonly fields: NonNullable<ErrorDetails["fields"]>;

  constructor(message: string, code: string, fields: NonNullable<ErrorDetails["fields"]>, cause: unknown) {
    super(message, { cause });
    this.name = "CallError";
    this.code = code;
    this.fields = fields;
  }
}

/** Why a call failed: the function's words, or that it did not answer or cannot be reached. */
export function asCallError(name: string, error: unknown, region: string): CallError {
  if (!(error instanceof FunctionsError)) return new CallError(String(error), "unknown", [], error);
  const { code = error.code, fields = [] } = (error.details ?? {}) as ErrorDetails & { code?: string };
  const { said, bare, status } = partsOf(error);
  const isLost = said === bare ? lost.includes(bare) && status !== "500" : said.startsWith("Response is ");
  return new CallError(wordsOf(name, error, region), isLost ? "unavailable" : code, fields, error);
}

/** The SDK's codes if there was no real answer: for HTTP 0 (no connection), 408, 429, 502, 503 and the like. */
const lost = ["internal", "unknown", "unavailable", "resource-exhausted"];

/** The SDK adds the HTTP status to a function's message, and uses the bare code if there is no message. */
function partsOf(error: FunctionsError): { said: string; bare: string; status: string | undefined } {
  const [ending, status] = / \[(\d+)\]$/.exec(error.message) ?? ["", undefined];
  const said = error.message.slice(0, error.message.length - ending.length);
  return { said, bare: error.code.replace("functions/", ""), status };
}

function wordsOf(name: string, error: FunctionsError, region: string): string {
  const { said, bare, status } = partsOf(error);
  if (said.startsWith("Response is ")) return `${name} sent no readable answer. The network may be down.`;
  if (said !== bare) return said;
  if (bare === "deadline-exceeded")
    return `${name} did not answer in time. It may still be running; see Runs.`;
  if (status === "500") return `${name} failed; the function's log says why.`;
  return `${name} could not be called (${bare}). Are the functions deployed in region ${region}? If they are in another one, build the dashboard with VITE_FIRERANK_REGION set to it.`;
}
