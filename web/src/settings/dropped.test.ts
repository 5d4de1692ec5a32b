/** What is typed in one text of the form is read as a whole, or refused: a limit that is dropped in silence is off. */
import { expect, test } from "vitest";
import { definitionFields } from "./fields.ts";
import { check, type Values, valuesOf } from "./values.ts";

const fields = definitionFields();
const empty = valuesOf(fields, {});
const problemsIn = (change: Values) => check(fields, { ...empty, ...change }, 1).problems;
const spans = ["all_time", "daily"];

test.each(["daily 3 all_time 10", "daily 3, daily 5", "daily 3 a day"])("attempts: %s", (max_attempts) => {
  expect(problemsIn({ spans, max_attempts })).not.toEqual([]);
});

test.each(["any, 1,000", "levels, 500, 10", "any 500", "levels 500", '"any', '""'])(
  "a template: %s",
  (template) => {
    expect(problemsIn({ template })).not.toEqual([]);
  },
);

test.each(["best 10 min_players 3", "best 10 20", "sum, min_players 3, min_players 1", "sum, by mean"])(
  "teams: %s",
  (teams) => {
    expect(problemsIn({ segments: [{ name: "guild", from: "server", teams }] })).not.toEqual([]);
  },
);
