/** What teams cost: the promises of docs/teams.md, counted on boards that are played alike. */
import { expect, test } from "vitest";
import type { Bill } from "../../../functions/src/documents/ranking-record.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { admin, allTime, callOn, createBoard, createWorld, user } from "../../support/world.ts";

const key = allTime("board");
type Way = "sum" | "mean" | undefined;

/** What a score, a publication, an audit and a call cost on a board with two segments. */
async function billsOf(...ways: [Way, Way]): Promise<Record<"score" | "run" | "audit" | "teams", Bill>> {
  const world = createWorld();
  const segments = ways.map((by, i) => {
    return { name: `s${i}`, from: "server" as const, ...(by && { teams: { by } }) };
  });
  await createBoard(world, "board", { segments });
  const play = (score: number) => {
    const submissions = [{ player: "ann", score, segments: { s0: "red", s1: "blue" } }];
    return world.call("submitScores", { leaderboard: "board", submissions }, admin);
  };
  const run = () => {
    world.advance(20_000);
    return publishRanking(world.services, key);
  };
  await play(1);
  await run();
  const score = await world.bill(() => play(2));
  const published = await world.bill(run);
  const audited = () => world.call("auditSeason", { leaderboard: "board", full: false }, admin);
  const ask = () =>
    callOn(world.services, "getTeams", { leaderboard: "board", segment: "s0" }, user("ann")).catch(() => []);
  return {
    score,
    run: published,
    audit: await world.bill(audited),
    teams: await world.bill(() => Promise.all([ask(), ask(), ask()])),
  };
}

test("a publication writes one document more for each segment with teams, and reads nothing more", async () => {
  const without = await billsOf(undefined, undefined);
  for (const [ways, more] of [
    [["sum", undefined], 1],
    [["sum", "mean"], 2],
  ] as const) {
    const { score, run, audit, teams } = await billsOf(ways[0], ways[1]);
    expect(score).toEqual(without.score);
    expect(run).toEqual({ ...without.run, writes: without.run.writes + more });
    // An audit reads each document.
    expect(audit).toEqual({ ...without.audit, reads: without.audit.reads + more });
    // All who ask at a time share a read.
    expect(teams).toEqual({ reads: 1, writes: 0, deletes: 0 });
  }
});
