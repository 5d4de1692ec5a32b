import fc from "fast-check";
import { expect, test } from "vitest";
import { change, noShardChanges } from "./changes.ts";

const scores = ["1", "2", "2 country=AT"];
const anyCounted = fc.constantFrom(...scores, "unusable" as const, undefined);

test("changes take one from the old score and add one to the new; documents that cannot be ranked count apart", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyCounted, anyCounted)), (moves) => {
      const changes = noShardChanges();
      for (const [before, after] of moves) change(changes, before, after);
      const countOf = (what: string) =>
        moves.filter(([, after]) => after === what).length -
        moves.filter(([before]) => before === what).length;
      // What comes back leaves no trace, and what stays is no change.
      const counts = scores
        .map((score) => [score, countOf(score)] as const)
        .filter(([, count]) => count !== 0);
      const marks = moves.filter(([before, after]) => before !== after).length;
      expect(changes).toEqual({ playerCount: new Map(counts), unusable: countOf("unusable"), marks });
    }),
  );
});
