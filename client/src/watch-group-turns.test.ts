/**
 * Members who watch a group ask one after another where it changes with time alone, until one of them has changed it for all.
 */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { anotherBoard, found, sdk, signIn, time } from "../../test/support/client/stand-in.ts";
import { watchGroup } from "./watch-group.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

const hour = 3_600_000;
const [endMs, nextEndMs] = [Date.parse("2026-11-30T00:00:00Z"), Date.parse("2026-12-07T00:00:00Z")];
const [week, nextWeek] = ["weekly-2026-11-23", "weekly-2026-11-30"];
const iso = (ms: number) => new Date(ms).toISOString();

const seasons = () => {
  const times = { opens_at: iso(endMs - 168 * hour), closes_at: iso(endMs) };
  const next = { season: nextWeek, opens_at: iso(endMs), closes_at: iso(nextEndMs) };
  return { as_of: iso(Date.now()), running: [{ span: "weekly", season: week, ...times, next }] };
};
const answered = { season: week, place: 1, entries: [{ place: 1, player: "ann", score: 50 }], ends_at: null };

/** The document of a group with a hundred members. */
const group = (more: object) => ({
  name: "Friends",
  owner: "ann",
  size: 100,
  season: week,
  seats: { s1: { of: "ann", player: "ann" } },
  readers: ["ann", ...Array.from({ length: 99 }, (_, i) => `p${i}`)],
  ends_at: null,
  pace: { written_at: time(0) },
  ...more,
});

beforeEach(() => {
  vi.useFakeTimers({ now: endMs - hour });
  sdk.answer = ({ name }) => Promise.resolve(name === "getGroup" ? answered : seasons());
  signIn("ann");
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const questions = () => sdk.calls.filter(({ name }) => name === "getGroup").length;

/** Watches a group as the member whose turn is last but a few. @returns the path of the document */
async function watchedLate(before: object): Promise<string> {
  const random = vi.spyOn(Math, "random").mockReturnValue(0.9);
  onTestFinished(() => random.mockRestore());
  const board = anotherBoard();
  const path = `leaderboards/${board.id}/private_groups/g1`;
  sdk.documents.set(path, group(before)).set(`leaderboards/${board.id}`, {});
  const ignore = () => undefined;
  onTestFinished(watchGroup(board, "g1", ignore, ignore));
  await pass(hour);
  return path;
}

const moments: [what: string, before: object, after: object][] = [
  ["the group ends", { end_due_at: time(endMs) }, { settled_at: time(endMs) }],
  ["a season begins", {}, { season: nextWeek }],
];

test.each(moments)("as %s a member asks nothing if another one was first", async (_what, before, after) => {
  const path = await watchedLate(before);
  await pass(20_000);
  expect(questions()).toBe(1);
  for (const { next } of sdk.listening.filter((one) => one.path === path)) next(found(group(after)));
  await pass(hour);
  expect(questions()).toBe(1);
});

test.each(moments)(
  "as %s a member asks within half a minute if no other one does",
  async (_what, before, after) => {
    const path = await watchedLate(before);
    await pass(26_000);
    expect(questions()).toBe(1);
    sdk.documents.set(path, group(after));
    await pass(4_000);
    expect(questions()).toBe(2);
    await pass(hour);
    expect(questions()).toBe(2);
  },
);
