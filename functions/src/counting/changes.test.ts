import { expect, test } from "vitest";
import { addCount, change, noShardChanges } from "./changes.ts";

test("a player who moves takes one from the old score and adds one to the new", () => {
  const changes = noShardChanges();
  change(changes, 20, 50);
  change(changes, undefined, 50);
  change(changes, 20, undefined);
  expect(changes).toEqual({
    playerCount: new Map([
      [20, -2],
      [50, 2],
    ]),
    unusable: 0,
    marks: 3,
  });
});

test("a player who comes adds one, and takes none from anywhere", () => {
  const changes = noShardChanges();
  change(changes, undefined, 7);
  expect(changes).toEqual({ playerCount: new Map([[7, 1]]), unusable: 0, marks: 1 });
});

test("changes that cancel out leave no trace at the scores", () => {
  const changes = noShardChanges();
  change(changes, 20, 50);
  change(changes, 50, 20);
  expect(changes.playerCount.size).toBe(0);
  expect(changes.marks).toBe(2);
});

test("a document that cannot be ranked is counted apart", () => {
  const changes = noShardChanges();
  change(changes, 20, "unusable");
  change(changes, "unusable", undefined);
  change(changes, undefined, "unusable");
  expect(changes).toEqual({ playerCount: new Map([[20, -1]]), unusable: 1, marks: 3 });
});

test("what stays as it is is no change", () => {
  const changes = noShardChanges();
  change(changes, 20, 20);
  change(changes, undefined, undefined);
  change(changes, "unusable", "unusable");
  expect(changes).toEqual(noShardChanges());
});

test("a count that reaches zero goes", () => {
  const counts = new Map([[1, 2]]);
  addCount(counts, 1, -2);
  addCount(counts, 3, 1);
  expect([...counts]).toEqual([[3, 1]]);
});
