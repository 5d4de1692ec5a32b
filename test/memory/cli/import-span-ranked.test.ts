/** `import --span … --rank` publishes the season that it has filled. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { run } from "../../../cli/program.ts";
import type * as OnTarget from "../../../cli/commands/on-target.ts";
import { createBoard, createWorld, type World } from "../../support/world.ts";

let world: World;
vi.mock("../../../cli/commands/on-target.ts", () => ({
  onTarget: (_options: unknown, work: (on: unknown) => Promise<void>) =>
    work({
      target: { project: "demo-game", database: "(default)", emulator: "memory" },
      where: "memory",
      connect: async () => world.services,
      confirm: async () => undefined,
    }) satisfies ReturnType<typeof OnTarget.onTarget>,
}));

test("the season of the span that was imported is published", async () => {
  world = createWorld();
  await createBoard(world, "board", { spans: ["all_time", "daily"] });
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.csv");
  writeFileSync(file, "player,score\nann,5\n");
  const log = vi.spyOn(console, "log").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
  expect(await run(["import", "board", file, "--span", "daily", "--rank"])).toBe(0);
  expect(log.mock.calls.at(-1)?.[0]).toBe("Generation 1: 1 player in 1 row.");
});
