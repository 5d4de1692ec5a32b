/* eslint-disable max-lines -- one model of a board serves all */
/** Segments: ranks, lists and tops of each against a plain sort of the players in it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { playerPath, segmentPagesPath } from "../../../functions/src/documents/paths.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { historiesOf } from "../../support/database.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { admin, allTime, callOn, createBoard, createWorld, user, type World } from "../../support/world.ts";

const key = allTime("board");
const minutes = (count: number) => count * 60_000;
const players = ["ann", "bob", "cem", "dan", "eva", "fay", "gus", "hal"];
const countries = ["AT", "A", "DE"];
const platforms = ["ios", "web"];
const segments = [
  { name: "country", from: "submission" as const, values: countries },
  { name: "platform", from: "claim" as const },
];

interface Known {
  score: number;
  segments: Record<string, string>;
  isHidden: boolean;
}

/** A board whose players are known. */
class Board {
  readonly world: World = createWorld();
  readonly players = new Map<string, Known>();
  /** Whose status was ever set: it stays beside the document. */
  readonly judged = new Set<string>();
  generation = 0;

  async begin(more: object = {}): Promise<void> {
    await createBoard(this.world, "board", { aggregation: "latest", segments, ...more });
  }

  async submit(player: string, score: number, country?: string, platform?: string): Promise<void> {
    const claims = platform === undefined ? {} : { claims: { platform } };
    const said = country === undefined ? {} : { segments: { country } };
    await this.world.call(
      "submitScore",
      { leaderboard: "board", score, ...said },
      { uid: player, ...claims },
    );
    const before = this.players.get(player);
    const own = {
      ...before?.segments,
      ...(country !== undefined && { country }),
      ...(platform !== undefined && { platform }),
    };
    this.players.set(player, { score, segments: own, isHidden: before?.isHidden ?? false });
  }

  async setStatus(player: string, status: "hidden" | "active"): Promise<void> {
    const known = this.players.get(player);
    if (known === undefined) return;
    this.judged.add(player);
    await this.world.call("setPlayerStatus", { leaderboard: "board", player, status }, admin);
    known.isHidden = status === "hidden";
  }

  async merge(from: string, to: string): Promise<void> {
    const [a, b] = [this.players.get(from), this.players.get(to)];
    if (from === to || a === undefined || this.judged.has(from) || this.judged.has(to)) return;
    await this.world.call("mergePlayers", { leaderboard: "board", from, to }, admin);
    const found = await this.world.db.doc(playerPath(key, to)).get();
    this.players.delete(from);
    const own = { ...a.segments, ...b?.segments };
    this.players.set(to, { score: found.get("score") as number, segments: own, isHidden: false });
  }

  /** A server replaces a document, and the event of it comes. */
  async overwrite(player: string, score: number, country: string): Promise<void> {
    if (this.judged.has(player)) return;
    const data = { score, status: "active", segments: { country } };
    const write = await this.world.writeDirectly(key, player, data);
    await this.world.follow(key, player, write, 2);
    this.players.set(player, { score, segments: { country }, isHidden: false });
  }

  async run(): Promise<void> {
    this.world.advance(20_000);
    const { generation } = await publishRanking(this.world.services, key);
    this.generation = generation ?? this.generation;
  }

  /** The scores of a segment, best first. */
  scoresIn(name?: string, value?: string): [player: string, score: number][] {
    const found = [...this.players].filter(
      ([, known]) => !known.isHidden && (name === undefined || known.segments[name] === value),
    );
    return found
      .map(([player, { score }]): [string, number] => [player, score])
      .sort(([, a], [, b]) => b - a);
  }

  async check(freshness: "published" | "live"): Promise<void> {
    const all = [
      ...countries.map((value) => ["country", value] as const),
      ...platforms.map((value) => ["platform", value] as const),
    ];
    for (const [name, value] of all) await this.checkSegment(name, value, freshness);
    for (const [player, known] of this.players) {
      if (known.isHidden) continue;
      const asked = { leaderboard: "board", player, min_generation: this.generation, freshness };
      const names = ["country", "platform"];
      const answer = await this.world.call("getRank", { ...asked, segments: names }, admin);
      expect(answer).toMatchObject({ rank: rankIn(this.scoresIn(), known.score), exact: true });
      for (const name of names) {
        const value = known.segments[name];
        const scores = this.scoresIn(name, value);
        const rank = { rank: rankIn(scores, known.score), exact: true, players: scores.length };
        if (value === undefined) expect(answer.segments?.[name]).toBe(null);
        else expect(answer.segments?.[name]).toMatchObject({ ...rank, segment: { [name]: value } });
      }
    }
  }

