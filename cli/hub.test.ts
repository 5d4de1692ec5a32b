import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { hostsOfEmulators, runningEmulators } from "./hub.ts";
import { serve } from "./testing/serve.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "firerank-"));
});

const all = {
  firestore: { name: "firestore", host: "127.0.0.1", port: 8080 },
  auth: { name: "auth", host: "::1", port: 9099 },
};

/** A hub as firebase-tools runs it, and the file that tells of it. */
async function startHub(project: string, emulators: object = all): Promise<void> {
  const hub = await serve(({ path }) => (path === "emulators" ? emulators : undefined));
  onTestFinished(hub.close);
  tell(project, JSON.stringify({ version: "15.0.0", origins: [`http://${hub.host}`], pid: 1 }));
}

function tell(project: string, text: string): void {
  writeFileSync(join(folder, `hub-${project}.json`), text);
}

const asked = (project?: string, wantsEmulators = false, environment = {}) =>
  runningEmulators({ project, wantsEmulators }, environment, folder);

test("emulators that run are found by their hub", async () => {
  await startHub("demo-game");
  const hosts = { firestore: "127.0.0.1:8080", auth: "[::1]:9099" };
  const set = { FIRESTORE_EMULATOR_HOST: hosts.firestore, FIREBASE_AUTH_EMULATOR_HOST: hosts.auth };
  for (const project of [undefined, "demo-game"])
    expect((await asked(project))?.set).toEqual({ ...set, GCLOUD_PROJECT: "demo-game" });
  expect(await asked("demo-other")).toBeUndefined();
  // Those beside one of Firestore, by either name of this machine.
  const beside = (firestore: string) => hostsOfEmulators({ project: "demo-game", firestore }, {}, folder);
  expect(await beside("127.0.0.1:8080")).toEqual(hosts);
  expect(await beside("localhost:8080")).toEqual(hosts);
  expect(await beside("localhost:8081")).toEqual({});
});

test("a real project's name means the real project, unless the emulators are asked for; variables come first", async () => {
  await startHub("game");
  expect(await asked("game")).toBeUndefined();
  expect((await asked("game", true))?.project).toBe("game");
  expect((await asked())?.project).toBe("game");
  for (const name of ["FIRESTORE_EMULATOR_HOST", "FIREBASE_AUTH_EMULATOR_HOST"])
    expect(await asked(undefined, false, { [name]: "127.0.0.1:1", GCLOUD_PROJECT: "game" })).toBeUndefined();
});

test("where only the emulator is named, its hub or .firebaserc says the project", async () => {
  await startHub("demo-a", { firestore: { host: "127.0.0.1", port: 8081 } });
  await startHub("demo-b");
  const at = (host: string, usual?: string, project?: string) =>
    runningEmulators({ project, usual, wantsEmulators: false }, { FIRESTORE_EMULATOR_HOST: host }, folder);
  const of = (project: string, how: string) => ({ project, how, set: { GCLOUD_PROJECT: project } });
  expect(await at("localhost:8080", "game")).toEqual(of("demo-b", "by their hub"));
  expect(await at("127.0.0.1:8082", "game")).toEqual(
    of("game", "by FIRESTORE_EMULATOR_HOST and .firebaserc"),
  );
  expect(await at("127.0.0.1:8082")).toBeUndefined();
  expect(await at("127.0.0.1:8080", "game", "demo-other")).toBeUndefined();
  const both = { FIRESTORE_EMULATOR_HOST: "127.0.0.1:8080", GCLOUD_PROJECT: "demo-other" };
  expect(await asked(undefined, false, both)).toBeUndefined();
});

test("what hubs left behind, and files of others, are no emulators", async () => {
  tell("demo-dead", JSON.stringify({ origins: ["http://127.0.0.1:1"] }));
  tell("demo-torn", '{"origins": [');
  tell("demo-other", "[]");
  await startHub("demo-auth-only", { auth: all.auth });
  expect(await asked()).toBeUndefined();
  await expect(asked(undefined, true)).rejects.toThrow("No emulators with Firestore run");
  await expect(asked("game", true)).rejects.toThrow("No emulators of project game");
  folder = "/nowhere";
  expect(await asked()).toBeUndefined();
});

test("of several projects' emulators one has to be named, by an option or .firebaserc", async () => {
  await startHub("demo-a");
  await startHub("demo-b");
  await startHub("game");
  await expect(asked()).rejects.toThrow("demo-a, demo-b, game. Name one with --project, or in .firebaserc.");
  expect((await asked("demo-b"))?.project).toBe("demo-b");
  const usual = (name: string) =>
    runningEmulators({ project: undefined, usual: name, wantsEmulators: false }, {}, folder);
  expect(await usual("game")).toMatchObject({
    project: "game",
    how: "by .firebaserc, as those of demo-a, demo-b, game run",
  });
  await expect(usual("other")).rejects.toThrow("Name one with --project");
});

test("the only emulators are taken, whatever .firebaserc names", async () => {
  await startHub("demo-a");
  const wanted = { project: undefined, usual: "game", wantsEmulators: false };
  expect(await runningEmulators(wanted, {}, folder)).toMatchObject({
    project: "demo-a",
    how: "by their hub",
  });
});
