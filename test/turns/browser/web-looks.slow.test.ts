/**
 * How each view of the dashboard looks, in light and dark, on a desktop and on a phone: it passes axe's rules, nothing
 * is wider than the screen, nothing moves by itself. Writes a screenshot of each to .firerank/screenshots.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { beginClosing } from "../../../functions/src/documents/closing-record.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagesPath, runPath, type SeasonKey, seasonPath } from "../../../functions/src/documents/paths.ts";
import { emptyRecord } from "../../../functions/src/documents/ranking-record.ts";
import { readSeason } from "../../../functions/src/documents/season.ts";
import { startSchedule } from "../../support/schedule.ts";
import { begunSeason } from "../../support/season.ts";
import { workFolder } from "../../../scripts/project.ts";
import { test } from "../../support/chromium.ts";
import { eventually } from "../../support/live.ts";
import { allTime } from "../../support/world.ts";
import { filledLeague } from "../../support/browser/filled-league.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

setStage();

/** Its name sorts before the boards of all other tests, so it is on the first page of the list. */
const key: SeasonKey = allTime("arcade");
const players = 600;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const screenshots = workFolder("screenshots");
/** Google's Web Vitals call 0.1 good. */
const shiftMax = 0.02;

beforeAll(async () => {
  await defineBoard();
  await Promise.all([addFailures(), fillBoard(), addTournaments(), addLevels()]);
});

const histogram = (page: Page) => page.getByRole("img", { name: /^Histogram/ });
const button = (name: string) => (page: Page) => page.getByRole("button", { name });

/** Each view: its address, and what is there once it has loaded. */
const views: Record<string, [path: string, loaded: (page: Page) => Locator]> = {
  boards: [
    "/boards",
    (page) =>
      page
        .getByRole("row")
        .filter({ has: page.getByRole("link", { name: key.leaderboard, exact: true }) })
        .getByRole("cell", { name: String(players), exact: true }),
  ],
  season: ["/boards/arcade/all_time", histogram],
  player: [
    "/boards/arcade/all_time?player=pilot-40",
    (page) => page.getByRole("table", { name: "Around pilot-40" }),
  ],
  players: [
    "/boards/arcade/all_time/players?place=101",
    (page) => page.getByRole("cell", { name: "101", exact: true }).first(),
  ],
  runs: ["/boards/arcade/all_time/runs", (page) => page.getByText("Published").nth(2)],
  closing: ["/boards/arcade/spring-cup", (page) => page.getByText("62 of 100 players")],
  final: [
    "/boards/arcade/winter-cup",
    (page) => page.locator("main", { has: histogram(page) }).getByText("Closed with 100 players"),
  ],
  settings: ["/boards/arcade", button("Save")],
  template: ["/boards/climb-level", button("Save")],
  new: ["/new-board", button("Create leaderboard")],
  fresh: ["/boards/arcade-2/all_time", (page) => page.getByText("submitScore(board")],
  roles: ["/roles", (page) => page.getByRole("button", { name: "Revoke the role of" }).first()],
};
const sizes = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

test.each(Object.keys(sizes) as (keyof typeof sizes)[])(
  "each view is readable on a %s in light and dark, fits, and does not move",
  async (size) => {
    const browser = { viewport: sizes[size] };
    const { page, shift: shifted } = await dashboard.visit("/boards", { as: "admin", browser });
    for (const [name, [path, loaded]] of Object.entries(views)) {
      await page.goto(path);
      await loaded(page).waitFor();
      await expectReadable(page, `${name}-${size}`);
      const width = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect(width, name).toBeLessThanOrEqual(0);
      expect(await beyondCells(page), name).toEqual([]);
      if (size === "phone" && name in unbroken) expect(await brokenWords(page), name).toEqual([]);
      const { shift, moved } = await shifted();
      expect(shift, `${name}: ${moved.join(", ")}`).toBeLessThan(shiftMax);
    }
  },
);

