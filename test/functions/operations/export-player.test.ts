/** What is stored about a player is exported: exactly what erasing the player takes away, page by page. */
import { describe, expect, test } from "vitest";
import {
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
import { exportedMax, exportBytesMax } from "../../../functions/src/operations/export-player.ts";
import { isNamedIn } from "../../../simulate/checks/erased.ts";
import { createEnding, endSeason, openEnding, playerFields, writePlayers } from "../../support/closing.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { allPages, callOn, admin, allTime, createBoard, user, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const submit = async (player: string, key: SeasonKey, score: number, more: object = {}) => {
  const { leaderboard, season } = key;
  const named = season === "cup" ? { season } : {};
  await world.call("submitScore", { leaderboard, ...named, score, ...more }, user(player));
  await world.deliver(key, player);
};
const ask = (request: { player: string; leaderboard?: string; cursor?: string; limit?: number }) =>
  world.call("exportPlayer", request, admin);
const remove = (player: string) => world.call("removePlayer", { player }, admin);

/** All answers, one after the other. */
async function whole(player: string, request: { leaderboard?: string; limit?: number } = {}) {
  const pages = await allPages((more) => ask({ player, ...request, ...more }));
  return {
    pages: pages.length,
    statuses: pages.flatMap(({ statuses }) => statuses),
    seasons: pages.flatMap(({ seasons }) => seasons),
    events: pages.flatMap(({ events }) => events),
  };
}

type Exported = Pick<ExportPlayerAnswer, "statuses" | "seasons" | "events">;

const pathsOf = ({ statuses, seasons, events }: Exported) =>
  [
    ...statuses.map(({ document }) => document),
    ...seasons.flatMap(({ documents }) => documents),
    ...events.map(({ document }) => document),
  ].toSorted();

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
const namingPathsOf = (exported: Exported) => pathsOf(exported).filter((path) => !path.endsWith("-metadata"));
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
  await world.call("setPlayerStatus", { leaderboard: "solo", player: "eve", status: "banned" }, admin);
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
    const before = await whole("eve");
    await meddle();
    for (const board of ["arena", "solo"]) world.services.boards.forget(board);
    const found = await whole("eve");
    expect(pathsOf(found)).toEqual(pathsOf(before));
    expect(namingPathsOf(found)).toEqual(naming(await stored(), "eve"));
    expect(pathsOf(await whole("eve", { leaderboard: "arena", limit: 2 }))).toEqual(
      pathsOf(found).filter((path) => path.startsWith(leaderboardPath("arena"))),
    );
    expect((await whole("who")).seasons).toEqual([]);
    const { removed } = await remove("eve");
    const seasonsOf = (list: { leaderboard: string; season: string }[]) =>
      list.map(({ leaderboard, season }) => `${leaderboard}/${season}`).toSorted();
    expect(seasonsOf(removed)).toEqual(seasonsOf(found.seasons));
    expect(naming(await stored(), "eve")).toEqual([]);
    expect(await whole("eve")).toEqual({ pages: 1, statuses: [], seasons: [], events: [] });
    expect((await remove("eve")).removed).toEqual([]);
    await expectRefusal(world, "leaderboard_not_found", () =>
      world.call("removePlayer", { player: "eve", leaderboard: "nowhere" }, admin),
    );
  });

  test("has the fields of documents, of the top and of the standings, and nobody else", async () => {
    await begin();
    const exported = await whole("eve", { leaderboard: "arena" });
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
    expect((await whole("hid", { leaderboard: "arena" })).seasons).toMatchObject([
      { season: "winter", player: { status: "hidden", score: 99 } },
    ]);
    expect(await whole("eve", { leaderboard: "solo" })).toMatchObject({
      statuses: [{ leaderboard: "solo", document: playerStatusPath("solo", "eve"), status: "banned" }],
      seasons: [{ season: "all_time", player: { status: "banned" } }],
    });
  });

  test("has whatever a trusted server wrote, also before the season is opened and where a document was deleted", async () => {
    await createBoard(world, "arena", { spans: ["daily", "weekly"] });
    const key = { leaderboard: "arena", season: "daily-2100-01-02" };
    await world.db.doc(playerPath(key, "eve")).set({ score: NaN, friend: world.db.doc("users/bob") });
    const coming = { leaderboard: "arena", season: "coming" };
    await world.db.doc(playerPath(coming, "eve")).set({ score: 1 });
    const unknown = { span: "unknown", status: "unknown", opens_at: null };
    const found = { season: "daily-2100-01-02", status: "open", opens_at: "2100-01-02T00:00:00.000Z" };
    expect(await ask({ player: "eve" })).toMatchObject({
      seasons: [
        { season: "coming", ...unknown, player: { score: 1 } },
        { ...found, player: { score: "NaN", friend: "users/bob" } },
      ],
    });
    expect((await remove("eve")).removed).toMatchObject([{ season: key.season }, coming]);
    expect(await ask({ player: "eve" })).toMatchObject({ seasons: [] });
    await openEnding(world, cup);
    await writePlayers(world, cup, { ann: playerFields(3, 0) });
    await endSeason(world, cup);
    await world.db.doc(playerPath(cup, "ann")).delete();
    const { seasons } = await ask({ player: "ann" });
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
    world.services.boards.forget("arena");
    await expect(remove("eve")).rejects.toThrow();
    const left = naming(await stored(), "eve");
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((one) => !one.startsWith(leaderboardPath("arena")))).toEqual([]);
  },
);

