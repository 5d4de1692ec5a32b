import { afterEach, expect, test, vi } from "vitest";
import { loadConfig, regionOf } from "./config.ts";

test.each([
  [undefined, "us-central1"],
  ["nam5", "us-central1"],
  ["us-central", "us-central1"],
  ["nam7", "us-central1"],
  ["eur3", "europe-west1"],
  ["europe-west", "europe-west1"],
  ["europe-west3", "europe-west3"],
  ["southamerica-east1", "southamerica-east1"],
])("functions of a database in %s are looked for in %s", (locationId, region) => {
  expect(regionOf(locationId === undefined ? {} : { locationId })).toBe(region);
});

afterEach(() => void vi.unstubAllGlobals());

test("users sign in at the address that Hosting gives, for which alone Google's sign-in is set up", async () => {
  const options = { projectId: "my-game", authDomain: "my-game.firebaseapp.com", locationId: "europe-west3" };
  const asked = vi.fn(() => Promise.resolve(Response.json(options)));
  vi.stubGlobal("fetch", asked);
  const config = await loadConfig({ hostname: "my-game-ranks.web.app" });
  expect(config.options).toEqual(options);
  expect(config.region).toBe("europe-west3");
  expect(asked.mock.calls).toEqual([["/__/firebase/init.json"]]);
});

test("who serves one build for any project says what a build's variables say otherwise", async () => {
  const firerank = { region: "europe-west3", prefix: "ranks", database: "games" };
  const served = { projectId: "my-game", locationId: "nam5", firerank };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(served)));
  const config = await loadConfig({ hostname: "my-game-ranks.web.app" });
  expect(config).toMatchObject({ ...firerank, edition: undefined });
  expect(config.options).toEqual({ projectId: "my-game", locationId: "nam5" });
});
