/**
 * `npm run bench`: known ways to rank, side by side, on the same work, and the benches of Firerank's own parts.
 *
 *     npm run bench                   all; about half an hour on two cores
 *     npm run bench -- load           one of them; the file of each has its options
 *     npm run bench -- --compute      see systems-main.ts
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../scripts/project.ts";

const scripts: Record<string, string> = {
  systems: "systems-main.ts",
  "rank-error": "rank-error/main.ts",
  load: "load/main.ts",
  serve: "serve/main.ts",
};

const [name = "", ...args] = process.argv.slice(2);
if (name === "") process.exitCode = Math.max(...Object.keys(scripts).map((one) => run(one, [])));
else if (name === "--compute") process.exitCode = run("systems", [name, ...args]);
else if (Object.hasOwn(scripts, name)) process.exitCode = run(name, args);
else {
  const names = Object.keys(scripts).join(" | ");
  console.error(`Usage: npm run bench -- [${names}] [their options]\n` + "       npm run bench -- --compute");
  process.exitCode = 2;
}

/** Runs a bench; returns its exit code. */
function run(part: string, options: string[]): number {
  console.log(`== ${part}`);
  const command = [join(import.meta.dirname, scripts[part] ?? ""), ...options];
  return spawnSync(process.execPath, command, { stdio: "inherit", cwd: root }).status ?? 1;
}
