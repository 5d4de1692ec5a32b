/** The dashboard offline: old data is not shown as current, and failed requests are repeated. */
import { beforeAll, expect } from "vitest";
import { test } from "../../../support/chromium.ts";
import type { LiveBoard } from "../../../support/live.ts";
import type { Visit } from "../../../support/browser/dashboard.ts";
import { dashboard, live, setStage } from "../../../support/browser/stage.ts";

setStage();

let board: LiveBoard;
/** What a browser reports when it is offline; see test/all/emulator/browser/web-failures.test.ts. */
const expected =
  /Failed to (load|fetch)|net::ERR_|WebChannelConnection|Could not reach Cloud Firestore|cleardot/;

beforeAll(async () => {
  board = await live.board({ visibility: "public", ranking_interval_minutes: 60 });
  await board.submit({ ann: 10, bob: 20 });
  await board.rank();
});

const path = (rest = "") => `/boards/${board.leaderboard}/all_time${rest}`;
const setOffline = ({ page }: Visit, isOffline: boolean) => page.context().setOffline(isOffline);

/**
 * Takes a page offline once its season has loaded, and waits until it shows that: it can only remember what has
 * arrived.
 */
async function loseNet(visit: Visit): Promise<void> {
  const figures = visit.page.locator(".figures");
  await figures.locator(".dot").waitFor();
  await setOffline(visit, true);
  await figures.getByText("Last known").waitFor();
}

test("without a network the top is the last known one, and questions are answered when the network is back", async () => {
  const visit = await dashboard.visit(path(), { as: "admin", expected });
  const { page } = visit;
  const top = page.getByRole("region", { name: "Top 2" });
  await top.getByText("Live, as of").waitFor();
  await loseNet(visit);
  await top.getByText("Last known, as of").waitFor();
  expect(await page.getByText(/Live|Fresh|Quiet/).count()).toBe(0);

  await top.getByRole("link", { name: live.uid("ann") }).click();
  const look = page.getByRole("region", { name: "Look up a player" });
  await look.getByText("getRank cannot be reached").waitFor();
  await setOffline(visit, false);
  await look.getByText("#2 of 2").waitFor();
  await top.getByText("Live, as of").waitFor();
});

test("a lost connection is noticed even if only Firestore's SDK has lost it", async () => {
  const visit = await dashboard.visit("/sign-in", { as: "admin", expected });
  const { page } = visit;
  await page.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => true })");
  await page.goto(path());
  const top = page.getByRole("region", { name: "Top 2" });
  await top.getByText("Live, as of").waitFor();
  await loseNet(visit);
  await top.getByText("Last known, as of").waitFor();
  await setOffline(visit, false);
  await top.getByText("Live, as of").waitFor();
});

test("the list of players says as of when it is, and offers a newer generation", async () => {
  const busy = await live.board({ visibility: "public", ranking_interval_minutes: 60 });
  await busy.submit({ ann: 10, bob: 20 });
  await busy.rank();
  const { page } = await dashboard.visit(`/boards/${busy.leaderboard}/all_time/players`);
  const list = page.getByRole("region", { name: "Players" });
  await list.getByText(/^Generation 1, as of /).waitFor();
  await list.getByRole("link", { name: live.uid("bob") }).waitFor();
  const offer = list.getByRole("button", { name: "Show generation 2" });
  await busy.submit({ cyd: 30 });
  await busy.rank();
  await offer.click();
  await list.getByText(/^Generation 2, as of /).waitFor();
  expect(await list.getByRole("link").allInnerTexts()).toEqual(
    ["cyd", "bob", "ann"].map((name) => live.uid(name)),
  );
  expect(await offer.count()).toBe(0);
});
