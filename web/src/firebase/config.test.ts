import { expect, test } from "vitest";
import { regionOf } from "./config.ts";

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
