import { expect, test } from "vitest";
import { changedPlayer } from "./changed-player.ts";

const there = (id: string) => ({ exists: true, ref: { id } });
const gone = (id: string) => ({ exists: false, ref: { id } });
/** The id as it is read from the header. */
const garbled = Buffer.from("Jürgen 玩家").toString("latin1");

test("the id is the document's own where the parameters garble it, whether it was created, changed or deleted", () => {
  const own = there("Jürgen 玩家");
  const lost = gone(garbled);
  expect(changedPlayer({ before: lost, after: own }, garbled)).toBe("Jürgen 玩家");
  expect(changedPlayer({ before: own, after: own }, garbled)).toBe("Jürgen 玩家");
  expect(changedPlayer({ before: own, after: lost }, garbled)).toBe("Jürgen 玩家");
});

test("an event without a document has the id of its parameters", () => {
  expect(changedPlayer(undefined, "ann")).toBe("ann");
  expect(changedPlayer({ before: gone("x"), after: gone("x") }, "ann")).toBe("ann");
});
