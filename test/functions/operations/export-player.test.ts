/** What is stored about a player is exported: exactly what erasing the player takes away, board by board. */
import { describe, expect, test } from "vitest";
import {
  closingNotesPath,
  eventsPath,
  leaderboardPath,
  leaderboardsPath,
  playerPath,
  playerStatusPath,
  type SeasonKey,
  seasonPath,
  standingsPath,
} from "../../../functions/src/documents/paths.ts";
import { tombstone } from "../../../functions/src/jobs/closing/clear.ts";
import type { ExportPlayerAnswer } from "../../../functions/src/model/admin-answers.ts";
import { exportBytesMax } from "../../../functions/src/operations/export-player.ts";
import { isNamedIn } from "../../../simulate/checks/erased.ts";
import { createEnding, endSeason, openEnding, playerFields, writePlayers } from "../../support/closing.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { callOn, admin, allTime, createBoard, user, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const submit = async (player: string, key: SeasonKey, score: number, more: object = {}) => {
  const { leaderboard, season } = key;
  const named = season === "cup" ? { season } : {};
  await world.call("submitScore", { leaderboard, ...named, score, ...more }, user(player));
  await world.deliver(key, player);
};
const ask = (player: string, leaderboard = "arena") =>
  world.call("exportPlayer", { leaderboard, player }, admin);
const remove = (player: string) => world.call("removePlayer", { player }, admin);

/** The answers about all boards of {@link begin}. */
const askAll = (player: string) => Promise.all(["arena", "solo", "empty"].map((board) => ask(player, board)));

const pathsOf = (answers: ExportPlayerAnswer[]) =>
  answers
    .flatMap(({ status, seasons, events }) => [
      ...(status === undefined ? [] : [status.document]),
      ...seasons.flatMap(({ documents }) => documents),
      ...events.map(({ document }) => document),
    ])
    .toSorted();

/** Everything that is stored, by path. */
async function stored(collection = leaderboardsPath): Promise<Map<string, Record<string, unknown>>> {
  const all = new Map<string, Record<string, unknown>>();
  for (const ref of await world.db.collection(collection).listDocuments()) {
    const data = (await ref.get()).data();
    if (data !== undefined) all.set(ref.path, data);
    for (const { path } of await ref.listCollections())
      for (const [inner, fields] of await stored(path)) all.set(inner, fields);
  }
  return all;
}

/** Documents of metadata are in the order of the standings beside them, and name nobody. */
const namingPathsOf = (answers: ExportPlayerAnswer[]) =>
  pathsOf(answers).filter((path) => !path.endsWith("-metadata"));
const naming = (all: ReadonlyMap<string, Record<string, unknown>>, player: string) =>
  [...all].flatMap(([path, data]) => (isNamedIn(path, data, player) ? [path] : [])).toSorted();

const cup = { leaderboard: "arena", season: "cup" };
const winter = { leaderboard: "arena", season: "winter" };

/** Two boards with open, closing, closed and deleted seasons, a board with one player, events and statuses. */
async function begin(): Promise<void> {
  const metadata = { hero: "elf" };
  await createEnding(
    world,
    "arena",
    {
      ann: playerFields(20, 0, { display_name: "Ann", metadata }),
      eve: playerFields(20, 1, { display_name: "Eve", metadata: { hero: "imp" } }),
      bob: playerFields(10, 2),
      hid: playerFields(99, 3, { status: "hidden" }),
    },
    { season: "winter", definition: { spans: ["all_time", "daily"], top_size: 2 } },
  );
  await endSeason(world, winter);
  await world.call("openSeason", cup, admin);
  for (const [player, score] of Object.entries({ ann: 5, eve: 9, bob: 7 })) {
    await submit(player, allTime("arena"), score, { submission_id: `of-${player}`, metadata });
    await submit(player, cup, score, { display_name: player });
  }
  for (const season of ["all_time", "cup"]) await world.publish({ leaderboard: "arena", season });
  await createBoard(world, "solo");
  await submit("eve", allTime("solo"), 3);
  const ban = { player: "eve", status: "banned", reason: "a bot" } as const;
  await world.call("setPlayerStatus", { leaderboard: "solo", ...ban }, admin);
  await createBoard(world, "empty");
}

