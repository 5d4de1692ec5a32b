/** The boards of `grant`: each should be there, as a role for a mistyped id holds nowhere. */
import { expect, test } from "vitest";
import { boardsNote } from "../../../cli/roles.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("ids that no board and no template has are named, and all is refused unless a board has the name", async () => {
  await createBoard(world, "arena");
  await createBoard(world, "level", { template: { ids: "any" } });
  const note = (...boards: string[]) => boardsNote(world.db, boards);
  expect(await note("arena", "level")).toBeUndefined();
  expect(await note("arnea", "arena", "Arena")).toBe(
    'There is no board "arnea", "Arena": the role holds there once one is made with this id.',
  );
  for (const all of ["all", "ALL", "any", "every"])
    await expect(note("arena", all)).rejects.toThrow(
      `--boards ${all}: there is no such board. For all boards, leave it out.`,
    );
  await createBoard(world, "all");
  expect(await note("all")).toBeUndefined();
});

test("a board that is named twice is in a role once", async () => {
  world.accounts.add({ uid: "mona" });
  const boards = ["Arena", "arena", "arena"];
  const granted = await world.call("setRole", { uid: "mona", role: "moderator", boards }, admin);
  expect(granted.boards).toEqual(["Arena", "arena"]);
});
