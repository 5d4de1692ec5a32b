import { expect, test } from "vitest";
import { nodeTooOld } from "./node-version.ts";

test("a Node that is too old is told which would do", () => {
  expect(nodeTooOld("v20.20.2")).toContain("needs Node 22 or later, and this is v20.20.2");
  expect(nodeTooOld("v9.0.0")).toContain("v9.0.0");
});

test.each(["v22.0.0", "24.21.0", "v100.0.0"])("nothing is said about %s", (version) => {
  expect(nodeTooOld(version)).toBeUndefined();
});

test("a version that cannot be read is too old, and only its beginning counts", () => {
  expect(nodeTooOld("unknown")).toContain("this is unknown");
  expect(nodeTooOld("io.js v24")).toContain("this is io.js v24");
});
