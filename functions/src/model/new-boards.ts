/** What a template says of its boards: which there are, and how many new ones a day. */
import { z } from "zod";
import { documentId } from "./ids.ts";
import { newBoardsPerDayDefault } from "./limits.ts";

/**
 * A definition with a template is that of many boards, and of none with its own id: `level` is that of every
 * `level:{name}`.
 */
export const template = z.strictObject({
  /** Which names there are: any, or those of the documents in a collection of the game's own. */
  ids: z.union(
    [z.literal("any"), z.strictObject({ collection: documentId })],
    'must be "any", or a collection whose documents name the boards, as in {"collection":"levels"}',
  ),
  /** How many boards may be opened in a day of UTC; see {@link newBoardsMax}. */
  new_boards_per_day: z.int().min(1, "must be at least 1").optional(),
});

/**
 * How many boards of a template may be opened in a day; Infinity where nobody said, and only the game's server opens
 * them or its own documents say which there are.
 */
export function newBoardsMax({
  template: own,
  submit,
}: {
  template?: z.infer<typeof template> | undefined;
  submit: "client" | "server";
}): number {
  const isAnybodys = own?.ids === "any" && submit === "client";
  return own?.new_boards_per_day ?? (isAnybodys ? newBoardsPerDayDefault : Infinity);
}
