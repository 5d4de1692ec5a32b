/** A player's document: the truth about one player in one season. */
import { z } from "zod";
import { type Steps, toStep } from "../model/arithmetic.ts";
import { defined } from "../model/defined.ts";
import { isVisible } from "../model/display-name.ts";
import { documentSize, entriesSize } from "../model/document-size.ts";
import { playerStatuses, type PlayerStatus } from "../model/player-status.ts";
import { isInstant } from "../model/instant.ts";
import { isScore } from "../model/score.ts";
import { type WireValue, withDoubles } from "./exact-number.ts";
import { type DocumentSnapshot, Timestamp } from "./firestore.ts";
import type { SeasonKey } from "./paths.ts";

const time = z.instanceof(Timestamp).optional().catch(undefined);

/** A player's document as found: a trusted server's field of the wrong type is absent, as an invisible name is. */
export const storedPlayer = z.object({
  /** What the board ranks; absent until the first submission counts. */
  score: z
    .number()
    .refine(isScore)
    // A server's −0 is 0.
    .transform((score) => 0 + score)
    .optional()
    .catch(undefined),
  columns: z.record(z.string(), z.number()).optional().catch(undefined),
  achieved_at: time,
  last_submission_at: time,
  /** Submissions that count. One that changes nothing counts only on boards that limit attempts or their frequency. */
  attempts: z.int().min(0).catch(0),
  status: z.enum(playerStatuses).catch("active"),
  display_name: z.string().refine(isVisible).optional().catch(undefined),
  metadata: z.record(z.string(), z.unknown()).optional().catch(undefined),
  /** Values by segment: in which rankings besides that of all the player is. What is no value stays, and counts as none. */
  segments: z.record(z.string(), z.unknown()).optional().catch(undefined),
  submission_ids: z.array(z.string()).optional().catch(undefined),
});

/** The names of Firerank's own fields of a player's document. */
export const playerFields: readonly string[] = [...Object.keys(storedPlayer.shape), "counted", "held_line"];

/**
 * The fields of a player's document, from which something is written again: here, in another document, or in a top. What
 * Firerank does not understand, metadata too, is then as it was, to the last bit: a double stays a double.
 */
export function playerData(document: DocumentSnapshot): Record<string, unknown> | undefined {
  const data = document.data();
  if (data === undefined) return undefined;
  // The fields as the client library has them inside.
  const { _fieldsProto: wire } = document as unknown as { _fieldsProto: Record<string, WireValue> };
  for (const name of Object.keys(data))
    if (!understood.has(name)) data[name] = withDoubles(data[name], wire[name] ?? {});
  return data;
}

const understood = new Set(playerFields.filter((name) => name !== "metadata"));

/** Those that have no index entries of their own; `counted` has one. */
const exemptFields = new Set(["achieved_at", "last_submission_at", "submission_ids", "counted", "held_line"]);

/**
 * The fields that lists need to find and order a document with a score, where they are missing or the score is not the
 * board's nearest step; of a player who is hidden too, as what all lists find together must be all documents with a score.
 * @param steps of the board.
 */
export function missingFields(
  data: Record<string, unknown>,
  writtenAt: Timestamp,
  steps: Steps = {},
): Record<string, unknown> {
  const { score } = data;
  if (score == null) return {};
  const isStep = !isScore(score) || toStep(steps, score) === score;
  return {
    ...(isStep ? {} : { score: toStep(steps, score) }),
    ...(data["status"] == null || data["status"] === "" ? { status: "active" } : {}),
    ...(isInstant(data["achieved_at"]) ? {} : { achieved_at: writtenAt }),
  };
}

/** Bytes that writing a player's document adds to a commit, with its index entries. */
export function writtenSize(path: string, data: Record<string, unknown>): number {
  return documentSize(path, data) + entriesSize(path, data, exemptFields);
}

type Present<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** A player's document as Firerank writes it. Missing values are absent, as Firestore stores no `undefined`. */
export type Player = Present<z.infer<typeof storedPlayer>>;

export type Metadata = NonNullable<Player["metadata"]>;

/** A player's document before and after a write, as an event has them; undefined where there was none. */
export interface PlayerChange {
  before: Record<string, unknown> | undefined;
  after: Record<string, unknown> | undefined;
}

/** The same, with the season of the document. */
export interface ChangedPlayer extends PlayerChange {
  key: SeasonKey;
}

/** Reads a player's document; fields of the wrong type count as absent. Never throws. */
export function readPlayer(data: Record<string, unknown>): Player;
export function readPlayer(data: Record<string, unknown> | undefined): Player | undefined;
export function readPlayer(data: Record<string, unknown> | undefined): Player | undefined {
  return data === undefined ? undefined : (defined(storedPlayer.parse(data)) as Player);
}

/** `player_statuses/{player}` of a leaderboard: the status of a player who is not active, for future seasons. */
export const storedPlayerStatus = z.object({ status: z.enum(playerStatuses).catch("active") });

/** The status of a player who is in no season; `active` without a document. Never throws. */
export function readPlayerStatus(data: Record<string, unknown> | undefined): PlayerStatus {
  return data === undefined ? "active" : storedPlayerStatus.parse(data).status;
}
