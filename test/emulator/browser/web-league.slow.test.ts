/** A week of a league in the dashboard: tiers, groups, and a player's last weeks. */
import { expect } from "vitest";
import { filledLeague } from "../../support/browser/filled-league.ts";
import { dashboard, setStage } from "../../support/browser/stage.ts";
import { test } from "../../support/chromium.ts";
import { soon } from "../../support/live.ts";

setStage();

test("a week's league shows the groups of a tier with places and zones, and a player's panel the tier and the last weeks", async () => {
  const { leaderboard, season } = await filledLeague();
  const { page } = await dashboard.visit(`/boards/${leaderboard}/${season}`, { as: "admin" });
  const card = page.getByRole("region", { name: "League" });
  await card.locator("summary", { hasText: "bronze-1" }).click();
  await soon(() => card.getByRole("row").count()).toBe(1 + 4);
  await card.getByRole("combobox", { name: "Tier" }).selectOption("Silver");
  await card.locator("summary", { hasText: "silver-1" }).click();
  const members = card.getByRole("table", { name: "Members of silver-1" });
  await soon(() => members.getByRole("row").count()).toBe(1 + 5);
  expect(await members.getByRole("row").nth(1).innerText()).toMatch(/^1\s+ann\s+5,000\s+▲ up$/);
  await members.getByRole("link", { name: "ann" }).click();
  await page.getByText("League: Silver").waitFor();
  await page.getByText("#1 of 5 in Bronze → Silver").waitFor();
});
