/**
 * `npm run bench -- overhead`: Firerank's own share of processor time, as ratios in one run.
 *
 *     npm run bench -- overhead [--seconds 5] [--repeats 3]
 *
 * - `submitScore` beside two bare callables, all in the Functions Framework: one request at a time, and 80 at once, when
 *   submissions share commits. One reads and writes a small document in a transaction. The other writes the two documents
 *   that Firerank writes: what is left beside it is Firerank's own work.
 * - Loading the functions' module beside a bare one with firebase-functions and firebase-admin.
 *
 * Processor time is that of the function's process; the database is an emulator, in a process of its own.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../../scripts/project.ts";
import { startSuite } from "../../scripts/suite.ts";
import { shapes } from "../generators/shapes.ts";
import { wholeNumbers } from "../options.ts";
import { drawBoard } from "../serve/board.ts";
import { quantile } from "../quantile.ts";
import { measureInTurns, withContestants } from "../serve/contest.ts";
import { callOnce } from "../serve/framework.ts";
import { publish } from "../serve/publish.ts";
import { bareModule } from "./bare-module.ts";

const { seconds, repeats } = wholeNumbers("overhead", { seconds: 5, repeats: 3 });
const projectId = "demo-overhead";
const leaderboard = "overhead";
/** Few, so that each has played before it is measured: a player's first score costs Firerank one read more. */
const players = 400;
/** Rises with each request, so that each changes a score. */
let score = 1_000_000;
/** The token is not verified; the callers' documents are their own. */
const env = {
  FIREBASE_DEBUG_MODE: "true",
  FIREBASE_DEBUG_FEATURES: JSON.stringify({ skipTokenVerification: true }),
};
/** The callables that are compared, in the order in which they are measured. */
const callables = {
  bare: join(import.meta.dirname, "bare-callable.ts"),
  "the same documents": join(import.meta.dirname, "same-documents-callable.ts"),
  Firerank: join(root, "functions"),
};
/** The modules, as they are imported in functions/. */
const modules = { bare: bareModule, Firerank: 'import "./lib/index.js";' };

const suite = await startSuite({ ports: "tests" });
try {
  await compareScores(suite.env["FIRESTORE_EMULATOR_HOST"] ?? "");
} finally {
  await suite.stop();
}
compareLoading();

/** Milliseconds of a processor for a request, of both in turns. */
async function compareScores(host: string): Promise<void> {
  process.env["FIRESTORE_EMULATOR_HOST"] = host;
  const board = drawBoard(leaderboard, shapes.chess, 10_000, 1);
  await publish(board, projectId);
  const stage = { board, firestore: { host, projectId }, folder: "", pinned: [], target: "submitScore" };
  const systems = Object.entries(callables).map(([name, source]) => ({
    name,
    store: async () => ({ source, env }),
  }));
  const samples = await withContestants(systems, stage, async (contestants) => {
    for (const { served } of contestants) {
      // The first call takes long, and shows that both answer.
      const { data, headers } = next();
      await callOnce(served.url, data, headers);
    }
    return measureInTurns(contestants, next, { connections: 80, seconds, repeats });
  });
  for (const [kind, at] of [
    ["alone", "one at a time"],
    ["busy", "80 at once"],
  ]) {
    const timesOf = (name: string) =>
      samples
        .filter((sample) => sample.kind === kind && sample.system === name)
        .map(({ perCoreSecond }) => 1_000 / perCoreSecond);
    print(`a score, ${at}`, Object.keys(callables), timesOf);
  }
}

/** A score that counts. */
function next() {
  score += 1;
  return { data: { leaderboard, score }, headers: { Authorization: `Bearer ${tokenOf(score % players)}` } };
}

function tokenOf(player: number): string {
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString("base64url");
  const sub = `player-${player}`;
  return `${part({ alg: "none", typ: "JWT" })}.${part({ sub, user_id: sub, aud: projectId })}.`;
}

/** Loads each module in processes of their own, in turns; the first of each fills the disk's cache. */
function compareLoading(): void {
  const found = Array.from({ length: 3 * repeats + 1 }, () =>
    Object.fromEntries(Object.entries(modules).map(([name, module]) => [name, loadMs(module)])),
  );
  print("loading the module", Object.keys(modules), (name) =>
    found.slice(1).map((times) => times[name] ?? NaN),
  );
}

function loadMs(imports: string): number {
  const script = `${imports}\nconst { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: join(root, "functions"),
    encoding: "utf8",
    env: { PATH: process.env["PATH"], GCLOUD_PROJECT: projectId, FIREBASE_CONFIG: "{}" },
  });
  const ms = Number(stdout.trim().split("\n").at(-1));
  if (!(ms > 0)) throw new Error(`the module cannot be loaded: ${stderr}`);
  return ms;
}

/** Compares the medians of each with that of the first. */
function print(what: string, names: readonly string[], timesOf: (name: string) => number[]): void {
  const medians = names.map((name) => quantile(timesOf(name), 0.5));
  const said = names.map((name, i) => {
    const [first = NaN, own = NaN] = [medians[0], medians[i]];
    return `${name} ${own.toFixed(2)} (${(own / first).toFixed(2)})`;
  });
  console.log(`${what.padEnd(22)} ms of a processor, and beside the first: ${said.join(", ")}`);
}
