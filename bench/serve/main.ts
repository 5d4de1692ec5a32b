/**
 * `npm run bench -- serve`: getRank by score in the Functions Framework, the HTTP server of Cloud Functions, answered from
 * memory, beside the same request answered by Redis and by PostgreSQL behind an equal function.
 *
 *     npm run bench -- serve [--players 1000000] [--repeats 5] [--seconds 5] [--connections 80]
 *
 * It measures this code and not Firestore, which is an emulator here and asked once. Needs redis-server and PostgreSQL
 * (Debian: redis-server, postgresql), each of which it starts for itself and stops. Takes about five minutes; prints the
 * table of docs/serve.md.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { startSuite } from "../../scripts/suite.ts";
import { randomOf } from "../generators/random.ts";
import { shapes } from "../generators/shapes.ts";
import { wholeNumbers } from "../options.ts";
import { drawBoard, drawQuestions, questionAt } from "./board.ts";
import { asking, checkAnswers, measureInTurns, withContestants } from "./contest.ts";
import { publish } from "./publish.ts";
import { firerank, memory, postgresCount, redisCount } from "./systems.ts";
import { digits, resultTable } from "./tables.ts";

const seed = 1;
const projectId = "demo-serve";
const defaults = { players: 1_000_000, repeats: 5, seconds: 5, connections: 80 };
const { players, repeats, seconds, connections } = wholeNumbers("serve", defaults);

/** Whether functions and load have a core each. */
const canPin = process.platform === "linux" && availableParallelism() > 1;

const folder = mkdtempSync(join(tmpdir(), "firerank-serve-"));
const suite = await startSuite({ ports: "tests" });
try {
  await bench(suite.env["FIRESTORE_EMULATOR_HOST"] ?? "");
} finally {
  await suite.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function bench(host: string): Promise<void> {
  process.env["FIRESTORE_EMULATOR_HOST"] = host;
  const board = drawBoard("serve", shapes.chess, players, seed);
  const pages = await publish(board, projectId);
  console.log(
    `${digits(players)} players, ${shapes.chess.title} (synthetic between published points), on ${pages} pages.\n` +
      `${cpus()[0]?.model ?? "an unknown processor"}, Node ${process.version}; the load average before is ${digits(loadavg()[0] ?? NaN)}.\n` +
      (canPin
        ? "Each function has core 0 to itself while it is asked; load and databases share core 1."
        : "Nothing is pinned to a core here: functions, databases and load share the machine."),
  );
  // All threads of this process, and the databases that it starts.
  if (canPin) execFileSync("taskset", ["-acp", "1", String(process.pid)], { stdio: "ignore" });
  const pinned = canPin ? ["taskset", "-c", "0"] : [];
  const stage = { board, firestore: { host, projectId }, folder, pinned };
  await withContestants([firerank, memory, redisCount, postgresCount], stage, async (contestants) => {
    const questions = drawQuestions(board, 1_000, randomOf(seed));
    const ranks = [1, 10, 100, 1_000, 10_000, 100_000, players].filter((rank) => rank <= players);
    const byRank = ranks.map((rank) => questionAt(board, rank - 1));
    await checkAnswers(contestants, board, [...questions.slice(0, 200), ...byRank]);
    console.log("All systems gave the same ranks as a full sort. Warming up and measuring …");
    const load = { connections, seconds, repeats };
    const samples = await measureInTurns(contestants, asking(board, questions), load);
    console.log(`\nScores of players drawn by chance, ${connections} connections:\n`);
    console.log(resultTable(samples));
  });
}
