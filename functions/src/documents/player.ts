/**
 * A player's document: the truth about one player in one season. Firerank writes it in one place
 * (counting/commit-players.ts), and trusted servers may write it by themselves. Lists, tops and the final table are made
 * of these documents, and the player's own app reads its own. Erasures and merges delete it, and the end of its season.
 */
import { z } from "zod";
import { type Steps, toStep } from "../model/arithmetic.ts";
import { defined } from "../model/defined.ts";
import { isVisible } from "../model/display-name.ts";
import { documentSize, entriesSize } from "../model/document-size.ts";
import { playerStatuses, type PlayerStatus, statusNamed } from "../model/player-status.ts";
import { isInstant } from "../model/instant.ts";
import { isScore } from "../model/score.ts";
import { type WireValue, withDoubles } from "./exact-number.ts";
import { type DocumentSnapshot, Timestamp } from "./firestore.ts";
import type { SeasonKey } from "./paths.ts";

const time = z.instanceof(Timestamp).optional().catch(undefined);

const status = z.enum(playerStatuses).catch(({ value }) => statusNamed(value) ?? "active");

export const storedPlayer = z.object({
  /** The score that the board ranks; absent until the first submission counts. */
  score: z
    .number()
    .refine(isScore)
    // A server may store −0, which is read as 0.
    .transform((score) => 0 + score)
    .optional()
    .catch(undefined),
  columns: z.record(z.string(), z.number()).optional().catch(undefined),
  achieved_at: time,
  last_submission_at: time,
  /**
   * How many submissions counted. A submission that changes nothing is added only on boards that limit attempts or
   * their frequency.
   */
  attempts: z.int().min(0).catch(0),
  status,
  display_name: z.string().refine(isVisible).optional().catch(undefined),
  metadata: z.record(z.string(), z.unknown()).optional().catch(undefined),
  /**
   * The player's value of each segment, for the rankings of segments. A malformed value is kept, and counts as none.
   */
  segments: z.record(z.string(), z.unknown()).optional().catch(undefined),
  submission_ids: z.array(z.string()).optional().catch(undefined),
});

/** The names of Firerank's own fields of a player's document. */
export const playerFields: readonly string[] = [
  ...Object.keys(storedPlayer.shape),
  "counted",
  "held_line",
  "player_id",
  "league_seat",
];

/**
 * The fields of a player's document, to be written again in this document, in another document, or in a top. Fields
 * that Firerank does not understand, and what metadata and segments hold, stay as they were to the last bit: a double
 * stays a double.
 */
export function playerData(document: DocumentSnapshot): Record<string, unknown> | undefined {
  const data = document.data();
  if (data === undefined) return undefined;
  // The fields in the form in which the client library received them.
  const { _fieldsProto: wire } = document as unknown as { _fieldsProto: Record<string, WireValue> };
  for (const name of Object.keys(data))
    if (!understood.has(name)) data[name] = withDoubles(data[name], wire[name] ?? {});
  return data;
}

/** Of these two the values belong to the app, also values of segments that are none. */
const passedOn = ["metadata", "segments"];
const understood = new Set(playerFields.filter((name) => !passedOn.includes(name)));

/** The fields that have no index entries of their own; of `counted`, only the score has one. */
const exemptFields = new Set(["achieved_at", "last_submission_at", "submission_ids", "counted", "held_line"]);

/** Whether a document with a score has no status, so that no list finds the document. */
export function lacksStatus(data: Record<string, unknown>): boolean {
  const { score, status: said } = data;
  return score != null && (said == null || said === "");
}

/**
 * Fields to add to a document with a score, beside a status, so that lists find and order it: a time if it is missing,
 * and the score rounded to the board's step. Hidden players need these fields too, as the lists of all statuses
 * together must find every document with a score.
 * @param steps the board's definition.
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
    ...(isInstant(data["achieved_at"]) ? {} : { achieved_at: writtenAt }),
  };
}

/** Bytes that writing a player's document adds to a commit, with its index entries. */
export function writtenSize(path: string, data: Record<string, unknown>): number {
  return documentSize(path, data) + entriesSize(path, data, exemptFields);
}

type Present<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** A player's document as Firerank writes it. Missing fields are absent, as Firestore stores no `undefined`. */
export type Player = Present<z.infer<typeof storedPlayer>>;

export type Metadata = NonNullable<Player["metadata"]>;

/** A player's document before and after a write; undefined if there was no document. */
export interface PlayerChange {
  before: Record<string, unknown> | undefined;
  after: Record<string, unknown> | undefined;
}

/** A change of a player's document, with its season. */
export interface ChangedPlayer extends PlayerChange {
  key: SeasonKey;
  /** The version that the change has replaced. */
  document: DocumentSnapshot;
}

/**
 * The player of a document. Where a server has written a score without a time, the score has the time of that write, as in
 * lists.
 * @param data the document's {@link playerData}, for whoever has it already
 */
export function storedPlayerOf(document: DocumentSnapshot, data = playerData(document)): Player | undefined {
  return data && readPlayer({ ...data, ...missingFields(data, writtenAt(document)) });
}

/** When a document was written last. */
export const writtenAt = ({ updateTime, readTime }: DocumentSnapshot): Timestamp => updateTime ?? readTime;

/** Reads a player's document; fields of the wrong type count as absent. Never throws. */
export function readPlayer(data: Record<string, unknown>): Player;
export function readPlayer(data: Record<string, unknown> | undefined): Player | undefined;
export function readPlayer(data: Record<string, unknown> | undefined): Player | undefined {
  return data === undefined ? undefined : (defined(storedPlayer.parse(data)) as Player);
}

/**
 * `player_statuses/{player}` of a leaderboard: the status of a hidden or banned player. A document that names no status
 * gets this one: in seasons to come, and where a server has replaced the document.
 * `setPlayerStatus` writes it, and `removePlayer` deletes it. The reason is here and not in the player's own document, which
 * the player can read.
 */
export const storedPlayerStatus = z.object({ status, reason: z.string().optional().catch(undefined) });

/** Why a player is hidden or banned, as the board keeps it; undefined without a document or a reason. Never throws. */
export function readReason(data: Record<string, unknown> | undefined): string | undefined {
  return data === undefined ? undefined : storedPlayerStatus.parse(data).reason;
}

/** The status that a board keeps for a player; `active` without a document. Never throws. */
export function readPlayerStatus(data: Record<string, unknown> | undefined): PlayerStatus {
  return data === undefined ? "active" : storedPlayerStatus.parse(data).status;
}

/** The document of a player without a score, which keeps a status where submissions look for one: in `all_time`. */
export const statusAlone = (status: PlayerStatus) => ({ status, attempts: 0 });
