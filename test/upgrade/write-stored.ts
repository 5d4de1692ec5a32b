/**
 * Writes what this release stores, for the tests of the releases after it: boards in every state, played through the
 * functions' own code.
 *
 *   npm run emulators -- --ports tests --exec "node scripts/run.mjs test/upgrade/write-stored.ts test/upgrade/form-2.json"
 *
 * Run it on the last commit that writes a form, before the next form is begun. The file never changes after that.
 */
import { writeFileSync } from "node:fs";
import { type SeasonKey, seasonPath } from "../../functions/src/documents/paths.ts";
import { stepEnd } from "../../functions/src/closing/step.ts";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { closeSeasonSpec } from "../../functions/src/operations/close-season.ts";
import { openSeasonSpec } from "../../functions/src/operations/open-season.ts";
import { auditSeasonSpec } from "../../functions/src/operations/repair-season.ts";
import { runRankingSpec } from "../../functions/src/operations/run-ranking.ts";
import { saveLeaderboardSpec } from "../../functions/src/operations/save-leaderboard.ts";
import { setPlayerStatusSpec } from "../../functions/src/operations/set-player-status.ts";
import { submitScoreSpec } from "../../functions/src/operations/submit-score.ts";
import { admin, allTime, createBoard, createWorld, user } from "../support/world.ts";
import { dump } from "./stored.ts";

const [, , file] = process.argv;
if (file === undefined) throw new Error("Which file? For example test/upgrade/form-2.json");
const world = createWorld();
const minute = 60_000;

/** Players of the board `arena`: equal scores, names and metadata, and one who is banned. */
const players = Array.from({ length: 24 }, (_, i) => ({
  id: `player-${String(i).padStart(2, "0")}`,
  score: 10 * (i % 9),
}));

const banned = "player-03";

async function play(
  leaderboard: string,
  season: string | undefined,
  seasons: readonly SeasonKey[],
  plus = 0,
) {
  for (const { id, score } of players) {
    if (id === banned && plus > 0) continue;
    const named = {
      display_name: `Name of ${id}`,
      metadata: { country: "at" },
      submission_id: `${id}-${plus}`,
    };
    await world.call(submitScoreSpec, { leaderboard, season, score: score + plus, ...named }, user(id));
    for (const key of seasons) await world.deliver(key, id);
    world.advance(1_000);
  }
}

async function rank(key: SeasonKey) {
  world.advance(2 * minute);
  await world.call(runRankingSpec, { ...key, include_open_slot: true }, admin);
}

/** Runs the steps of a season's end as they come due. */
async function end(key: SeasonKey) {
  for (;;) {
    const due = (await world.db.doc(seasonPath(key)).get()).get("end_due_at") as Timestamp | null;
    if (due === null) return;
    world.advance(Math.max(0, due.toMillis() - world.services.now()));
    await stepEnd(world.services, { ...key, step: 0 });
  }
}

// A board with all that there is: open and closed seasons of spans, tournaments, a ban, pending changes.
await createBoard(world, "arena", {
  spans: ["all_time", "daily"],
  tiers: [{ name: "gold", top_percent: 10 }],
});
const cup = { leaderboard: "arena", season: "cup" };
const final = { leaderboard: "arena", season: "final" };
await world.call(openSeasonSpec, cup, admin);
await world.call(
  openSeasonSpec,
  { ...final, closes_at: new Date(world.services.now() + 365 * 86_400_000).toISOString() },
  admin,
);
const today = { leaderboard: "arena", season: "daily-2100-01-02" };
const arena = allTime("arena");
await play("arena", undefined, [arena, today]);
await play("arena", "cup", [cup]);
await play("arena", "final", [final]);
for (const key of [arena, today, cup, final]) await rank(key);
await world.call(setPlayerStatusSpec, { leaderboard: "arena", player: banned, status: "banned" }, admin);
for (const key of [arena, today, cup, final]) await world.deliver(key, banned);
await world.call(auditSeasonSpec, { ...arena, full: true }, admin);
await world.call(closeSeasonSpec, cup, admin);
await end(cup);
world.advance(24 * 60 * minute);
await end(today);
await rank(arena);
// The next day has begun, and not all of its scores are ranked yet.
await play("arena", undefined, [arena, { leaderboard: "arena", season: "daily-2100-01-03" }], 5);
// A change of the calendar: today's season runs on as it began.
await world.call(
  saveLeaderboardSpec,
  { leaderboard: "arena", definition: { spans: ["all_time", "daily"], time_zone: "Europe/Vienna" } },
  admin,
);

// Columns and sums.
await createBoard(world, "league", {
  aggregation: "latest",
  ties: "last",
  columns: [
    { name: "wins", min: 0, max: 99 },
    { name: "losses", min: 0, max: 99, order: "ascending" },
  ],
});
for (const [i, { id }] of players.slice(0, 5).entries()) {
  await world.call(submitScoreSpec, { leaderboard: "league", columns: { wins: i, losses: 2 } }, user(id));
  await world.deliver(allTime("league"), id);
}
await rank(allTime("league"));

// Ascending and counted.
await createBoard(world, "race", { order: "ascending", source: "count" });
for (const { id, score } of players.slice(0, 8))
  await world.call(submitScoreSpec, { leaderboard: "race", score }, user(id));
await rank(allTime("race"));

// A board that nobody has played.
await createBoard(world, "empty");

const documents = Object.entries(await dump(world.db));
const lines = documents.map(([path, data]) => `${JSON.stringify(path)}: ${JSON.stringify(data)}`);
const asOf = new Date(world.services.now()).toISOString();
writeFileSync(file, `{ "as_of": "${asOf}", "documents": {\n${lines.join(",\n")}\n}}\n`);
console.log(`${file}: ${documents.length} documents`);
process.exit(0);
