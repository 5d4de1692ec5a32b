/**
 * Granting and revoking roles in the dashboard, and what it offers to those without one; the rules and the calls refuse
 * them all else.
 */
import { randomUUID } from "node:crypto";
import { deleteApp, initializeApp } from "firebase-admin/app";
import { type Auth, getAuth } from "firebase-admin/auth";
import { afterAll, beforeAll, expect } from "vitest";
import { projectId } from "../../../scripts/project.ts";
import { test } from "../../support/chromium.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

setStage();

const app = initializeApp({ projectId }, "web-roles-test");
let auth: Auth;
beforeAll(() => {
  auth = getAuth(app);
});
afterAll(() => deleteApp(app));

const claimsOf = async (uid: string) => (await auth.getUser(uid)).customClaims;

test("a person gets a role for some boards, and loses it, by the address", async () => {
  const email = `${randomUUID()}@example.com`;
  const { uid } = await auth.createUser({ email, emailVerified: true });
  await auth.setCustomUserClaims(uid, { team: "red" });
  const { page } = await dashboard.visit("/boards", { as: "admin" });
  await page.getByLabel("Account admin@example.com").click();
  await page.getByText("Admin of all boards").waitFor();
  await page.getByRole("link", { name: "Roles" }).click();
  await page.getByRole("textbox", { name: "E-mail address or uid" }).fill(email);
  await page.getByRole("combobox", { name: "Role" }).selectOption("moderator");
  await page.getByRole("textbox", { name: "Boards" }).fill("chess, checkers");
  await page.getByRole("button", { name: "Look up" }).click();
  await page
    .getByText(`The uid is ${uid}. Now: no role. Then: the role moderator, on chess, checkers.`)
    .waitFor();
  expect(await claimsOf(uid)).toEqual({ team: "red" });
  await page.getByRole("button", { name: "Grant", exact: true }).click();
  await page.getByText(`${email} has the role moderator, on chess, checkers.`).waitFor();
  const row = page.getByRole("row").filter({ hasText: email });
  await row.getByText("granted").waitFor();
  expect(await row.innerText()).toMatch(/by admin@example\.com\s+moderator\s+chess, checkers\s+Revoke …/);
  // Who looks at the list is in it, without a way to be locked out.
  const own = page.getByRole("row").filter({ hasText: "you" });
  expect(await own.innerText()).toMatch(
    /admin@example\.com\s+you\s+not verified\s+not granted here\s+admin\s+all boards/,
  );
  expect(await own.getByRole("button").count()).toBe(0);
  expect(await claimsOf(uid)).toEqual({
    team: "red",
    leaderboard_role: "moderator",
    leaderboard_boards: ["chess", "checkers"],
  });
  await page.getByRole("combobox", { name: "Role" }).selectOption("none");
  await page.getByRole("textbox", { name: "Boards" }).fill("");
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText(`${email} has no role.`).waitFor();
  await row.waitFor({ state: "detached" });
  expect(await claimsOf(uid)).toEqual({ team: "red" });
});

test("a moderator hides and readmits players of the boards of that role, and is offered nothing else", async () => {
  const [own, other] = [
    await live.board({ visibility: "public" }),
    await live.board({ visibility: "public" }),
  ];
  for (const { leaderboard } of [own, other])
    await live.admin.call("submitScores", {
      leaderboard,
      submissions: [{ player: "ann", score: 7, display_name: "Ann" }],
    });
  const email = `${randomUUID()}@example.com`;
  const { uid } = await auth.createUser({ email, password: "firerank" });
  await auth.setCustomUserClaims(uid, {
    leaderboard_role: "moderator",
    leaderboard_boards: [own.leaderboard],
  });
  const { page } = await dashboard.visit("/sign-in", { expected: /404/ });
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByLabel("Password").fill("firerank");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/boards");
  await page.goto(`/boards/${own.leaderboard}/all_time?player=ann`);
  await page.getByRole("button", { name: "Hide" }).waitFor();
  const names = await page.locator(".player-actions button").allTextContents();
  expect(names).toEqual(["Hide", "Ban"]);
  await page.getByRole("button", { name: "Hide" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Hide", exact: true }).click();
  // The player may show as hidden before the call has ended, and the list is read once.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Readmit" }).waitFor();
  await page.goto(`/boards/${own.leaderboard}/all_time/players`);
  await page.getByRole("button", { name: "Hidden" }).click();
  await page.getByRole("link", { name: "ann" }).waitFor();
  await page.goto(`/boards/${other.leaderboard}/all_time?player=ann`);
  await page.locator(".found").waitFor();
  expect(await page.locator(".player-actions").count()).toBe(0);
});

test("a server is in the list once it has a role, and no longer when it is revoked", async () => {
  const email = `game-${randomUUID().slice(0, 8)}@my-game.iam.gserviceaccount.com`;
  const { page } = await dashboard.visit("/roles", { as: "admin" });
  await page.getByRole("textbox", { name: "E-mail address or uid" }).fill(email);
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByRole("button", { name: "Grant", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: email });
  await row.getByText("submitter").waitFor();
  await row.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await row.waitFor({ state: "detached" });
});

test("players see neither the page's form nor a way to it", async () => {
  const visit = await dashboard.visit("/roles", { as: "player" });
  await visit.page.getByText("Roles are granted by admins").waitFor();
  expect(await visit.page.getByRole("textbox").count()).toBe(0);
});

test.each(["player", "nobody"] as const)("%s sees neither runs nor settings to change", async (as) => {
  const { leaderboard } = await live.board();
  const { page } = await dashboard.visit(`/boards/${leaderboard}/all_time/runs`, { as, expected: /./ });
  const refused = page.getByText("This account may not read this");
  await page.getByText("Runs are for admins").or(refused).waitFor();
  await page.goto(`/boards/${leaderboard}`);
  await page.getByRole("group", { name: "Access" }).or(refused).waitFor();
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
});
