/** Publishing a ranking now. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { call } from "../data/calls.ts";
import { asError } from "../errors.ts";
import { formatCount } from "../format/numbers.ts";
import { tell } from "../parts/messages.tsx";

/** Runs the ranking, and shows the result. Cost: that of a ranking run. */
export async function rank(key: SeasonKey): Promise<void> {
  try {
    const { outcome, generation, players } = await call("runRanking", { ...key, include_open_slot: true });
    const what =
      outcome === "published"
        ? `Generation ${formatCount(generation ?? 0)} is published: ${formatCount(players)} players.`
        : "Nothing has changed since the last publication.";
    tell("good", what);
  } catch (error) {
    tell("bad", asError(error).message);
  }
}
