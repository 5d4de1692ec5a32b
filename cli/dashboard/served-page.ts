/** The dashboard on a port of this computer, served as Firebase Hosting serves it. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import firebaseJson from "../../firebase.json" with { type: "json" };
import { asCliError } from "../system-error.ts";
import type { PageConfig } from "./page-config.ts";

/** Tried first, so that the browser, which keeps a sign-in for each port, knows the user from the last time. */
const usualPort = 5055;

/** The page's files and addresses, and what Hosting says beside them. @param folder the built dashboard */
export function pageApp(folder: string, { init, emulators }: PageConfig): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    for (const { source, headers } of firebaseJson.hosting.headers)
      if (source === "**" || context.req.path.startsWith("/assets/"))
        for (const { key, value } of headers) context.header(key, value);
  });
  app.get("/__/firebase/init.json", ({ json }) => json(init));
  // A script of Hosting's emulator, from which the page only reads the addresses.
  app.get("/__/firebase/init.js", ({ text }) =>
    text(
      `var firebaseEmulators = ${emulators === undefined ? "undefined" : JSON.stringify(emulators, undefined, 2)};\n`,
    ),
  );
  app.get("/__/*", ({ notFound }) => notFound());
  app.use(serveStatic({ root: folder }));
  app.get("/assets/*", ({ notFound }) => notFound());
  app.get("*", serveStatic({ root: folder, path: "index.html" }));
  return app;
}

/**
 * Serves it until it is closed, to this computer alone.
 * @param port undefined for the usual one, or any that is free. @throws CliError if a named port is taken
 */
export async function servePage(
  app: Hono,
  port: number | undefined,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = await listen(app, port ?? usualPort).catch((error: unknown) => {
    if (port !== undefined) throw asCliError(error, { advice: "Name another with --port, or none." });
    // Taken, or kept by the system for itself, as Windows does.
    return listen(app, 0);
  });
  const close = async () => {
    server.close();
    (server as Server).closeAllConnections();
    await once(server, "close");
  };
  return { port: (server.address() as AddressInfo).port, close };
}

async function listen(app: Hono, port: number): Promise<ServerType> {
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port });
  await once(server, "listening");
  return server;
}
