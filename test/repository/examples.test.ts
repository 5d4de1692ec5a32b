/** The programs of examples/, started as readers start them, and played against the emulators. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createAdmin } from "../../examples/admin.ts";
import { emulators } from "../../examples/emulators.ts";
import { createFirerank } from "../../examples/game-server/firerank.ts";
import { seasonPath } from "../../functions/src/documents/paths.ts";
import { entrySchema, rankSchema } from "../../functions/src/model/answers.ts";
import { root } from "../../scripts/project.ts";
import { launchChromium, test as testInBrowser } from "../support/chromium.ts";
import { createLive, eventually, type Live } from "../support/live.ts";
import { patienceMs } from "../support/patience.ts";
import { allTime } from "../support/world.ts";

let live: Live;
beforeAll(async () => {
  live = await createLive();
});
afterAll(() => live.end());

interface Example {
  url: string;
  leaderboard: string;
  /** Publishes the ranking, as the schedule does, of everything indexed by now. */
  rank(): Promise<void>;
}

/** Starts an example on a free port, with its own leaderboard, and waits until it prints its address. */
async function start(name: string): Promise<Example> {
  const leaderboard = `${name}-${randomUUID().slice(0, 8)}`;
  const child = spawn(process.execPath, [join(root, "examples", name, "main.ts")], {
    env: { ...process.env, PORT: "0", LEADERBOARD: leaderboard },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
  const ended = new Promise<void>((resolve) =>
    child.once("exit", () => {
      resolve();
    }),
  );
  onTestFinished(async () => {
    child.kill();
    await ended;
    const season = live.db.doc(seasonPath(allTime(leaderboard)));
    if ((await season.get()).exists) await season.update({ next_run_at: null });
  });
  const url = await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`${name} ended with code ${child.exitCode}:\n${said}`);
      return / on (http:\S+)/.exec(said)?.[1] ?? expect.fail(`${name} says only "${said}"`);
    },
    { timeout: patienceMs(), interval: 100 },
  );
  return {
    url,
    leaderboard,
    async rank() {
      await live.admin.call("runRanking", { leaderboard, include_open_slot: true });
    },
  };
}

async function json(response: Promise<Response>): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, ...rest } = await response.then(async (answer) => ({
    status: answer.status,
    body: (await answer.json()) as Record<string, unknown>,
  }));
  return { status, ...rest };
}

test("the game server throws dice for its players, and tells their ranks and the top", async () => {
  const game = await start("game-server");
  const get = (path: string) => json(fetch(`${game.url}${path}`));
  const play = (player: string) => json(fetch(`${game.url}/players/${player}/throws`, { method: "POST" }));

  expect(await get("/players/ann")).toMatchObject({ status: 404, body: { error: /ann has not played/ } });
  const best: Record<string, number> = {};
  for (const player of ["ann", "bob", "ann", "Jürgen%20X"]) {
    const { status, body } = await play(player);
    expect({ status, body }).toMatchObject({ status: 200, body: { dice: expect.any(Array) as unknown } });
    const score = Number(body["score"]);
    expect((body["dice"] as number[]).reduce((sum, eyes) => sum + eyes, 0)).toBe(score);
    best[player] = Math.max(score, best[player] ?? 0);
    expect(body["best"]).toBe(best[player]);
  }
  const scores = Object.values(best);
  const rankOf = (score = NaN) => 1 + scores.filter((other) => other > score).length;
  await eventually(async () => {
    await game.rank();
    const { body } = await get("/players/ann");
    expect(rankSchema.parse(body)).toMatchObject({
      score: best["ann"],
      rank: rankOf(best["ann"]),
      players: 3,
    });
    const top = await get("/top");
    expect(entrySchema.array().parse(top.body["entries"])).toHaveLength(3);
    expect(top.body["entries"]).toContainEqual(
      expect.objectContaining({ player: "Jürgen X", display_name: "Jürgen X", score: best["Jürgen%20X"] }),
    );
  });
  expect(await get("/elsewhere")).toMatchObject({ status: 404 });
});

test("only the game's server may submit", async () => {
  const { leaderboard } = await start("game-server");
  const cheat = (await live.as("cheat")).call("submitScore", { leaderboard, score: 18 });
  await expect(cheat).rejects.toMatchObject({ details: { code: "server_scores_only" } });
});

/** A proxy of the REST interface that forwards requests, and loses the first answer. */
async function lossyProxy(to: string): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      requests.push(body);
      const { authorization = "" } = request.headers;
      const headers = { "Content-Type": "application/json", Authorization: authorization };
      const answer = await fetch(`${to}${request.url ?? ""}`, {
        method: request.method ?? "",
        headers,
        body,
      });
      const answered = await answer.text();
      if (requests.length === 1) response.destroy();
      else response.writeHead(answer.status, { "Content-Type": "application/json" }).end(answered);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

