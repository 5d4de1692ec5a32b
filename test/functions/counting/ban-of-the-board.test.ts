/**
 * A ban of the board holds for a document that names no status: a server's own write, or an import, in a season that the
 * player is new in; and a document that a server has replaced.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { PlayerStatus } from "../../../functions/src/model/player-status.ts";
import { closeNow, openEnding } from "../../support/closing.ts";
import { watchCommits } from "../../support/commits.ts";
import { expectConserved, expectRanked } from "../../support/oracle.ts";
import { expectRefusal } from "../../support/refusals.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const dayMs = 86_400_000;
let today: SeasonKey;

const setStatus = (player: string, status: PlayerStatus) =>
  world.call("setPlayerStatus", { leaderboard: "board", player, status }, admin);
const statusOf = async (key: SeasonKey, player: string) =>
  (await world.db.doc(playerPath(key, player)).get()).get("status") as unknown;
const listedIn = async (key: SeasonKey) =>
  (await world.call("getPage", { ...key, offset: 0 }, user("ann"))).entries.map(({ player }) => player);

/** A server writes a document, and the event of the write arrives. */
async function write(key: SeasonKey, player: string, data: Record<string, unknown>): Promise<void> {
  await world.follow(key, player, await world.writeDirectly(key, player, data));
}

async function importLines(key: SeasonKey, ...lines: string[]) {
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.csv");
  writeFileSync(file, ["player,score,status", ...lines, ""].join("\n"));
  const stream = { isTTY: false, write: () => true } as const;
  const { imported } = await importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { ...key, file, skipBad: false, dryRun: false, restart: false },
  );
  return imported;
}

/** Yesterday ann was banned and hal hidden; ben plays today. */
beforeEach(async () => {
  await createBoard(world, "board", { spans: ["daily"] });
  for (const player of ["ann", "hal", "ben"]) await world.submit(player, 5);
  await setStatus("ann", "banned");
  await setStatus("hal", "hidden");
  world.advance(dayMs - (world.services.now() % dayMs));
  const [season] = (await world.submit("ben", 20)).seasons;
  today = { leaderboard: "board", season: season?.season ?? "" };
});

/** Nobody ranks or lists those who were banned or hidden. */
async function expectBan(): Promise<void> {
  expect(await statusOf(today, "ann")).toBe("banned");
  expect(await statusOf(today, "hal")).toBe("hidden");
  await expectConserved(world, today);
  await world.publish(today);
  await expectRanked(world, today);
  expect(await listedIn(today)).toEqual(["ben"]);
  const ask = () => world.call("getRank", { ...today, player: "ann" }, user("ben"));
  await expectRefusal(world, "player_not_ranked", ask);
}

test("a server's first write of a player in a new season does not rank a banned player", async () => {
  await write(today, "ann", { score: 90 });
  await write(today, "hal", { score: 80, status: "" });
  await expectBan();
  // Later ones are updates of a document that names its status.
  const ref = world.db.doc(playerPath(today, "ann"));
  await ref.update({ score: 95 });
  await world.deliver(today, "ann");
  await expectBan();
});

test("nor does a write that replaces the player's document", async () => {
  for (const player of ["ann", "hal"]) await write(today, player, { score: 70 });
  for (const player of ["ann", "hal"]) await write(today, player, { score: 90 });
  await expectBan();
});

test("nor a repair, where no event came", async () => {
  for (const player of ["ann", "hal"]) await world.writeDirectly(today, player, { score: 90 });
  await world.call("repairSeason", today, admin);
  await expectBan();
});

test("nor an import", async () => {
  await world.writeDirectly(today, "hal", { score: 3 });
  expect(await importLines(today, "ann,90,", "hal,80,")).toMatchObject({ written: 2 });
  await expectBan();
  expect(await importLines(today, "ann,90,", "hal,80,")).toMatchObject({ written: 0, unchanged: 2 });
});

test("nor the season's end, where no event came", async () => {
  const cup = { leaderboard: "board", season: "cup" };
  await openEnding(world, cup);
  for (const player of ["ann", "hal", "ben"]) await world.writeDirectly(cup, player, { score: 90 });
  await closeNow(world, cup);
  expect(await listedIn(cup)).toEqual(["ben"]);
});

test("nor a submission that comes before the write's event", async () => {
  for (const player of ["ann", "hal"]) await world.writeDirectly(today, player, { score: 90 });
  // The commit completes the document, as the event does.
  await expect(world.submit("ann", 95)).rejects.toMatchObject({ code: "player_banned" });
  await world.submit("hal", 95);
  expect(await statusOf(today, "hal")).toBe("hidden");
  await world.deliver(today, "ann");
  await expectBan();
});

