/** The dashboard of the package: what the page is told of a project or of emulators, and how it is served. */
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import firebaseJson from "../../firebase.json" with { type: "json" };
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { CliError } from "../cli-error.ts";
import { createApi } from "../doctor/api.ts";
import { ofEmulators } from "../doctor/doctor.ts";
import { createPatient, type Emulators } from "../doctor/patient.ts";
import { denied, disabled, startGoogle } from "../testing/google.ts";
import { writeAll } from "../testing/project.ts";
import { serve } from "../testing/serve.ts";
import { pageConfigOf } from "./page-config.ts";
import { pageApp, servePage } from "./served-page.ts";

let google: Awaited<ReturnType<typeof startGoogle>>;
beforeEach(async () => {
  google = await startGoogle();
  onTestFinished(google.close);
});
const db = new Firestore({ projectId: "my-game" });
afterAll(() => db.terminate());

const place = { project: "my-game", database: "(default)", db, now: Date.now, timeZone: "UTC" };
const ofProject = (more: { database?: string; region?: string; prefix?: string } = {}) =>
  pageConfigOf(createPatient({ ...place, api: google.api, ...more }));

describe("a project", () => {
  test("the page gets a web app's configuration, and where the functions are", async () => {
    const { init, emulators, notes } = await ofProject();
    expect(init).toEqual({
      projectId: "my-game",
      apiKey: "AIza-of-the-web-app",
      authDomain: "my-game.firebaseapp.com",
      locationId: "eur3",
      firerank: { region: "europe-west1", prefix: "" },
    });
    expect(emulators).toBeUndefined();
    expect(notes.join()).toContain("authentication/settings");
    expect(google.asked.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("an Enterprise database has its prices", async () => {
    google.set({ "database/databaseEdition": "ENTERPRISE" });
    expect((await ofProject()).init).toMatchObject({ firerank: { edition: "enterprise" } });
  });

  test.each([
    ["none", {}],
    ["one that is deleted", { 0: { appId: "1:123456789:web:abc", state: "DELETED" } }],
  ])("of web apps %s: it says how to register one", async (_, webApps) => {
    google.set({ webApps });
    await expect(ofProject()).rejects.toThrow("npx firebase apps:create web dashboard --project my-game");
  });

  test("App Check that is enforced for Firestore is told before somebody signs in", async () => {
    expect((await ofProject()).notes.join()).toContain("App Check is enforced for Firestore");
    google.set({ enforcement: denied });
    expect((await ofProject()).notes.join()).not.toContain("App Check");
  });

  test("whoever may not ask for the functions names their place, and is told so", async () => {
    google.set({ functions: denied });
    const { init, notes } = await ofProject({ region: "europe-west3", prefix: "ranks" });
    expect(init).toMatchObject({ firerank: { region: "europe-west3", prefix: "ranks" } });
    expect(notes.join()).toContain("cloudfunctions.googleapis.com");
  });

  test("an API that is off is named with what turns it on", async () => {
    google.set({ webApps: disabled });
    await expect(ofProject()).rejects.toThrow("gcloud services enable firebase.googleapis.com");
  });
});

describe("emulators", () => {
  const running = { auth: "127.0.0.1:9099", firestore: "127.0.0.1:8080", functions: "[::1]:5001" };
  const of = (emulators: Emulators, more: { database?: string } = {}) =>
    pageConfigOf(
      createPatient({
        ...{ ...place, emulators, project: "demo-game", ...more },
        api: createApi({ project: "demo-game", ...ofEmulators(emulators) }),
      }),
    );

  test("the page gets their addresses, as Hosting's emulator tells them, and where the functions are", async () => {
    const names = ["getRank", "getTop", "submitScore", "saveLeaderboard"];
    const functionTriggers = names.map((name) => ({
      ...{ name: `ranks-${name}`, region: "europe-west3", codebase: "firerank", httpsTrigger: {} },
      labels: { "deployment-callable": "true" },
    }));
    const functions = await serve(({ path }) =>
      path === "backends" ? { backends: [{ functionTriggers }] } : undefined,
    );
    onTestFinished(functions.close);
    const config = await of({ ...running, functions: functions.host }, { database: "games" });
    expect(config.init).toMatchObject({
      projectId: "demo-game",
      firerank: { region: "europe-west3", prefix: "ranks", database: "games" },
    });
    const script = await (await pageApp(folder(), config).request("/__/firebase/init.js")).text();
    expect(addressesIn(script)).toEqual({
      auth: { host: "127.0.0.1", port: 9099 },
      firestore: { host: "127.0.0.1", port: 8080 },
      functions: { host: "127.0.0.1", port: Number(functions.host.split(":")[1]) },
    });
  });

  test.each(["auth", "functions"] as const)("without that of %s there is no page", async (name) => {
    await expect(of({ ...running, [name]: undefined })).rejects.toThrow(`needs the ${name} emulator`);
  });
});

/** As web/src/firebase/config.ts finds them. */
function addressesIn(script: string): unknown {
  return JSON.parse(/var firebaseEmulators = (\{.*?\n\});/s.exec(script)?.[1] ?? "null");
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "firerank-"));
  writeAll(made, { "index.html": "<title>Firerank</title>", "assets/a.js": "export {};" });
  return made;
}

describe("the server", () => {
  const app = () => pageApp(folder(), { init: { projectId: "my-game" }, emulators: undefined, notes: [] });

  test("every address of the page answers with it, and a file that is missing with 404", async () => {
    const served = app();
    for (const path of ["/", "/boards/arena", "/boards/a%20b"])
      expect(await (await served.request(path)).text()).toContain("Firerank");
    const script = await served.request("/assets/a.js");
    expect(script.headers.get("Content-Type")).toContain("javascript");
    expect(await (await served.request("/__/firebase/init.json")).json()).toEqual({ projectId: "my-game" });
    for (const path of ["/assets/b.js", "/__/other"]) expect((await served.request(path)).status).toBe(404);
    expect(await (await served.request("/__/firebase/init.js")).text()).toBe(
      "var firebaseEmulators = undefined;\n",
    );
  });

  test("what it sends has the headers of Hosting, with the policy of what a page may load", async () => {
    const [all, assets] = firebaseJson.hosting.headers;
    const served = app();
    for (const { key, value } of all?.headers ?? [])
      expect((await served.request("/boards")).headers.get(key)).toBe(value);
    for (const { key, value } of assets?.headers ?? [])
      expect((await served.request("/assets/a.js")).headers.get(key)).toBe(value);
  });

  test("it listens to this computer alone, and takes another port if its usual one is taken", async () => {
    const other = createServer().listen(5055, "127.0.0.1");
    onTestFinished(() => void other.close());
    await Promise.race([once(other, "listening"), once(other, "error")]);
    const page = await servePage(app(), undefined);
    expect(page.port).not.toBe(5055);
    expect((await fetch(`http://127.0.0.1:${page.port}/`)).status).toBe(200);
    await expect(servePage(app(), page.port)).rejects.toThrow(
      new CliError(
        `Port ${page.port} of this computer is taken by another program. Name another with --port, or none.`,
      ),
    );
    await page.close();
    await expect(fetch(`http://127.0.0.1:${page.port}/`)).rejects.toThrow();
  });
});
