/** Private groups against a plain list: whatever happens to members, a group shows what a sort of its members gives. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createBoardWithGroups, leaderboard } from "../../support/groups.ts";
import { doRefreshes } from "../../support/league.ts";
import { admin, createWorld, user, type World } from "../../support/world.ts";

const players = ["ann", "bob", "cyd", "dan", "eve"];
const dayMs = 86_400_000;
const player = fc.constantFrom(...players);

type Step =
  | { do: "score"; player: string; score: number }
  | { do: "join" | "leave" | "hide" | "show" | "erase" | "remove"; player: string }
  | { do: "merge"; player: string; to: string }
  | { do: "days"; days: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("score" as const),
      player,
      score: fc.integer({ min: -3, max: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "join" as const,
        "join" as const,
        "leave" as const,
        "hide" as const,
        "show" as const,
        "remove" as const,
      ),
      player,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("erase" as const), player }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("merge" as const), player, to: player }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("days" as const), days: fc.integer({ min: 1, max: 2 }) }),
  },
);

/** What a plain list knows of the board. */
interface Plain {
  /** The members of the group, in the order in which they came. The first one owns it. */
  members: string[];
  /** Today's scores, and when they were achieved. */
  scores: Map<string, { score: number; atMs: number }>;
  hidden: Set<string>;
  /** Who has a document on the board, so that a moderator finds the player. */
  known: Set<string>;
  /** Who is not taken back. */
  gone: Set<string>;
}

async function play(
  world: World,
  plain: Plain,
  code: { now: string },
  group: string,
  one: Step,
): Promise<void> {
  const call = world.call.bind(world);
  const nowMs = world.services.now();
  switch (one.do) {
    case "score":
      if (plain.gone.has(one.player)) return;
      await world.submit(one.player, one.score);
      // The same score again is as old as it was.
      if (plain.scores.get(one.player)?.score !== one.score)
        plain.scores.set(one.player, { score: one.score, atMs: nowMs });
      plain.known.add(one.player);
      return;
    case "join":
      if (plain.gone.has(one.player)) return;
      await call("joinGroup", { leaderboard, code: code.now }, user(one.player));
      if (!plain.members.includes(one.player)) plain.members.push(one.player);
      return;
    case "leave":
      if (plain.members.length === 1) return;
      await call("leaveGroup", { leaderboard, group }, user(one.player));
      plain.members = plain.members.filter((member) => member !== one.player);
      return;
    case "remove":
      if (plain.members.length === 1 || !plain.members.includes(one.player)) return;
      code.now = (await call("removeMember", { leaderboard, group, player: one.player }, admin)).code;
      plain.members = plain.members.filter((member) => member !== one.player);
      return;
    case "hide":
    case "show": {
      if (!plain.known.has(one.player)) return;
      const status = one.do === "hide" ? "hidden" : "active";
      await call("setPlayerStatus", { leaderboard, player: one.player, status }, admin);
      if (one.do === "hide") plain.hidden.add(one.player);
      else plain.hidden.delete(one.player);
      return;
    }
    case "erase":
      if (plain.members.length === 1 && plain.members.includes(one.player)) return;
      await call("removePlayer", { leaderboard, player: one.player }, admin);
      plain.members = plain.members.filter((member) => member !== one.player);
      plain.gone.add(one.player);
      for (const of of [plain.scores, plain.hidden, plain.known]) of.delete(one.player);
      return;
    case "merge": {
      const { player: from, to } = one;
      if (from === to || !plain.known.has(from) || !plain.known.has(to)) return;
      if ([from, to].some((id) => plain.gone.has(id) || plain.hidden.has(id))) return;
      await call("mergePlayers", { from, to, leaderboard }, admin);
      const isIn = plain.members.includes(to);
      plain.members = plain.members.flatMap((member) => (member !== from ? member : isIn ? [] : to));
      const [first, second] = [plain.scores.get(from), plain.scores.get(to)];
      const last = [first, second]
        .filter((score) => score !== undefined)
        .toSorted((a, b) => b.atMs - a.atMs)[0];
      if (last !== undefined) plain.scores.set(to, last);
      plain.gone.add(from);
      for (const of of [plain.scores, plain.known]) of.delete(from);
      return;
    }
    case "days":
      world.advance(one.days * dayMs);
      plain.scores.clear();
  }
}

/** The members by a plain sort: whoever has no score is last, by id. */
function sorted({ members, scores, hidden }: Plain): [string, number | null][] {
  return members
    .filter((member) => !hidden.has(member))
    .map((member) => ({ member, ...(scores.get(member) ?? { score: null, atMs: 0 }) }))
    .toSorted((a, b) => {
      if (a.score === null || b.score === null)
        return a.score === b.score ? (a.member < b.member ? -1 : 1) : a.score === null ? 1 : -1;
      return b.score - a.score || a.atMs - b.atMs || (a.member < b.member ? -1 : 1);
    })
    .map(({ member, score }) => [member, score]);
}

test("a group shows what a sort of its members gives, after each of any steps", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const world = createWorld();
      await createBoardWithGroups(world, { spans: ["daily"] });
      const { group, code } = await world.call("createGroup", { leaderboard, name: "Friends" }, user("ann"));
      const plain: Plain = {
        members: ["ann"],
        scores: new Map(),
        hidden: new Set(),
        known: new Set(),
        gone: new Set(),
      };
      const codes = { now: code };
      for (const one of steps) {
        world.advance(1_000);
        await play(world, plain, codes, group, one);
        await doRefreshes(world);
        const { entries } = await world.call("getGroup", { leaderboard, group }, admin);
        expect(entries.map(({ player: member, score = null }) => [member, score])).toEqual(sorted(plain));
        expect(entries.map(({ place }) => place)).toEqual(entries.map((_, i) => i + 1));
      }
      for (const id of players) {
        const { groups } = await world.call("getMyGroups", { leaderboard }, user(id));
        expect(groups.length).toBe(plain.members.includes(id) ? 1 : 0);
      }
    }),
    { numRuns: 30 },
  );
});
