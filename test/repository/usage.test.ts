/** Each command of this repository says how it is used. Those of bench, with packages of its own, are tested there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/project.ts";
import { type OwnCommand, testUsage } from "../support/usage.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

const commands = Object.entries(scripts).flatMap(([name, command]): OwnCommand[] => {
  const [, program] = /^node scripts\/run\.mjs [^&]*?([\w/-]+\.ts)$/.exec(command) ?? [];
  return program === undefined ? [] : [{ name, program, args: [] }];
});

test("there are commands", () => {
  const names = ["adopt", "bench", "emulators", "example:server", "example:web", "firerank", "pack"];
  expect(commands.map(({ name }) => name).toSorted()).toEqual([
    ...names,
    "release",
    "simulate",
    "start",
    "test",
    "test:unit",
  ]);
});

testUsage(commands.filter(({ name }) => name !== "bench"));
