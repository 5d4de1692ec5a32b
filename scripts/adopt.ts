/**
 * `npm run adopt`: from a project of one's own to the first published rank, timed, in each way that Firerank can be put
 * into it. `npm run adopt -- codebase` takes those whose name has the word.
 *
 * Timed: each command, from its start until it ends, or until the emulators say that they are ready; then an app's part,
 * from the first call until a rank is published. Not timed: packing the package, the project's own functions and what npm
 * installs for them, a download of the emulators, and a human who reads and types.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type OwnProject, startEmulators } from "./adopt/own-project.ts";
import { packAll } from "./adopt/packages.ts";
import { type Account, call, signUp } from "./adopt/playing.ts";
import { run } from "./adopt/run.ts";
import { projectFor, type Way, ways } from "./adopt/ways.ts";

const waitsMsMax = 600_000;
const goalMinutes = 10;

process.exitCode = await main(process.argv[2] ?? "");

async function main(word: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "firerank-adopt-"));
  try {
    const { firerank } = await packAll(folder);
    let isInTime = true;
    for (const [i, way] of ways.entries()) {
      if (!way.how.includes(word)) continue;
      isInTime &&= (await adopt(way, join(folder, String(i)), firerank)) < goalMinutes * 60;
    }
    return isInTime ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints what was timed. @returns all of it, in seconds */
async function adopt(way: Way, folder: string, tarball: string): Promise<number> {
  const project = await projectFor(way, `demo-adopt-${process.pid}`, folder, tarball);
  await run(join(folder, "functions"), "npm", "install", "--no-audit", "--no-fund");
  console.log(`\nFirerank ${way.how}`);
  let total = 0;
  const time = async <T>(what: string, does: () => Promise<T>): Promise<T> => {
    const startedAt = Date.now();
    const result = await does();
    const seconds = (Date.now() - startedAt) / 1000;
    total += seconds;
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${what}`);
    return result;
  };
  for (const { typed, does } of way.commands) await time(typed, () => does(project, tarball));
  const stop = await time("npx firebase emulators:start", () => startEmulators(project, waitsMsMax));
  try {
    const ann = await signUp(project);
    await time("npx --no-install firerank grant <uid> admin", () =>
      run(folder, "npx", "--no-install", "firerank", "grant", ann.uid, "admin", "--project", project.id),
    );
    await time("an app: a board, a score, its published rank", () => play(project, way.prefix, ann));
  } finally {
    stop();
  }
  const commands = way.commands.length + 1;
  console.log(
    `${total.toFixed(1).padStart(7)} s  for ${commands} commands until Firerank runs, one for the first admin, and a rank`,
  );
  return total;
}

/** What an app and its admin do until the first rank is published. */
async function play(project: OwnProject, prefix: string | undefined, ann: Account): Promise<void> {
  const token = await ann.signIn();
  const ask = (name: string, data: object) =>
    call(project, prefix, name, { leaderboard: "arena", ...data }, token);
  await ask("saveLeaderboard", { definition: { order: "descending", aggregation: "best" } });
  await ask("submitScore", { score: 850 });
  // Before the first publication there is no rank, and the answer says so.
  const isPublished = () =>
    ask("getRank", {}).then(
      ({ rank }) => rank === 1,
      (error: unknown) => {
        if (String(error).includes("player_not_ranked")) return false;
        throw error;
      },
    );
  while (!(await isPublished())) await pause(200);
}
