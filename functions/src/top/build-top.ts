/** What a top shows of the players who were read for it. Pure. */
import { readPlayer } from "../documents/player.ts";
import type { ListedPlayer, Top } from "../documents/top.ts";
import { toStep } from "../model/arithmetic.ts";
import { unpackColumns } from "../model/columns.ts";
import { defined } from "../model/defined.ts";
import type { Definition } from "../model/definition.ts";
import { depthOf, documentSize, fieldsSize, valueSize } from "../model/document-size.ts";
import { topBytesMax, topMetadataDepthMax } from "../model/limits.ts";

/**
 * The top document of players in the total order, best first.
 *
 * Ranks are counted within the list. It begins with the best player, so they are exact at the moment when it was read.
 * Metadata is left out from the entry on where the document would exceed 900 KB, and metadata that is too deep for a top:
 * otherwise one player's document would stop all publications of the board.
 */
export function buildTop(
  path: string,
  { order, ties, columns: columnList, decimals, top_size: size }: Definition,
  listed: readonly ListedPlayer[],
  generation: Pick<Top, "generation" | "as_of" | "players" | "whole_at">,
): Top {
  const entries: Top["entries"] = [];
  for (const { id, data } of listed) {
    const { score: written, display_name, metadata: own, achieved_at = generation.as_of } = readPlayer(data);
    if (written === undefined) continue;
    const metadata = depthOf(own) > topMetadataDepthMax ? undefined : own;
    const score = toStep({ decimals }, written);
    const position = entries.length + 1;
    const before = entries.at(-1);
    const rank = before?.score === score ? before.rank : position;
    const columns = unpackColumns(order, columnList, score);
    entries.push(
      defined({ player: id, rank, position, score, columns, display_name, metadata, achieved_at }),
    );
  }
  const last = entries.length < size ? undefined : entries.at(-1);
  const gate = { lowest_score: last?.score ?? null, lowest_at: last?.achieved_at ?? null };
  return trimmed(path, { whole_at: generation.as_of, ...generation, ties, ...gate, entries });
}

function trimmed(path: string, top: Top): Top {
  let excess = documentSize(path, top) - topBytesMax;
  const bare = top.entries.toReversed().map((entry) => {
    if (excess <= 0) return entry;
    const { metadata, ...rest } = entry;
    excess -= fieldsSize({ metadata });
    return rest;
  });
  const entries = bare.toReversed();
  // A last resort for a trusted server's very long names: the top ends where the document is full.
  while (excess > 0) excess -= valueSize(entries.pop());
  return { ...top, entries };
}
