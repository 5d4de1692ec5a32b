/**
 * The client package with version 13 of the Firebase JS SDK, against the emulators: a score, the calls, both listeners and
 * ranks that are read directly. The other tests have version 12. The SDK is installed beside the package from npm's
 * registry, without the parts that neither needs.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Client from "firerank-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../../../scripts/processes.ts";
import { root } from "../../../../scripts/project.ts";
import { useLive } from "../../../support/live.ts";
import { patienceMs } from "../../../support/patience.ts";
import { type ClientApp, clientApp, type FirebaseSdk } from "../../../support/client/client-app.ts";

/** Parts of the SDK that are left out: an empty stand-in is installed for each. */
const leftOut = [
  ...["ai", "crashlytics", "data-connect", "app-types"],
  ...[
    "analytics",
    "database",
    "installations",
    "messaging",
    "performance",
    "remote-config",
    "storage",
  ].flatMap((name) => [name, `${name}-compat`]),
  ...["app", "app-check", "auth", "firestore", "functions"].map((name) => `${name}-compat`),
];

interface Installed extends FirebaseSdk {
  client: typeof Client;
}

const folder = mkdtempSync(join(tmpdir(), "firerank-sdk-"));
const live = useLive();
let sdk: Installed;

beforeAll(async () => {
  sdk = await install();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("scores, calls, listeners and direct reads work with version 13 of the SDK", async () => {
  const { client } = sdk;
  expect(sdk.app.SDK_VERSION).toMatch(/^13\./);
  const board = await live.board();
  const [ann, bob] = [clientApp({ sdk }), clientApp({ sdk })];
  await ann.signIn(live.uid("ann"));
  await bob.signIn(live.uid("bob"));
  const boardOf = ({ app }: ClientApp) => client.leaderboard(app, board.leaderboard);
  await client.submitScore(boardOf(ann), { score: 850, display_name: "Ann" });
  await client.submitScore(boardOf(bob), { score: 900 });
  await board.rank();

  const poll = { timeout: patienceMs(), interval: 500 };
  const published = { rank: 2, players: 2, exact: true };
  await expect.poll(() => client.getRank(boardOf(ann)), poll).toMatchObject(published);
  await expect.poll(() => client.rankOf(boardOf(ann), 850), poll).toMatchObject(published);
  const ranks: (number | undefined)[] = [];
  const tops: string[][] = [];
  const stops = [
    client.watchRank(boardOf(ann), (watched) => ranks.push(watched?.rank)),
    client.watchTop(boardOf(bob), ({ entries }) => tops.push(entries.map(({ player }) => player))),
  ];
  await expect.poll(() => ranks.at(-1), poll).toBe(2);
  await expect.poll(() => tops.at(-1), poll).toEqual([live.uid("bob"), live.uid("ann")]);
  for (const stop of stops) stop();
});

/** Installs the SDK, puts the package beside it, and loads both. */
async function install(): Promise<Installed> {
  const standIn = "npm:@firebase/logger@0.5";
  const overrides = Object.fromEntries(leftOut.map((name) => [`@firebase/${name}`, standIn]));
  const manifest = { private: true, dependencies: { firebase: "^13.1.0" }, overrides };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  await run(folder, "npm", "install", "--no-audit", "--no-fund", "--legacy-peer-deps", "--ignore-scripts");
  const own = join(folder, "node_modules", "firerank-client");
  mkdirSync(own);
  for (const name of ["lib", "package.json"])
    cpSync(join(root, "client", name), join(own, name), { recursive: true });
  // Within node_modules, so that Node loads it and all that it imports.
  const entry = join(own, "sdk.js");
  const parts = ["app", "auth", "firestore", "functions"].map(
    (part) => `export * as ${part} from "firebase/${part}";`,
  );
  writeFileSync(entry, [...parts, 'export * as client from "firerank-client";', ""].join("\n"));
  return (await import(pathToFileURL(entry).href)) as Installed;
}
