/**
 * `npm run adopt`: goes a stranger's way, from a clone and an empty folder to a first rank, and says how long each step
 * takes; what npm installs is told apart, as it depends on the network and npm's cache. `--commit` names the commit that
 * is cloned, so that two of them can be compared on one machine. It needs the usual ports of the emulators.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { printedCommands } from "../test/support/strangers-project.ts";
import { findEmulator } from "./emulator.ts";
import { becomesReady, launch } from "./launch.ts";
import { optionsOf } from "./options.ts";
import { groupOf, kill, ownEnvironment, run } from "./processes.ts";
import { root } from "./project.ts";

const msMax = 600_000;

interface Step {
  name: string;
  seconds: number;
  /** Of these, what npm took to install packages. */
  ofNpm: number;
}

if (import.meta.main) {
  const usage = "npm run adopt -- [--commit <commit>]";
  const { values } = optionsOf(usage, { options: { commit: { type: "string", default: "HEAD" } } });
  const steps = await adopt(values.commit);
  const seconds = (number: number) => number.toFixed(1).padStart(7);
  console.log(`${"seconds".padStart(7)}  of npm  step`);
  for (const { name, seconds: all, ofNpm } of steps)
    console.log(`${seconds(all)} ${seconds(ofNpm)}  ${name}`);
  const sum = (of: (step: Step) => number) => steps.reduce((total, step) => total + of(step), 0);
  const [all, ofNpm] = [sum((step) => step.seconds), sum((step) => step.ofNpm)];
  console.log(`${seconds(all)} ${seconds(ofNpm)}  in all; without npm ${(all - ofNpm).toFixed(1)} s`);
}

/** Goes the whole way. @throws if a step fails, or the rank is another than init says */
async function adopt(commit: string): Promise<Step[]> {
  const folder = mkdtempSync(join(tmpdir(), "firerank-adopt-"));
  const [clone, game] = [join(folder, "clone"), join(folder, "game")];
  mkdirSync(game);
  // The emulators' own UI would be downloaded at their first start.
  writeFileSync(join(game, "firebase.json"), '{ "emulators": { "ui": { "enabled": false } } }\n');
  const project = { id: "demo-game", folder: game };
  const steps: Step[] = [];
  const timed = async <T>(name: string, step: () => Promise<T>, ofNpmIn: (made: T) => number = () => 0) => {
    const started = performance.now();
    const made = await step();
    const seconds = (performance.now() - started) / 1000;
    steps.push({ name, seconds, ofNpm: Math.min(seconds, ofNpmIn(made)) });
    return made;
  };
  let stop: () => void = () => undefined;
  try {
    await run(root, "git", "clone", "--quiet", root, clone);
    await run(
      clone,
      "git",
      "checkout",
      "--quiet",
      await run(root, "git", "rev-parse", commit).then((id) => id.trim()),
    );
    const packed = await timed("npm run pack, in a clone", () => said(clone, "npm", "run", "pack"), ofSetUp);
    const tarball = packed.find(({ line }) => /firerank-\d[^/]*\.tgz$/.test(line))?.line ?? "";
    const install = () => run(game, "npm", "install", "--save-dev", join(clone, tarball));
    await timed("npm install of the package, in an empty folder", install, () => Infinity);
    const init = () => said(game, "npx", "--no-install", "firerank", "init", "--yes");
    const printed = await timed("firerank init --yes", init, ofCodebase);
    const log = join(folder, "emulators.log");
    await timed("firebase emulators:start", async () => {
      const env = { ...ownEnvironment(), FUNCTIONS_DISCOVERY_TIMEOUT: "120" };
      const launched = launch(await findEmulator(), ["--project", project.id], { cwd: game, env, log });
      stop = () => {
        if (launched.pid !== undefined) kill(groupOf(launched.pid));
      };
      process.once("exit", stop);
      await becomesReady(launched, log, { msMax });
    });
    const { play, ask } = printedCommands(printed.map(({ line }) => line).join("\n"), project, "arena");
    await timed("the commands that init prints, to a rank", async () => {
      const token = await play();
      const deadline = Date.now() + msMax;
      while (((await ask(token)) as { result?: { rank?: number } }).result?.rank !== 1) {
        if (Date.now() > deadline) throw new Error("There was no rank.");
        await sleep(200);
      }
    });
    return steps;
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Line {
  line: string;
  /** When it was said, in seconds from the start. */
  at: number;
}

/** Runs a command as a stranger's terminal does. @returns what it said, and when @throws with that if it fails */
async function said(cwd: string, command: string, ...args: readonly string[]): Promise<Line[]> {
  const started = performance.now();
  const child = spawn(command, args, { cwd, env: ownEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
  const lines: Line[] = [];
  const now = () => (performance.now() - started) / 1000;
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on("line", (line) => lines.push({ line, at: now() }));
  const [code] = (await once(child, "close")) as [number | null];
  const text = lines.map(({ line }) => line).join("\n");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} in ${cwd}:\n${text}`);
  return [...lines, { line: "", at: now() }];
}

/** What the set-up says of each `npm ci`. */
function ofSetUp(lines: readonly Line[]): number {
  const found = lines.flatMap(({ line }) => /^Set-up: npm ci .* after ([\d.]+) s$/.exec(line)?.[1] ?? []);
  return found.reduce((sum, seconds) => sum + Number(seconds), 0);
}

/** From the line that announces it to the next one. */
function ofCodebase(lines: readonly Line[]): number {
  const at = lines.findIndex(({ line }) => line.startsWith("Running npm install"));
  return at === -1 ? 0 : (lines[at + 1]?.at ?? 0) - (lines[at]?.at ?? 0);
}
