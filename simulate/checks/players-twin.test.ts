import { expect, test } from "vitest";
import { createPlayersTwin } from "./players-twin.ts";

const best = { aggregation: "best", order: "descending" } as const;
const submission = { kind: "submit", score: 20, id: "a", isRetry: false } as const;

test("an erasure that is tried again may take along a score that was submitted after its first commit", () => {
  const twin = createPlayersTwin(best);
  twin.end("ann", twin.begin("ann", { kind: "set score", score: 30 }), "done");
  const erasure = twin.begin("ann", { kind: "remove" });
  // With 20 as its score the player had none when this counted, so the erasure had been committed before.
  twin.end("ann", twin.begin("ann", submission), { score: 20 });
  twin.end("ann", erasure, "done");
  expect(() => {
    twin.atRest("ann", undefined);
  }).not.toThrow();
});

test("a score that was submitted after the answer to an erasure stays", () => {
  const twin = createPlayersTwin(best);
  twin.end("ann", twin.begin("ann", { kind: "remove" }), "done");
  twin.end("ann", twin.begin("ann", submission), { score: 20 });
  expect(() => {
    twin.atRest("ann", undefined);
  }).toThrow("nothing lost");
});

test("what became of a player is unclear while many submissions may still be sent again", () => {
  const twin = createPlayersTwin({ ...best, aggregation: "latest" });
  const ids = Array.from({ length: 12 }, (_, i) => `id${i}`);
  for (const id of ids) twin.end("ann", twin.begin("ann", { ...submission, id }), "unknown");
  expect(twin.isUnclear("ann")).toBe(true);
  for (const id of ids) twin.forget(id);
  expect(twin.isUnclear("ann")).toBe(false);
});
