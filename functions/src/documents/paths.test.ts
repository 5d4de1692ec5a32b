/** Where documents lie. Rules, indexes and clients know these paths too, so none of them can change. */
import { expect, test } from "vitest";
import * as paths from "./paths.ts";

const key = { leaderboard: "chess", season: "2026-W47" };
const season = "leaderboards/chess/seasons/2026-W47";

test("each document has its place", () => {
  expect(
    [
      [paths.leaderboardPath("chess"), "leaderboards/chess"],
      [paths.seasonsPath("chess"), "leaderboards/chess/seasons"],
      [paths.seasonPath(key), season],
      [paths.playersPath(key), `${season}/players`],
      [paths.playerPath(key, "ann"), `${season}/players/ann`],
      [paths.shardsPath(key), `${season}/scores`],
      [paths.shardPath(key, 3, 60_000), `${season}/scores/3-60000`],
      [paths.pagesPath(key), `${season}/scores_ranking`],
      [paths.pagePath(key, 12), `${season}/scores_ranking/12`],
      [paths.topPath(key), `${season}/top/current`],
      [paths.receiptsPath(key), `${season}/receipts`],
      [paths.receiptPath(key, "written-1"), `${season}/receipts/written-1`],
      [paths.repairNotePath(key), `${season}/repair/current`],
      [paths.closingNotesPath(key), `${season}/closing_notes`],
      [paths.closingNotePath(key, "n1"), `${season}/closing_notes/n1`],
      [paths.closingRangesPath(key), `${season}/closing_ranges`],
      [paths.closingRangePath(key, 2), `${season}/closing_ranges/2`],
      [paths.runPath(key, "run-1"), `${season}/runs/run-1`],
      [paths.standingsCollection(key), `${season}/standings`],
      [paths.standingsSummaryPath(key), `${season}/standings/summary`],
      [paths.standingsPath(key, 0), `${season}/standings/0`],
      [paths.standingsMetadataPath(key, 0), `${season}/standings/0-metadata`],
      [paths.playerStatusPath("chess", "ann"), "leaderboards/chess/player_statuses/ann"],
      [paths.eventsPath("chess"), "leaderboards/chess/events"],
      [paths.eventPath("chess", "e1"), "leaderboards/chess/events/e1"],
    ].filter(([path, expected]) => path !== expected),
  ).toEqual([]);
});

test("the path of anything below a season leads back to the season", () => {
  expect(paths.seasonOfPath(season)).toEqual(key);
  expect(paths.seasonOfPath(`${season}/players/ann`)).toEqual(key);
  for (const path of ["", "leaderboards", "leaderboards/chess", "leaderboards/chess/seasons"])
    expect(() => paths.seasonOfPath(path)).toThrow("the path of a season");
});
