/** The options of vitest, for commands that hand theirs on to it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseCLI } from "vitest/node";
import { refuseOption } from "./options.ts";
import { root } from "./project.ts";

export const vitestProgram = join(root, "node_modules/vitest/vitest.mjs");

/** What the arguments of `vitest run` say. Ends this process with the usage where vitest has no such option. */
export function vitestOptions(args: readonly string[], usage: string): ReturnType<typeof parseCLI> {
  try {
    const found = parseCLI(["vitest", "run", ...args]);
    if (!args.some((arg) => arg.startsWith("-"))) return found;
    const known = knownOptions();
    const unknown = Object.keys(found.options).find((name) => name !== "--" && !known.has(name));
    if (unknown !== undefined) throw new Error(`vitest has no option "${unknown}".`);
    return found;
  } catch (error) {
    return refuseOption(error, usage);
  }
}

/** The names of vitest's options, as its help has them. Its parser takes any name, and every test would run. */
function knownOptions(): ReadonlySet<string> {
  const help = execFileSync(process.execPath, [vitestProgram, "run", "--help"], { encoding: "utf8" });
  return new Set([...help.matchAll(/(?<![\w-])--?(?:no-)?(\w+)/g)].map(([, name = ""]) => name));
}
