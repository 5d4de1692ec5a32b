/** The client package in a real browser: its bundle, WebChannel, CORS, and Firestore's cache in IndexedDB. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { addressesIn, createCustomToken } from "../../../scripts/callable-client.ts";
import { projectId, region, root } from "../../../scripts/project.ts";
import { launchChromium, test } from "../../support/chromium.ts";
import { hostAndPort } from "../../support/client/client-app.ts";
import { startFailingProxy } from "../../support/failing-proxy.ts";
import { useLive, eventually, soon } from "../../support/live.ts";
import type { PageApp, PageSettings } from "../../support/browser/client-page.ts";

const live = useLive();
let browser: Browser;
let server: Server;

beforeAll(async () => {
  const script = await bundled(join(root, "test/support/browser/client-page.ts"));
  const html = '<!doctype html><meta charset="utf-8"><title>Firerank</title><script src="/page.js"></script>';
  server = createServer(({ url }, response) => {
    const isScript = url === "/page.js";
    const type = isScript ? "text/javascript" : "text/html";
    response.writeHead(isScript || url === "/" ? 200 : 404, { "content-type": `${type}; charset=utf-8` });
    response.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** A page's code as one script. */
async function bundled(input: string): Promise<string> {
  const build = await rolldown({ input, platform: "browser", logLevel: "silent" });
  const { output } = await build.generate({ format: "iife", minify: true, codeSplitting: false });
  return output[0].code;
}

/** @param functionsPort where the page's calls go, if not to the Functions emulator. */
function settingsFor(leaderboard: string, functionsPort?: number): PageSettings {
  const { auth, functions } = addressesIn(process.env);
  return {
    projectId,
    region,
    authUrl: `http://${auth}`,
    firestore: hostAndPort(process.env["FIRESTORE_EMULATOR_HOST"]),
    functions: functionsPort === undefined ? hostAndPort(functions) : ["127.0.0.1", functionsPort],
    leaderboard,
  };
}

/** What the page defines in its global scope. */
declare function begin(settings: PageSettings): Promise<void>;
declare const page: PageApp;

async function open(tab: Page, settings: PageSettings): Promise<void> {
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await tab.evaluate((given) => begin(given), settings);
}

/** Waits until the page's newest rank passes a check. */
function untilRank(tab: Page, check: (rank: unknown) => void): Promise<void> {
  return eventually(async () => {
    const { rank, errors } = await tab.evaluate(() => ({ rank: page.ranks.at(-1), errors: page.errors }));
    expect(errors).toEqual([]);
    check(rank);
  });
}

test("a page submits, sees its rank and the top change, and still shows them offline after a reload", async () => {
  const board = await live.board();
  const token = await createCustomToken(addressesIn(process.env), { uid: live.uid("ann") });
  const settings = settingsFor(board.leaderboard);
  const context = await browser.newContext();
  const tab = await context.newPage();
  const complaints: string[] = [];
  tab.on("pageerror", (error) => complaints.push(error.message));

  await open(tab, { ...settings, token });
  await untilRank(tab, (rank) => expect(rank).toBeNull());
  const submitted = await tab.evaluate(() => page.submit(30));
  expect(submitted).toMatchObject({ player: live.uid("ann"), seasons: [{ score: 30, improved: true }] });
  await board.submit({ bob: 50, cyd: 40, dan: 10 });
  await board.rank();
  await untilRank(tab, (rank) => {
    expect(rank).toMatchObject({ score: 30, rank: 3, players: 4, generation: 1, from_cache: false });
  });
  const rank = await tab.evaluate(() => page.ranks.at(-1));
  expect(rank).toEqual({ ...(await tab.evaluate(() => page.myRank())), from_cache: false });
  expect(await tab.evaluate(() => page.rankOf(45))).toMatchObject({ rank: 2, players: 4 });
  await eventually(async () => {
    const top = await tab.evaluate(() => page.tops.at(-1));
    expect(top?.entries.map(({ rank: place, score }) => [place, score])).toEqual([
      [1, 50],
      [2, 40],
      [3, 30],
      [4, 10],
    ]);
  });

  await open(tab, { ...settings, offline: true });
  await untilRank(tab, (known) => {
    expect(known).toMatchObject({ score: 30, rank: 3, players: 4, generation: 1, from_cache: true });
  });
  expect(await tab.evaluate(() => page.rankOf(45))).toMatchObject({ rank: 2, from_cache: true });
  expect(await tab.evaluate(() => page.tops.at(-1))).toMatchObject({ players: 4, from_cache: true });
  expect(complaints).toEqual([]);
  await context.close();
});

test("scores wait in IndexedDB while no answer comes, and are sent once by one of two tabs after a reload", async () => {
  const { functions } = addressesIn(process.env);
  const proxy = await startFailingProxy(functions, Array<"body_lost">(5).fill("body_lost"));
  const board = await live.board({ aggregation: "sum" });
  const token = await createCustomToken(addressesIn(process.env), { uid: live.uid("fay") });
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const settings = settingsFor(board.leaderboard, proxy.port);
  const tabs = [await context.newPage(), await context.newPage()] as const;

  await open(tabs[0], { ...settings, token });
  const [first, second] = await tabs[0].evaluate(async () => {
    page.beginQueue();
    return [await page.queue?.submit({ score: 5 }), await page.queue?.submit({ score: 7 })];
  });
  await soon(() => proxy.requests.length).toBeGreaterThan(0);
  await Promise.all(tabs.map((tab) => open(tab, settings)));
  const waiting = await tabs[1].evaluate(async () => {
    page.beginQueue();
    return page.queue?.waiting();
  });
  expect(waiting).toEqual([first, second]);
  await tabs[0].evaluate(() => page.beginQueue());
  await eventually(async () => {
    const left = await Promise.all(tabs.map((tab) => tab.evaluate(() => page.queue?.waiting())));
    expect(left).toEqual([[], []]);
  });
  const sent = (await Promise.all(tabs.map((tab) => tab.evaluate(() => page.sent)))).flat();
  expect(sent.map(({ queued }) => queued)).toEqual([first, second]);
  expect(sent.at(-1)?.answer.seasons).toMatchObject([{ score: 12, attempts: 2 }]);
});
