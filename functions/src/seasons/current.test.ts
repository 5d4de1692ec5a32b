import { expect, test } from "vitest";
import { currentSeasons, requestedSeason } from "./current.ts";

test("a board has one season, which is asked for by default, by its name and by its span", () => {
  const season = { leaderboard: "chess", season: "all_time" };
  expect(currentSeasons("chess")).toEqual([season]);
  expect(requestedSeason({ leaderboard: "chess" })).toEqual(season);
  expect(requestedSeason({ leaderboard: "chess", season: "all_time" })).toEqual(season);
  expect(requestedSeason({ leaderboard: "chess", span: "all_time" })).toEqual(season);
});

test("a season that is not there is refused, the season before the span", () => {
  const refusal = (request: object) => () => requestedSeason({ leaderboard: "chess", ...request });
  expect(refusal({ season: "2026" })).toThrow(expect.objectContaining({ code: "season_not_found" }));
  expect(refusal({ span: "weekly" })).toThrow(expect.objectContaining({ code: "season_not_found" }));
  expect(refusal({ season: "2026", span: "all_time" })).toThrow("2026");
});
