/**
 * SECURITY.md: "answers for everybody else | one player's document that breaks a list, a run or a closing". Seating writes a
 * hundred documents in a commit, whatever their size, and one that is full takes the others down.
 */
import { expect, test } from "vitest";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { documentSize } from "../../../functions/src/model/document-size.ts";
import { documentBytesMax } from "../../../functions/src/model/limits.ts";
import { playerFields } from "../../support/closing.ts";
import { limitCommits } from "../../support/commits.ts";
import { createLeague, doRefreshes, getLeague, play, presentWeek, seated } from "../../support/league.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

async function fill(path: string) {
  const data = (await world.db.doc(path).get()).data() ?? {};
  const bytes = documentSize(path, { ...data, inventory: "" });
  await world.db.doc(path).set({ ...data, inventory: "x".repeat(documentBytesMax - bytes) });
}

test("sixty players with 200 KB of a server's own fields get seats", async () => {
  await createLeague(world, { size: 30 });
  const week = await presentWeek(world);
  const names = Array.from({ length: 60 }, (_, i) => `p${i}`);
  for (const name of names)
    await world.db.doc(playerPath(week, name)).set({ inventory: "x".repeat(200_000) });
  limitCommits(world);
  for (const name of names) await world.submit(name, 1);
  await doRefreshes(world).catch(() => undefined);
  expect(Object.values(await seated(world, week)).flat()).toHaveLength(60);
}, 60_000);

test("one full document keeps nobody else from a seat", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await world.submit("ann", 1);
  await fill(playerPath(week, "ann"));
  await world.submit("bob", 2);
  await doRefreshes(world).catch(() => undefined);
  expect(Object.values(await seated(world, week)).flat()).toContain("bob");
});

test("getLeague answers about a full document", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 1 });
  await world.db.doc(playerPath(week, "bob")).set(playerFields(7, 0));
  await countPlayers(world.services, week, ["bob"]);
  await fill(playerPath(week, "bob"));
  expect((await getLeague(world, "bob")).league).toBeNull();
});
