/** Players whose documents name more segments than are counted: the board's own have a place first, whoever writes them. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "board";
const definition = { segments: [{ name: "zone", from: "server" as const }] };
/** Five of them, and the board's is the last by name. */
const segments = { a: "1", b: "1", c: "1", d: "1", zone: "north" };

async function inZone(key: SeasonKey) {
  const page = await world.call("getPage", { ...key, segment: { zone: "north" } }, admin);
  return page.entries.map(({ player, rank }) => `${rank} ${player}`);
}

async function expectAudited(key: SeasonKey): Promise<void> {
  const audit = await world.call("auditSeason", { ...key, full: true }, admin);
  expect(audit).toMatchObject({
    repair: "none",
    found: { pages: [], convergence: { players: 0 } },
  });
}

const set = (status: "active" | "banned") =>
  world.call("setPlayerStatus", { leaderboard, player: "ann", status }, admin);

test("an import ranks them in the board's segment, and again after a ban", async () => {
  await createBoard(world, leaderboard, definition);
  const key = allTime(leaderboard);
  await world.db.doc(playerPath(key, "ann")).set({ segments });
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "all.ndjson");
  writeFileSync(file, '{"player":"ann","score":9}\n{"player":"bob","score":8,"segments":{"zone":"north"}}\n');
  const services = world.services;
  const project = world.projectId;
  await importFile(
    { services, project, database: "(default)", ramp: noRamp, stream: { isTTY: false, write: () => true } },
    { leaderboard, file, skipBad: false, dryRun: false, restart: false },
  );
  await world.publish(key);
  expect(await inZone(key)).toEqual(["1 ann", "2 bob"]);
  await set("banned");
  await world.publish(key);
  world.advance(120_000);
  expect(await inZone(key)).toEqual(["1 bob"]);
  await set("active");
  await world.publish(key);
  world.advance(120_000);
  expect(await inZone(key)).toEqual(["1 ann", "2 bob"]);
  await expectAudited(key);
});

test.each(["closing", "closed"] as const)(
  "who is banned and readmitted in a season that is %s is in the same segment",
  async (at) => {
    const players = {
      ann: playerFields(9, 0, { segments }),
      bob: playerFields(8, 1, { segments: { zone: "north" } }),
    };
    const key = await createEnding(world, leaderboard, players, { definition });
    await endSeason(world, key, at === "closing" ? { until: ({ status }) => status === "closing" } : {});
    await set("banned");
    world.advance(600_000);
    if (at === "closing") await endSeason(world, key);
    expect(await inZone(key)).toEqual(["1 bob"]);
    await set("active");
    await endSeason(world, key);
    world.advance(120_000);
    expect(await inZone(key)).toEqual(["1 ann", "2 bob"]);
    await expectAudited(key);
  },
);
