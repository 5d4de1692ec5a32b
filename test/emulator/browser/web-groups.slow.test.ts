/** Private groups in the dashboard: a moderator sees them, renames and deletes one, and takes a member out. */
import { expect } from "vitest";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";
import { test } from "../../support/chromium.ts";
import { soon } from "../../support/live.ts";

setStage();

test("a moderator sees private groups with their members, takes one out, renames a group and deletes it", async () => {
  const { leaderboard } = await live.board({ private_groups: true });
  await live.admin.call("submitScores", {
    leaderboard,
    submissions: [
      { player: "ann", score: 5_000 },
      { player: "bob", score: 7_000 },
    ],
  });
  const { code } = await live.admin.call("createGroup", { leaderboard, name: "Class 4b", player: "ann" });
  for (const player of ["bob", "cyd"]) await live.admin.call("joinGroup", { leaderboard, code, player });
  const { page } = await dashboard.visit(`/boards/${leaderboard}`, { as: "admin" });
  const card = page.getByRole("region", { name: "Private groups" });
  await card.locator("summary", { hasText: "Class 4b" }).click();
  const members = card.getByRole("table", { name: "Members of Class 4b" });
  await soon(() => members.getByRole("row").count()).toBe(1 + 3);
  expect(await members.getByRole("row").nth(1).innerText()).toMatch(/^1\s+bob\s+7,000/);
  await card.getByRole("button", { name: "Take cyd out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Take out" }).click();
  await soon(() => members.getByRole("row").count()).toBe(1 + 2);
  await card.getByRole("button", { name: "Rename Class 4b" }).click();
  await page.getByRole("dialog").getByLabel("New name").fill("Class 5b");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await card.locator("summary", { hasText: "Class 5b" }).waitFor();
  await card.getByRole("searchbox").fill("Class 6");
  await card.getByText("No group begins with").waitFor();
  await card.getByRole("searchbox").fill("Class 5");
  await card.locator("summary", { hasText: "Class 5b" }).click();
  await card.getByRole("button", { name: "Delete Class 5b" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
  await soon(() => card.locator("summary").count()).toBe(0);
});
