/** The set-up of every test file about the dashboard: the dashboard, ready to be visited, and its functions. */
import { afterAll, beforeAll } from "vitest";
import { createLive, type Live } from "../live.ts";
import { type Dashboard, openDashboard } from "./dashboard.ts";

/** What {@link setStage} brings. */
export let dashboard: Dashboard;
export let live: Live;

/** Called first in a file: both are there before the file's own `beforeAll`, and for this file alone. */
export function setStage(): void {
  beforeAll(async () => {
    [dashboard, live] = await Promise.all([openDashboard(), createLive()]);
  });
  afterAll(async () => {
    await dashboard.close();
    await live.end();
  });
}
