import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hostsOfEmulators, runningEmulators } from "./hub.ts";
import { serve, type Served } from "./testing/serve.ts";

let folder: string;
let hubs: Served[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "firerank-"));
  hubs = [];
});
afterEach(() => {
  for (const hub of hubs) void hub.close();
});

const all = {
  firestore: { name: "firestore", host: "127.0.0.1", port: 8080 },
  auth: { name: "auth", host: "::1", port: 9099 },
};

/** A hub as firebase-tools runs it, and the file that tells of it. */
async function startHub(project: string, emulators: object = all): Promise<void> {
  const hub = await serve(({ path }) => (path === "emulators" ? emulators : undefined));
  hubs.push(hub);
  tell(project, JSON.stringify({ version: "15.0.0", origins: [`http://${hub.host}`], pid: 1 }));
}

function tell(project: string, text: string): void {
  writeFileSync(join(folder, `hub-${project}.json`), text);
}

const asked = (project?: string, wantsEmulators = false, environment = {}) =>
  runningEmulators({ project, wantsEmulators }, environment, folder);

test("emulators that run are found by their hub", async () => {
  await startHub("demo-game");
  const set = {
    FIRESTORE_EMULATOR_HOST: "127.0.0.1:8080",
    FIREBASE_AUTH_EMULATOR_HOST: "[::1]:9099",
    GCLOUD_PROJECT: "demo-game",
  };
  expect((await asked())?.set).toEqual(set);
  expect((await asked("demo-game"))?.set).toEqual(set);
  expect(await asked("demo-other")).toBeUndefined();
});

test("the emulators beside one of Firestore are found by either name of this machine", async () => {
  await startHub("demo-game");
  const beside = (firestore: string) => hostsOfEmulators({ project: "demo-game", firestore }, {}, folder);
  expect(await beside("127.0.0.1:8080")).toEqual({ firestore: "127.0.0.1:8080", auth: "[::1]:9099" });
  expect(await beside("localhost:8080")).toEqual({ firestore: "127.0.0.1:8080", auth: "[::1]:9099" });
  expect(await beside("localhost:8081")).toEqual({});
});

test("a real project's name means the real project, unless the emulators are asked for; variables come first", async () => {
  await startHub("game");
  expect(await asked("game")).toBeUndefined();
  expect((await asked("game", true))?.found.project).toBe("game");
  expect((await asked())?.found.project).toBe("game");
  for (const name of ["FIRESTORE_EMULATOR_HOST", "FIREBASE_AUTH_EMULATOR_HOST"])
    expect(await asked(undefined, false, { [name]: "127.0.0.1:1" })).toBeUndefined();
});

test("what hubs left behind, and files of others, are no emulators", async () => {
  tell("demo-dead", JSON.stringify({ origins: ["http://127.0.0.1:1"] }));
  tell("demo-torn", '{"origins": [');
  tell("demo-other", "[]");
  await startHub("demo-auth-only", { auth: all.auth });
  expect(await asked()).toBeUndefined();
  await expect(asked(undefined, true)).rejects.toThrow("No emulators with Firestore run");
  await expect(asked("game", true)).rejects.toThrow("No emulators of project game");
});

test("of several projects' emulators one has to be named", async () => {
  await startHub("demo-a");
  await startHub("demo-b");
  await expect(asked()).rejects.toThrow("demo-a, demo-b. Name one with --project.");
  expect((await asked("demo-b"))?.found.project).toBe("demo-b");
});

test("where there is no such folder, nothing runs", async () => {
  folder = "/nowhere";
  expect(await asked()).toBeUndefined();
});
