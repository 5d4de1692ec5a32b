/** The codebase that erases players whose account was deleted, as it is installed: from the built package. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { playerPath } from "../../../../functions/src/documents/paths.ts";
import { projectId, root } from "../../../../scripts/project.ts";
import { createLive, eventually, type Live } from "../../../support/live.ts";

let live: Live;
beforeAll(async () => {
  live = await createLive();
});
afterAll(() => live.end());

/** The example, with the packages that it names. */
function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), "deleted-users-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, "examples", "deleted-users"), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "functions"), join(folder, "node_modules", "firerank"));
  const library = join("node_modules", "firebase-functions");
  symlinkSync(join(root, "functions", library), join(folder, library));
  return folder;
}

test("a player whose account is deleted is gone from all boards, also if the event comes twice", async () => {
  const boards = await Promise.all([live.board(), live.board()]);
  for (const board of boards) await board.submit({ ann: 10, bob: 20 });
  const code = "(await import('./index.js')).eraseDeletedUser.run({ uid: process.argv[1] })";
  const told = () =>
    promisify(execFile)(process.execPath, ["--input-type=module", "-e", `await ${code}`, live.uid("ann")], {
      cwd: installed(),
      env: { ...process.env, GCLOUD_PROJECT: projectId },
    });
  await told();
  await told();
  for (const { key, leaderboard } of boards) {
    const documents = await Promise.all(
      ["ann", "bob"].map((player) => live.db.doc(playerPath(key, live.uid(player))).get()),
    );
    expect(documents.map(({ exists }) => exists)).toEqual([false, true]);
    await eventually(async () => {
      const { entries } = await live.admin.call("getTop", { leaderboard });
      expect(entries.map(({ player }) => player)).toEqual([live.uid("bob")]);
    });
  }
});
