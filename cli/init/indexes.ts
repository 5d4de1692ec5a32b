/** `firerank indexes`: writes the indexes that the boards of a database use into the project's index file. */
import { byId } from "../../functions/src/documents/queries.ts";
import { leaderboardsPath } from "../../functions/src/documents/paths.ts";
import { inChunks } from "../../functions/src/documents/reads.ts";
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { type BoardKind, everyKind } from "./enterprise-indexes.ts";
import { storedDefinition } from "../../functions/src/model/definition.ts";
import { isKnownSchema } from "../../functions/src/model/schema-version.ts";
import { hadWith, readHad } from "../../functions/src/model/season-definition.ts";
import { documentsPerReadMax } from "../../functions/src/model/limits.ts";
import { CliError } from "../cli-error.ts";
import { count } from "../progress.ts";
import { editionOf, wantedIndexes } from "./edition.ts";
import { changeOf, type InitOptions, isWritten } from "./init.ts";
import { readIn } from "./project-folder.ts";
import { configIn, defaultDatabase } from "./merge-firebase-json.ts";
import { mergeIndexes } from "./merge-indexes.ts";

/**
 * Reads the boards, shows what changes in the index file, and writes it. On Enterprise it adds the indexes that the
 * boards use or their closed seasons may use, and takes out the others of Firerank; on Standard all boards use the same.
 * Firestore itself changes with the next deploy.
 *
 * Cost: 1 read a board, at least 1.
 * @throws CliError if the files cannot be merged, or nobody agrees; nothing was written then
 */
export async function writeIndexes(
  db: Firestore,
  { project, databaseId = defaultDatabase, edition: asked, say, ...consent }: Omit<InitOptions, "prefix">,
): Promise<void> {
  const found = configIn(readIn(project, "firebase.json")).entryOf(databaseId);
  if (found?.indexes === undefined) {
    throw new CliError(
      `firebase.json of this folder names no index file of the database ${databaseId}. Run \`firerank init\` in the ` +
        "project's folder, or name the database that Firerank is in with --database.",
    );
  }
  const edition = editionOf(asked, found.edition);
  const { kinds, boards } = await boardsOf(db);
  const { text } = mergeIndexes(readIn(project, found.indexes), wantedIndexes(edition, kinds));
  say(`${count(boards, "board")}, ${edition} edition, ${found.indexes}`);
  const changes = changeOf(project, found.indexes, text);
  const nothing = "the file has the indexes of these boards.";
  if (!(await isWritten({ ...consent, project, say }, { changes }, nothing))) return;
  say("Deploy them with `npx firebase deploy --only firestore:indexes`, which asks before it deletes any.");
}

/**
 * How many boards there are, and of which kinds: of several where a board with scores had other `ties`. Cost: 1 read a
 * board, at least 1, however many seasons it has.
 */
export async function boardsOf(db: Firestore): Promise<{ boards: number; kinds: BoardKind[] }> {
  const kinds: BoardKind[] = [];
  let boards = 0;
  const all = byId(db, leaderboardsPath, documentsPerReadMax);
  for await (const docs of inChunks(all, documentsPerReadMax)) {
    boards += docs.length;
    for (const document of docs) {
      const stored = document.data();
      const { data } = isKnownSchema(stored) ? storedDefinition.safeParse(stored) : {};
      // Of a definition that this release cannot read nothing is known, so every index stays.
      if (data === undefined) kinds.push(...everyKind);
      else {
        // Closed seasons go by what the board had, and reading all of them would have no bound.
        const { segments, ties, league } = hadWith(readHad(stored), data);
        const has = {
          hasSegments: Object.keys(segments).length > 0,
          isTemplate: data.template !== undefined,
          hasLeague: league,
        };
        kinds.push(...ties.map((one) => ({ order: data.order, ties: one, ...has })));
      }
    }
  }
  return { boards, kinds };
}
