/** What a top shows of the players who were read for it. Pure. */
import type { Timestamp } from "../documents/firestore.ts";
import { type Player, readPlayer } from "../documents/player.ts";
import type { ListedPlayer, Top } from "../documents/top.ts";
import { unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { documentSize, fieldsSize, valueSize } from "../model/document-size.ts";
import { topBytesMax } from "../model/limits.ts";

/**
 * The top document of players in the total order, best first.
 *
 * Ranks are counted within the list. It begins with the best player, so they are exact at the moment when it was read.
 * Metadata is left out from the entry on where the document would exceed 900 KB.
 */
export function buildTop(
  path: string,
  definition: Definition,
  listed: readonly ListedPlayer[],
  generation: Pick<Top, "generation" | "as_of" | "players">,
): Top {
  const ranked = listed.flatMap(({ id, data }) => {
    const player = readPlayer(data);
    return player.score === undefined ? [] : [{ id, player, score: player.score }];
  });
  let rank = 1;
  const entries = ranked.map(({ id, player, score }, index) => {
    if (score !== ranked[index - 1]?.score) rank = index + 1;
    return entryOf(definition, id, { ...player, score }, { rank, position: index + 1 }, generation.as_of);
  });
  const last = entries.length < definition.top_size ? undefined : entries.at(-1);
  const gate = { lowest_score: last?.score ?? null, lowest_at: last?.achieved_at ?? null };
  return trimmed(path, { ...generation, ...gate, entries });
}

function entryOf(
  { order, columns: columnList }: Definition,
  id: string,
  player: Player & { score: number },
  place: { rank: number; position: number },
  asOf: Timestamp,
): Top["entries"][number] {
  const columns = columnList === undefined ? undefined : unpackColumns(order, columnList, player.score);
  return {
    player: id,
    ...place,
    score: player.score,
    ...(columns === undefined ? {} : { columns }),
    ...(player.display_name === undefined ? {} : { display_name: player.display_name }),
    ...(player.metadata === undefined ? {} : { metadata: player.metadata }),
    achieved_at: player.achieved_at ?? asOf,
  };
}

function trimmed(path: string, top: Top): Top {
  let excess = documentSize(path, top) - topBytesMax;
  const entries = top.entries.toReversed().map((entry) => {
    if (excess <= 0) return entry;
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
    // Stryker disable next-line ConditionalExpression: the excess is used up before the entries are
    if (last === undefined) break;
    left -= valueSize(last);
  }
  return { ...top, entries };
}
