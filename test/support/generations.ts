/** One board and its season, for tests of the generations that runs publish. */
import { shardsPath } from "../../functions/src/documents/paths.ts";
import type { RankingRecord } from "../../functions/src/documents/ranking-record.ts";
import { admin, allTime, type World } from "./world.ts";

export const key = allTime("board");
export const minute = 60_000;
export const everything = { includeOpenSlot: true };

export const definition = (minutes: number) => ({
  aggregation: "latest" as const,
  ranking_interval_minutes: minutes,
});

/** The owner changes the ranking interval. */
export async function setInterval(world: World, minutes: number): Promise<void> {
  await world.call("saveLeaderboard", { leaderboard: "board", definition: definition(minutes) }, admin);
}

/** The records of all published generations. */
export function published(world: World): RankingRecord[] {
  return world.logged
    .filter(({ message }) => message === "published a ranking")
    .map(({ fields }) => fields as RankingRecord);
}

export const names = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`);
export const shardCount = async ({ db }: World) => (await db.collection(shardsPath(key)).get()).size;
