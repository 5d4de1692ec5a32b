import { expect, test } from "vitest";
import { FirerankError } from "./errors.ts";
import {
  isKnownSchema,
  requireKnownSchema,
  schemasRead,
  schemaVersion,
  schemaVersionOf,
} from "./schema-version.ts";

test("what this release writes, it reads, and also the form before", () => {
  expect(schemasRead.newest).toBeGreaterThanOrEqual(schemaVersion);
  expect(schemasRead.oldest).toBeLessThan(schemaVersion);
});

test("without the field a document is of the first form, and a damaged field names none", () => {
  expect(schemaVersionOf({})).toBe(1);
  expect(schemaVersionOf(undefined)).toBe(1);
  expect(schemaVersionOf({ schema_version: 7 })).toBe(7);
  for (const damaged of [0, -1, 1.5, "2", null])
    expect(schemaVersionOf({ schema_version: damaged })).toBeUndefined();
});

test("each form that is known passes, and a damaged field is left to the document's schema", () => {
  for (let known = schemasRead.oldest; known <= schemasRead.newest; known++)
    expect(() => {
      requireKnownSchema("season", { schema_version: known });
    }).not.toThrow();
  expect(() => {
    requireKnownSchema("season", { schema_version: "2" });
  }).not.toThrow();
  expect(() => {
    requireKnownSchema("season", undefined);
  }).not.toThrow();
});

test("a newer form is refused with what to deploy", () => {
  const refuse = () => {
    requireKnownSchema("leaderboard", { schema_version: schemasRead.newest + 1 });
  };
  expect(refuse).toThrow(FirerankError);
  expect(refuse).toThrow(expect.objectContaining({ code: "unknown_schema_version" }));
  expect(refuse).toThrow(
    /^A leaderboard is stored with schema_version 3, and firerank \S+ reads 1 to 2\. It is older than the data: deploy/,
  );
});

test("a form that this release no longer reads is refused with the upgrade to run first", () => {
  const read = { oldest: 2, newest: 3 };
  expect(() => {
    requireKnownSchema("season", {}, read);
  }).toThrow(/run `npx firerank upgrade` of the release before/);
  expect(() => {
    requireKnownSchema("season", { schema_version: 2 }, read);
  }).not.toThrow();
});

test("a damaged field names no form, so it is not one that this release does not know", () => {
  expect(isKnownSchema({ schema_version: "2" })).toBe(true);
  expect(isKnownSchema({ schema_version: schemasRead.newest + 1 })).toBe(false);
});
