import { expect, test } from "vitest";
import { frozenFields } from "../../../functions/src/model/definition.ts";
import { definitionFields, groups, words } from "./fields.ts";

const fields = definitionFields();

test("what the first score fixes of every board is not folded away", () => {
  const shown = groups.flatMap(({ names }) => names);
  expect(frozenFields.filter((name) => !shown.includes(name))).toEqual([]);
});

test("a field that may be empty says what that stands for: kept seasons are all, and not none", () => {
  const mayBeEmpty = fields.filter(
    ({ kind, default: value }) => !["choices", "lines", "fields"].includes(kind) && value === undefined,
  );
  expect(Object.fromEntries(mayBeEmpty.map(({ name }) => [name, words[name]?.[2]]))).toEqual({
    decimals: "As submitted",
    min_score: "No limit",
    max_score: "No limit",
    max_change: "No limit",
    min_seconds_between: "No limit",
    max_attempts: "No limit",
    keep_seasons: "All",
    template: "No template",
  });
});
