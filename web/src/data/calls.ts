/** The callables that the dashboard calls, with what they take and answer. */
import { FunctionsError, httpsCallable } from "firebase/functions";
import type { PlayerStatusAnswer } from "../../../functions/src/admin/set-player-status.ts";
import type { RemovePlayerAnswer } from "../../../functions/src/admin/remove-player.ts";
import type { AroundAnswer, PageAnswer, Rank } from "../../../functions/src/model/answers.ts";
import type { ErrorDetails } from "../../../functions/src/model/errors.ts";
import type { Definition } from "../../../functions/src/model/leaderboard.ts";
import type { SeasonKey } from "../../../functions/src/model/paths.ts";
import type { PlayerStatus } from "../../../functions/src/model/player.ts";
import type { RankingRecord } from "../../../functions/src/ranking/run-record.ts";
import type { Json, RepairRecord } from "../../../functions/src/repair/repair-record.ts";
import { firebase } from "../firebase/connect.ts";

interface Calls {
  getRank: [
    SeasonKey & { player?: string; score?: number; columns?: Record<string, number>; exact?: boolean },
    Rank,
  ];
  getAround: [SeasonKey & { player: string; above?: number; below?: number }, AroundAnswer];
  getPage: [SeasonKey & { offset?: number; cursor?: string; limit?: number }, PageAnswer];
  saveLeaderboard: [{ leaderboard: string; definition: object }, Definition];
  setPlayerStatus: [{ leaderboard: string; player: string; status: PlayerStatus }, PlayerStatusAnswer];
  removePlayer: [{ leaderboard?: string; player: string }, RemovePlayerAnswer];
  runRanking: [SeasonKey & { include_open_slot: boolean }, RankingRecord<string>];
  auditSeason: [SeasonKey & { full: boolean }, Json<RepairRecord>];
  sweepSeason: [SeasonKey, Json<RepairRecord>];
  rebuildSeason: [SeasonKey & { full: boolean }, Json<RepairRecord>];
}

/** As long as the functions themselves may take. */
const timeout = 540_000;

/** Calls. @throws CallError */
export async function call<Name extends keyof Calls>(
  name: Name,
  request: Calls[Name][0],
): Promise<Calls[Name][1]> {
  const callable = httpsCallable<unknown, Calls[Name][1]>(firebase().functions, name, { timeout });
  try {
    return (await callable(request)).data;
  } catch (error) {
    throw asCallError(name, error);
  }
}

/** A call that failed: Firerank's code where it refused, and the fields that it found wrong. */
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

function asCallError(name: string, error: unknown): CallError {
  if (!(error instanceof FunctionsError)) return new CallError(String(error), "unknown", [], error);
  const { code, fields = [] } = (error.details ?? {}) as ErrorDetails & { code?: string };
  if (code !== undefined) return new CallError(error.message, code, fields, error);
  const message = `${name} could not be called (${error.code.replace("functions/", "")}). Are the functions deployed, and in the region ${firebase().config.region}?`;
  return new CallError(message, error.code, [], error);
}
