import { expect, test } from "vitest";
import { changedPlayer } from "./changed-player.ts";

const there = (id: string) => ({ exists: true, ref: { id } });
const gone = (id: string) => ({ exists: false, ref: { id } });
/** As the header with the id is read. */
const garbled = Buffer.from("Jürgen 玩家").toString("latin1");

test("the id is the document's own where the parameters garble it, whether it came, changed or went", () => {
  const own = there("Jürgen 玩家");
  const lost = gone(garbled);
  expect(changedPlayer({ before: lost, after: own }, garbled)).toBe("Jürgen 玩家");
  expect(changedPlayer({ before: own, after: own }, garbled)).toBe("Jürgen 玩家");
  expect(changedPlayer({ before: own, after: lost }, garbled)).toBe("Jürgen 玩家");
});

test("an event that shows no document has the id of its parameters", () => {
  expect(changedPlayer(undefined, "ann")).toBe("ann");
  expect(changedPlayer({ before: gone("x"), after: gone("x") }, "ann")).toBe("ann");
});
