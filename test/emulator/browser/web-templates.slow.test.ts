/** A template in the dashboard: its boards and its settings, and the page of one of its boards. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { leaderboardPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { test } from "../../support/chromium.ts";
import { eventually, soon } from "../../support/live.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";
import { allTime } from "../../support/world.ts";

setStage();

/** A template with boards that were ranked in this order. */
async function templateOf(...names: string[]): Promise<string> {
  const template = `t-${randomUUID().slice(0, 8)}`;
  const definition = {
    template: { ids: "any" },
    spans: ["daily", "all_time"],
    ranking_interval_minutes: 0.02,
  };
  await live.admin.call("saveLeaderboard", { leaderboard: template, definition });
  for (const name of names) {
    const leaderboard = `${template}:${name}`;
    await live.admin.call("submitScore", { leaderboard, score: 10 });
    await live.admin.call("runRanking", { leaderboard, season: "all_time", include_open_slot: true });
  }
  return template;
}

test("a template lists the boards that were ranked last, and finds boards by the start of their names", async () => {
  const names = ["cave", ...Array.from({ length: 20 }, (_, i) => `hall-${i}`)];
  const template = await templateOf(...names);
  await live.admin.call("submitScore", { leaderboard: `${template}:unranked`, score: 1 });
  const { page } = await dashboard.visit("/boards", { as: "admin" });
  await page.getByRole("searchbox").fill(template);
  const row = page.getByRole("row").filter({ hasText: template });
  await row.getByText("On its boards").waitFor();
  await page.getByRole("link", { name: template }).click();
  await page.waitForURL(`**/boards/${template}`);

  const listed = () => page.getByRole("table").getByRole("link").allTextContents();
  const idsOf = (some: string[]) => some.map((name) => `${template}:${name}`);
  await soon(listed).toEqual(idsOf(names.toReversed().slice(0, 20)));
  await page.getByRole("button", { name: "Show more" }).click();
  await soon(listed).toEqual(idsOf(names.toReversed()));

  const search = page.getByRole("searchbox", { name: "Boards with a name that begins with" });
  await search.fill("hall-1");
  const found = ["hall-1", ...Array.from({ length: 7 }, (_, i) => `hall-1${i}`)];
  await soon(listed).toEqual(idsOf(found));
  expect(await page.getByRole("link", { name: "Open" }).count()).toBe(0);
  await search.fill("un");
  await soon(listed).toEqual(idsOf(["unranked"]));
  await search.fill("a b");
  await page.getByText(`No board can be called “${template}:a b”`).waitFor();
  await search.fill("never");
  await page.getByRole("link", { name: `Open ${template}:never` }).click();
  await page.getByText("No season yet").waitFor();

  await page.goto(`/boards/${template}`);
  await search.fill("cave");
  await page.getByRole("link", { name: `${template}:cave`, exact: true }).click();
  await page.waitForURL(`**/boards/${template}:cave/*`);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await soon(() => crumbs.getByRole("link").allTextContents()).toEqual(["Leaderboards", template, "Seasons"]);
});

test("what all boards of a template share is fixed by its first board; the rest is changed on the template's page", async () => {
  const template = await templateOf();
  const { page } = await dashboard.visit(`/boards/${template}`, { as: "admin" });
  await page.getByText("No board yet").waitFor();
  await page.locator(".advanced-head").click();
  const movement = page.getByRole("switch", { name: "Movement" });
  expect(await movement.isDisabled()).toBe(false);
  const leaderboard = `${template}:one`;
  await live.admin.call("submitScore", { leaderboard, score: 10 });
  await soon(() => movement.isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "Template" }).fill("levels, 50");
  await page.getByRole("textbox", { name: "Size of the top" }).fill("5");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(`${template} is saved.`).waitFor();
  expect((await live.db.doc(leaderboardPath(template)).get()).data()).toMatchObject({
    top_size: 5,
    template: { ids: { collection: "levels" }, new_boards_per_day: 50 },
  });

  await page.goto(`/boards/${leaderboard}`);
  await page.getByText("Its settings are those of the template").waitFor();
  await page.getByRole("link", { name: "all_time" }).waitFor();
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill(leaderboard);
  await page.getByRole("button", { name: "Delete it" }).click();
  await page.getByText(`${leaderboard} is being deleted.`).waitFor();
  await eventually(async () => {
    const season = await live.db.doc(seasonPath(allTime(leaderboard))).get();
    expect(season.get("status") ?? "deleting").toBe("deleting");
  });
});

test("whoever is no admin opens a board by its name, and a template is no board", async () => {
  const template = await templateOf("one");
  const { page } = await dashboard.visit(`/boards/${template}`, { as: "player" });
  await page.getByRole("searchbox").fill("one");
  await page.getByRole("link", { name: `Open ${template}:one` }).click();
  await page.getByRole("link", { name: "all_time" }).waitFor();
  await page.goto(`/boards/${template}/all_time`);
  await page.getByText(`There is no leaderboard “${template}”`).waitFor();
  await page.getByRole("link", { name: `The template ${template}, and its boards` }).click();
  await page.waitForURL(`**/boards/${template}`);
  await page.goto(`/boards/no-${template}:7`);
  await page.getByText(`There is no leaderboard “no-${template}:7”`).waitFor();
});
