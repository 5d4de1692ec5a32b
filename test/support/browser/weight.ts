/** What a page loads until its first data is on the screen, in a Chromium with an office's network. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { compress } from "hono/compress";
import type { CDPSession, Page } from "playwright-core";
import { pageApp, servePage } from "../../../cli/dashboard/served-page.ts";

/** Bytes as the network carries them, with their headers. */
export interface Weight {
  bytes: number;
  requests: { url: string; bytes: number }[];
  ms: number;
}

const network = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };

/**
 * Serves a built dashboard as Hosting does, which compresses what it sends; Hosting's emulator does not.
 * @param hosting the address of that emulator, which knows the project and the others
 */
export async function serveCompressed(
  folder: string,
  hosting: string,
): Promise<{ address: string; close: () => Promise<void> }> {
  readFileSync(join(folder, "index.html"));
  const app = new Hono();
  app.use(compress());
  app.get("/__/*", async ({ req }) => {
    const { pathname, search } = new URL(req.url);
    const answer = await fetch(`${hosting}${pathname}${search}`);
    return new Response(await answer.text(), {
      headers: { "Content-Type": answer.headers.get("Content-Type") ?? "" },
    });
  });
  app.route("/", pageApp(folder, { init: {}, emulators: undefined, notes: [] }));
  const { port, close } = await servePage(app, 0);
  return { address: `http://127.0.0.1:${port}`, close };
}

/**
 * Opens an address as on a first visit of somebody who is signed in, and counts until `data` is there, which is a
 * selector.
 */
export async function weigh(page: Page, path: string, data: string): Promise<Weight> {
  await page.evaluate("localStorage.clear()");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", network);
  await session.send("Runtime.enable");
  await session.send("Runtime.addBinding", { name: "firstData" });
  await page.addInitScript({ content: telling(data) });
  const loaded = counting(session);
  const startedMs = Date.now();
  const weight = new Promise<Weight>((resolve) => {
    session.once("Runtime.bindingCalled", () => {
      const ms = Date.now() - startedMs;
      // A question that has no answer yet, or that a browser asks before its own, has loaded nothing.
      const requests = [...loaded.values()].filter(({ bytes }) => bytes > 0).map((one) => ({ ...one }));
      resolve({ bytes: requests.reduce((sum, { bytes }) => sum + bytes, 0), requests, ms });
    });
  });
  await page.goto(path, { waitUntil: "commit" });
  await page.locator(data).first().waitFor();
  const counted = await weight;
  await session.detach();
  return counted;
}

/** A script that tells as soon as the data is in the document. */
function telling(data: string): string {
  return `new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(data)}) === null) return;
    observer.disconnect();
    firstData("");
  }).observe(document, { childList: true, subtree: true });`;
}

/** What has come so far, by request. */
function counting(session: CDPSession): ReadonlyMap<string, Weight["requests"][number]> {
  const loaded = new Map<string, Weight["requests"][number]>();
  session.on("Network.requestWillBeSent", ({ requestId, request: { url } }) => {
    loaded.set(requestId, { url, bytes: 0 });
  });
  const add = (requestId: string, bytesOf: (before: number) => number) => {
    const one = loaded.get(requestId);
    if (one !== undefined) one.bytes = bytesOf(one.bytes);
  };
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) =>
    add(requestId, (before) => before + encodedDataLength),
  );
  // With the headers; of a channel that stays open, what has come is counted.
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    add(requestId, () => encodedDataLength),
  );
  return loaded;
}
