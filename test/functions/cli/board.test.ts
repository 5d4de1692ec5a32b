/** `board` and `save` on the command line: a board's definition as a file, and boards from it. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { definitionOf, saveBoard } from "../../../cli/board.ts";
import { onTarget } from "../../../cli/commands/on-target.ts";
import { rank } from "../../../cli/repairs.ts";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import { createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), "firerank-")), "board.json");
});

const write = (definition: unknown) =>
  writeFileSync(file, typeof definition === "string" ? definition : JSON.stringify(definition));
const save = (leaderboard: string, dryRun = false) =>
  saveBoard(world.services, { leaderboard, file, dryRun });
const stored = async (leaderboard: string) => (await world.db.doc(leaderboardPath(leaderboard)).get()).data();

const rich: Parameters<typeof createBoard>[2] = {
  order: "ascending",
  decimals: 2,
  spans: ["weekly", "all_time"],
  max_score: 900,
  max_attempts: { weekly: 3 },
  tiers: [{ name: "gold", top_percent: 1 }],
  segments: [{ name: "country", from: "submission", values: ["AT", "DE"] }],
};

test("what `board` prints makes another board the same, also one that has more", async () => {
  await createBoard(world, "arena", rich);
  const printed = await definitionOf(world.services, "arena");
  expect(printed).toMatchObject({ ...rich, top_size: 100, min_score: null });
  write(printed);
  expect(await save("new")).toBe('"new" is created.');
  await createBoard(world, "other", { min_score: 5, keep_seasons: 3 });
  expect(await save("other")).toContain("\n  min_score: 5 to null");
  for (const id of ["new", "other"]) expect(await definitionOf(world.services, id)).toEqual(printed);
  expect(await stored("other")).not.toHaveProperty("min_score");
});

test("of a template it is the definition of all its boards", async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  write(await definitionOf(world.services, "level"));
  expect(await save("stage")).toBe('"stage" is created.');
  expect(await stored("stage")).toMatchObject({ template: { ids: "any" } });
});

test("a save says what it changes, and a dry run what it would change and nothing else", async () => {
  await createBoard(world, "arena", { max_score: 900 });
  write("\uFEFF" + JSON.stringify({ max_score: null, top_size: 50 }));
  const before = await stored("arena");
  const lines = "\n  top_size: 100 to 50\n  max_score: 900 to null";
  expect(await save("arena", true)).toBe(`"arena" would change:${lines}`);
  expect(await save("new", true)).toBe('"new" would be created.');
  expect([await stored("arena"), await stored("new")]).toEqual([before, undefined]);
  expect(await save("arena")).toBe(`"arena" is changed:${lines}\nThe top shows it when it changes next.`);
  expect(await stored("arena")).toMatchObject({ top_size: 50, visibility: "signed_in" });
  expect(await save("arena")).toBe('"arena" stays as it is.');
});

test("a save of another calendar says until when the running seasons go", async () => {
  await createBoard(world, "arena", { spans: ["all_time", "weekly"] });
  await world.call("submitScore", { leaderboard: "arena", score: 1 }, user("ann"));
  write({ week_starts_on: "sunday" });
  const line = '\n  week_starts_on: "monday" to "sunday"';
  expect(await save("arena", true)).toBe(`"arena" would change:${line}`);
  const now = "\nWhat runs now: weekly-2099-W53 until 2100-01-10T00:00:00.000Z.";
  expect(await save("arena")).toBe(`"arena" is changed:${line}${now}`);
  await createBoard(world, "endless");
  expect(await save("endless")).toBe(`"endless" is changed:${line}`);
  await createBoard(world, "level", { template: { ids: "any" }, spans: ["weekly"] });
  expect(await save("level")).toBe(`"level" is changed:${line}`);
});

test.each([
  [
    { order: "ascending" },
    {
      exitCode: 1,
      message:
        'Leaderboard "arena" has scores, so its order cannot change any more. Create another leaderboard, or send the definition with these fields as they are: {"order":"descending"}.',
    },
  ],
  [
    { max_score: "9" },
    { exitCode: 2, message: expect.stringContaining("definition.max_score: must be") as string },
  ],
  [{ max_scores: 9 }, { exitCode: 2, message: "definition.max_scores: is not a field of this request" }],
  [[], { exitCode: 2, message: "definition: must be an object; this is a list" }],
  ["{", { exitCode: 2, message: expect.stringContaining("is not JSON") as string }],
])("%j is refused, in a dry run too, and changes nothing", async (definition, refusal) => {
  await createBoard(world, "arena");
  await world.call("submitScore", { leaderboard: "arena", score: 1 }, user("ann"));
  const before = await stored("arena");
  write(definition);
  for (const dryRun of [true, false]) await expect(save("arena", dryRun)).rejects.toMatchObject(refusal);
  expect(await stored("arena")).toEqual(before);
});

test("a board that is not there is not printed, and a file that is not there not saved", async () => {
  await expect(definitionOf(world.services, "arena")).rejects.toMatchObject({
    code: "leaderboard_not_found",
  });
  await expect(save("arena")).rejects.toThrow("cannot be read");
});

test.each([
  ["arena", 'There is no leaderboard "arena".'],
  ["level:7", 'There is no leaderboard "level:7": "level" is no template.'],
])("of %s, which is not there, a command names the one that creates a board", async (leaderboard, said) => {
  const message = `${said} \`npx --no-install firerank save <board> <file>\` creates one.`;
  await expect(rank(world.services, { leaderboard })).rejects.toMatchObject({ exitCode: 1, message });
  vi.stubEnv("FIRESTORE_EMULATOR_HOST", "127.0.0.1:9");
  onTestFinished(() => void vi.unstubAllEnvs());
  const asked = onTarget({ project: "demo-game" }, async () => {
    await definitionOf(world.services, leaderboard);
  });
  await expect(asked).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining(`${message}\nLooked in `) as string,
  });
});

test("a definition that was damaged by hand is printed as it is, and a save says what is wrong", async () => {
  await createBoard(world, "arena");
  await world.db.doc(leaderboardPath("arena")).update({ top_size: "many" });
  write(await definitionOf(world.services, "arena"));
  await expect(save("arena")).rejects.toThrow("definition.top_size: ");
  write({ top_size: 20 });
  expect(await save("arena")).toContain('\n  top_size: "many" to 20');
});
