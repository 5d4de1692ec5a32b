/** Projects in folders for temporary files. For tests only. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type InitOptions, planFor } from "../init/init.ts";

/** A new folder with these files. */
export function projectOf(files: Record<string, string>): string {
  const project = mkdtempSync(join(tmpdir(), "firerank-"));
  writeAll(project, files);
  return project;
}

export function writeAll(project: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

export const read = (project: string, path: string) => readFileSync(join(project, path), "utf8");

/** What `init` would write, and say. */
export const plan = (project: string, more: Partial<InitOptions> = {}) =>
  planFor({ project, yes: true, say: () => undefined, input: process.stdin, ...more });