test("nor a call that comes before the write's event", async () => {
  for (const player of ["ann", "hal"]) await world.writeDirectly(today, player, { score: 90 });
  await world.publish(today);
  const ask = (request: object) => world.call("getRank", { ...today, ...request }, user("ben"));
  for (const player of ["ann", "hal"]) await expectRefusal(world, "player_not_ranked", () => ask({ player }));
  const profile = { leaderboard: "board", display_name: "Annie" };
  await expectRefusal(world, "player_banned", () => world.call("setProfile", profile, user("ann")));
  expect((await world.db.doc(playerPath(today, "ann")).get()).get("display_name")).toBeUndefined();
  const guest_token = world.accounts.addGuest("hal");
  const merge = () => world.call("mergeGuest", { leaderboard: "board", guest_token }, user("ben"));
  await expectRefusal(world, "player_banned", merge);
  const linked = await world.call("mergePlayers", { leaderboard: "board", from: "nobody", to: "ann" }, admin);
  expect(linked.seasons.map(({ status }) => status)).toEqual(["banned", "banned"]);
  // Whom the board does not keep out is shown before the event, as ever.
  await world.writeDirectly(today, "cyd", { score: 90 });
  expect(await ask({ player: "cyd" })).toMatchObject({ score: 90 });
});

test("that costs a call 1 read where a document names no status, and nothing for others", async () => {
  await world.writeDirectly(today, "ann", { score: 90 });
  await world.publish(today);
  const billOf = (players: string[]) =>
    world.bill(() => world.call("getPlayers", { ...today, players }, user("ben")));
  await billOf(["ben"]);
  expect(await billOf(["ben"])).toEqual({ reads: 1, writes: 0, deletes: 0 });
  expect(await billOf(["ben", "ann"])).toEqual({ reads: 3, writes: 0, deletes: 0 });
});

test("nor a submission to a document of a server that has no score", async () => {
  for (const player of ["ann", "hal"]) await write(today, player, { display_name: "New" });
  await expectRefusal(world, "player_banned", () => world.submit("ann", 95));
  await world.submit("hal", 95);
  await write(today, "ann", { score: 90 });
  await expectBan();
});

test("a server's document in one span does not hide the status that all_time has", async () => {
  await createBoard(world, "both", { spans: ["daily", "all_time"] });
  const submit = (player: string) =>
    world.call("submitScore", { leaderboard: "both", score: 9 }, user(player));
  await submit("ann");
  await world.call("setPlayerStatus", { leaderboard: "both", player: "ann", status: "hidden" }, admin);
  const day = { leaderboard: "both", season: today.season };
  await world.writeDirectly(day, "ann", { score: 90 });
  await submit("ann");
  expect(await statusOf(day, "ann")).toBe("hidden");
  await world.writeDirectly(allTime("both"), "ann", { score: 90 });
  await world.db.doc(playerPath(day, "ann")).delete();
  await submit("ann");
  for (const key of [day, allTime("both")]) expect(await statusOf(key, "ann")).toBe("hidden");
});

test("nor the season's end, where a server replaces the document of a player who is banned meanwhile", async () => {
  const cup = { leaderboard: "board", season: "cup" };
  await openEnding(world, cup);
  const achieved_at = Timestamp.fromMillis(world.services.now());
  for (const player of ["ben", "cyd"]) await write(cup, player, { score: 50, status: "active", achieved_at });
  let isBanned = false;
  watchCommits(world, async (writes, perform) => {
    if (!isBanned && writes.some(({ path }) => path.endsWith("standings/summary"))) {
      isBanned = true;
      await setStatus("cyd", "banned");
      // The event of the write comes when the season has closed.
      await world.writeDirectly(cup, "cyd", { score: 90, achieved_at });
    }
    return perform();
  });
  await closeNow(world, cup);
  expect(isBanned).toBe(true);
  expect(await listedIn(cup)).toEqual(["ben"]);
  // The player's own device sees no other document, and would show a rank.
  expect(await statusOf(cup, "cyd")).toBe("banned");
  // The line is kept for when the player comes back.
  await setStatus("cyd", "active");
  world.advance(61_000);
  expect(await listedIn(cup)).toEqual(["ben", "cyd"]);
});

