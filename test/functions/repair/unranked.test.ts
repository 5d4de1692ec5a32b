/** A full audit says how many documents of a trusted server cannot be ranked as they are. */
import { expect, test } from "vitest";
import { repairSummary } from "../../../cli/repairs.ts";
import { differencesIn } from "../../../functions/src/documents/repair-record.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const audit = async (full: boolean) => {
  const record = await world.call("auditSeason", { leaderboard: "board", full }, admin);
  if (record.kind !== "audit") throw new Error("not an audit");
  return record;
};

test("a full audit counts documents that cannot be ranked, gives a reason, and logs one player", async () => {
  const key = await createBoard(world, "board", {
    segments: [
      { name: "guild", from: "server" },
      { name: "country", from: "submission", values: ["AT"] },
    ],
  });
  for (let i = 0; i < 5; i++) await world.submit(`p${i}`, i, {});
  const write = async (player: string, data: Record<string, unknown>) => {
    await world.follow(key, player, await world.writeDirectly(key, player, data));
  };
  await write("b", { score: 7, segments: { guild: "red", country: "AT" } });
  await write("c", { display_name: "has no score" });
  await write("d", { score: 7, segments: { guild: null } });
  await world.publish(key);
  const { bill: plain, result: right } = await world.meter.measure(() => audit(true));
  expect(right.found).not.toHaveProperty("unranked");

  await write("q1", { score: "120", status: "active" });
  await write("q2", { score: NaN, status: "active" });
  await write("q3", { score: 3, status: "Banned" });
  await write("q4", { score: 3, segments: { guild: "Red Dragons!" } });
  await write("q5", { score: 3, segments: { country: "Austria" } });
  await world.publish(key);
  world.logged.length = 0;
  const { bill, result: record } = await world.meter.measure(() => audit(true));
  expect(bill.reads - plain.reads).toBe(5);
  const reason = 'score is a string ("120"), not a number';
  expect(record).toMatchObject({ repair: "none", found: { unranked: { players: 5, reason } } });
  expect(JSON.stringify(record)).not.toContain("q1");
  expect(world.logged.filter(({ level }) => level === "error")).toMatchObject([
    {
      message: `player q1 is not ranked as the document says: ${reason} (an audit found 5 such players)`,
      fields: { player: "q1", players: 5 },
    },
  ]);
  const said = `5 players with a document that can't be ranked as it is: ${reason}`;
  expect(differencesIn(record.found as never)).toBe(said);
  expect(repairSummary(record)).toContain(`${said}. Such documents are for a server to correct`);
  expect((await audit(false)).found).not.toHaveProperty("unranked");
});
