/** The web game of examples/ in real browsers, played against the emulators. */
import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { launchChromium, test } from "../../support/chromium.ts";
import { startExample } from "../../support/examples.ts";
import { useLive, eventually, soon } from "../../support/live.ts";

const live = useLive();

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
  onTestFinished(() => expect(errors).toEqual([]));
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
  await soon(() => message.textContent()).toMatch(/^\d+ ms,? (your best|would be)/);
  return parseInt((await message.textContent()) ?? "", 10);
}

test("the web game shows two players in two browsers each other's times and their ranks, live", async () => {
  const game = await startExample(live, "web-game");
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const [ann, bob] = await Promise.all([
    open(browser, game.url, "Ann"),
    open(browser, game.url, "<b>Bob</b>"),
  ]);
  await soon(() => ann.locator("#rank").textContent()).toBe("You have no place yet.");

  const times: [Page, number][] = [];
  for (const page of [ann, bob]) times.push([page, await react(page)]);
  await eventually(async () => {
    await game.rank();
    for (const [page, time] of times) {
      const place = 1 + times.filter(([, other]) => other < time).length;
      expect(await page.locator("#rank").textContent()).toBe(`Your best is ${time} ms: place ${place} of 2.`);
      const rows = await page.locator("#top tr").allTextContents();
      expect(rows.map((row) => row.replace(/^\d\./, "")).toSorted()).toEqual(
        [`Ann${times[0]?.[1]} ms`, `<b>Bob</b>${times[1]?.[1]} ms`].toSorted(),
      );
      expect(await page.locator("tr[data-own]").count()).toBe(1);
    }
  });
});

test("a challenge: a friend who opens the link is in the list of both, and so is each score", async () => {
  const game = await startExample(live, "web-game");
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const ann = await open(browser, game.url, "Ann");
  await ann.getByRole("button", { name: "Challenge a friend" }).click();
  await soon(() => ann.locator("#members tr").allTextContents()).toEqual(["1.Ann–"]);
  const link = (await ann.locator("#link").getAttribute("href")) ?? "";
  expect(link).toMatch(/\/\?join=[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{5}$/);

  const bob = await open(browser, link, "Bob");
  const membersOf = (page: Page) => soon(() => page.locator("#members tr").allTextContents());
  // Those without a score are in the order of their ids.
  const unscored = (page: Page) =>
    soon(async () => (await page.locator("#members tr bdi").allTextContents()).toSorted());
  for (const page of [ann, bob]) await unscored(page).toEqual(["Ann", "Somebody"]);
  const time = await react(bob);
  for (const page of [ann, bob]) await membersOf(page).toEqual([`1.Bob${time} ms`, "2.Ann–"]);
  expect(await bob.locator("#members tr[data-own]").textContent()).toContain("Bob");

  // The link is the same for all members, and after a reload the challenge is still there.
  expect(await bob.locator("#link").getAttribute("href")).toBe(link);
  await ann.reload();
  await membersOf(ann).toEqual([`1.Bob${time} ms`, "2.Ann–"]);
  expect(await ann.getByRole("button", { name: "Challenge a friend" }).isVisible()).toBe(false);
});
