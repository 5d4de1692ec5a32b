import { beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import {
  playerPath,
  runPath,
  seasonPath,
  standingsSummaryPath,
} from "../../functions/src/documents/paths.ts";
import { newSeason, type Season } from "../../functions/src/documents/season.ts";
import type { Data } from "../memory/fields.ts";
import { createStore, type Store } from "../memory/store.ts";
import { leaderboard } from "../board.ts";
import { Finals } from "./finals.ts";
import type { Work } from "./work.ts";

const key = { leaderboard, season: "cup" };
const at = new Timestamp(0, 0);
const step: Work = { kind: "step", season: key.season };
const direct: Work = {
  kind: "direct",
  season: key.season,
  player: "ann",
  after: (before) => before,
  isWhole: false,
};
const admin = (status: "active" | "banned"): Work => {
  return { kind: "status", asked: { player: "ann", status, began: 0, isAlone: true, before: [] } };
};

let store: Store;
let finals: Finals;
let season: Season;
let work: Work;

beforeEach(() => {
  store = createStore(() => 0);
  season = newSeason({ span: "custom", opens_at: at, closes_at: at, interval_ms: 1, next_run_at: null });
  finals = new Finals(store, {
    get: () => ({ id: key.season, season, opensMs: 0, closesMs: 0 }),
  });
  store.observe((changes) => {
    finals.observe(changes, work);
  });
});

function commit(by: Work, documents: Record<string, Data>): void {
  work = by;
  store.commit(Object.entries(documents).map(([path, data]) => ({ path, guard: {}, apply: () => data })));
}

function become(status: Season["status"]): void {
  season = { ...season, status };
  commit(step, { [seasonPath(key)]: { ...season } });
}

const write = (by: Work, fields: Data, others: Record<string, Data> = {}) => {
  commit(by, { [playerPath(key, "ann")]: { status: "active", achieved_at: at, ...fields }, ...others });
};

const choose = (readAt: Timestamp) => {
  commit(step, { [runPath(key, "run")]: { kind: "closing", read_at: readAt } });
};

const scoreOf = (player: string) => finals.table(key.season).get(player)?.score;

test("a direct write counts until the players are read, and not from then on", () => {
  write(step, { score: 1 });
  become("closing");
  write(direct, { score: 2 });
  const readAt = store.now();
  write(direct, { score: 3 });
  choose(readAt);
  expect(scoreOf("ann")).toBe(2);
  write(direct, { score: 4 });
  become("closed");
  write(direct, { score: 5 });
  expect(scoreOf("ann")).toBe(2);
});

test("a line that a ban takes out comes back as it was, unless its document is replaced", () => {
  write(step, { score: 1 });
  become("closing");
  choose(store.now());
  become("closed");
  const revised = (revisions: number) => ({ [standingsSummaryPath(key)]: { revisions } });
  write(admin("banned"), { score: 1, status: "banned" }, revised(1));
  expect(scoreOf("ann")).toBeUndefined();
  write(direct, { score: 2, status: "banned" });
  write(admin("active"), { score: 2 }, revised(2));
  expect(scoreOf("ann")).toBe(1);
  write(admin("banned"), { score: 2, status: "banned" }, revised(3));
  write({ ...direct, isWhole: true }, { score: 3 });
  expect(scoreOf("ann")).toBeUndefined();
  write(admin("active"), { score: 3, last_submission_at: at }, revised(4));
  expect(scoreOf("ann")).toBe(3);
});

test("a score that counts once the players are read is a violation", () => {
  write(step, { score: 1, attempts: 1 });
  become("closing");
  const readAt = store.now();
  write({ kind: "lanes", instance: "instance 0" }, { score: 2, attempts: 2 });
  expect(() => {
    choose(readAt);
  }).toThrow(/standings: .*ann counts/);
});

test("a document that lists would not find, from before the end, has to be completed", () => {
  write(direct, { score: 1, achieved_at: undefined });
  become("closing");
  expect(() => {
    choose(store.now());
  }).toThrow(/ann of cup is not completed/);
});
