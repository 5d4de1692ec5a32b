import { expect, test } from "vitest";
import { nodeTooOld } from "./node-version.ts";

test("a Node that is too old is told which would do", () => {
  expect(nodeTooOld("v20.20.2")).toContain("needs Node 22 or later, and this is v20.20.2");
  for (const version of ["v9.0.0", "unknown", "io.js v24"]) expect(nodeTooOld(version)).toContain(version);
});

test.each(["v22.0.0", "24.21.0", "v100.0.0"])("nothing is said about %s", (version) => {
  expect(nodeTooOld(version)).toBeUndefined();
});
