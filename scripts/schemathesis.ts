/**
 * Schemathesis, which generates requests from an OpenAPI description and checks the answers against it:
 * https://schemathesis.io.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { workFolder } from "./project.ts";

/** One version, so that a seed repeats a run. */
const version = "4.32.5";

/** The path of its program, in a Python environment under `.firerank`, created if missing. @throws if that fails */
export function findSchemathesis(): string {
  const folder = join(workFolder(), `schemathesis-${version}`);
  const program = join(folder, "bin", "schemathesis");
  if (works(program)) return program;
  console.log(`Installing schemathesis ${version} with pip, once.`);
  run("python3", ["-m", "venv", "--clear", folder], "Python 3.10 or later with venv is needed");
  const pip = join(folder, "bin", "pip");
  run(
    pip,
    ["install", "--quiet", "--disable-pip-version-check", `schemathesis==${version}`],
    "pip could not install it",
  );
  if (!works(program)) throw new Error(`schemathesis was installed in ${folder}, but does not run.`);
  return program;
}

function works(program: string): boolean {
  return existsSync(program) && spawnSync(program, ["--version"]).status === 0;
}

function run(command: string, args: readonly string[], what: string): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim();
  throw new Error(`schemathesis ${version}, which the fuzzing needs, is not here: ${what}. ${reason}`);
}
