/** Each command of this repository says how it is used, where somebody asks or gives an option that it does not have. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../scripts/project.ts";
import { patienceMs } from "../support/patience.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** The commands that run one program of ours. */
const commands = Object.entries(scripts).flatMap(([name, command]) => {
  const [, program] = /^node scripts\/run\.mjs [^&]*?([\w/-]+\.ts)$/.exec(command) ?? [];
  return program === undefined ? [] : [{ name, program, args: [] as string[] }];
});
const all = [...commands, { name: "bench -- load", program: "bench/main.ts", args: ["load"] }];

function run(program: string, args: readonly string[]) {
  const node = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: "utf8",
    timeout: patienceMs(),
  });
  return { code: node.status, out: node.stdout, error: node.stderr };
}

test("there are commands", () => {
  const names = ["bench", "emulators", "example:server", "example:web", "firerank", "pack"];
  expect(commands.map(({ name }) => name).toSorted()).toEqual([
    ...names,
    "release",
    "simulate",
    "start",
    "test",
  ]);
});

describe.each(all)("npm run $name", ({ program, args }) => {
  test("answers --help with its usage", () => {
    const { code, out, error } = run(program, [...args, "--help"]);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/^Usage: /);
  });

  test("refuses an option that it does not have, with its usage", () => {
    const { code, error } = run(program, [...args, "--unheard"]);
    expect(code).toBe(2);
    expect(error).toMatch(/unheard/);
    expect(error).toMatch(/^Usage: /m);
    expect(error).not.toMatch(/^ +at /m);
  });
});
