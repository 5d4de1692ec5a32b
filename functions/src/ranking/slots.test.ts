/** What becomes of shard documents, line by line of the table in slots.ts. */
import { describe, expect, test } from "vitest";
import { type QueryDocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { shardsPerPublicationMax } from "../model/limits.ts";
import type { Days } from "./baselines.ts";
import { createMarkFold } from "./ranked.ts";
import { createSlotTaker } from "./slots.ts";
import { shardDocuments } from "./shards.ts";

const second = 1_000;
const key = { leaderboard: "board", season: "all_time" };
const at = (ms: number) => Timestamp.fromMillis(ms);

/** A shard document of a slot: one player more at the score that it is named after. */
function shard(slotEndMs: number, score: number): QueryDocumentSnapshot {
  const fields = { slot_ends_at: at(slotEndMs), player_count: { [score]: 1 }, marks: 1 };
  return { ref: { path: `${score}` }, updateTime: at(score), data: () => fields } as never;
}

const usual = { joinedMs: -Infinity, deletesMax: shardsPerPublicationMax, deletedBytesMax: Infinity };

interface Given {
  limits?: Partial<typeof usual>;
  staying?: string[];
  days?: Days;
  publishedMs?: number;
}

/** Takes documents, and says what became of them by their scores. */
function take(documents: QueryDocumentSnapshot[], given: Given = {}) {
  const { limits = {}, staying = [], days, publishedMs = -Infinity } = given;
  const fold = createMarkFold("ascending");
  const isOpen = () => false;
  const stays = ({ ref }: QueryDocumentSnapshot) => staying.includes(ref.path);
  const run = { board: { key }, ...usual, ...limits };
  const slots = createSlotTaker({ run, fold, days, publishedMs, isOpen, stays });
  for (const document of documents) slots.add(document);
  const { deleted, reversed, sums, ...taken } = slots.finish();
  const opposites = reversed.flatMap((changes) => shardDocuments(changes, -1));
  return {
    ...taken,
    folded: Array.from(fold.finish({ names: [] }).rows.scores),
    deleted: deleted.map(({ path }) => Number(path)),
    reversed: opposites.flatMap(({ player_count: counts = {} }) => Object.keys(counts).map(Number)),
    marks: sums.marks,
  };
}

const first = [shard(10 * second, 1), shard(10 * second, 2)];
const later = [shard(20 * second, 3), shard(20 * second, 4)];

test("documents are folded and deleted while the commit has room, slot by slot", () => {
  expect(take([...first, ...later])).toMatchObject({
    folded: [1, 2, 3, 4],
    deleted: [1, 2, 3, 4],
    reversed: [],
    more: false,
    isOverfull: false,
    marks: 4,
  });
});

test("a document that stays is folded too, and its opposite is written", () => {
  const taken = take([...first, ...later], { staying: ["2", "3"] });
  expect(taken).toMatchObject({ folded: [1, 2, 3, 4], deleted: [1, 4], reversed: [2, 3], isOverfull: false });
});

test("a slot for which there is no room is left as a whole, with all that follow", () => {
  const limits = { deletesMax: 3 };
  const taken = take([...first, ...later, shard(30 * second, 5)], { limits });
  expect(taken).toMatchObject({
    folded: [1, 2],
    deleted: [1, 2],
    more: true,
    slotToJoin: undefined,
    marks: 2,
  });
});

describe("a first slot of too many documents", () => {
  const slot = [...first, shard(10 * second, 3)];

  test("has to be joined, and nothing is taken before", () => {
    const taken = take([...slot, ...later], { limits: { deletesMax: 2 } });
    expect(taken).toMatchObject({ folded: [], deleted: [], slotToJoin: 10 * second, more: true, marks: 0 });
  });

  test("is deleted all the same once it is joined, if Firestore has refused nothing", () => {
    const limits = { joinedMs: 10 * second, deletedBytesMax: 1 };
    const taken = take(slot, { limits });
    expect(taken).toMatchObject({ folded: [1, 2, 3], deleted: [1, 2, 3], isOverfull: false, more: false });
  });

  test("keeps what Firestore has refused to delete, and its opposite is written", () => {
    const limits = { joinedMs: 10 * second, deletesMax: 2 };
    const taken = take([...slot, ...later], { limits });
    expect(taken).toMatchObject({
      folded: [1, 2, 3],
      deleted: [1, 2],
      reversed: [3],
      isOverfull: true,
      more: true,
    });
  });
});

test("on a board that keeps movement, slots after a midnight wait for the next generation", () => {
  const calendar = { time_zone: "UTC", week_starts_on: "monday" } as const;
  const days = { calendar, fromMs: 0, slotMs: 10 * second };
  const day = 86_400 * second;
  const slots = [shard(day - 10 * second, 1), shard(day, 2), shard(day + 10 * second, 3)];
  expect(take(slots, { days })).toMatchObject({
    folded: [1, 2],
    more: true,
    firstMs: day - 20 * second,
    untilMs: day,
  });
  // What comes late to a day that is published goes with the next one.
  const late = [shard(day, 1), shard(day + 10 * second, 2), shard(2 * day + 10 * second, 3)];
  expect(take(late, { days, publishedMs: day + 5 * second })).toMatchObject({
    folded: [1, 2],
    untilMs: 2 * day,
  });
});
