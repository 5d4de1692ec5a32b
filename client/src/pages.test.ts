/** An iterator over pages: what it asks for, and when. Firebase is the test's. */
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { Leaderboard } from "./leaderboard.ts";
import { pages } from "./pages.ts";

// The worker may have loaded the modules for a file with another Firebase.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});

interface Asked {
  season?: string;
  span?: string;
  offset?: number;
  cursor?: string;
  limit?: number;
}
const sdk = vi.hoisted(() => ({ asked: [] as Asked[], size: 5 }));
vi.mock("firebase/functions", () => ({
  getFunctions: () => ({ region: "us-central1", app: { options: {} } }),
  httpsCallable: () => (request: Asked) => {
    sdk.asked.push(request);
    const { cursor, offset = Number(cursor ?? 0), limit = 25 } = request;
    const end = Math.min(offset + limit, sdk.size);
    const entries = Array.from({ length: end - offset }, (_, i) => ({ player: `p${offset + i + 1}` }));
    const more = end < sdk.size ? { next_cursor: String(end) } : {};
    return Promise.resolve({ data: { season: "daily-1", generation: 1, entries, ...more } });
  },
}));

let board: Leaderboard;
beforeEach(() => {
  sdk.asked = [];
  board = { app: { options: {} }, id: "arena", span: "daily" } as unknown as Leaderboard;
});

async function playersOf(list: AsyncIterable<{ player: string }>): Promise<string[]> {
  const players: string[] = [];
  for await (const { player } of list) players.push(player);
  return players;
}

test("it lists all players, and asks for the pages behind the first by cursor and in the same season", async () => {
  expect(await playersOf(pages(board, { limit: 2, offset: 1 }))).toEqual(["p2", "p3", "p4", "p5"]);
  expect(sdk.asked).toMatchObject([
    { span: "daily", offset: 1, limit: 2 },
    { season: "daily-1", cursor: "3", limit: 2 },
  ]);
  expect(sdk.asked[0]).not.toHaveProperty("cursor");
  for (const name of ["offset", "span"]) expect(sdk.asked[1]).not.toHaveProperty(name);
});

test("it asks for no page that is not reached", async () => {
  const list = pages(board, { limit: 2 });
  expect(sdk.asked).toEqual([]);
  for await (const { player } of list) if (player === "p2") break;
  expect(sdk.asked).toHaveLength(1);
});

test("it goes on behind a cursor, and an empty board has no players", async () => {
  expect(await playersOf(pages(board, { cursor: "4" }))).toEqual(["p5"]);
  sdk.size = 0;
  expect(await playersOf(pages(board))).toEqual([]);
});
