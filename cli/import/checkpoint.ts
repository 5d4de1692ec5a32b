/** The progress of an import, in a small file beside the imported one. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { CliError } from "../cli-error.ts";

const storedCheckpoint = z.object({
  project: z.string(),
  /** Files of before there were others do not name it. */
  database: z.string().default("(default)"),
  leaderboard: z.string(),
  season: z.string(),
  /** When the season was opened: a restarted emulator has another season of the same name. */
  season_opened_at: z.string(),
  /** Of the whole imported file. */
  sha256: z.string(),
  started_at: z.string(),
  /**
   * The imported records, from the beginning and without a gap; invalid ones count, lines that are not records do not.
   */
  records: z.int().min(0),
});

export type Checkpoint = z.infer<typeof storedCheckpoint>;

/** The import that a checkpoint belongs to. */
export type ImportIdentity = Omit<Checkpoint, "started_at" | "records">;

export interface CheckpointFile {
  path: string;
  /** Undefined without one. @throws CliError if it is another import's: of a changed file, or into another board */
  read(identity: ImportIdentity): Checkpoint | undefined;
  /** Replaces the checkpoint atomically: a process killed meanwhile leaves the old one or the new one. */
  write(checkpoint: Checkpoint): void;
  remove(): void;
}

/** The checkpoint of an imported file: `<file>.firerank-import.json`. */
export function checkpointOf(file: string): CheckpointFile {
  const path = `${file}.firerank-import.json`;
  return {
    path,
    read(identity) {
      const found = readIfThere(path);
      if (found === undefined) return undefined;
      const checkpoint = parse(path, found);
      if (checkpoint.season_opened_at !== identity.season_opened_at && isSameTarget(checkpoint, identity)) {
        return undefined; // the imported season is gone
      }
      const names = ["project", "database", "leaderboard", "season", "sha256"] as const;
      const different = names.find((name) => checkpoint[name] !== identity[name]);
      if (different === undefined) return checkpoint;
      throw new CliError(
        different === "sha256"
          ? `"${file}" has changed since its import was interrupted (${path}). Put the old file back, or ` +
              "start again with --restart."
          : `An import of "${file}" into another ${different}, ${checkpoint[different]}, was interrupted (${path}). ` +
              "Finish that import first, or discard it with --restart.",
      );
    },
    write(checkpoint) {
      writeFileSync(`${path}.new`, `${JSON.stringify(checkpoint, null, 2)}\n`);
      renameSync(`${path}.new`, path);
    },
    remove() {
      rmSync(path, { force: true });
    },
  };
}

function isSameTarget(a: ImportIdentity, b: ImportIdentity): boolean {
  return (["project", "database", "leaderboard", "season"] as const).every((name) => a[name] === b[name]);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function parse(path: string, text: string): Checkpoint {
  try {
    return storedCheckpoint.parse(JSON.parse(text));
  } catch (cause) {
    throw new CliError(`"${path}" is not a checkpoint of an import. Start again with --restart.`, { cause });
  }
}
