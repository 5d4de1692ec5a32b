/** What other languages' servers store beside a player's own fields is passed on to the last bit. */
import { expect, test } from "vitest";
import { ExactNumber } from "../../../functions/src/documents/exact-number.ts";
import { type DocumentSnapshot, FieldPath } from "../../../functions/src/documents/firestore.ts";
import { playerPath, topPath } from "../../../functions/src/documents/paths.ts";
import { createEnding, endSeason } from "../../support/closing.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const id = "76561198012345679";

/** As a Go or Java server writes them. */
const integer = (integerValue: string) => new ExactNumber({ integerValue });
const double = (doubleValue: number) => new ExactNumber({ doubleValue });
const foreign = () => ({
  steam_id: integer(id),
  ratio: double(850),
  level: 7,
  deep: { list: [integer(id), 0.5, { half: double(-3) }] },
  metadata: { clan: integer(id), ratio: double(1), name: "x" },
});
const names = ["steam_id", "ratio", "level", "deep", "metadata"];

/** A field as it is stored. */
function stored(document: DocumentSnapshot, name: string): unknown {
  const library = document as unknown as { protoField(path: FieldPath): unknown };
  const wire = JSON.stringify(library.protoField(new FieldPath(...name.split("."))));
  return JSON.parse(wire.replaceAll(/"integerValue":(-?\d+)/g, '"integerValue":"$1"')) as unknown;
}

const read = (player: string) => world.db.doc(playerPath(key, player)).get();

test("a merge moves foreign fields and metadata as they are, and a score leaves metadata so", async () => {
  await createBoard(world, "board", { aggregation: "sum" });
  await world.db.doc(playerPath(key, "guest")).set({ score: 5, ...foreign() });
  await world.deliver(key, "guest");
  const before = await read("guest");
  const wanted = names.map((name) => stored(before, name));
  expect(JSON.stringify(wanted)).toContain(`"integerValue":"${id}"`);
  expect(JSON.stringify(wanted)).toContain('"doubleValue":850');
  await world.submit("guest", 1);
  expect(names.map((name) => stored(before, name))).toEqual(wanted);
  await world.call("mergePlayers", { from: "guest", to: "ann" }, admin);
  const moved = await read("ann");
  expect(moved.get("score")).toBe(6);
  expect(names.map((name) => stored(moved, name))).toEqual(wanted);
  await world.submit("ann", 1);
  expect(stored(await read("ann"), "metadata")).toEqual(wanted.at(-1));
});

test("a score leaves values beside those of the board's segments as they are, and takes them to the next day", async () => {
  const segments = [{ name: "country", from: "submission" as const, values: ["AT"] }];
  await createBoard(world, "board", { spans: ["all_time", "daily"], segments });
  const { season } = (await world.submit("ann", 1)).seasons[0] ?? { season: "" };
  const path = (day: string) => playerPath({ leaderboard: "board", season: day }, "ann");
  const values = { elo: double(850), steam: integer(id) };
  await world.db.doc(path(season)).set({ score: 5, segments: values });
  await world.deliver({ leaderboard: "board", season }, "ann");
  const expectKept = async (day: string) => {
    const document = await world.db.doc(path(day)).get();
    expect(stored(document, "segments.elo")).toMatchObject({ doubleValue: 850 });
    expect(stored(document, "segments.steam")).toMatchObject({ integerValue: id });
    expect(document.get("segments.country")).toBe("AT");
  };
  await world.submit("ann", 9, { segments: { country: "AT" } });
  await expectKept(season);
  world.advance(86_400_000 - (world.services.now() % 86_400_000));
  const [, next] = (await world.submit("ann", 3, { submission_id: "a" })).seasons;
  await expectKept(next?.season ?? "");
});

test("what goes out as JSON has a large integer as a text: exports, tops, lists and final tables", async () => {
  const cup = await createEnding(world, "board", { ann: { score: -0, ...foreign() }, bob: { score: -1 } });
  await world.publish(cup);
  const shown = { clan: id, ratio: 1, name: "x" };
  const expectShown = async () => {
    for (const call of ["getTop", "getPage"] as const) {
      const answer = await world.call(call, call === "getPage" ? { ...cup, offset: 0 } : cup, user("bob"));
      expect(answer.entries[0]?.metadata).toEqual(shown);
      expect(JSON.stringify(answer)).toContain(`"${id}"`);
    }
  };
  await expectShown();
  const top = await world.db.doc(topPath(cup)).get();
  const entry = (stored(top, "entries") as { arrayValue: { values: { mapValue: { fields: object } }[] } })
    .arrayValue.values[0]?.mapValue.fields;
  expect(entry).toMatchObject({
    score: { integerValue: "0" },
    metadata: { mapValue: { fields: { clan: { integerValue: id }, ratio: { doubleValue: 1 } } } },
  });
  const exported = await world.call("exportPlayer", { leaderboard: cup.leaderboard, player: "ann" }, admin);
  expect(exported.seasons[0]).toMatchObject({
    player: { steam_id: id, ratio: 850, deep: { list: [id, 0.5, { half: -3 }] }, metadata: shown },
    top: { metadata: shown },
  });
  await endSeason(world, cup);
  world.advance(120_000);
  await expectShown();
});

test("a whole number that JSON has rounded is refused in metadata", async () => {
  await createBoard(world, "board");
  const metadata = { deep: [{ steam_id: 76561198012345680 }] };
  await expect(world.submit("ann", 1, { metadata })).rejects.toThrow(/2\^53 - 1 .* as a text/);
  await world.submit("ann", 1, { metadata: { largest: 2 ** 53 - 1, ratio: 0.5 } });
});
