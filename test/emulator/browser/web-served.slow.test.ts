/** `firerank dashboard` beside running emulators: the page that it serves, in a browser. */
import { expect, onTestFinished } from "vitest";
import { projectId, root } from "../../../scripts/project.ts";
import { test } from "../../support/chromium.ts";
import { openDashboard } from "../../support/browser/dashboard.ts";
import { live, setStage } from "../../support/browser/stage.ts";
import { startDashboard } from "../../support/dashboard-command.ts";

setStage();

test("it shows the emulators' boards after one click, calls their functions, and Ctrl-C ends it", async () => {
  const { address, interrupt } = await startDashboard("cli/main.ts", root, "--project", projectId);
  const { leaderboard } = await live.board({ visibility: "public" });
  const served = await openDashboard(address);
  onTestFinished(() => served.close());
  // The page stays open when the dashboard has ended, and may ask for more.
  const expected = /ERR_CONNECTION_REFUSED/;
  const { page } = await served.visit(`/boards/${leaderboard}`, { as: "admin", expected });
  await page.getByRole("heading", { level: 1, name: leaderboard }).waitFor();
  await page.goto(`${address}/new-board`);
  await page.getByRole("textbox", { name: "Id", exact: true }).fill(`${leaderboard}-made`);
  await page.getByRole("button", { name: "Create leaderboard" }).click();
  await page.getByRole("heading", { level: 1, name: `${leaderboard}-made` }).waitFor();
  expect(await interrupt()).toBe(0);
});
