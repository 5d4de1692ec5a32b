/** The progress of an import, in a small file beside the imported one. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { CliError } from "../cli-error.ts";
import { asCliError } from "../system-error.ts";

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

/** The checkpoint of an imported file: `<file>.firerank-import.json`. */
export function checkpointOf(file: string) {
  const path = `${file}.firerank-import.json`;
  return {
    path,
    /** Undefined without one. @throws CliError if it is another import's: of a changed file, or into another board */
    read(identity: ImportIdentity): Checkpoint | undefined {
      if (!existsSync(path)) return undefined;
      const checkpoint = parse(path);
      const names = ["project", "database", "leaderboard", "season"] as const;
      const other = names.find((name) => checkpoint[name] !== identity[name]);
      if (other !== undefined)
        throw new CliError(
          `An import of "${file}" into another ${other}, ${checkpoint[other]}, was interrupted (${path}). ` +
            "Finish that import first, or discard it with --restart.",
        );
      // The imported season is gone.
      if (checkpoint.season_opened_at !== identity.season_opened_at) return undefined;
      if (checkpoint.sha256 === identity.sha256) return checkpoint;
      throw new CliError(
        `"${file}" has changed since its import was interrupted (${path}). Put the old file back, or start again with --restart.`,
      );
    },
    /**
     * Replaces the checkpoint atomically: a process killed meanwhile leaves the old one or the new one.
     * @throws CliError where it cannot be written
     */
    write(checkpoint: Checkpoint) {
      try {
        writeFileSync(`${path}.new`, `${JSON.stringify(checkpoint, null, 2)}\n`);
        renameSync(`${path}.new`, path);
      } catch (error) {
        const nothing = checkpoint.records === 0 ? "Nothing was imported: an" : "An";
        const advice = `${nothing} import keeps its progress beside its file, so that file has to be in a folder that takes it.`;
        throw asCliError(error, { file: `${path}.new`, advice });
      }
    },
    remove() {
      rmSync(path, { force: true });
    },
  };
}

function parse(path: string): Checkpoint {
  try {
    return storedCheckpoint.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw new CliError(`"${path}" is not a checkpoint of an import. Start again with --restart.`, { cause });
  }
}
