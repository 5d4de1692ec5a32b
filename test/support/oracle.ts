/** The invariants of ARCHITECTURE.md, by the simulation's checks, on what any database holds of a season. */
import {
  leaderboardPath,
  pagesPath,
  playersPath,
  type SeasonKey,
  seasonPath,
  segmentPagesPath,
  shardsPath,
  standingsCollection,
  topPath,
} from "../../functions/src/documents/paths.ts";
import type { DocumentSnapshot } from "../../functions/src/documents/firestore.ts";
import { readPage } from "../../functions/src/documents/page.ts";
import { type Definition, readDefinition } from "../../functions/src/model/definition.ts";
import { checkConverged, checkPublished, checkTopAtRest } from "../../simulate/checks/at-rest.ts";
import { dueIn } from "../../simulate/checks/conservation.ts";
import { playersIn } from "../../simulate/checks/counts.ts";
import { checkRows, checkSegments, wholeGeneration } from "../../simulate/checks/pages.ts";
import { type Documents, type Found, parentOf } from "../../simulate/memory/store.ts";
import type { World } from "./world.ts";

/** The documents of a season, and its board's definition. */
export async function contentsOf(
  { db }: Pick<World, "db">,
  key: SeasonKey,
): Promise<{ documents: Documents; definition: Definition }> {
  const collections = [
    ...[pagesPath, segmentPagesPath, shardsPath, playersPath, standingsCollection].map((path) => path(key)),
    parentOf(topPath(key)),
  ];
  // At one read time: others may write meanwhile, even a killed process whose commit is still on its way.
  const [board, season, ...found] = await db.runTransaction(
    (transaction) =>
      Promise.all([
        transaction.get(db.doc(leaderboardPath(key.leaderboard))),
        transaction.get(db.doc(seasonPath(key))),
        ...collections.map((path) => transaction.get(db.collection(path))),
      ]),
    { readOnly: true },
  );
  const all = [season, ...found.flatMap(({ docs }) => docs)].map(foundIn).filter((one) => one !== undefined);
  const documents = {
    get: (path: string) => all.find((one) => one.path === path),
    list: (collection: string) => all.filter(({ path }) => parentOf(path) === collection),
  };
  return { documents, definition: readDefinition(board.data() ?? {}) };
}

function foundIn(document: DocumentSnapshot): Found | undefined {
  const { ref, id, updateTime, createTime } = document;
  const data = document.data();
  if (data === undefined || updateTime === undefined || createTime === undefined) return undefined;
  return { path: ref.path, id, data, updateTime, createTime };
}

/** Conservation: the rows of the pages plus the pending shards are the histogram of the marks. */
export async function expectConserved(world: Pick<World, "db">, key: SeasonKey): Promise<void> {
  const { documents, definition } = await contentsOf(world, key);
  const pages = wholeGeneration(documents, key);
  const due = dueIn(documents, key);
  const [first] = pages;
  const unusable = first && { unusable: due.get("unusable") ?? 0 };
  checkRows(definition.order, pages, { players: playersIn(due), ...unusable });
  if (first !== undefined) checkSegments(documents, key, definition.order, first, due);
}

/** Convergence: the marks are the scores of the active players. */
export async function expectConverged(world: Pick<World, "db">, key: SeasonKey): Promise<void> {
  const { documents, definition } = await contentsOf(world, key);
  checkConverged(documents, key, definition);
}

/** At rest, after a run that included the open slot: pages and top equal a sort of all active players. */
export async function expectRanked(world: Pick<World, "db">, key: SeasonKey): Promise<void> {
  await expectConserved(world, key);
  const { documents, definition } = await contentsOf(world, key);
  checkPublished(documents, key, definition);
  checkTopAtRest(documents, key, definition);
}

/** Every row of the pages. */
export async function publishedRows(db: World["db"], key: SeasonKey) {
  const { docs } = await db.collection(pagesPath(key)).orderBy("page").get();
  return docs.flatMap((document) => {
    const { scores, players_above: above, players_until: until } = readPage(document.data());
    return scores.map((score, i) => ({
      score,
      players: (above[i + 1] ?? until) - (above[i] ?? NaN),
      above: above[i] ?? NaN,
    }));
  });
}
