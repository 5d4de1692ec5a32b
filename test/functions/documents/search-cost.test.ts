/** What the dashboard's search for players reads. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Query } from "../../../functions/src/documents/firestore.ts";
import {
  playersNamed,
  playersWithPrefix,
  type QuerySpec,
  suggestionsMax,
} from "../../../web/src/data/queries.ts";
import { playerFields, writePlayers } from "../../support/closing.ts";
import { allTime, createWorld } from "../../support/world.ts";

test("each text costs 2 to 16 reads, however many players begin with it, as docs/dashboard.md says", async () => {
  const world = createWorld();
  const key = allTime("arena");
  const ids = Array.from({ length: 30 }, (_, i) => `Ann ${i}`);
  const players = ids.map((id, i) => [id, playerFields(i, i, { display_name: id })] as const);
  await writePlayers(world, key, Object.fromEntries(players));
  const query = ({ collection, where, orderBy, limit }: QuerySpec) => {
    const all = where.reduce<Query>(
      (one, [field, op, value]) =>
        one.where(field, op, field === "__name__" ? world.db.doc(`${collection}/${String(value)}`) : value),
      world.db.collection(collection),
    );
    return orderBy.reduce((one, [field, direction]) => one.orderBy(field, direction), all).limit(limit);
  };
  const search = async (text: string) => {
    const both = [playersWithPrefix, playersNamed].map((of) => query(of(key, text, suggestionsMax)));
    return (await world.meter.measure(() => Promise.all(both.map((one) => one.get())))).bill.reads;
  };
  expect([await search("Bob"), await search("Ann 17"), await search("Ann")]).toEqual([2, 2, 16]);
  expect(readFileSync("docs/dashboard.md", "utf8")).toContain("each text that is typed costs 2 to 16 reads");
});
