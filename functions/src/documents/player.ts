/** A player's document: the truth about one player in one season. */
import { z } from "zod";
import { isVisible } from "../model/display-name.ts";
import { playerStatuses } from "../model/player-status.ts";
import { isScore } from "../model/score.ts";
import { Timestamp } from "./firestore.ts";

const time = z.instanceof(Timestamp).optional().catch(undefined);

/**
 * A player's document as found, which may be a trusted server's own: every field that does not have the type
 * it should is as if it were absent, and so is a name that shows nothing. Times are the server's.
 */
const storedPlayer = z.object({
  /** What the board ranks; absent until the first submission counts. */
  score: z.number().refine(isScore).optional().catch(undefined),
  columns: z.record(z.string(), z.number()).optional().catch(undefined),
  /** When the present score was reached. */
  achieved_at: time,
  /** When the last submission that was counted came in. */
  last_submission_at: time,
  /** Submissions counted; one that changes nothing is counted only on boards that limit attempts or their frequency. */
  attempts: z.int().min(0).catch(0),
  status: z.enum(playerStatuses).catch("active"),
  display_name: z.string().refine(isVisible).optional().catch(undefined),
  metadata: z.record(z.string(), z.unknown()).optional().catch(undefined),
  submission_ids: z.array(z.string()).optional().catch(undefined),
});

type Present<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** A player's document, as Firerank writes it: what it does not say is absent, as Firestore stores no `undefined`. */
export type Player = Present<z.infer<typeof storedPlayer>>;

/** A JSON object that goes with a score. */
export type Metadata = NonNullable<Player["metadata"]>;

/** A player's document before and after a write, as an event tells; nothing where there was none. */
export interface PlayerChange {
  before: Record<string, unknown> | undefined;
  after: Record<string, unknown> | undefined;
}

/** Reads a player's document; fields of the wrong type count as absent. Never throws. */
export function readPlayer(data: Record<string, unknown> | undefined): Player | undefined {
  if (data === undefined) return undefined;
  const entries = Object.entries(storedPlayer.parse(data)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as Player;
}