describe("where a server has deleted the document in all_time that has the status", () => {
  const everywhere = allTime("all");
  const submit = (player: string) =>
    world.call("submitScore", { leaderboard: "all", score: 9 }, user(player));
  const remove = async (player: string) =>
    world.follow(everywhere, player, await world.writeDirectly(everywhere, player, undefined));
  const set = (player: string, status: PlayerStatus) =>
    world.call("setPlayerStatus", { leaderboard: "all", player, status }, admin);

  beforeEach(async () => {
    await createBoard(world, "all");
    await submit("ann");
    await set("ann", "banned");
  });

  test("the player stays banned", async () => {
    await remove("ann");
    await expectRefusal(world, "player_banned", () => submit("ann"));
    expect(await statusOf(everywhere, "ann")).toBe("banned");
    await remove("ann");
    await expectRefusal(world, "player_banned", () => submit("ann"));
    await set("ann", "active");
    await remove("ann");
    await submit("ann");
    expect(await statusOf(everywhere, "ann")).toBe("active");
  });

  test("also if the server had replaced the document first, and no event of that came", async () => {
    await world.writeDirectly(everywhere, "ann", { score: 90 });
    await remove("ann");
    await expectRefusal(world, "player_banned", () => submit("ann"));
  });

  test("an erased player gets no document, and neither does anybody on a board that is gone", async () => {
    const event = await world.writeDirectly(everywhere, "ann", { score: 90, status: "banned" });
    const deletion = { ...event, before: event.after, after: undefined };
    await world.call("removePlayer", { leaderboard: "all", player: "ann" }, admin);
    await world.follow(everywhere, "ann", deletion);
    expect(await statusOf(everywhere, "ann")).toBeUndefined();
    await submit("bob");
    await set("bob", "banned");
    await world.call("deleteLeaderboard", { leaderboard: "all" }, admin);
    await remove("bob");
    expect((await world.db.doc(playerPath(everywhere, "bob")).get()).exists).toBe(false);
  });

  test("that costs 3 reads and 1 write for a player who is not active, and nothing for others", async () => {
    await submit("bob");
    const billOf = async (player: string) => {
      const event = await world.writeDirectly(everywhere, player, undefined);
      return world.bill(() => world.follow(everywhere, player, event));
    };
    expect(await billOf("ann")).toEqual({ reads: 3, writes: 1, deletes: 0 });
    // As before: the document, the receipt and the repair's note; the receipt and the shard document.
    expect(await billOf("bob")).toMatchObject({ writes: 2, deletes: 0 });
  });
});

test("a server that names a status has its say, and a file lifts no ban of the board", async () => {
  const achieved_at = Timestamp.fromMillis(world.services.now());
  await write(today, "ann", { score: 90, status: "active", achieved_at });
  expect(await importLines(today, "hal,80,active")).toMatchObject({ written: 1 });
  await world.publish(today);
  expect(await listedIn(today)).toEqual(["ann", "ben"]);
  // Until the board says it again.
  await setStatus("ann", "banned");
  await expectBan();
});

test("who was readmitted is ranked by a server's first write", async () => {
  await setStatus("ann", "active");
  await write(today, "ann", { score: 90 });
  await world.publish(today);
  expect(await listedIn(today)).toEqual(["ann", "ben"]);
});

test("the status costs 1 read for a write that names none, and nothing for others", async () => {
  const free = { reads: 0, writes: 0, deletes: 0 };
  const achieved_at = Timestamp.fromMillis(world.services.now());
  const billOf = async (player: string, data: Record<string, unknown>) => {
    const event = await world.writeDirectly(today, player, { achieved_at, ...data });
    return world.bill(() => world.follow(today, player, event));
  };
  expect(await billOf("new", { score: 5 })).toEqual({ ...free, reads: 1 + 1, writes: 2 });
  expect(await billOf("other", { score: 5, status: "active" })).toEqual({ ...free, reads: 1, writes: 2 });
  expect(await billOf("none", { display_name: "Nobody" })).toEqual(free);
  await importLines(today, "x,1,", "y,2,");
  const known = await world.bill(() => importLines(today, "x,2,", "y,3,active"));
  // Whom the board bans has nothing to count.
  const banned = { ...known, reads: known.reads + 2, writes: known.writes - 1 };
  expect(await world.bill(() => importLines(today, "ann,1,", "hal,2,active"))).toEqual(banned);
});

/** Does something just before the first commit that writes or deletes the status that the board keeps for a player. */
function justBeforeKept(player: string, act: () => Promise<unknown>): void {
  let isOver = false;
  watchCommits(world, async (writes, perform) => {
    if (!isOver && writes.some(({ path }) => path.endsWith(`player_statuses/${player}`))) {
      isOver = true;
      await act();
    }
    return perform();
  });
}

describe("while an admin sets the status, a server", () => {
  test("replaces the document of a player who is being banned", async () => {
    await world.submit("cyd", 30);
    justBeforeKept("cyd", () => write(today, "cyd", { score: 90 }));
    await setStatus("cyd", "banned");
    expect(await statusOf(today, "cyd")).toBe("banned");
    await world.publish(today);
    expect(await listedIn(today)).toEqual(["ben"]);
  });

  test("replaces the document of a player who is being readmitted", async () => {
    await write(today, "ann", { score: 80 });
    justBeforeKept("ann", () => write(today, "ann", { score: 90 }));
    await setStatus("ann", "active");
    await world.publish(today);
    expect(await listedIn(today)).toEqual(["ann", "ben"]);
  });

  test.each(["open", "closing"])(
    "writes the player's first document in a season that is %s",
    async (status) => {
      const cup = { leaderboard: "board", season: "cup" };
      await openEnding(world, cup, { status: status as "open" });
      justBeforeKept("ben", () => write(cup, "ben", { score: 90 }));
      await setStatus("ben", "banned");
      expect(await statusOf(cup, "ben")).toBe("banned");
    },
  );
});
