/** Where documents lie. Rules, indexes and clients know these paths too, so none of them can change. */
import { expect, test } from "vitest";
import * as paths from "./paths.ts";

const key = { leaderboard: "chess", season: "2026-W47" };
const season = "leaderboards/chess/seasons/2026-W47";

test("each document has its place", () => {
  expect({
    leaderboard: paths.leaderboardPath("chess"),
    seasons: paths.seasonsPath("chess"),
    season: paths.seasonPath(key),
    players: paths.playersPath(key),
    player: paths.playerPath(key, "ann"),
    shards: paths.shardsPath(key),
    shard: paths.shardPath(key, 3, 60_000),
    pages: paths.pagesPath(key),
    page: paths.pagePath(key, 12),
    top: paths.topPath(key),
    receipts: paths.receiptsPath(key),
    receipt: paths.receiptPath(key, "written-1"),
    repairNote: paths.repairNotePath(key),
    closingNotes: paths.closingNotesPath(key),
    closingNote: paths.closingNotePath(key, "n1"),
    closingRanges: paths.closingRangesPath(key),
    closingRange: paths.closingRangePath(key, 2),
    run: paths.runPath(key, "run-1"),
    standings: paths.standingsCollection(key),
    summary: paths.standingsSummaryPath(key),
    standingsOfFirst: paths.standingsPath(key, 0),
    metadataOfFirst: paths.standingsMetadataPath(key, 0),
    status: paths.playerStatusPath("chess", "ann"),
    events: paths.eventsPath("chess"),
    event: paths.eventPath("chess", "e1"),
  }).toEqual({
    leaderboard: "leaderboards/chess",
    seasons: "leaderboards/chess/seasons",
    season,
    players: `${season}/players`,
    player: `${season}/players/ann`,
    shards: `${season}/scores`,
    shard: `${season}/scores/3-60000`,
    pages: `${season}/scores_ranking`,
    page: `${season}/scores_ranking/12`,
    top: `${season}/top/current`,
    receipts: `${season}/receipts`,
    receipt: `${season}/receipts/written-1`,
    repairNote: `${season}/repair/current`,
    closingNotes: `${season}/closing_notes`,
    closingNote: `${season}/closing_notes/n1`,
    closingRanges: `${season}/closing_ranges`,
    closingRange: `${season}/closing_ranges/2`,
    run: `${season}/runs/run-1`,
    standings: `${season}/standings`,
    summary: `${season}/standings/summary`,
    standingsOfFirst: `${season}/standings/0`,
    metadataOfFirst: `${season}/standings/0-metadata`,
    status: "leaderboards/chess/player_statuses/ann",
    events: "leaderboards/chess/events",
    event: "leaderboards/chess/events/e1",
  });
});

test("the path of anything below a season leads back to the season", () => {
  expect(paths.seasonOfPath(season)).toEqual(key);
  expect(paths.seasonOfPath(`${season}/players/ann`)).toEqual(key);
  for (const path of ["", "leaderboards", "leaderboards/chess", "leaderboards/chess/seasons"])
    expect(() => paths.seasonOfPath(path)).toThrow("the path of a season");
});
