/** How many bytes the package adds to an app that minifies and compresses, and what it needs of the platform. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

const sources = join(import.meta.dirname, "src");
const entries = ["index.ts", "score-queue.ts", "admin.ts", "react.ts"].map((name) => join(sources, name));
const [index = "", queue = ""] = entries;
const everything = entries.map((path) => `export * from ${JSON.stringify(path)};`).join("\n");

/** A bundle of some code with what the code needs of the package, but without Firebase and React; and which modules it imports at once and later. */
async function bundle(code: string, format: "esm" | "iife" = "esm") {
  const build = await rolldown({
    input: "entry",
    external: /^(firebase\/|react$)/,
    platform: "neutral",
    // As Firebase's package.json files say.
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? { id, moduleSideEffects: true } : null),
        load: (id) => (id === "entry" ? code : null),
      },
    ],
  });
  const globals = (id: string) => id.replace("/", "_");
  const { output } = await build.generate({ format, minify: true, name: "firerank", globals });
  const [{ code: text, imports, dynamicImports }] = output;
  return { text, imports, dynamicImports };
}

const bytes = (code: string) => gzipSync(code, { level: 9 }).length;
const importing = (names: string, entry = index) => `export { ${names} } from ${JSON.stringify(entry)};`;

// 2 KB of these are for following the seasons of spans by the server's clock, 2 KB for leagues, and 1.5 KB for private groups.
test("an app whose bundler takes all of it adds 14 KB, and nothing of the queue, admins and React", async () => {
  const { text } = await bundle(`export * from ${JSON.stringify(index)};`);
  expect(bytes(text)).toBeLessThan(14.1 * 1_024);
  expect(bytes(text)).toBeGreaterThan(2 * 1_024); // it is there at all
  expect(text).not.toMatch(/indexedDB|made_at|removePlayer|useSyncExternalStore|zod|@google-cloud|node:/);
  const all = await bundle(everything);
  for (const own of ["indexedDB", "removePlayer", "useSyncExternalStore"]) expect(all.text).toContain(own);
  expect(bytes(all.text)).toBeLessThan(18.8 * 1_024);
});

test("an app that only asks for ranks includes no listener, and nothing of Firestore", async () => {
  const { text } = await bundle(importing("leaderboard, getRank"));
  expect(bytes(text)).toBeLessThan(1_750);
  expect(text).not.toMatch(/onSnapshot|firebase\/(firestore|auth)/);
});

test("an app that submits without the queue includes nothing of it", async () => {
  const submitting = importing("leaderboard, submitScore");
  const [plain, queued] = await Promise.all(
    [submitting, submitting + importing("scoreQueue", queue)].map((code) => bundle(code)),
  );
  expect(plain?.text).not.toMatch(/indexedDB|locks|made_at/);
  expect(bytes(plain?.text ?? "")).toBeLessThan(2.5 * 1_024);
  expect(queued?.text).toMatch(/indexedDB/);
  expect(queued?.imports.toSorted()).toEqual(["firebase/auth", "firebase/functions"]);
});

test("an app that watches a rank includes no function calls: they are loaded if it follows a span", async () => {
  const { text, imports, dynamicImports } = await bundle(importing("leaderboard, watchRank, rankOf"));
  expect(imports.toSorted()).toEqual(["firebase/auth", "firebase/firestore"]);
  expect(dynamicImports).toEqual(["firebase/functions"]);
  expect(bytes(text)).toBeLessThan(7.7 * 1_024);
});

test("the ordinary use, a score, a rank and both watchers, is under 8 KB gzipped, as README says", async () => {
  const { text } = await bundle(importing("leaderboard, submitScore, getRank, watchRank, watchTop"));
  expect(bytes(text)).toBeLessThan(8 * 1_024);
  for (const page of ["../README.md", "README.md"])
    expect(readFileSync(join(import.meta.dirname, page), "utf8")).toContain("8 KB");
});

test("it loads where there is nothing but the language, and needs no timer, network or document to begin", async () => {
  const { text: script } = await bundle(everything, "iife");
  expect(script).not.toMatch(/\\p\{/); // older Hermes does not parse it
  const context = createContext({
    firebase_app: {},
    firebase_auth: {},
    firebase_firestore: {},
    firebase_functions: {},
    react: {},
  });
  runInContext(script, context);
  expect(runInContext("typeof process + typeof document + typeof fetch", context)).toBe(
    "undefined".repeat(3),
  );
  expect(runInContext('firerank.leaderboard("app", "chess", { region: "europe-west1" })', context)).toEqual({
    app: "app",
    id: "chess",
    region: "europe-west1",
  });
});