  async checkSegment(name: string, value: string, freshness: "published" | "live"): Promise<void> {
    const scores = this.scoresIn(name, value);
    const segment = { [name]: value };
    const asked = { leaderboard: "board", segment, min_generation: this.generation };
    const expected = scores.map(([, score]) => ({ score, rank: rankIn(scores, score) }));
    const shown = (entries: { score: number; rank: number }[]) =>
      entries.map(({ score, rank }) => ({ score, rank }));
    const page = await this.world.call("getPage", { ...asked, limit: 100, freshness }, admin);
    expect(page).toMatchObject({ segment, players: scores.length });
    expect(shown(page.entries)).toEqual(expected);
    const top = await this.world.call("getTop", asked, admin);
    expect(shown(top.entries)).toEqual(expected);
    for (const [i, { player, score }] of page.entries.entries()) {
      const rank = await this.world.call("getRank", { ...asked, player, freshness }, admin);
      const place = { rank: rankIn(scores, score), exact: true, players: scores.length, segment };
      expect(rank).toMatchObject({ ...place, score });
      const around = await this.world.call(
        "getAround",
        { ...asked, player, above: 1, below: 1, freshness },
        admin,
      );
      const from = around.entries.findIndex((one) => one.player === player);
      expect(from).toBe(i === 0 ? 0 : 1);
      expect(shown(around.entries)).toEqual(expected.slice(i - from, i + 2));
      const next = await this.world.call("getPage", { ...asked, offset: i, limit: 1, freshness }, admin);
      expect(shown(next.entries)).toEqual(expected.slice(i, i + 1));
    }
    const some = await this.world.call("getPlayers", { ...asked, players, freshness }, admin);
    expect(shown(some.entries)).toEqual(expected);
    const beyond = await this.world.call("getPage", { ...asked, offset: scores.length, freshness }, admin);
    expect(beyond).toMatchObject({ entries: [], players: scores.length });
  }
}

const rankIn = (scores: readonly (readonly [string, number])[], score: number) =>
  1 + scores.filter(([, other]) => other > score).length;

const step = fc.record({
  do: fc.constantFrom(
    "submit",
    "submit",
    "submit",
    "overwrite",
    "hide",
    "show",
    "merge",
    "run",
    "check",
    "live",
  ),
  player: fc.constantFrom(...players),
  other: fc.constantFrom(...players),
  score: fc.nat({ max: 12 }),
  country: fc.option(fc.constantFrom(...countries), { nil: undefined }),
  platform: fc.option(fc.constantFrom(...platforms), { nil: undefined }),
});

test("each segment ranks its players as a plain sort does, whatever happens to them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const board = new Board();
      await board.begin();
      await board.submit("ann", 3, "AT", "ios");
      await board.run();
      for (const { do: what, player, other, score, country, platform } of steps) {
        if (what === "submit") await board.submit(player, score, country, platform);
        else if (what === "overwrite") await board.overwrite(player, score, country ?? "AT");
        else if (what === "hide" || what === "show")
          await board.setStatus(player, what === "hide" ? "hidden" : "active");
        else if (what === "merge") await board.merge(player, other);
        else if (what === "live") {
          board.world.advance(6_000);
          await board.check("live");
        } else {
          await board.run();
          if (what === "check") await board.check("published");
        }
      }
      await board.run();
      await board.check("published");
      const audit = await board.world.call("auditSeason", { leaderboard: "board", full: true }, admin);
      expect(audit).toMatchObject({ repair: "none", found: { pages: [], conservation: { scores: 0 } } });
      await board.world.call("repairSeason", { leaderboard: "board" }, admin);
      board.generation += 1;
      await board.check("published");
    }),
    { numRuns: historiesOf(8), endOnFailure: true },
  );
});

