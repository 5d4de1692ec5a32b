/** Boards with a league, their tasks, and the ends of their weeks. */
import type { z } from "zod";
import { boardEvent } from "../../functions/src/documents/event.ts";
import { type Group, readGroup } from "../../functions/src/documents/group.ts";
import { type LeagueStanding, leagueStandingIn } from "../../functions/src/documents/league-standing.ts";
import {
  eventsPath,
  groupPath,
  groupsPath,
  playerStatusPath,
  type SeasonKey,
} from "../../functions/src/documents/paths.ts";
import { refreshWhenDue } from "../../functions/src/groups/refresh.ts";
import type { leagueSchema } from "../../functions/src/model/league.ts";
import { currentSeasons } from "../../functions/src/seasons/current.ts";
import { closed, endSeason, seasonOf } from "./closing.ts";
import type { Given } from "./definitions.ts";
import { createBoard, user, type World } from "./world.ts";

type LeagueGiven = z.input<typeof leagueSchema>;

/** Scores of five players, who fill a group of {@link smallLeague}. */
export const five = { ann: 50, bob: 40, cyd: 30, dan: 20, eve: 10 };

/** Three tiers in groups of five, of which one goes up and one down. */
export const smallLeague: LeagueGiven = {
  span: "weekly",
  size: 5,
  min_size: 3,
  tiers: [
    { id: "bronze", name: "Bronze", promote: 1 },
    { id: "silver", name: "Silver", promote: 1, demote: 1 },
    { id: "gold", name: "Gold", demote: 1 },
  ],
};

/** Creates the board `board` with a league, and nothing else than weeks, on a Monday at noon. */
export async function createLeague(
  world: World,
  league: Partial<LeagueGiven> = {},
  definition: Given = {},
): Promise<void> {
  await createBoard(world, "board", {
    spans: ["weekly"],
    aggregation: "latest",
    league: { ...smallLeague, ...league },
    ...definition,
  });
  // The world's clock starts on a Saturday at noon.
  world.advance(2 * 86_400_000);
}

/** The present week of the board. */
export async function presentWeek({ services }: Pick<World, "services">): Promise<SeasonKey> {
  const week = (await currentSeasons(services, "board")).find(({ span }) => span === "weekly");
  if (week === undefined) throw new Error("the board has no weeks");
  return week.key;
}

/** Does the tasks of refreshes, each when it is due, until none is left. */
export async function doRefreshes(world: World): Promise<void> {
  for (let [next] = world.refreshes; next !== undefined; [next] = world.refreshes) {
    const [name, request] = next;
    world.refreshes.delete(name);
    world.advance(Math.max(0, Date.parse(request.due_at) - world.services.now()));
    await refreshWhenDue(world.services, request);
  }
}

/** Scores of players, whose seats are given then. */
export async function play(world: World, scores: Record<string, number>): Promise<void> {
  for (const [player, score] of Object.entries(scores)) await world.submit(player, score);
  await doRefreshes(world);
}

/** Moves the clock to the end of a week, or so long after it. */
export async function toEndOf(world: World, key: SeasonKey, moreMs = 0): Promise<void> {
  const { closes_at: closes } = await seasonOf(world, key);
  world.advance((closes?.toMillis() ?? 0) + moreMs - world.services.now());
}

/** Closes a week, in steps as the schedule requests them, and gives the seats of the next. */
export async function endWeek(world: World, key: SeasonKey): Promise<void> {
  await endSeason(world, key, { until: closed });
  await doRefreshes(world);
}

/** Where each player stands, by what the boards keeps. */
export async function tiersOf(
  world: Pick<World, "db">,
  ...players: string[]
): Promise<(string | undefined)[]> {
  return Promise.all(players.map(async (player) => (await standingOf(world, player)).tier));
}

export async function groupsOf({ db }: Pick<World, "db">, key: SeasonKey): Promise<Map<string, Group>> {
  const { docs } = await db.collection(groupsPath(key)).get();
  return new Map(
    docs.map((document) => {
      const group = readGroup(document);
      if (group === undefined) throw new Error(`${document.ref.path} is damaged`);
      return [document.id, group];
    }),
  );
}

export async function groupOf({ db }: Pick<World, "db">, key: SeasonKey, id: string): Promise<Group> {
  const group = readGroup(await db.doc(groupPath(key, id)).get());
  if (group === undefined) throw new Error(`there is no group ${id}`);
  return group;
}

/** The members of groups, by group, in the order of their seats. */
export async function seated(
  world: Pick<World, "db">,
  key: SeasonKey,
): Promise<Record<string, (string | undefined)[]>> {
  const groups = await groupsOf(world, key);
  return Object.fromEntries([...groups].map(([id, { seats }]) => [id, playersIn(seats)]));
}

function playersIn(seats: Group["seats"]) {
  const numbers = Object.keys(seats).map((name) => Number(name.slice(1)));
  return numbers.toSorted((a, b) => a - b).map((number) => seats[`s${number}`]?.player);
}

export async function standingOf({ db }: Pick<World, "db">, player: string): Promise<LeagueStanding> {
  return leagueStandingIn((await db.doc(playerStatusPath("board", player)).get()).data());
}

/** The events of the board that tell of settled groups. */
export async function settledEvents({ db }: Pick<World, "db">) {
  const { docs } = await db.collection(eventsPath("board")).get();
  return docs.flatMap((document) => {
    const event = boardEvent.parse(document.data());
    return event.kind === "league_settled" ? [event] : [];
  });
}

export const getLeague = (world: World, player: string, more: { season?: string } = {}) =>
  world.call("getLeague", { leaderboard: "board", ...more }, user(player));