test("signing in is readable too, and so is a board for visitors who have not", async () => {
  const { page } = await dashboard.visit("/sign-in", { browser: { viewport: sizes.phone } });
  await expectReadable(page, "sign-in-phone");
  await page.goto("/boards/arcade/all_time");
  await histogram(page).waitFor();
  expect(await page.getByRole("link", { name: "Runs" }).count()).toBe(0);
  await expectReadable(page, "visitor-phone");
});

test("the form of a tournament and the menu of seasons are readable", async () => {
  const { page } = await dashboard.visit("/boards/arcade", { as: "admin" });
  await page.getByRole("button", { name: "Open a tournament" }).click();
  await page.getByLabel("Closes at").fill("2030-01-01T18:00");
  await page.getByText("1 Jan 2030, 18:00 your time").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "winter-cup" }).click();
  await page.getByLabel("Season winter-cup. Show the others").click();
  await page.getByRole("link", { name: /^autumn-cup/ }).waitFor();
  await page.screenshot({ path: join(screenshots, "menu.png") });
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: /^autumn-cup/ }).waitFor({ state: "detached" });
  await page.locator("summary:focus").waitFor();
});

test("the menu of segments, and a board's form with some, are readable and fit on a phone", async () => {
  const segments = [
    { name: "country", from: "submission", values: ["AT", "DE"] },
    { name: "guild", from: "server" },
  ];
  const board = await live.board({ segments });
  const { leaderboard } = board;
  const submissions = [{ player: "ann", score: 1, segments: { country: "AT", guild: "owls" } }];
  await live.admin.call("submitScores", { leaderboard, submissions });
  await board.rank();
  const browser = { viewport: sizes.phone };
  const { page } = await dashboard.visit(`/boards/${leaderboard}/all_time`, { as: "admin", browser });
  const expectFit = async () => {
    expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  };
  await page.getByLabel("Players: All players. Choose others").click();
  await page.getByRole("link", { name: /^owls/ }).waitFor();
  await page.screenshot({ path: join(screenshots, "segments.png") });
  await expectFit();
  await page.getByRole("link", { name: /^owls/ }).click();
  await page.getByRole("table", { name: "Top of guild owls" }).waitFor();
  await histogram(page).waitFor();
  await page.screenshot({ path: join(screenshots, "segment.png"), fullPage: true });
  await expectFit();
  await page.goto(`/boards/${leaderboard}`);
  await page.locator(".advanced-head").click();
  await page.getByRole("textbox", { name: "Values of segment 1" }).waitFor();
  await page.screenshot({ path: join(screenshots, "segments-form.png"), fullPage: true });
  await expectFit();
});

test("a league, and a board's form with one, are readable and fit", async () => {
  const { leaderboard, season } = await filledLeague();
  for (const [size, viewport] of Object.entries(sizes)) {
    const { page } = await dashboard.visit(`/boards/${leaderboard}/${season}?player=ann`, {
      as: "admin",
      browser: { viewport },
    });
    const expectFit = async (name: string) => {
      await expectReadable(page, `${name}-${size}`);
      expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), name).toBe(0);
    };
    await page.getByText("League: Silver").waitFor();
    await expectFit("league-player");
    await page.goto(`/boards/${leaderboard}/${season}`);
    await page.locator("summary", { hasText: "bronze-1" }).click();
    await page.getByRole("table", { name: "Members of bronze-1" }).waitFor();
    await expectFit("league");
    await page.goto(`/boards/${leaderboard}`);
    await page.locator(".advanced-head").click();
    await page.getByRole("textbox", { name: "Go up of league tier 1" }).waitFor();
    await expectFit("league-form");
  }
});

test("the questions before an action are readable, and leave with Escape", async () => {
  const visit = await dashboard.visit("/boards/arcade/all_time/runs", { as: "admin" });
  const repair = visit.page.getByRole("button", { name: "Repair", exact: true });
  await repair.click();
  await visit.page.getByRole("dialog", { name: "Repair this season?" }).waitFor();
  expect(await violationsOf(visit.page)).toEqual([]);
  await visit.page.keyboard.press("Escape");
  await visit.page.getByRole("dialog").waitFor({ state: "detached" });
  await visit.page.locator("button:focus", { hasText: "Repair" }).waitFor();
});

