/** Moderation in the dashboard, on the real emulators: finding players, and banning several at once. */
import { expect } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { test } from "../../support/chromium.ts";
import { soon } from "../../support/live.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

setStage();

test("whoever does not exist is said not to, with the nearest names in any case, and has no buttons", async () => {
  const { leaderboard, ...own } = await live.board({ visibility: "public" });
  const names = ["DRAGON", "Dragonslayer", "dragon fruit", "Drum"];
  const submissions = names.map((display_name, i) => ({ player: `d${i}`, score: i, display_name }));
  await live.admin.call("submitScores", { leaderboard, submissions });
  await own.rank();
  const there = `/boards/${leaderboard}/all_time`;
  const visit = await dashboard.visit(`${there}?player=dragoon`, { as: "admin", expected: /status of 404/ });
  const { page } = visit;
  await page.getByText("Nobody in all_time has the ID “dragoon”").waitFor();
  const nearest = page.getByRole("list", { name: "The nearest players" });
  await soon(async () => (await nearest.getByRole("link").allInnerTexts()).toSorted()).toEqual(
    names.slice(0, 3).toSorted(),
  );
  expect(await page.getByRole("button", { name: /Hide|Ban|Remove|Export|Merge/ }).count()).toBe(0);
  await nearest.getByRole("link", { name: "Dragonslayer" }).click();
  await page.getByText("#3 of 4").waitFor();
  await page.getByRole("button", { name: "Ban", exact: true }).waitFor();
  // While it is typed, a name is found in any case too.
  await page.getByRole("combobox", { name: "Player ID" }).fill("dRAGON");
  for (const [i, name] of names.slice(0, 3).entries())
    await page
      .locator(`#players-found option[value="d${i}"][label="${name}"]`)
      .waitFor({ state: "attached" });
});

test("several players are banned at once with a reason, which moderators see, and the message takes it back", async () => {
  const { leaderboard, ...own } = await live.board({ visibility: "public" });
  const submissions = ["ann", "bob", "cyd", "dan"].map((player, i) => ({ player, score: 10 - i }));
  await live.admin.call("submitScores", { leaderboard, submissions });
  await own.rank();
  const { page } = await dashboard.visit(`/boards/${leaderboard}/all_time/players`, { as: "admin" });
  const list = page.getByRole("region", { name: "Players", exact: true });
  for (const player of ["ann", "cyd"]) await list.getByRole("checkbox", { name: `Select ${player}` }).check();
  const bar = list.getByRole("region", { name: "Selected players" });
  await bar.getByText("2 selected").waitFor();
  await bar.getByRole("button", { name: "Ban" }).click();
  const dialog = page.getByRole("dialog", { name: "Ban 2 players?" });
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Two accounts of one bot");
  await dialog.getByRole("button", { name: "Ban" }).click();
  await dialog.waitFor({ state: "detached" });
  const leftOut = page.getByRole("region", { name: "Left out" });
  const rows = () => leftOut.locator("tbody tr").allInnerTexts();
  await soon(async () => (await rows()).map((text) => text.replaceAll(/\s+/g, " ").trim())).toEqual([
    "Select ann ann Two accounts of one bot",
    "Select cyd cyd Two accounts of one bot",
  ]);
  await soon(() => list.getByRole("row").getByRole("link").allInnerTexts()).toEqual(["bob", "dan"]);
  // Nobody is selected any more, and the keyboard goes on in the list.
  expect(await bar.count()).toBe(0);
  expect(await page.locator("input[type=checkbox]:focus").count()).toBe(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("2 players are active now.").waitFor();
  await leftOut.getByText("Nobody is banned on this board").waitFor();
  for (const player of ["ann", "cyd"]) {
    const stored = await live.db.doc(playerPath({ leaderboard, season: "all_time" }, player)).get();
    expect(stored.get("status")).toBe("active");
  }
});