describe("an export", () => {
  test.each([
    ["a season is being deleted", () => world.db.doc(seasonPath(winter)).update({ status: "deleting" })],
    ["a board is being deleted", () => world.call("deleteLeaderboard", { leaderboard: "arena" }, admin)],
    [
      "the deletion of a board was cut off",
      async () => {
        await world.db.doc(leaderboardPath("arena")).delete();
        await world.db.doc(seasonPath(allTime("arena"))).set(tombstone(world.services.now(), 1_000));
      },
    ],
  ])("finds everything after %s, and erasing takes it away", async (_what, meddle) => {
    await begin();
    const before = await askAll("eve");
    await meddle();
    for (const board of ["arena", "solo"]) boardCacheOf(world.services).forget(board);
    const found = await askAll("eve");
    expect(pathsOf(found)).toEqual(pathsOf(before));
    expect(namingPathsOf(found)).toEqual(naming(await stored(), "eve"));
    expect(pathsOf(await askAll("who"))).toEqual([]);
    const { removed } = await remove("eve");
    const seasonsFound = found.flatMap(({ leaderboard, seasons }) =>
      seasons.map(({ season }) => `${leaderboard}/${season}`),
    );
    expect(removed.map(({ leaderboard, season }) => `${leaderboard}/${season}`).toSorted()).toEqual(
      seasonsFound.toSorted(),
    );
    expect(naming(await stored(), "eve")).toEqual([]);
    expect((await remove("eve")).removed).toEqual([]);
    await expectRefusal(world, "leaderboard_not_found", () =>
      world.call("removePlayer", { player: "eve", leaderboard: "nowhere" }, admin),
    );
  });

  test("has the fields of documents, of the top and of the standings, and nobody else", async () => {
    await begin();
    const exported = await ask("eve");
    const metadata = { hero: "elf" };
    const standing = {
      rank: 1,
      position: 2,
      players: 3,
      score: 20,
      display_name: "Eve",
      metadata: { hero: "imp" },
    };
    expect(exported.seasons).toMatchObject([
      {
        season: "all_time",
        player: { score: 9, submission_ids: ["of-eve"], metadata },
        top: { rank: 1, metadata },
      },
      { season: "cup", span: "custom", player: { display_name: "eve" }, top: { rank: 1 } },
      { season: "daily-2100-01-02", span: "daily", closes_at: "2100-01-03T00:00:00.000Z" },
      { season: "winter", status: "closed", documents: { length: 4 }, standing },
    ]);
    const leader = expect.objectContaining({ player: "eve" }) as object;
    const leads = expect.objectContaining({ kind: "lead_changed", leader }) as object;
    expect(exported.events.map(({ event }) => event)).toContainEqual(leads);
    const text = JSON.stringify(exported);
    for (const other of ["ann", "bob", "Ann", "hid"]) expect(text).not.toContain(`"${other}"`);
    expect((await ask("hid")).seasons).toMatchObject([
      { season: "winter", player: { status: "hidden", score: 99 } },
    ]);
    expect(await ask("eve", "solo")).toMatchObject({
      leaderboard: "solo",
      status: { document: playerStatusPath("solo", "eve"), status: "banned", reason: "a bot" },
      seasons: [{ season: "all_time", player: { status: "banned" } }],
    });
  });

  test("has what an erasure has left for its board, and names no other board", async () => {
    await begin();
    const erasure = async (board: string) => (await ask("eve", board)).erasure?.erasure;
    await world.call("removePlayer", { player: "eve", leaderboard: "solo" }, admin);
    expect(await erasure("solo")).toEqual({ boards_until: { solo: expect.any(String) as string } });
    expect(await erasure("arena")).toBeUndefined();
    await remove("eve");
    expect(await erasure("arena")).toEqual({ all_until: expect.any(String) as string });
  });

  test("has whatever a trusted server wrote, also before the season is opened and where a document was deleted", async () => {
    await createBoard(world, "arena", { spans: ["daily", "weekly"] });
    const key = { leaderboard: "arena", season: "daily-2100-01-02" };
    await world.db.doc(playerPath(key, "eve")).set({ score: NaN, friend: world.db.doc("users/bob") });
    const coming = { leaderboard: "arena", season: "coming" };
    await world.db.doc(playerPath(coming, "eve")).set({ score: 1 });
    const unknown = { span: "unknown", status: "unknown", opens_at: null };
    const found = { season: "daily-2100-01-02", status: "open", opens_at: "2100-01-02T00:00:00.000Z" };
    expect(await ask("eve")).toMatchObject({
      seasons: [
        { season: "coming", ...unknown, player: { score: 1 } },
        { ...found, player: { score: "NaN", friend: "users/bob" } },
      ],
    });
    expect((await remove("eve")).removed).toMatchObject([{ season: key.season }, coming]);
    expect(await ask("eve")).toMatchObject({ seasons: [] });
    await openEnding(world, cup);
    await writePlayers(world, cup, { ann: playerFields(3, 0) });
    await endSeason(world, cup);
    await world.db.doc(playerPath(cup, "ann")).delete();
    const { seasons } = await ask("ann");
    expect(seasons).toMatchObject([{ season: "cup", standing: { rank: 1, score: 3 } }]);
    expect(seasons[0]?.player).toBeUndefined();
  });
});

