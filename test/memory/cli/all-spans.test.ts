/** The commands on a board with several spans, as they are typed: what they say on stdout, and the codes they end with. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "../../../cli/program.ts";
import type * as OnTarget from "../../../cli/commands/on-target.ts";
import { pagePath } from "../../../functions/src/documents/paths.ts";
import { createBoard, createWorld, type World } from "../../support/world.ts";

let world: World;
vi.mock("../../../cli/commands/on-target.ts", () => ({
  onTarget: (_options: unknown, work: (on: unknown) => Promise<void>) =>
    work({
      target: { project: "demo-game", database: "(default)", emulator: "memory" },
      where: "memory",
      connect: async (more: object = {}) => ({ ...world.services, ...more }),
      confirm: async () => undefined,
    }) satisfies ReturnType<typeof OnTarget.onTarget>,
}));

const weekly = "weekly-2099-W53";
const codeBefore = process.exitCode;

beforeEach(async () => {
  world = createWorld();
  vi.spyOn(console, "error").mockReturnValue();
  await createBoard(world, "board", { spans: ["daily", "weekly", "all_time"] });
  await createBoard(world, "other", { spans: ["daily", "weekly", "all_time"] });
  await world.submit("ann", 5);
  world.advance(86_400_000);
  await world.submit("bob", 7);
});

afterEach(() => {
  process.exitCode = codeBefore;
  vi.restoreAllMocks();
});

/** Runs a command. @returns what it prints, and its code as main.ts has it */
async function firerank(...args: string[]) {
  const log = vi.spyOn(console, "log").mockReturnValue();
  process.exitCode = 0;
  const ended = await run(args);
  const printed = log.mock.calls.map(([line]) => String(line));
  log.mockRestore();
  return { code: Math.max(ended, process.exitCode), printed };
}

test("a nightly audit ends with code 1 for a page of the week that is gone, and a repair mends it", async () => {
  expect(await firerank("rank", "board")).toMatchObject({ code: 0, printed: { length: 3 } });
  expect(await firerank("audit", "board", "--full")).toMatchObject({ code: 0, printed: { length: 3 } });
  await world.db.doc(pagePath({ leaderboard: "board", season: weekly }, 0)).delete();
  expect((await firerank("audit", "board", "--full")).code).toBe(1);
  expect((await firerank("audit", "board", "--span", "daily")).code).toBe(0);
  const { code, printed } = await firerank("audit", "board", "--span", "weekly", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(printed.join(""))).toMatchObject({ season: weekly, repair: "repair" });
  expect(await firerank("repair", "board")).toMatchObject({ code: 0, printed: { length: 3 } });
  expect((await firerank("audit", "board", "--full")).code).toBe(0);
});

test("each span exported and imported by its name is on the other board as it was", async () => {
  const folder = mkdtempSync(join(tmpdir(), "firerank-"));
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const files = async (board: string) => {
    const texts = [];
    for (const span of ["daily", "weekly", "all_time"]) {
      const file = join(folder, `${board}-${span}.csv`);
      expect((await firerank("export", board, file, "--span", span)).code).toBe(0);
      texts.push(readFileSync(file, "utf8"));
    }
    return texts;
  };
  const before = await files("board");
  expect(before.map((text) => text.trim().split("\n").length - 1)).toEqual([1, 2, 2]);
  for (const span of ["daily", "weekly", "all_time"]) {
    const file = join(folder, `board-${span}.csv`);
    expect((await firerank("import", "other", file, "--span", span)).code).toBe(0);
  }
  expect(await files("other")).toEqual(before);
  written.mockRestore();
});

test("the season of the span that was imported is published", async () => {
  world = createWorld();
  await createBoard(world, "board", { spans: ["all_time", "daily"] });
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.csv");
  writeFileSync(file, "player,score\nann,5\n");
  const { code, printed } = await firerank("import", "board", file, "--span", "daily", "--rank");
  expect(code).toBe(0);
  expect(printed.at(-1)).toBe("Generation 1: 1 player in 1 row.");
});
