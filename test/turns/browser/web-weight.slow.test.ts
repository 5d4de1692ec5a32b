/**
 * How much the dashboard loads until its first data is on the screen, and whether it stays quick: a limit on bytes and
 * requests, which a new dependency on the way would break, and one on how long the page is busy at once.
 *
 * With `FIRERANK_DASHBOARD_BEFORE=<folder>`, another build of the dashboard is weighed in the same run.
 */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished } from "vitest";
import { root } from "../../../scripts/project.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagePath, seasonPath, topPath } from "../../../functions/src/documents/paths.ts";
import { readTop } from "../../../functions/src/documents/top.ts";
import { packPages } from "../../../functions/src/ranking/pack-pages.ts";
import { test } from "../../support/chromium.ts";
import { openDashboard } from "../../support/browser/dashboard.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";
import { serveCompressed, type Weight, weigh } from "../../support/browser/weight.ts";
import type { LiveBoard } from "../../support/live.ts";
import { someRows } from "../../support/rows.ts";

setStage();

const before = process.env["FIRERANK_DASHBOARD_BEFORE"];
let board: LiveBoard;

beforeAll(async () => {
  board = await live.board({ visibility: "public" });
  const submissions = Array.from({ length: 150 }, (_, i) => ({ player: `p${i}`, score: 10 * i }));
  await live.admin.call("submitScores", { leaderboard: board.leaderboard, submissions });
  await board.rank();
});

describe("a first visit", () => {
  /** By what comes first there: its address, where its first data is, and the most that may have been loaded by then. */
  const views = {
    "the list of boards": ["/boards", "a.row-link", { kilobytes: 120, requests: 12 }],
    "the top of a season": [
      () => `/boards/${board.leaderboard}/all_time`,
      "tr[data-player]",
      { kilobytes: 270, requests: 22 },
    ],
  } as const;

  test.each(Object.entries(views))("%s is there before most of the page", async (name, view) => {
    const [path, data, most] = view;
    const weightOf = async (folder: string) => {
      const served = await serveCompressed(folder, dashboard.address);
      onTestFinished(() => served.close());
      const there = await openDashboard(served.address);
      onTestFinished(() => there.close());
      const { page } = await there.visit("/sign-in", { as: "admin", expected: /favicon/ });
      return weigh(page, served.address + (typeof path === "string" ? path : path()), data);
    };
    const now = await weightOf(join(root, "web", "dist"));
    console.log(`${name}: ${inWords(now)}`);
    if (before !== undefined) {
      const then = await weightOf(before);
      console.log(
        `${name}, before: ${inWords(then)}; now ${(now.bytes / then.bytes).toFixed(2)} of the bytes`,
      );
    }
    expect(now.bytes).toBeLessThan(most.kilobytes * 1_000);
    expect(now.requests.length).toBeLessThanOrEqual(most.requests);
  });
});

function inWords({ bytes, requests, ms }: Weight): string {
  return `${(bytes / 1_000).toFixed(1)} KB and ${requests.length} requests until the first data, after ${ms} ms`;
}

describe("a board of a million players with twenty open seasons", () => {
  const players = 1_000_000;
  const differentScores = 60_000;

  beforeAll(async () => {
    const { leaderboard } = board;
    for (let i = 1; i <= 20; i++) await live.admin.call("openSeason", { leaderboard, season: `cup-${i}` });
    await addMillion();
  });

  /** Pages as of a million players, of whom only those of the top have documents: the dashboard reads no others. */
  async function addMillion(): Promise<void> {
    const { db } = live;
    const ref = db.doc(seasonPath(board.key));
    const season = await ref.get();
    const generation = Number(season.get("ranking.generation")) + 1;
    const each = Math.floor(players / differentScores);
    const rows = Array.from({ length: differentScores }, (_, i) => [differentScores - i, each] as const);
    const [best, ...rest] = rows;
    const all = someRows(
      [best?.[0] ?? 0, each + (players - each * differentScores)],
      ...rest.map(([s, n]): [number, number] => [s, n]),
    );
    const about = {
      ...{ generation, unusable_scores: 0, as_of: season.readTime, read_at: season.readTime },
      next_publish_at: Timestamp.fromMillis(Date.now() + 3_600_000),
    };
    const pages = packPages("descending", all, about);
    const writer = db.bulkWriter();
    for (const page of pages) void writer.set(db.doc(pagePath(board.key, page.page)), page);
    await writer.close();
    const ranking = { generation, players, rows: differentScores, pages: pages.length };
    await ref.set({ ranking, next_run_at: Timestamp.fromMillis(Date.now() + 3_600_000) }, { merge: true });
  }

  test("no task of the page takes 100 ms while the top changes twice a second", async () => {
    const { page } = await dashboard.visit("/boards", { as: "admin" });
    const browser = page.context().browser();
    if (browser === null) throw new Error("the page has no browser");
    const longest = async (work: () => Promise<void>) => {
      await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
      await work();
      return longestTaskMs(await browser.stopTracing());
    };
    const opening = await longest(async () => {
      await page.goto(`/boards/${board.leaderboard}/all_time`);
      await page.getByText("1,000,000 players").first().waitFor();
      await page.getByRole("img", { name: /^Histogram/ }).waitFor();
      await page.getByLabel("Season all_time. Show the others").click();
      await page.getByRole("link", { name: /^cup-20/ }).waitFor();
    });
    const changing = await longest(() => changeTop(20));
    console.log(
      `the longest task: ${opening.toFixed(0)} ms opening, ${changing.toFixed(0)} ms while the top changes`,
    );
    expect(opening).toBeGreaterThan(0);
    expect(opening).toBeLessThan(100);
    expect(changing).toBeLessThan(100);
  });

  /** The top of a busy board, changed every half second: half of its players change places. */
  async function changeTop(times: number): Promise<void> {
    const ref = live.db.doc(topPath(board.key));
    const top = readTop((await ref.get()).data());
    for (let i = 1; i <= times; i++) {
      const next = new Promise((resolve) => setTimeout(resolve, 500));
      const turned = top.entries.toSorted(
        (a, b) => ((a.position * 7 * i) % 101) - ((b.position * 7 * i) % 101),
      );
      const entries = turned.map((entry, at) => ({ ...entry, rank: at + 1, position: at + 1 }));
      await ref.update({ entries, as_of: Timestamp.now() });
      await next;
    }
  }
});

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** The processor's time in microseconds, of which other programs of the machine take none. */
  tdur?: number;
  args?: { name?: string };
}

/** The longest task of any page's main thread, in milliseconds of processor time. */
function longestTaskMs(trace: Awaited<ReturnType<Browser["stopTracing"]>>): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threads = new Set(
    traceEvents.flatMap(({ name, pid, tid, args }) =>
      name === "thread_name" && args?.name === "CrRendererMain" ? [`${pid} ${tid}`] : [],
    ),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith("RunTask") && threads.has(`${pid} ${tid}`),
  );
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1_000));
}