test.each([
  ["standings are damaged", standingsPath(winter, 0), { scores: "many" }],
  ["season is of a newer release", seasonPath(cup), { schema_version: 99 }],
  ["season is damaged", seasonPath(cup), { interval_ms: "long" }],
  ["definition is damaged", leaderboardPath("arena"), { order: "sideways" }],
  ["definition was deleted by hand", leaderboardPath("arena"), undefined],
])(
  "an erasure from all boards fails if a board's %s, after it has erased the player elsewhere",
  async (_what, path, damage) => {
    await begin();
    const document = world.db.doc(path);
    await (damage === undefined ? document.delete() : document.update(damage));
    boardCacheOf(world.services).forget("arena");
    await expect(remove("eve")).rejects.toThrow();
    const left = naming(await stored(), "eve");
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((one) => !one.startsWith(leaderboardPath("arena")))).toEqual([]);
  },
);

describe("an answer", () => {
  test("of more than a callable's may have is refused, with the command that writes it", async () => {
    await createBoard(world, "arena", { spans: [] });
    const text = "x".repeat(900_000);
    const write = async (season: string) => {
      await openEnding(world, { leaderboard: "arena", season });
      await writePlayers(world, { leaderboard: "arena", season }, { eve: { text } });
    };
    const seasons = Array.from({ length: Math.floor(exportBytesMax / text.length) }, (_, i) => `cup-${i}`);
    for (const season of seasons) await write(season);
    expect((await ask("eve")).seasons.map(({ season }) => season)).toEqual(seasons);
    await write("cup-x");
    const refused = await ask("eve").catch((error: unknown) => error);
    const message = expect.stringContaining("firerank export-player eve --board arena") as string;
    expect(refused).toMatchObject({
      code: "invalid_request",
      details: { fields: [{ path: "player", message }] },
    });
  });

  test("has the note of a season that is closing, also after an erasure, until the table is final", async () => {
    const players = { ann: playerFields(20, 0), eve: playerFields(10, 1) };
    const key = await createEnding(world, "arena", players);
    await endSeason(world, key, { until: ({ status }) => status === "closing" });
    const documentsOf = async (player: string) =>
      (await ask(player)).seasons.flatMap(({ documents }) => documents);
    expect(await documentsOf("eve")).toEqual([playerPath(key, "eve")]);
    await world.call("setPlayerStatus", { leaderboard: "arena", player: "ann", status: "banned" }, admin);
    await remove("eve");
    for (const player of ["ann", "eve"]) {
      const found = await documentsOf(player);
      expect(found.filter((path) => path.startsWith(closingNotesPath(key)))).toHaveLength(1);
      expect(namingPathsOf([await ask(player)])).toEqual(naming(await stored(), player));
    }
    await endSeason(world, key);
    expect(await documentsOf("eve")).toEqual([]);
    expect(naming(await stored(), "eve")).toEqual([]);
    expect((await documentsOf("ann")).filter((path) => path.startsWith(closingNotesPath(key)))).toEqual([]);
  });

  test("costs what its docstring says", async () => {
    await begin();
    const cold = await world.coldInstance(allTime("arena"));
    const bill = async (player: string) => {
      const { result, bill: spent } = await world.meter.measure(() =>
        callOn(cold, "exportPlayer", { player, leaderboard: "arena" }, admin),
      );
      return { events: result.events.length, ...spent };
    };
    const seasons = 3 * 4 + 5;
    const noGroups = 1;
    const free = { writes: 0, deletes: 0 };
    expect(await bill("who")).toEqual({ ...free, events: 0, reads: 1 + 1 + 1 + noGroups + seasons });
    const { events, ...spent } = await bill("eve");
    expect(spent).toEqual({ ...free, reads: 1 + 1 + events + noGroups + seasons + 2 });
    expect(events).toBe(
      (await world.db.collection(eventsPath("arena")).where("players", "array-contains", "eve").get()).size,
    );
  });

  test("refuses what it cannot take", async () => {
    await createBoard(world, "arena");
    await expectRefusal(world, "leaderboard_not_found", () => ask("eve", "nowhere"));
    await expectRefusal(world, "not_allowed", () =>
      world.call("exportPlayer", { leaderboard: "arena", player: "eve" }, user("eve")),
    );
    await expectRefusal(world, invalid("player"), () => ask("a/b"));
    await expectRefusal(world, invalid("leaderboard"), () => ask("eve", ""));
  });
});