test("the keyboard alone leads from the list to a player's rank, and the focus is always visible", async () => {
  const { page } = await dashboard.visit("/boards", { as: "admin" });
  await page.getByRole("link", { name: key.leaderboard, exact: true }).waitFor();
  await page.keyboard.press("Tab");
  await page.locator("a:focus", { hasText: "Skip to content" }).waitFor();
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("link", { name: key.leaderboard, exact: true }));
  await page.keyboard.press("Enter");
  await histogram(page).waitFor();
  await page.locator("h1:focus", { hasText: key.leaderboard }).waitFor();
  await tabTo(page, page.getByRole("combobox", { name: "Player ID" }));
  await page.keyboard.type("pilot-40");
  await page.keyboard.press("Enter");
  await page.getByRole("table", { name: "Around pilot-40" }).waitFor();
  await tabTo(page, page.getByRole("button", { name: "Hide" }));
  expect(await page.evaluate<string>("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
});

test("visitors who want no motion get none", async () => {
  const visit = await dashboard.visit("/boards/arcade/all_time", {
    browser: { reducedMotion: "reduce" },
  });
  await histogram(visit.page).waitFor();
  const durations = await visit.page.evaluate<number[]>(
    "[...document.querySelectorAll('*')].map((element) => parseFloat(getComputedStyle(element).transitionDuration))",
  );
  expect(Math.max(...durations)).toBeLessThan(0.001);
});

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: ReturnType<Page["locator"]>): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    if (await target.and(page.locator(":focus")).count()) return;
  }
  throw new Error("80 presses of Tab did not get there");
}

/** The views without a form, in which no word may be broken: what is too long is cut off. */
const unbroken = { boards: 1, season: 1, player: 1, players: 1, closing: 1, final: 1 };

/** The words that stand on two lines. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const broken = [];
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]{2,}/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top / 6));
        if (new Set(tops).size > 1) broken.push(word);
      }
    return broken;
  })()`);
}

/** The texts in tables that reach beyond their cells, where they would lie over the next one's. */
function beyondCells(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll("main td, main th")].flatMap((cell) => {
    const beyond = [];
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const ends = [Math.max(...[...range.getClientRects()].map(({ right }) => right))];
      for (let around = node.parentElement; around !== cell; around = around.parentElement)
        if (getComputedStyle(around).overflowX !== "visible") ends.push(around.getBoundingClientRect().right);
      if (Math.min(...ends) > cell.getBoundingClientRect().right + 1) beyond.push(node.data);
    }
    return beyond;
  })`);
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Looks at a page in light, and then at its colours in dark, with a screenshot of each. */
async function expectReadable(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(screenshots, `${name}-${colorScheme}.png`), fullPage: true });
    const found = await violationsOf(page, colorScheme === "dark" ? ["color-contrast"] : []);
    expect(found, `${name} in ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** What axe finds wrong, by these rules; by default those of WCAG 2.2 A and AA and its own best practices. */
async function violationsOf(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(axe);
  const options = rules.length === 0 ? {} : { runOnly: rules };
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Other boards, some of which have runs that failed: the list says so above it. */
async function addFailures(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    const board = await live.board();
    const record = { ...emptyRecord(board.key, Date.now()), outcome: "failed", error: "no reason" };
    await live.db.doc(runPath(board.key, "failed")).set(record);
  }
}

/** A template with boards; one has as long a name as there can be. */
async function addLevels(): Promise<void> {
  const template = "climb-level";
  const definition = { template: { ids: "any" }, order: "ascending", ranking_interval_minutes: 0.02 };
  await live.admin.call("saveLeaderboard", { leaderboard: template, definition });
  for (const [i, name] of ["meadow", "old-mine", "sunken-palace_3", "W".repeat(64)].entries()) {
    const leaderboard = `${template}:${name}`;
    const submissions = Array.from({ length: 3 + 40 * i }, (_, n) => ({
      player: `pilot-${n}`,
      score: n + i,
    }));
    await live.admin.call("submitScores", { leaderboard, submissions });
    await live.admin.call("runRanking", { leaderboard, include_open_slot: true });
  }
}

