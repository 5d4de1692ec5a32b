/** The top document: the best X players of a season, ready to be read or listened to. Pure, but for its types. */
import { z } from "zod";
import { unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { documentSize, fieldsSize, valueSize } from "../model/document-size.ts";
import { topBytesMax } from "../model/limits.ts";
import { Timestamp } from "./firestore.ts";
import { type Player, readPlayer } from "./player.ts";

const storedTop = z.object({
  generation: z.int().min(0),
  /** When the players were read; ranks and positions are true of that moment. */
  as_of: z.instanceof(Timestamp),
  /** Players in the published ranking. */
  players: z.number(),
  /** The gate: what a score must beat to enter; null while there is room for any. */
  lowest_score: z.number().nullable(),
  /** When the last one listed reached it: among equal scores, this decides who enters. */
  lowest_at: z.instanceof(Timestamp).nullable(),
  entries: z.array(
    z.object({
      player: z.string(),
      rank: z.int(),
      position: z.int(),
      score: z.number(),
      columns: z.record(z.string(), z.number()).optional(),
      display_name: z.string().optional(),
      metadata: z.record(z.string(), z.unknown()).optional(),
      achieved_at: z.instanceof(Timestamp),
    }),
  ),
});

/** `top/current`. */
export type Top = z.infer<typeof storedTop>;

const topHeader = storedTop
  .pick({ generation: true, players: true, lowest_score: true, lowest_at: true })
  .extend({
    /** How often it is refreshed (top/pace.ts): when the last refresh was due, and the window after it. */
    refresh_due_at: z.instanceof(Timestamp).optional().catch(undefined),
    refresh_window_seconds: z.number().positive().optional().catch(undefined),
  });

/** What a top says beside its entries. */
export type TopHeader = z.infer<typeof topHeader>;

/** A player's document with its id, in the total order of a list. */
export interface ListedPlayer {
  id: string;
  data: Record<string, unknown>;
}

/** Reads a top document. @throws if it is none. */
export function readTop(data: Record<string, unknown> | undefined): Top {
  return storedTop.parse(data);
}

/** Reads the header of a top document, or finds that it is none. */
export function readTopHeader(data: Record<string, unknown> | undefined): TopHeader | undefined {
  return topHeader.safeParse(data).data;
}

/**
 * The top document of players in the total order, best first.
 *
 * Ranks are counted within the list, which begins with the best player and so is exact at the moment when it
 * was read. Metadata is left out from where the document would pass 900 KB.
 */
export function buildTop(
  path: string,
  definition: Definition,
  listed: readonly ListedPlayer[],
  generation: Pick<Top, "generation" | "as_of" | "players">,
): Top {
  const ranked = listed.flatMap(({ id, data }) => {
    const player = readPlayer(data);
    return player?.score === undefined ? [] : [{ id, player, score: player.score }];
  });
  let rank = 1;
  const entries = ranked.map(({ id, player, score }, index) => {
    if (index > 0 && score !== ranked[index - 1]?.score) rank = index + 1;
    return entryOf(definition, id, { ...player, score }, rank, index + 1, generation.as_of);
  });
  const last = entries.length < definition.top_size ? undefined : entries.at(-1);
  const gate = { lowest_score: last?.score ?? null, lowest_at: last?.achieved_at ?? null };
  return trimmed(path, { ...generation, ...gate, entries });
}

function entryOf(
  { order, columns: columnList }: Definition,
  id: string,
  player: Player & { score: number },
  rank: number,
  position: number,
  asOf: Timestamp,
): Top["entries"][number] {
  const columns = columnList === undefined ? undefined : unpackColumns(order, columnList, player.score);
  return {
    player: id,
    rank,
    position,
    score: player.score,
    ...(columns === undefined ? {} : { columns }),
    ...(player.display_name === undefined ? {} : { display_name: player.display_name }),
    ...(player.metadata === undefined ? {} : { metadata: player.metadata }),
    achieved_at: player.achieved_at ?? asOf,
  };
}

function trimmed(path: string, top: Top): Top {
  let excess = documentSize(path, top) - topBytesMax;
  if (excess <= 0) return top;
  const entries = top.entries.toReversed().map((entry) => {
    if (excess <= 0 || entry.metadata === undefined) return entry;
    excess -= fieldsSize({ metadata: entry.metadata });
    const { metadata: _, ...rest } = entry;
    return rest;
  });
  return withoutExcess({ ...top, entries: entries.toReversed() }, excess);
}

/** A last resort for a trusted server's very long names: the top ends where the document is full. */
function withoutExcess(top: Top, excess: number): Top {
  const entries = [...top.entries];
  for (let left = excess; left > 0;) {
    const last = entries.pop();
    if (last === undefined) break;
    left -= valueSize(last);
  }
  return { ...top, entries };
}
