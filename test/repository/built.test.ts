/**
 * functions/lib as it is deployed: few files, so that a cold start is short. The time itself is measured by
 * `npm run bench -- overhead`.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { bareModule } from "../../bench/overhead/bare-module.ts";
import { root } from "../../scripts/project.ts";

const functions = join(root, "functions");
const lib = join(functions, "lib");
const index = readFileSync(join(lib, "index.js"), "utf8");

test("a start loads a handful of files, and beside them only what a bare module has too", () => {
  const bare = new Set(filesLoadedBy(bareModule));
  const files = filesLoadedBy('import "./lib/index.js";');
  expect(files).toEqual(expect.arrayContaining([...bare]));
  const own = files.filter((file) => !bare.has(file));
  expect(own).toContain(pathToFileURL(join(lib, "index.js")).href);
  expect(own.filter((file) => !file.startsWith(pathToFileURL(join(lib, "/")).href))).toEqual([]);
  expect(own.length).toBeLessThanOrEqual(5);
});

test("REST is loaded with its first request", () => {
  const loaded = filesLoadedBy('import "./lib/index.js";');
  const rest = pathToFileURL(join(lib, "loaded", "listener.js")).href;
  expect(filesLoadedBy(`import "${rest}";`)).toContain(rest);
  expect(loaded).not.toContain(rest);
});

test("a Node that is too old is told before anything else is loaded", () => {
  expect(index).toMatch(/^import "\.\/transports\/node-version\.js";\n/);
});

test("the licence of each library in it is packed", () => {
  const maps = globSync(["*.js.map", "loaded/*.js.map"], { cwd: lib }).map((name) => join(lib, name));
  const sources = maps.flatMap(
    (map) => (JSON.parse(readFileSync(map, "utf8")) as { sources: string[] }).sources,
  );
  const names = new Set(
    sources.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  expect([...names]).toEqual(expect.arrayContaining(["hono", "zod"]));
  const parts = readFileSync(join(lib, "LICENSES.txt"), "utf8").split(/^-{80}$/m);
  expect(parts.map((part) => part.trim().split(" ")[0]).toSorted()).toEqual([...names].sort());
  for (const part of parts) expect(part).toMatch(/Copyright|Blue Oak Model License/);
});

/** The addresses of all modules that a process loads for some imports. */
function filesLoadedBy(imports: string): string[] {
  const hook = `import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) { console.log("loads " + url); return next(url, context); } });`;
  const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", preload, "--input-type=module", "-e", imports],
    {
      cwd: functions,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], GCLOUD_PROJECT: "demo-built", FIREBASE_CONFIG: "{}" },
    },
  );
  if (status !== 0) throw new Error(`${imports} cannot be loaded: ${stderr}`);
  return Array.from(stdout.matchAll(/^loads (file:.+)$/gm), ([, url = ""]) => url);
}
