/** A board with a league that has members, on the emulators, as `firerank league-fill` makes it. */
import { fillLeague } from "../../../cli/league-fill.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerStatusPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { createServices } from "../../../functions/src/operations/shared/services.ts";
import { ownProcess } from "../../../functions/src/world/own-process.ts";
import { smallLeague } from "../league.ts";
import { live } from "./stage.ts";

const ignore = () => undefined;

/** Twelve members, four in each tier, who are ranked; and `ann`, with the best score, who has gone up last week. */
export async function filledLeague(): Promise<SeasonKey> {
  const league = { ...smallLeague, min_size: 2, joins_until_hours: 168 };
  const { leaderboard } = await live.board({ spans: ["weekly"], league });
  const services = createServices({
    ...ownProcess(live.db, true),
    log: { info: ignore, warn: ignore, error: ignore },
  });
  const outcome = { from: "bronze", to: "silver", place: 1, members: 5 };
  const standing = {
    tier: "silver",
    step: 1,
    until: Timestamp.now(),
    outcomes: { "weekly-2026-W01": outcome },
  };
  await live.db.doc(playerStatusPath(leaderboard, "ann")).set({ league: standing });
  await live.admin.call("submitScores", { leaderboard, submissions: [{ player: "ann", score: 5_000 }] });
  const stream = { isTTY: false, write: () => true };
  const { season } = await fillLeague(services, { leaderboard, players: 12, random: Math.random, stream });
  await live.admin.call("runRanking", { leaderboard, season, include_open_slot: true });
  return { leaderboard, season };
}