test("a throw whose answer was lost is sent again and counts once", async () => {
  const { leaderboard } = await live.board({ aggregation: "sum", submit: "server" });
  const addresses = emulators(process.env);
  const { url, requests } = await lossyProxy(addresses.rest);
  const firerank = createFirerank({ url, leaderboard, token: createAdmin(addresses) });
  const { seasons } = await firerank.submit("ann", 11, "the-throw");
  expect(requests).toHaveLength(2);
  expect(requests[1]).toBe(requests[0]);
  expect(seasons).toMatchObject([{ score: 11, attempts: 1, repeated: true }]);
});

test("a refusal is not sent again", async () => {
  const addresses = emulators(process.env);
  const { url, requests } = await lossyProxy(addresses.rest);
  const firerank = createFirerank({ url, leaderboard: "nowhere", token: createAdmin(addresses) });
  await expect(firerank.submit("ann", 11, "the-throw")).rejects.toMatchObject({
    status: 404,
    code: "leaderboard_not_found",
  });
  expect(requests).toHaveLength(2); // the first answer was lost
});

test("an example without emulators says how to start them", async () => {
  const env = { ...process.env, FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9" };
  const child = spawn(process.execPath, [join(root, "examples", "game-server", "main.ts")], { env });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  const code = await new Promise((resolve) => child.once("exit", resolve));
  expect({ code, said }).toMatchObject({ code: 1, said: /npm run emulators/ });
});

/** Script of a page: an error for each rank that is beyond the players beside it. */
const complainOfRanksBeyond = `{
  const line = document.getElementById("rank");
  new MutationObserver(() => {
    const [, place, players] = /place (\\d+) of (\\d+)/.exec(line.textContent) ?? [];
    if (Number(place) > Number(players)) throw new Error(line.textContent);
  }).observe(line, { childList: true });
}`;

async function open(browser: Browser, url: string, name: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  onTestFinished(() => {
    expect(errors).toEqual([]);
  });
  await page.goto(url);
  await page.evaluate(complainOfRanksBeyond);
  await page.getByRole("button", { name: "Start" }).waitFor();
  await page.getByLabel("You are").fill(name);
  return page;
}

/** Waits for the green light and presses, no faster than the board allows; returns the time that the page shows. */
async function react(page: Page): Promise<number> {
  const light = page.locator("#light");
  await light.click();
  await page.locator('#light[data-state="go"]').waitFor();
  const sinceMs = await page.evaluate(() => performance.now());
  await page.waitForFunction((since) => performance.now() > since + 100, sinceMs);
  await light.click();
  const message = page.getByRole("status");
  await vi.waitFor(async () => {
    expect(await message.textContent()).toMatch(/^\d+ ms,? (your best|would be)/);
  }, patienceMs());
  return parseInt((await message.textContent()) ?? "", 10);
}

testInBrowser(
  "the web game shows two players in two browsers each other's times and their ranks, live",
  async () => {
    const game = await start("web-game");
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const [ann, bob] = await Promise.all([
      open(browser, game.url, "Ann"),
      open(browser, game.url, "<b>Bob</b>"),
    ]);
    await vi.waitFor(async () => {
      expect(await ann.locator("#rank").textContent()).toBe("You have no place yet.");
    }, patienceMs());

    const times: [Page, number][] = [];
    for (const page of [ann, bob]) times.push([page, await react(page)]);
    await eventually(async () => {
      await game.rank();
      for (const [page, time] of times) {
        const place = 1 + times.filter(([, other]) => other < time).length;
        expect(await page.locator("#rank").textContent()).toBe(
          `Your best is ${time} ms: place ${place} of 2.`,
        );
        const rows = await page.locator("#top tr").allTextContents();
        expect(rows.map((row) => row.replace(/^\d\./, "")).toSorted()).toEqual(
          [`Ann${times[0]?.[1]} ms`, `<b>Bob</b>${times[1]?.[1]} ms`].toSorted(),
        );
        expect(await page.locator("tr[data-own]").count()).toBe(1);
      }
    });
  },
);

testInBrowser("pressing before the light is green starts again and submits nothing", async () => {
  const game = await start("web-game");
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await open(browser, game.url, "Eager");
  await page.locator("#light").click();
  await page.locator("#light").click();
  expect(await page.locator("#light").textContent()).toBe("Too early. Try again?");
  await react(page);
  await eventually(async () => {
    await game.rank();
    expect(await page.locator("#rank").textContent()).toContain("place 1 of 1.");
  });
});
