/** A top that counts as refreshed just now for the next hour: changes wait for the end of a window. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type SeasonKey, topPath } from "../../functions/src/documents/paths.ts";
import { topRefreshSecondsDefault } from "../../functions/src/model/limits.ts";
import type { World } from "./world.ts";

export async function holdTop(
  { db, services }: Pick<World, "db" | "services">,
  key: SeasonKey,
): Promise<void> {
  await db.doc(topPath(key)).update({
    refresh_due_at: Timestamp.fromMillis(services.now() + 3_600_000),
    refresh_window_seconds: topRefreshSecondsDefault,
  });
}