describe("on a board with segments", () => {
  const asked = { leaderboard: "board" };

  async function begun(more: object = {}): Promise<Board> {
    const board = new Board();
    await board.begin(more);
    await board.submit("ann", 5, "AT", "ios");
    await board.submit("bob", 7, "DE", "ios");
    await board.submit("cem", 3, "AT", "web");
    await board.run();
    return board;
  }

  test("`mine` is the segment of whoever asks, and who is in none is told so", async () => {
    const { world } = await begun();
    const mine = { ...asked, segment: { country: "mine" } };
    expect(await world.call("getRank", mine, user("cem"))).toMatchObject({
      rank: 2,
      players: 2,
      segment: { country: "AT" },
    });
    expect((await world.call("getTop", mine, user("bob"))).entries).toHaveLength(1);
    await world.submit("dan", 1);
    await expect(world.call("getTop", mine, user("dan"))).rejects.toMatchObject({
      code: "player_not_ranked",
    });
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ country: "XX" }, /"XX" is not a value/],
    [{ guild: "a" }, /which has country, platform/],
    [{ platform: "ios" }, /custom claim/],
    [{ country: "mine" }, /mine/],
  ])("a submission with %o is refused, and nothing is stored", async (said, message) => {
    const { world } = await begun();
    const submitted = world.call("submitScore", { ...asked, score: 9, segments: said }, user("eva"));
    await expect(submitted).rejects.toThrow(message);
    await expect(submitted).rejects.toMatchObject({ code: "invalid_request" });
    expect((await world.db.doc(playerPath(key, "eva")).get()).exists).toBe(false);
  });

  test("a claim that is no value counts as none, and the score counts", async () => {
    const { world } = await begun();
    const caller = { uid: "eva", claims: { platform: "not a value" } };
    await world.call("submitScore", { ...asked, score: 9 }, caller);
    expect((await world.db.doc(playerPath(key, "eva")).get()).get("counted")).not.toHaveProperty("segments");
  });

  test("a value counts even if the score does not improve, in all spans", async () => {
    const board = await begun({ aggregation: "best", spans: ["all_time", "weekly"] });
    await board.world.call("submitScore", { ...asked, score: 1, segments: { country: "DE" } }, user("ann"));
    await board.run();
    const answer = await board.world.call(
      "getRank",
      { ...asked, segment: { country: "DE" }, min_generation: board.generation },
      user("ann"),
    );
    expect(answer).toMatchObject({ score: 5, rank: 2, players: 2 });
  });

  test("a score costs what it costs elsewhere, and a run its pages of segments more", async () => {
    const costs = await Promise.all(
      [true, false].map(async (has) => {
        const world = createWorld();
        const more = has ? { segments, movement: true } : {};
        await createBoard(world, "board", { aggregation: "latest", ...more });
        const submit = (score: number, country: string) =>
          world.call(
            "submitScore",
            { ...asked, score, ...(has && { segments: { country } }) },
            { uid: "ann", claims: { platform: "ios" } },
          );
        await submit(1, "AT");
        world.advance(20_000);
        await publishRanking(world.services, key);
        const score = await world.bill(() => submit(2, "DE"));
        world.advance(20_000);
        const run = await world.bill(() => publishRanking(world.services, key));
        return { score, run, pages: (await world.db.collection(segmentPagesPath(key)).get()).size };
      }),
    );
    const [withSegments, plain] = costs;
    expect(withSegments?.score).toEqual(plain?.score);
    expect([withSegments?.pages, plain?.pages]).toEqual([1, 0]);
    const { reads = 0, writes = 0, deletes = 0 } = plain?.run ?? {};
    expect(withSegments?.run).toEqual({ reads: reads + 1, writes: writes + 1, deletes });
  });

  test("a closed season keeps the ranks of its segments, and what admins do afterwards changes them", async () => {
    const board = new Board();
    const { world } = board;
    const fields = (score: number, country: string) => playerFields(score, 0, { segments: { country } });
    const all = { ann: fields(5, "AT"), bob: fields(7, "AT"), cem: fields(3, "AT"), dan: fields(9, "DE") };
    const cup = await createEnding(world, "board", all, { definition: { segments } });
    await endSeason(world, cup);
    const season = { leaderboard: "board", season: "cup" };
    const inAt = { ...season, segment: { country: "AT" } };
    const shown = async () => {
      // Those of the pages, and those of the players.
      const { entries, players } = await world.call("getPage", { ...inAt, limit: 9 }, admin);
      const top = await world.call("getTop", inAt, admin);
      expect(top.entries.map(({ player }) => player)).toEqual(entries.map(({ player }) => player));
      expect(players).toBe(entries.length);
      return entries.map(({ player, rank }) => `${player} ${rank}`);
    };
    const ranks = async (player: string) => {
      const { rank, segments: own } = await world.call(
        "getRank",
        { ...season, player, segments: ["country"] },
        admin,
      );
      return [rank, own?.["country"]?.rank];
    };
    expect(await shown()).toEqual(["bob 1", "ann 2", "cem 3"]);
    expect(await ranks("ann")).toEqual([3, 2]);
    const setStatus = async (status: "banned" | "active") => {
      await world.call("setPlayerStatus", { leaderboard: "board", player: "bob", status }, admin);
      world.advance(minutes(5));
      await endSeason(world, cup);
    };
    await setStatus("banned");
    expect(await shown()).toEqual(["ann 1", "cem 2"]);
    expect(await ranks("ann")).toEqual([2, 1]);
    await setStatus("active");
    expect(await shown()).toEqual(["bob 1", "ann 2", "cem 3"]);
    await world.call("mergePlayers", { leaderboard: "board", from: "bob", to: "dan" }, admin);
    world.advance(minutes(5));
    await endSeason(world, cup);
    expect(await shown()).toEqual(["ann 1", "cem 2"]);
    const audit = await world.call("auditSeason", { ...season, full: true }, admin);
    expect(audit).toMatchObject({ found: { pages: [], conservation: { difference: 0 } } });
    await world.call("removePlayer", { leaderboard: "board", player: "ann" }, admin);
    world.advance(minutes(5));
    await endSeason(world, cup);
    expect(await shown()).toEqual(["cem 1"]);
  });

  test("more values than are ranked are refused, and a ranking that is made anew takes others", async () => {
    const world = createWorld();
    const guilds = [{ name: "guild", from: "server" as const }];
    await createBoard(world, "board", { segments: guilds });
    const submit = (from: number, count: number) =>
      world.call(
        "submitScores",
        {
          leaderboard: "board",
          submissions: Array.from({ length: count }, (_, i) => ({
            player: `p${from + i}`,
            score: from + i,
            segments: { guild: `g${from + i}` },
          })),
        },
        admin,
      );
    await submit(0, 500);
    await submit(500, 500);
    world.advance(20_000);
    expect((await publishRanking(world.services, key)).found).toMatchObject({ segments: 1_000 });
    await submit(1_000, 2);
    world.advance(20_000);
    const { found } = await publishRanking(world.services, key);
    expect(found).toMatchObject({ segments: 1_000, segments_full: true });
    const rank = (guild: string, min_generation = 2) =>
      world.call("getRank", { leaderboard: "board", score: 1, segment: { guild }, min_generation }, admin);
    expect(await rank("g7")).toMatchObject({ players: 1, rank: 2, exact: true });
    await expect(rank("g1001")).rejects.toMatchObject({ code: "invalid_request" });
    const all = { leaderboard: "board", player: "p1001", segments: ["guild"], min_generation: 2 };
    expect(await world.call("getRank", all, admin)).toMatchObject({ rank: 1, segments: { guild: null } });
    // Nobody is in the first any more, and still no other takes its place: what was left out of it is not known.
    await world.call("removePlayer", { leaderboard: "board", player: "p0" }, admin);
    await world.call("removePlayer", { leaderboard: "board", player: "p1000" }, admin);
    world.advance(20_000);
    await publishRanking(world.services, key);
    expect(await rank("g0", 3)).toMatchObject({ players: 0, rank: 1 });
    await expect(rank("g1001", 3)).rejects.toMatchObject({ code: "invalid_request" });
    await world.call("repairSeason", { leaderboard: "board" }, admin);
    expect(await rank("g1001", 4)).toMatchObject({ players: 1 });
  });

  test("`from` of a segment never changes; a segment may be added, and taken away", async () => {
    const { world } = await begun();
    const save = (list: object[] | null) =>
      world.call("saveLeaderboard", { leaderboard: "board", definition: { segments: list as never } }, admin);
    const chosen = [{ name: "platform", from: "submission", values: ["ios"] }];
    await expect(save(chosen)).rejects.toMatchObject({ code: "definition_frozen" });
    await save(null);
    await expect(save(chosen)).rejects.toMatchObject({ code: "definition_frozen" });
    await expect(save([{ name: "email", from: "claim" }])).rejects.toMatchObject({ code: "invalid_request" });
    await save([...segments, { name: "guild", from: "server" }]);
    const guild = { ...asked, segment: { guild: "a" } };
    expect(await world.call("getPage", guild, admin)).toMatchObject({ entries: [], players: 0 });
    await save(null);
    await expect(world.call("getPage", guild, admin)).rejects.toMatchObject({ code: "invalid_request" });
    await world.submit("ann", 9);
    expect((await world.db.doc(playerPath(key, "ann")).get()).get("counted")).toMatchObject({ score: 9 });
  });

  test("an instance that remembers the board without a segment keeps what another says of it", async () => {
    const { world } = await begun();
    const old = world.anotherInstance();
    const submit = (score: number) => ({ ...asked, score });
    await callOn(old, "submitScore", submit(6), user("ann"));
    const definition = { segments: [...segments, { name: "guild", from: "server" as const }] };
    await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
    const said = [{ player: "ann", score: 7, segments: { guild: "red" } }];
    await world.call("submitScores", { leaderboard: "board", submissions: said }, admin);
    await callOn(old, "submitScore", submit(8), user("ann"));
    const { segments: kept } = (await world.db.doc(playerPath(key, "ann")).get()).data() ?? {};
    expect(kept).toEqual({ country: "AT", platform: "ios", guild: "red" });
  });
});
