/** What `doctor` says of templates that open no board. */
import { expect, test } from "vitest";
import { createApi } from "../../../cli/doctor/api.ts";
import { boards } from "../../../cli/doctor/checks/boards.ts";
import { deploymentOf } from "../../../cli/doctor/deployment.ts";
import { expectedKinds } from "../../../cli/doctor/expected.ts";
import { createPatient } from "../../../cli/doctor/patient.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

/** The findings where the functions were deployed with a value of `ENFORCE_APP_CHECK`. */
async function findings(enforced: "true" | "false"): Promise<string[]> {
  const { db, projectId: project, services } = world;
  const api = createApi({ project, addressOf: () => undefined, token: () => Promise.resolve("") });
  const place = { project, database: "(default)", timeZone: "UTC" };
  const variables = { ENFORCE_APP_CHECK: enforced };
  const of = { region: "us-central1", codebase: "firerank", variables };
  const all = [...expectedKinds].map(([name, kind]) => ({ ...of, name, kind }));
  const patient = {
    ...createPatient({ ...place, api, db, now: services.now }),
    deployment: () => Promise.resolve(deploymentOf(all, { database: "(default)" })),
  };
  const found: string[] = [];
  for await (const one of boards.look(patient)) found.push("id" in one ? `${one.id}: ${one.what}` : one.why);
  return found;
}

test("where App Check is not enforced, a template with any name is refused new boards by players", async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  await createBoard(world, "daily-puzzle", { template: { ids: "any" }, submit: "server" });
  expect(await findings("true")).toEqual([]);
  expect(await findings("false")).toEqual([
    expect.stringMatching(/^template-refuses: New boards of level are refused/),
  ]);
});

test("a collection without a document names no board", async () => {
  await createBoard(world, "level", { template: { ids: { collection: "levels" } } });
  expect(await findings("false")).toEqual([
    expect.stringMatching(/^template-names: The template level .* levels,/),
  ]);
  await world.db.doc("levels/7").set({ by: "maker" });
  expect(await findings("false")).toEqual([]);
});
