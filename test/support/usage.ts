/** How commands of this repository answer who asks how to use them. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { root } from "../../scripts/project.ts";
import { patienceMs } from "./patience.ts";

/** A command that runs one program of ours. */
export interface OwnCommand {
  name: string;
  program: string;
  args: readonly string[];
}

function run(program: string, args: readonly string[]) {
  const node = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: "utf8",
    timeout: patienceMs(),
  });
  return { code: node.status, out: node.stdout, error: node.stderr };
}

/** Tests that each command says how it is used, where somebody asks or gives an option that it does not have. */
export function testUsage(commands: readonly OwnCommand[]): void {
  describe.each(commands)("npm run $name", ({ program, args }) => {
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
}