async function defineBoard(): Promise<void> {
  const definition = {
    visibility: "public",
    aggregation: "latest",
    ranking_interval_minutes: 0.02,
    tiers: [
      { name: "Gold", top_percent: 1 },
      { name: "Silver", top_percent: 10 },
    ],
  };
  await live.admin.call("saveLeaderboard", { leaderboard: key.leaderboard, definition });
  await live.admin.call("saveLeaderboard", { leaderboard: "arcade-2", definition: {} });
  await live.admin.call("setRole", {
    email: "game@my-game.iam.gserviceaccount.com",
    role: "submitter",
    boards: [key.leaderboard],
  });
}

/** Many players, some rankings and an audit. */
async function fillBoard(): Promise<void> {
  const { leaderboard } = key;
  const names = "Ada Bela Cleo Dara Emil Fenn Gwen Hugo Ines Juno Kaya Liam".split(" ");
  const submissions = Array.from({ length: players }, (_, i) => ({
    player: `pilot-${i + 1}`,
    display_name: `${names[i % names.length] ?? ""} ${String.fromCharCode(65 + ((i * 7) % 26))}.`,
    // Roughly the quantiles of a normal distribution, so that the screenshot is the same each time.
    score: Math.round(5_000 + 900 * Math.log((i + 0.5) / (players - i - 0.5))),
  }));
  for (const part of [submissions.slice(0, 200), submissions.slice(200, 450), submissions.slice(450)]) {
    await live.admin.call("submitScores", { leaderboard, submissions: part });
    await live.admin.call("runRanking", { leaderboard, include_open_slot: true });
  }
  await live.admin.call("auditSeason", { leaderboard, full: true });
}

/** One finished tournament, one in the middle of its closing, and one in the future. */
async function addTournaments(): Promise<void> {
  const { leaderboard } = key;
  const winter = { leaderboard, season: "winter-cup" };
  await live.admin.call("openSeason", winter);
  const submissions = Array.from({ length: 100 }, (_, i) => ({
    player: `pilot-${i + 1}`,
    display_name: `Pilot ${i + 1}`,
    score: Math.round(5_000 + 900 * Math.log((i + 0.5) / (100 - i - 0.5))),
  }));
  await live.admin.call("submitScores", { ...winter, submissions });
  await live.admin.call("closeSeason", winter);
  const stopSchedule = startSchedule(500);
  await eventually(async () => {
    expect((await live.db.doc(seasonPath(winter)).get()).get("cleared_at")).toBeInstanceOf(Timestamp);
  });
  await stopSchedule();
  // Notes of other tests' boards without a definition come after the list, and move it.
  const parked = await live.db.collectionGroup("seasons").where("parked", "==", "no_definition").get();
  await Promise.all(parked.docs.map(({ ref }) => ref.update({ parked: null })));

  const spring = { leaderboard, season: "spring-cup" };
  const nowMs = Date.now();
  const at = (ms: number) => Timestamp.fromMillis(nowMs + ms);
  const begun = begunSeason({ span: "custom", opens_at: at(-86_400_000), closes_at: at(-600_000) });
  const { ranking } = readSeason((await live.db.doc(seasonPath(winter)).get()).data());
  const closing = { status: "closing", closing_run: "closing", end_due_at: at(3_600_000), ranking };
  await live.db.doc(seasonPath(spring)).set({ ...begun, ...closing });
  for (const path of [pagesPath, (of: SeasonKey) => `${seasonPath(of)}/top`]) {
    const { docs } = await live.db.collection(path(winter)).get();
    for (const document of docs) await live.db.doc(`${path(spring)}/${document.id}`).set(document.data());
  }
  const record = beginClosing(spring, { run: "closing", nowMs: nowMs - 500_000 });
  await live.db
    .doc(runPath(spring, "closing"))
    .set({ ...record, phase: "writing", progress: { done: 62, total: 100 } });
  const times = {
    opens_at: at(86_400_000).toDate().toISOString(),
    closes_at: at(180_000_000).toDate().toISOString(),
  };
  await live.admin.call("openSeason", { leaderboard, season: "autumn-cup", ...times });
}
