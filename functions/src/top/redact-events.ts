import { boardEvent, eventNaming, nameInEvents } from "../documents/event.ts";
import { eventsWith } from "../documents/queries.ts";
import type { World } from "../world/world.ts";

/** Events of one transaction: they fit a request even where each is as large as possible. */
const eventsPerRedaction = 10;

/**
 * Removes an erased player from all events of a board. Call it after the player was taken out of the tops: by then no run can
 * write a top, or its events, with this player.
 *
 * Cost: 1 read and 1 write for each event that names the player; at least 1 read.
 * @returns the number of events.
 */
export async function redactEvents({ db }: World, leaderboard: string, player: string): Promise<number> {
  const own = nameInEvents(player);
  for (let redacted = 0; ;) {
    const count = await db.runTransaction(async (transaction) => {
      const { docs } = await transaction.get(eventsWith(db, leaderboard, own, eventsPerRedaction));
      for (const document of docs)
        transaction.set(
          document.ref,
          eventNaming(boardEvent.parse(document.data()), (name) => name !== own),
        );
      return docs.length;
    });
    redacted += count;
    if (count < eventsPerRedaction) return redacted;
  }
}
