import { expect, test } from "vitest";
import { isKnownSchema, requireKnownSchema, schemaVersion } from "./schema-version.ts";

const known = [schemaVersion, "3", 0, -1, 1.5, undefined].map((version) => ({
  schema_version: version,
}));
test.each([...known, undefined])("%j passes: a damaged field names no other form", (data) => {
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
  expect(refuse).toThrow(expect.objectContaining({ code: "unknown_schema_version" }));
  expect(refuse).toThrow(
    /^A leaderboard is stored with schema_version 2, and firerank \S+ reads none above 1\. It is older than the data: deploy/,
  );
});
