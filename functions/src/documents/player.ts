/** A player's document: the truth about one player in one season. */
import { z } from "zod";
import { isVisible } from "../model/display-name.ts";
import { isScore } from "../model/score.ts";
import { Timestamp } from "./firestore.ts";
import { type PlayerStatus, playerStatuses } from "./standing.ts";

export { type PlayerStatus, playerStatuses };

/** A JSON object that goes with a score. */
export type Metadata = Record<string, unknown>;

/** A player's document, as Firerank writes it. Times are the server's. */
export interface Player {
  /** What the board ranks; absent until the first submission counts. */
  score?: number;
  columns?: Record<string, number>;
  /** When the present score was reached. */
  achieved_at?: Timestamp;
  /** When the last submission that was counted came in. */
  last_submission_at?: Timestamp;
  /** Submissions counted; one that changes nothing is counted only on boards that limit attempts or their frequency. */
  attempts: number;
  status: PlayerStatus;
  display_name?: string;
  metadata?: Metadata;
  submission_ids?: string[];
}

/** A player's document before and after a write, as an event tells; nothing where there was none. */
export interface PlayerChange {
  before: Record<string, unknown> | undefined;
  after: Record<string, unknown> | undefined;
}

/**
 * A player's document as found, which may be a trusted server's own: every field that does not have the type
 * it should is as if it were absent, and so is a name that shows nothing.
 */
const storedPlayer = z.object({
  score: z.number().refine(isScore).optional().catch(undefined),
  columns: z.record(z.string(), z.number()).optional().catch(undefined),
  achieved_at: z.instanceof(Timestamp).optional().catch(undefined),
  last_submission_at: z.instanceof(Timestamp).optional().catch(undefined),
  attempts: z.int().min(0).catch(0),
  status: z.enum(playerStatuses).catch("active"),
  display_name: z.string().refine(isVisible).optional().catch(undefined),
  metadata: z.record(z.string(), z.unknown()).optional().catch(undefined),
  submission_ids: z.array(z.string()).optional().catch(undefined),
});

/** Reads a player's document; fields of the wrong type count as absent. Never throws. */
export function readPlayer(data: Record<string, unknown> | undefined): Player | undefined {
  if (data === undefined) return undefined;
  const entries = Object.entries(storedPlayer.parse(data)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as Player;
}
