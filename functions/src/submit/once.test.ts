import { expect, test } from "vitest";
import { definitionOf } from "../../../test/support/definitions.ts";
import { needsId } from "./once.ts";

const best = definitionOf({ aggregation: "best" });

test.for([{ aggregation: "sum" }, { max_attempts: 3 }, { min_seconds_between: 5 }] as const)(
  "a submission to a board with %o needs an id, as it would count twice or be refused the second time",
  (definition) => {
    expect(needsId([definitionOf(definition)])).toBe(true);
    expect(needsId([best, definitionOf(definition)])).toBe(true);
  },
);

test("a submission to boards of the best or the latest scores needs none", () => {
  expect(needsId([best, definitionOf({ aggregation: "latest" })])).toBe(false);
});
