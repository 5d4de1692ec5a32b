/** What one asks about scores in the dashboard: where one ranks, what a rank needs, and the list from a score on. */
import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { test } from "../../support/chromium.ts";
import { soon, type LiveBoard } from "../../support/live.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

setStage();

let board: LiveBoard;

beforeAll(async () => {
  const tiers = [{ name: "Gold", top_percent: 10 }];
  const segments = [{ name: "guild", from: "server" }];
  board = await live.board({ visibility: "public", tiers, segments });
  // Sixty players: p1 has 10 points, p2 has 20, …; p60 leads. Every third is an owl.
  const submissions = Array.from({ length: 60 }, (_, i) => ({
    player: `p${i + 1}`,
    score: 10 * (i + 1),
    ...(i % 3 === 2 && { segments: { guild: "owls" } }),
  }));
  await live.admin.call("submitScores", { leaderboard: board.leaderboard, submissions });
  await board.rank();
});

const path = (rest = "") => `/boards/${board.leaderboard}/all_time${rest}`;
const number = (page: Page, name: string) => page.getByRole("spinbutton", { name, exact: true });
const firstRow = (page: Page) => page.locator("tbody tr").first().innerText();

test("the rank of a score is shown, whether anybody has it or not, and nothing is asked for text that is not a number", async () => {
  const { page } = await dashboard.visit(path());
  const ask = async (score: string) => {
    await number(page, "A score of").fill(score);
    await page.getByRole("button", { name: "Where does it rank?" }).click();
  };
  await ask("555");
  await page.getByText("ranks 6 of 60").waitFor();
  await ask("550");
  await page.getByText("ranks 6 of 60: 91.53 % of the others are not better.").waitFor();
  await ask("1e9");
  await page.getByText("ranks 1 of 60: 100 %").waitFor();
  const answer = page.getByRole("status").filter({ hasText: "ranks" });
  await number(page, "A score of").fill("7");
  await answer.waitFor({ state: "detached" });
  await ask("1e17");
  await page.locator("input[name=score]:invalid").waitFor();
  await ask("5");
  await page.getByText("ranks 61 of 60").waitFor();
});

test("the score that a rank, a share of the best or a tier needs is shown, in a segment too", async () => {
  const { page } = await dashboard.visit(path());
  const by = page.getByRole("combobox", { name: "To reach" });
  const ask = () => page.getByRole("button", { name: "What does it need?" }).click();
  await number(page, "Rank").fill("6");
  await ask();
  await page.getByText("It needs 550.").waitFor();
  await number(page, "Rank").fill("61");
  await ask();
  await page.getByText("Any score: 60 are ranked.").waitFor();
  await by.selectOption("the best … %");
  // What was answered is gone with the question.
  expect(await page.getByText("Any score").count()).toBe(0);
  await number(page, "Percent").fill("50");
  await ask();
  await page.getByText("It needs 310, for rank 30 of 60.").waitFor();
  await by.selectOption("Gold");
  expect(await number(page, "Percent").count()).toBe(0);
  await ask();
  await page.getByText("It needs 550, for rank 6 of 60.").waitFor();
  await page.goto(path("?segment=guild:owls"));
  await by.selectOption("Gold");
  await ask();
  await page.getByText("It needs 570, for rank 2 of 20.").waitFor();
});

test("the list begins with the best player who has a score or a worse one, goes on and back, and the address keeps it", async () => {
  const { page } = await dashboard.visit(path("/players"));
  await soon(() => firstRow(page)).toMatch(/^1\s+p60/);
  await number(page, "From score").fill("555");
  await page.getByRole("button", { name: "Find" }).click();
  await page.waitForURL(`**${path("/players?score=555")}`);
  await soon(() => firstRow(page)).toMatch(/^6\s+p55\s+550/);
  await page.getByRole("button", { name: "Next 50" }).click();
  await soon(() => firstRow(page)).toMatch(/^56\s+p5\s+50/);
  await page.getByRole("button", { name: "Previous 50" }).click();
  await soon(() => firstRow(page)).toMatch(/^6\s+p55/);
  await page.getByRole("button", { name: "Previous 50" }).click();
  await soon(() => firstRow(page)).toMatch(/^1\s+p60/);
  await page.goto(path("/players?segment=guild:owls&score=555"));
  await soon(() => firstRow(page)).toMatch(/^3\s+p54/);
  expect(await number(page, "From score").inputValue()).toBe("555");
  await number(page, "From score").fill("5");
  await page.keyboard.press("Enter");
  await page.getByText("Nobody has this score or a worse one").waitFor();
});

test("on a board with columns the list begins at their values", async () => {
  const goals = { name: "goals", order: "descending", min: 0, max: 99 };
  const fouls = { name: "fouls", order: "ascending", min: 0, max: 99 };
  const { leaderboard, ...own } = await live.board({ visibility: "public", columns: [goals, fouls] });
  const submissions = Array.from({ length: 9 }, (_, i) => ({
    player: `p${i + 1}`,
    columns: { goals: 5, fouls: i },
  }));
  await live.admin.call("submitScores", { leaderboard, submissions });
  await own.rank();
  const { page } = await dashboard.visit(`/boards/${leaderboard}/all_time/players`);
  await soon(() => firstRow(page)).toMatch(/^1\s+p1/);
  await number(page, "Goals").fill("5");
  await number(page, "Fouls").fill("3");
  await page.getByRole("button", { name: "Find" }).click();
  await page.waitForURL("**/players?score=5%2C3");
  await soon(() => firstRow(page)).toMatch(/^4\s+p4/);
});
