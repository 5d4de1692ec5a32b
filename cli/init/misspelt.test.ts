import { expect, test } from "vitest";
import { misspelt } from "./misspelt.ts";

const found = (text: string) => misspelt([{ folder: "firerank", files: [{ path: "firerank/.env", text }] }]);

test.each([
  ["MAX_INSTANCE", "MAX_INSTANCES"],
  ["MAXINSTANCES", "MAX_INSTANCES"],
  ["MEMORY_MB", "MEMORY_MIB"],
  ["REGOIN", "REGION"],
  ["DIRECT_WRITE", "DIRECT_WRITES"],
])("the name %s is nearly that of %s", (name, meant) => {
  expect(found(`REGION=us-central1\n${name}=3\n`)).toEqual([
    `firerank/.env, line 2: Firerank has no parameter ${name}. Did you mean ${meant}?`,
  ]);
});

test("parameters, and names of a codebase's own, are nobody's mistake", () => {
  expect(
    found("MAX_INSTANCES=3\nVERSION=2\nAPI_KEY=x\nDATABASE_URL=y\nFIRERANK_EMULATOR_CLOCK=off\n"),
  ).toEqual([]);
});
