/**
 * `npm run adopt`: from a project of one's own to the first published rank, timed, in each way that Firerank can be put
 * into it. `npm run adopt -- codebase` takes those whose name has the word.
 *
 * Timed: the commands, the emulators until they are ready, and what init says to type, until a rank is published. Not
 * timed: packing the package, what npm installs for the project's own functions, a download of the emulators, and a human
 * who reads and types.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startEmulators } from "./adopt/own-project.ts";
import { packAll } from "./adopt/packages.ts";
import { printedCommands } from "./adopt/printed.ts";
import { run } from "./adopt/run.ts";
import { projectFor, type Way, ways } from "./adopt/ways.ts";

const waitsMsMax = 600_000;
const goalMinutes = 10;

const folder = mkdtempSync(join(tmpdir(), "firerank-adopt-"));
try {
  const { firerank } = await packAll(join(folder, "packages"));
  for (const [i, way] of ways.entries()) {
    if (!way.how.includes(process.argv[2] ?? "")) continue;
    const seconds = await adopt(way, join(folder, String(i)), firerank);
    console.log(`${seconds.toFixed(0).padStart(5)} s  ${way.how}`);
    if (seconds > goalMinutes * 60) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function adopt(way: Way, place: string, tarball: string): Promise<number> {
  const project = await projectFor(way, `demo-adopt-${process.pid}`, place, tarball);
  await run(join(place, "functions"), "npm", "install", "--no-audit", "--no-fund");
  const startedMs = Date.now();
  let said = "";
  for (const command of way.commands) said = await command(project, tarball);
  const stop = await startEmulators(project, waitsMsMax);
  try {
    const { play, ask } = printedCommands(said, project, "arena");
    const token = await play();
    while (!JSON.stringify(await ask(token)).includes('"rank"')) await pause(200);
  } finally {
    stop();
  }
  return (Date.now() - startedMs) / 1000;
}
