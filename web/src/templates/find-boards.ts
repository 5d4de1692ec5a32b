/** Boards of a template that are found by the beginning of their names. */
import type { Season } from "../../../functions/src/documents/season.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { type BoardOfTemplate, readBoardOfTemplate } from "../data/documents.ts";
import { boardWithPrefix, suggestionsMax } from "../data/queries.ts";
import { readStretch } from "../data/read.ts";

/** Boards of a template with names that begin with a text, in order, at most eight. Cost: 1 read each, at least 1. */
export async function findBoards(template: string, prefix: string): Promise<BoardOfTemplate[]> {
  const found: BoardOfTemplate[] = [];
  while (found.length < suggestionsMax) {
    const next = await readStretch(boardWithPrefix(template, prefix, found.at(-1)?.id));
    const [board] = next.found.map(readBoardOfTemplate);
    if (board === undefined) break;
    found.push(board);
  }
  return found;
}

/** The longest span of a template's boards: a season of it stands for its board. Pure. */
export function longestSpan({ spans }: Pick<Definition, "spans">): Season["span"] {
  const byLength = ["all_time", "monthly", "weekly", "daily"] as const;
  return byLength.find((span) => spans.includes(span)) ?? "custom";
}
