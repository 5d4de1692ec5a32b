/** `firerank board` and `save`: a board's definition as JSON, and a board from such a file. */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { leaderboardPath } from "../functions/src/documents/paths.ts";
import { definitionChanges, storedDefinition } from "../functions/src/model/definition.ts";
import { boardNotFound } from "../functions/src/model/errors.ts";
import { requireKnownSchema } from "../functions/src/model/schema-version.ts";
import { listSeasonsSpec } from "../functions/src/operations/list-seasons.ts";
import { checkLeaderboardSpec, saveLeaderboardSpec } from "../functions/src/operations/save-leaderboard.ts";
import type { Services } from "../functions/src/world/services.ts";
import { call } from "./call.ts";
import { usageError } from "./cli-error.ts";

/** Each field of a definition, null where the board has none: so a save of it makes another board the same. */
export type WholeDefinition = Record<string, unknown>;

/**
 * The definition of a board or a template, with all defaults. Cost: 1 read.
 * @throws `leaderboard_not_found`, `unknown_schema_version`
 */
export async function definitionOf(services: Services, leaderboard: string): Promise<WholeDefinition> {
  const stored = await storedBoard(services, leaderboard);
  if (stored === undefined) throw boardNotFound(leaderboard);
  return stored;
}

/**
 * Creates or changes a board by a file, as `saveLeaderboard` does, and says what that changes. Cost: that of
 * {@link saveLeaderboardSpec}, and 1 read; of a change of the calendar 2.
 * @param dryRun checks all, and writes nothing.
 * @throws CliError for a file that is no JSON object or a definition that is refused
 */
export async function saveBoard(
  services: Services,
  { leaderboard, file, dryRun }: { leaderboard: string; file: string; dryRun: boolean },
): Promise<string> {
  const asked = { leaderboard, definition: jsonIn(file) };
  const before = await storedBoard(services, leaderboard);
  const after = await call(dryRun ? checkLeaderboardSpec : saveLeaderboardSpec, services, asked);
  if (before === undefined) return `"${leaderboard}" ${dryRun ? "would be" : "is"} created.`;
  const now = whole(after);
  const changed = Object.keys(now).filter((name) => !isDeepStrictEqual(before[name], now[name]));
  if (changed.length === 0) return `"${leaderboard}" ${dryRun ? "would stay" : "stays"} as it is.`;
  const lines = changed.map(
    (name) => `  ${name}: ${JSON.stringify(before[name])} to ${JSON.stringify(now[name])}`,
  );
  const isOfTop = changed.some((name) => name === "ties" || name === "top_size");
  const follows = isOfTop && !dryRun ? "\nThe top shows it when it changes next." : "";
  const isOfCalendar = changed.some((name) => name === "time_zone" || name === "week_starts_on");
  const ends =
    isOfCalendar && !dryRun && now["template"] === null ? await endsSaid(services, leaderboard) : "";
  return `"${leaderboard}" ${dryRun ? "would change" : "is changed"}:\n${lines.join("\n")}${follows}${ends}`;
}

/** A running week may last almost two when the calendar changes. Cost: 1 read. */
async function endsSaid(services: Services, leaderboard: string): Promise<string> {
  const { running } = await call(listSeasonsSpec, services, { leaderboard, limit: 0 });
  const ends = running.flatMap(({ season, closes_at: at }) => (at === null ? [] : `${season} until ${at}`));
  return ends.length === 0 ? "" : `\nWhat runs now: ${ends.join(", ")}.`;
}

/** What is stored by hand and no definition is shown as it is: a save of it says what is wrong. */
async function storedBoard({ db }: Services, leaderboard: string): Promise<WholeDefinition | undefined> {
  const stored = (await db.doc(leaderboardPath(leaderboard)).get()).data();
  if (stored === undefined) return undefined;
  requireKnownSchema("leaderboard", stored);
  return whole(storedDefinition.safeParse(stored).data ?? stored);
}

function whole(fields: WholeDefinition): WholeDefinition {
  return Object.fromEntries(Object.keys(definitionChanges.shape).map((name) => [name, fields[name] ?? null]));
}

function jsonIn(file: string): unknown {
  let text: string;
  try {
    // Windows' editors begin a file with this mark.
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    throw usageError(`"${file}" cannot be read: ${(cause as Error).message}.`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usageError(`"${file}" is not JSON: ${(cause as Error).message}.`);
  }
}
