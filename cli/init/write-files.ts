/** Writes several files of a project, all of them or none. */
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { asCliError } from "../system-error.ts";

interface NewText {
  path: string;
  after: string;
}

/**
 * Writes each file beside its place, with the rights of the one that is there, and moves all of them once all are whole: a
 * disk that is full, or a file that may not be written, leaves every file and folder as it was. A link stays a link.
 * @throws CliError with the file that cannot be written, and those that are, where only a move has failed
 */
export function writeFiles(project: string, files: readonly NewText[]): void {
  const folders: string[] = [];
  const waiting: { path: string; from: string; to: string }[] = [];
  let failing = "";
  try {
    for (const { path, after } of files) {
      const full = join(project, path);
      const made = mkdirSync(dirname(full), { recursive: true });
      if (made !== undefined) folders.push(made);
      const isThere = existsSync(full);
      const to = isThere ? realpathSync(full) : full;
      const from = `${to}.firerank-new`;
      failing = to;
      if (isThere) {
        accessSync(to, constants.W_OK);
        copyFileSync(to, from);
      }
      waiting.push({ path, from, to });
      writeFileSync(from, after);
    }
  } catch (error) {
    for (const { from } of waiting) takeAway(from);
    // One of them may be in another.
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    throw asCliError(error, { file: failing, advice: "Nothing was written." });
  }
  move(waiting);
}

function move(waiting: readonly { path: string; from: string; to: string }[]): void {
  for (const [done, { from, to }] of waiting.entries())
    try {
      renameSync(from, to);
    } catch (error) {
      for (const { from: left } of waiting.slice(done)) takeAway(left);
      const written = waiting.slice(0, done).map(({ path }) => path);
      const advice =
        done === 0
          ? "Nothing was written."
          : `Written before: ${written.join(", ")}. The same command writes the rest.`;
      throw asCliError(error, { advice });
    }
}

/** Only a file: a folder of that name, for which this may have failed, is somebody's. */
function takeAway(from: string): void {
  if (statSync(from, { throwIfNoEntry: false })?.isFile() === true) rmSync(from);
}
