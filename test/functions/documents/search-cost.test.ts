/** What the dashboard's search for players reads. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { playersNamed, playersWithPrefix, suggestionsMax } from "../../../web/src/data/queries.ts";
import { dashboardQuery } from "../../support/dashboard-query.ts";
import { playerFields, writePlayers } from "../../support/closing.ts";
import { allTime, createWorld } from "../../support/world.ts";

test("each text costs 2 to 16 reads, however many players begin with it, as docs/costs.md says", async () => {
  const world = createWorld();
  const key = allTime("arena");
  const ids = Array.from({ length: 30 }, (_, i) => `Ann ${i}`);
  const players = ids.map((id, i) => [id, playerFields(i, i, { display_name: id })] as const);
  await writePlayers(world, key, Object.fromEntries(players));
  const search = async (text: string) => {
    const both = [playersWithPrefix, playersNamed].map((of) =>
      dashboardQuery(world.db, of(key, text, suggestionsMax)),
    );
    return (await world.meter.measure(() => Promise.all(both.map((one) => one.get())))).bill.reads;
  };
  expect([await search("Bob"), await search("Ann 17"), await search("Ann")]).toEqual([2, 2, 16]);
  expect(readFileSync("docs/costs.md", "utf8")).toMatch(
    /players by name, as typed +\| 2 to 16 for each text/u,
  );
});
