/** The codebase that erases players whose account was deleted, as it is installed: from the built package. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { Firestore } from "../../../functions/src/documents/firestore.ts";
import { playerPath, topPath } from "../../../functions/src/documents/paths.ts";
import { createServices } from "../../../functions/src/operations/shared/services.ts";
import { ownProcess } from "../../../functions/src/world/own-process.ts";
import { silent } from "../../../functions/src/world/services.ts";
import { root } from "../../../scripts/project.ts";
import { callOn, admin, allTime, user } from "../../support/world.ts";

/** A project of its own, as other tests have boards that cannot be read. */
const project = `demo-deleted-users-${process.pid}`;

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
  const db = new Firestore({ projectId: project });
  onTestFinished(() => db.terminate());
  const services = createServices({ ...ownProcess(db, true), log: silent });
  const boards = ["chess", "go"];
  for (const leaderboard of boards) {
    await callOn(services, "saveLeaderboard", { leaderboard, definition: {} }, admin);
    for (const player of ["ann", "bob"])
      await callOn(services, "submitScore", { leaderboard, score: player.length }, user(player));
  }
  const cwd = installed();
  const twice = "for (const _ of [1, 2]) await eraseDeletedUser.run({ uid: 'ann' })";
  const code = `const { eraseDeletedUser } = await import('./index.js'); ${twice}`;
  const env = { ...process.env, GCLOUD_PROJECT: project };
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], { cwd, env });
  for (const board of boards) {
    const key = allTime(board);
    const paths = [playerPath(key, "ann"), playerPath(key, "bob"), topPath(key)].map((path) => db.doc(path));
    const [ann, bob, top] = await db.getAll(...paths);
    expect([ann?.exists, bob?.exists]).toEqual([false, true]);
    expect(JSON.stringify(top?.data() ?? {})).not.toContain("ann");
  }
});
