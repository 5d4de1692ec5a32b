/**
 * `npm run bench -- overhead`: Firerank's own share of processor time, as two ratios in one run.
 *
 *     npm run bench -- overhead [--seconds 5] [--repeats 3]
 *
 * - `submitScore` beside a bare callable that reads and writes one document in a transaction, both in the Functions
 *   Framework: one request at a time, and 80 at once, when submissions share commits.
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
import { callOnce, serve, type Served } from "../serve/framework.ts";
import { measure } from "../serve/load.ts";
import { publish } from "../serve/publish.ts";
import { bareModule } from "./bare-module.ts";

const { seconds, repeats } = wholeNumbers("overhead", { seconds: 5, repeats: 3 });
const projectId = "demo-overhead";
const leaderboard = "overhead";
const players = 5_000;
/** Rises with each request, so that each changes a score. */
let score = 1_000_000;
/** In the order in which they are measured. */
const ways = ["bare", "firerank"] as const;
type Way = (typeof ways)[number];
const sources: Record<Way, string> = {
  bare: join(import.meta.dirname, "bare-callable.ts"),
  firerank: join(root, "functions"),
};

const suite = await startSuite({ ports: "tests" });
try {
  const host = suite.env["FIRESTORE_EMULATOR_HOST"] ?? "";
  process.env["FIRESTORE_EMULATOR_HOST"] = host;
  await publish(drawBoard(leaderboard, shapes.chess, 10_000, 1), projectId);
  const served = new Map<Way, Served>();
  // The token is not verified; the callers' documents are their own.
  const env = {
    FIREBASE_DEBUG_MODE: "true",
    FIREBASE_DEBUG_FEATURES: JSON.stringify({ skipTokenVerification: true }),
  };
  try {
    for (const way of ways) {
      const one = await serve({ source: sources[way], env }, { host, projectId }, [], "submitScore");
      served.set(way, one);
      // The first call takes long, and shows that both answer.
      const { data, headers } = next();
      await callOnce(one.url, data, headers);
    }
    for (const connections of [1, 80]) await compare(served, connections);
  } finally {
    for (const one of served.values()) await one.stop();
  }
} finally {
  await suite.stop();
}
/** Milliseconds of a processor for a request, of both in turns; the first turn warms up. */
async function compare(served: ReadonlyMap<Way, Served>, connections: number): Promise<void> {
  const found: Record<Way, number[]> = { bare: [], firerank: [] };
  for (let repeat = 0; repeat <= repeats; repeat++) {
    for (const [way, { url, pid }] of served) {
      const { perCoreSecond } = await measure({ url, next, connections, seconds }, pid);
      if (repeat > 0) found[way].push(1_000 / perCoreSecond);
    }
  }
  const at = connections === 1 ? "one at a time" : `${connections} at once`;
  print(`a score, ${at}`, found);
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
  const scripts: Record<Way, string> = { bare: bareModule, firerank: 'import "./lib/index.js";' };
  const found: Record<Way, number[]> = { bare: [], firerank: [] };
  for (let repeat = 0; repeat <= 3 * repeats; repeat++)
    for (const way of ways) {
      const time = loadMs(scripts[way]);
      if (repeat > 0) found[way].push(time);
    }
  print("loading the module", found);
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

/** Medians. */
function print(what: string, found: Record<Way, number[]>): void {
  const [bare = NaN, own = NaN] = ways.map((way) => quantile(found[way], 0.5));
  console.log(
    `${what.padEnd(22)} bare ${bare.toFixed(2)}, Firerank ${own.toFixed(2)} ms of a processor: ratio ${(own / bare).toFixed(2)}`,
  );
}

compareLoading();
