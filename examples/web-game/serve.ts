/**
 * Serves the game: its page, its configuration, and the modules that the page's import map names, bundled when the
 * server starts. Yours would be bundled into the page by whatever builds it.
 */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { build } from "rolldown";
import type { Addresses } from "../emulators.ts";

const modules = [
  "firebase/app",
  "firebase/auth",
  "firebase/firestore",
  "firebase/functions",
  "firerank-client",
];

const types = { html: "text/html; charset=utf-8", js: "text/javascript", json: "application/json" };

/** A server that does not listen yet. */
export async function serveGame(config: Addresses & { leaderboard: string }): Promise<Server> {
  const files = new Map([
    ["/", { type: types.html, text: readFileSync(join(import.meta.dirname, "index.html"), "utf8") }],
    ["/config.json", { type: types.json, text: JSON.stringify(config) }],
  ]);
  for (const { fileName, text } of await bundle())
    files.set(`/modules/${fileName}`, { type: types.js, text });
  return createServer(({ url = "/" }, response) => {
    const file = files.get(new URL(url, "http://game").pathname);
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "Content-Type": file.type }).end(file.text);
  });
}

/** All modules in one go, so that what they share, such as the Firebase app, is of one copy. */
async function bundle(): Promise<{ fileName: string; text: string }[]> {
  const { output } = await build({
    input: Object.fromEntries(modules.map((name) => [name, name])),
    platform: "browser",
    write: false,
    logLevel: "warn",
    output: { format: "esm", entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
  });
  return output.flatMap((file) =>
    file.type === "chunk" ? [{ fileName: file.fileName, text: file.code }] : [],
  );
}
