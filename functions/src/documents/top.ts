/**
 * The top document: the best X players of a season, ready to be read or listened to. Runs, rebuilds, refreshes and the
 * closing write it (top/document.ts). `getTop` reads it, apps listen to it, and runs compare with it. It is deleted with
 * the season. Pure, except for its types.
 */
import { z } from "zod";
import { Timestamp } from "./firestore.ts";

/** A line of the top. */
export const topEntry = z.object({
  player: z.string(),
  rank: z.int(),
  position: z.int(),
  score: z.number(),
  columns: z.record(z.string(), z.number()).optional(),
  display_name: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  achieved_at: z.instanceof(Timestamp),
});

export const storedTop = z.object({
  generation: z.int().min(0),
  /** When the players were read: ranks and positions are true at this moment. */
  as_of: z.instanceof(Timestamp),
  players: z.number(),
  /** When all of its players were read at once; since then what has changed. By default `as_of`. */
  whole_at: z.instanceof(Timestamp).optional(),
  /** Who leads of equals; the board may have been saved otherwise since. */
  ties: z.enum(["first", "last"]).optional(),
  /** Whether this is the top of a closed season: it comes from the standings, and runs leave it alone. */
  final: z.literal(true).optional(),
  /** The gate: the score that a new score must beat to enter; null while there is room. */
  lowest_score: z.number().nullable(),
  /** When the last listed player reached `lowest_score`: among equal scores, this decides who enters. */
  lowest_at: z.instanceof(Timestamp).nullable(),
  entries: z.array(topEntry),
});

/** `top/current`. */
export type Top = z.infer<typeof storedTop>;

const topHeader = storedTop
  .pick({
    generation: true,
    as_of: true,
    players: true,
    whole_at: true,
    ties: true,
    final: true,
    lowest_score: true,
    lowest_at: true,
  })
  .extend({
    /** The pace of refreshes (top/pace.ts): when the last refresh was due, and the window after it. */
    refresh_due_at: z.instanceof(Timestamp).optional().catch(undefined),
    refresh_window_seconds: z.number().positive().optional().catch(undefined),
  });

export type TopHeader = z.infer<typeof topHeader>;

/** A player's document with its id, in the total order of a list. */
export interface ListedPlayer {
  id: string;
  data: Record<string, unknown>;
}

export function readTop(data: Record<string, unknown> | undefined): Top {
  return storedTop.parse(data);
}

/** Reads the header of a top document; undefined if the document is no top. */
export function readTopHeader(data: Record<string, unknown> | undefined): TopHeader | undefined {
  return topHeader.safeParse(data).data;
}

/** The lines of a player in a top. The document may be damaged otherwise. */
export function linesInTop(data: Record<string, unknown> | undefined, player: string): object[] {
  const entries: unknown = data?.["entries"];
  const isOwn = (entry: unknown): entry is object =>
    typeof entry === "object" && entry !== null && "player" in entry && entry.player === player;
  return Array.isArray(entries) ? entries.filter(isOwn) : [];
}

/** The entries of a top document; undefined if the document is no top. */
export function readTopEntries(data: Record<string, unknown> | undefined): Top["entries"] | undefined {
  return storedTop.shape.entries.safeParse(data?.["entries"]).data;
}

/** The document that a new top replaces, as it was then. */
export interface FoundDocument {
  /** Undefined before the first publication. */
  updateTime: Timestamp | undefined;
  /** Undefined where there is no document, or an invalid one. */
  header: TopHeader | undefined;
  /** The players listed, where they are compared with the next ones; else undefined, as the header. */
  entries: Top["entries"] | undefined;
}