describe("an answer", () => {
  test("looks at a bounded number of seasons and events, and says how to go on", async () => {
    await createBoard(world, "arena", { spans: [] });
    const seasons = Array.from({ length: exportedMax + 20 }, (_, i) => `cup-${String(i).padStart(3, "0")}`);
    for (const season of seasons) {
      const key = { leaderboard: "arena", season };
      await openEnding(world, key);
      if (season !== "cup-050") await writePlayers(world, key, { eve: playerFields(1, 0) });
    }
    const first = await ask({ player: "eve" });
    // The board is one of what it looked at, and a season has nothing.
    expect(first).toMatchObject({
      seasons: { length: exportedMax - 2 },
      next_cursor: "arena/seasons/cup-098",
    });
    const second = await ask({ player: "eve", cursor: first.next_cursor ?? "" });
    expect([...first.seasons, ...second.seasons].map(({ season }) => season)).toEqual(
      seasons.filter((season) => season !== "cup-050"),
    );
    expect(second.next_cursor).toBeUndefined();
  });

  test("goes on after a document beside the boards whose id no board can have", async () => {
    await createBoard(world, "arena");
    await submit("eve", allTime("arena"), 3);
    await world.db.doc(`${leaderboardsPath}/a note, by hand`).set({ text: "play on" });
    expect((await whole("eve", { limit: 1 })).seasons).toMatchObject([{ leaderboard: "arena" }]);
  });

  test("stays below the size of a callable's, whatever is stored", async () => {
    await createBoard(world, "arena", { spans: [] });
    const text = "\u{1}".repeat(900_000);
    for (const season of ["a", "b", "c"]) {
      await openEnding(world, { leaderboard: "arena", season });
      await writePlayers(world, { leaderboard: "arena", season }, { eve: { text } });
    }
    const first = await ask({ player: "eve" });
    expect(first).toMatchObject({ seasons: { length: 1 }, next_cursor: "arena/seasons/a" });
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(exportBytesMax);
    expect((await whole("eve")).seasons.map(({ season }) => season)).toEqual(["a", "b", "c"]);
  });

  test("costs what its docstring says", async () => {
    await begin();
    const cold = await world.coldInstance(allTime("arena"));
    const bill = async (player: string) => {
      const request = { player, leaderboard: "arena", limit: exportedMax };
      const { result, bill: spent } = await world.meter.measure(() =>
        callOn(cold, "exportPlayer", request, admin),
      );
      return { events: result.events.length, ...spent };
    };
    const seasons = 3 * 4 + 5;
    const free = { writes: 0, deletes: 0 };
    expect(await bill("who")).toEqual({ ...free, events: 0, reads: 1 + 1 + 1 + seasons });
    const { events, ...spent } = await bill("eve");
    expect(spent).toEqual({ ...free, reads: 1 + 1 + events + seasons + 2 });
    expect(events).toBe(
      (await world.db.collection(eventsPath("arena")).where("players", "array-contains", "eve").get()).size,
    );
  });

  test("refuses what it cannot take", async () => {
    await createBoard(world, "arena");
    await createBoard(world, "other");
    await expectRefusal(world, "leaderboard_not_found", () => ask({ player: "eve", leaderboard: "nowhere" }));
    await expectRefusal(world, "not_allowed", () =>
      world.call("exportPlayer", { player: "eve" }, user("eve")),
    );
    await expectRefusal(world, invalid("player"), () => ask({ player: "a/b" }));
    await expectRefusal(world, invalid("limit"), () => ask({ player: "eve", limit: 0 }));
    await expectRefusal(world, invalid("limit"), () => ask({ player: "eve", limit: exportedMax + 1 }));
    for (const cursor of ["", "x", "arena/players/eve", "arena/seasons/..", "arena/events/a/b", "/seasons/a"])
      await expectRefusal(world, invalid("cursor"), () => ask({ player: "eve", cursor }));
    await expectRefusal(world, invalid("cursor"), () =>
      ask({ player: "eve", leaderboard: "other", cursor: "arena/seasons/a" }),
    );
    expect(await ask({ player: "eve", cursor: "gone/seasons/" })).toMatchObject({ seasons: [] });
  });
});
