/** Boards with private groups, and what members see of them. */
import { beforeEach, expect } from "vitest";
import { type PrivateGroup, readPrivateGroup } from "../../functions/src/documents/private-group.ts";
import { groupCodesPath, privateGroupPath, privateGroupsPath } from "../../functions/src/documents/paths.ts";
import type { PrivateGroupAnswer } from "../../functions/src/model/private-group-answers.ts";
import type { Given } from "./definitions.ts";
import { doRefreshes } from "./league.ts";
import { admin, allTime, createBoard, eachWorld, user, type World } from "./world.ts";

export const leaderboard = "board";

/** Creates the board `board` with private groups. */
export const createBoardWithGroups = (world: World, definition: Given = {}) =>
  createBoard(world, leaderboard, { private_groups: true, aggregation: "latest", ...definition });

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

/** A new world with such a board for each test of a file, and what the tests do to it. */
export function eachBoardWithGroups() {
  const world = eachWorld();
  beforeEach(() => createBoardWithGroups(world));
  return {
    world,
    key: allTime(leaderboard),
    /** A time from now on, as a call takes it. */
    inMs: (ms: number) => new Date(world.services.now() + ms).toISOString(),
    setStatus: (player: string, status: "active" | "hidden" | "banned") =>
      world.call("setPlayerStatus", { leaderboard, player, status }, admin),
    save: (definition: Given) => createBoardWithGroups(world, definition),
    /** The next look of the schedule for groups that are to end. */
    look: async () => {
      world.advance(10 * minuteMs - (world.services.now() % (10 * minuteMs)));
      await world.tick();
      await doRefreshes(world);
    },
  };
}

/** A group of one who makes it and of others who join. @returns its id and its code */
export async function createGroup(
  world: World,
  [owner = "ann", ...others]: readonly string[],
  more: object = {},
): Promise<{ group: string; code: string }> {
  const made = await world.call("createGroup", { leaderboard, name: "Friends", ...more }, user(owner));
  for (const player of others) await world.call("joinGroup", { leaderboard, code: made.code }, user(player));
  return { group: made.group, code: made.code };
}

/** Scores of players, which their groups show then. */
export async function playInGroups(world: World, scores: Record<string, number>, more: object = {}) {
  for (const [player, score] of Object.entries(scores)) await world.submit(player, score, more);
  await doRefreshes(world);
}

export const getGroup = (
  world: Pick<World, "call">,
  group: string,
  player: string,
  more: object = {},
): Promise<PrivateGroupAnswer> => world.call("getGroup", { leaderboard, group, ...more }, user(player));

/** The members of an answer with their scores, best first; null for no score. */
export const scoresIn = ({ entries }: Pick<PrivateGroupAnswer, "entries">) =>
  entries.map(({ player, score = null }) => [player, score]);

/** A stored group. */
export async function storedGroupOf({ db }: Pick<World, "db">, group: string): Promise<PrivateGroup> {
  const found = readPrivateGroup(await db.doc(privateGroupPath(leaderboard, group)).get());
  if (found === undefined) throw new Error(`there is no private group ${group}`);
  return found;
}

/** Neither group nor code is left on the board. */
export async function expectNoGroups({ db }: Pick<World, "db">): Promise<void> {
  for (const path of [privateGroupsPath(leaderboard), groupCodesPath(leaderboard)])
    expect((await db.collection(path).get()).size, path).toBe(0);
}

/** Groups that are due and cannot end: where they are, and what is wrong with them. */
export const endlessGroups = [
  { kind: "groups of a board without a definition", at: "leaderboards/gone/private_groups", damage: {} },
  { kind: "damaged groups", at: privateGroupsPath(leaderboard), damage: { size: "many" } },
  { kind: "documents of the game's own", at: "games/gone/private_groups", damage: {} },
];

/** Writes copies of a group into a collection: g0, g1 and so on. */
export async function copyGroup(
  world: Pick<World, "db">,
  group: string,
  { into, count, more = {} }: { into: string; count: number; more?: object },
): Promise<void> {
  const stored = await storedGroupOf(world, group);
  const ids = Array.from({ length: count }, (_, i) => `g${i}`);
  await Promise.all(ids.map((id) => world.db.doc(`${into}/${id}`).set({ ...stored, ...more })));
}

export const refused = (code: string) => expect.objectContaining({ code }) as unknown;
