import { expect, test } from "vitest";
import { FirerankError } from "./errors.ts";
import { isKnownSchema, requireKnownSchema, schemaVersion } from "./schema-version.ts";

test.each([
  ["the present form", { schema_version: schemaVersion }],
  ["a form of text", { schema_version: "2" }],
  ["form 0", { schema_version: 0 }],
  ["form -1", { schema_version: -1 }],
  ["form 1.5", { schema_version: 1.5 }],
  ["no form", {}],
  ["no document", undefined],
])("%s passes: a damaged field names no other form, and is left to the document's schema", (_what, data) => {
  expect(isKnownSchema(data)).toBe(true);
  expect(() => {
    requireKnownSchema("season", data);
  }).not.toThrow();
});

test("a newer form is refused with what to deploy", () => {
  const newer = { schema_version: schemaVersion + 1 };
  expect(isKnownSchema(newer)).toBe(false);
  const refuse = () => {
    requireKnownSchema("leaderboard", newer);
  };
  expect(refuse).toThrow(FirerankError);
  expect(refuse).toThrow(expect.objectContaining({ code: "unknown_schema_version" }));
  expect(refuse).toThrow(
    /^A leaderboard is stored with schema_version 2, and firerank \S+ reads 1\. It is older than the data: deploy/,
  );
});
