import { expect, test } from "vitest";
import { z } from "zod";
import { submissionFields } from "../../submit/schema.ts";
import { parse } from "./spec.ts";

const schema = z.object({
  segments: submissionFields.segments,
  text: z.string().min(1).max(3),
  limit: z.int().min(1).max(100),
  ids: z.array(z.string()).min(2).max(3),
  numbers: z.record(z.string(), z.number()),
  which: z.enum(["day", "week"]),
  status: z.enum(["active", "hidden", "banned"]),
  exact: z.boolean(),
  by: z.strictObject({}),
});

const right = {
  text: "a",
  limit: 1,
  ids: ["a", "b"],
  numbers: {},
  which: "day",
  status: "active",
  exact: true,
  by: {},
};

test.each([
  [{ segments: { country: 7 } }, "segments.country", "must be a text; this is a number"],
  [{ text: undefined }, "text", "is missing"],
  [{ text: null }, "text", "must be a text; this is null"],
  [{ text: "" }, "text", "must have at least 1 character"],
  [{ text: "abcd" }, "text", "must have at most 3 characters"],
  [{ limit: "1" }, "limit", 'must be a finite number; this is the text "1"'],
  [{ limit: 1.5 }, "limit", "must be a whole number; this is 1.5"],
  [{ limit: 0 }, "limit", "must be at least 1"],
  [{ limit: 101 }, "limit", "must be at most 100"],
  [{ ids: {} }, "ids", "must be a list; this is an empty object"],
  [{ ids: ["a"] }, "ids", "must have at least 2 items"],
  [{ ids: ["a", ["b"]] }, "ids.1", "must be a text; this is a list"],
  [{ numbers: { a: true } }, "numbers.a", "must be a finite number; this is true"],
  [{ numbers: { a: NaN } }, "numbers.a", "must be a finite number; this is NaN"],
  [{ which: "month" }, "which", 'must be "day" or "week"'],
  [{ status: "ban" }, "status", 'must be "active", "hidden" or "banned"'],
  [{ exact: "yes" }, "exact", 'must be true or false; this is the text "yes"'],
  [{ by: 3 }, "by", "must be an object; this is a number"],
])("%j: %s %s", (wrong, path, message) => {
  const fields = [{ path, message }];
  expect(() => parse(schema, { ...right, ...wrong })).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ fields }) as object }),
  );
});
