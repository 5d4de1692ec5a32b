/** Who may read a board. */
import type { Definition } from "../model/leaderboard.ts";
import { type Caller, requireCaller } from "./define-callable.ts";

/** Everybody on a `public` board, signed-in users on the others. @throws `unauthenticated` */
export function requireVisible({ visibility }: Definition, caller: Caller | undefined): void {
  if (visibility !== "public") requireCaller(caller);
}
