/**
 * `npm run fuzz:rest`: sends requests generated from the REST interface's own description to a separate emulator suite.
 * No answer may have a status of 500 or more, or a status, header or body that is not described; no request that the
 * description forbids may be accepted; and each operation must accept some requests.
 *
 *     npm run fuzz:rest -- [--seed N] [--examples N]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addressesIn, callableUrl, createAccount, createCallableClient } from "./callable-client.ts";
import { seedBoards } from "./fuzz-boards.ts";
import { type Description, narrowed } from "./fuzz-description.ts";
import { runCommand } from "./processes.ts";
import { workFolder } from "./project.ts";
import { findSchemathesis } from "./schemathesis.ts";
import { startSuite, type Suite } from "./suite.ts";

const options = [
  "--phases=examples,coverage,fuzzing",
  "--checks=all",
  // A request may match the description but still name a board of another kind, or a score out of its bounds.
  "--exclude-checks=positive_data_acceptance",
  "--continue-on-failure",
  "--generation-database=none",
  "--suppress-health-check=all",
  "--warnings=off",
  "--no-color",
];

/** Any number will do; a fixed one makes CI repeatable. */
const seedDefault = "20261121";

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seed: { type: "string", default: seedDefault }, examples: { type: "string", default: "50" } },
  });
  try {
    const schemathesis = findSchemathesis();
    const suite = await startSuite({ ports: "tests" });
    Object.assign(process.env, suite.env);
    try {
      const fuzzing = fuzz(suite, [
        schemathesis,
        "run",
        "--seed",
        values.seed,
        "--max-examples",
        values.examples,
      ]);
      return await Promise.race([fuzzing, suite.failure]);
    } finally {
      await suite.stop();
    }
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
}

/** Fuzzes without a user, as a player and as an admin. */
async function fuzz(suite: Suite, [schemathesis = "", ...args]: string[]): Promise<number> {
  const addresses = addressesIn(suite.env);
  const admin = await createAccount(addresses, { uid: "office", claims: { leaderboard_admin: true } });
  const player = await createAccount(addresses, { uid: "ann" });
  const known = await seedBoards(createCallableClient(addresses, admin));
  const url = callableUrl(addresses, "leaderboardApi");
  const description = (await (await fetch(`${url}/openapi.json`)).json()) as Description;

  const folder = workFolder("fuzz-rest");
  process.chdir(folder); // where schemathesis writes its files
  const accepted = new Map<string, number>();
  const exitCodes: number[] = [];
  for (const [name, token] of Object.entries({ nobody: "", player: player.idToken, admin: admin.idToken })) {
    console.log(`\nAs ${name}: ${args.join(" ")}`);
    const [path, report] = [join(folder, `${name}.json`), join(folder, `${name}-report.json`)];
    writeFileSync(path, JSON.stringify(narrowed(description, known, name === "admin")));
    const header = token === "" ? [] : ["--header", `Authorization: Bearer ${token}`];
    const places = [path, "--url", url, "--report-json-path", report];
    exitCodes.push(await runCommand(schemathesis, [...args, ...places, ...options, ...header], process.env));
    for (const [operation, count] of acceptedIn(report)) {
      accepted.set(operation, count + (accepted.get(operation) ?? 0));
    }
  }
  return exitCodes.every((code) => code === 0) ? tell(accepted) : 1;
}

/** How many requests each operation accepted. */
function acceptedIn(report: string): [operation: string, count: number][] {
  const { valid_rates: rates } = JSON.parse(readFileSync(report, "utf8")) as {
    valid_rates: Record<string, Record<string, { accepted: number }>>;
  };
  return Object.entries(rates).map(([operation, phases]) => [
    operation,
    Object.values(phases).reduce((sum, { accepted }) => sum + accepted, 0),
  ]);
}

function tell(accepted: ReadonlyMap<string, number>): number {
  console.log("\nRequests accepted:");
  for (const [operation, count] of accepted) console.log(`  ${String(count).padStart(5)}  ${operation}`);
  if (accepted.size > 0 && [...accepted.values()].every((count) => count > 0)) return 0;
  console.error("An operation accepted none, so that its answers were never looked at.");
  return 1;
}
