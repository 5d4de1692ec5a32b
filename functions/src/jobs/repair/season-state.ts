/** The state of a season that audits and repairs read as of one time: pages, pending changes, and all players. */
import type { Firestore, Query, QueryDocumentSnapshot, Timestamp } from "../../documents/firestore.ts";
import { getAt, inChunks } from "../../documents/reads.ts";
import { pagesAt } from "../../documents/pages-at.ts";
import { type SeasonKey, seasonPath, shardsPath } from "../../documents/paths.ts";
import { byId } from "../../documents/queries.ts";
import { readSeason } from "../../documents/season.ts";
import { isShard } from "../../documents/shard.ts";
import { FirerankError } from "../../model/errors.ts";
import { documentsPerReadMax, shardsPerReadMax, writesPerCommitMax } from "../../model/limits.ts";
import type { Order } from "../../model/score.ts";
import { foldPending } from "../../ranking/shards.ts";
import { type IdRange, middleOf } from "./id-ranges.ts";
import type { Services } from "../../world/services.ts";

export type SeasonState = Awaited<ReturnType<typeof readSeasonState>>;

/**
 * Reads a season's pages and pending shards as of now, which by the database's clock is `at`. The shards' changes are
 * returned as rows and totals. `foreign` has the paths of documents among the shards that are no shards, which no other
 * query finds. Cost: 1 read for the season, 1 a page, 1 a page of segments, 1 a shard; at least 3.
 * @throws `season_not_found`; an error if the collection of pages has more documents than a commit can delete.
 */
export async function readSeasonState({ db }: Services, key: SeasonKey, order: Order) {
  const document = await db.doc(seasonPath(key)).get();
  if (document.createTime === undefined || document.get("status") === "deleting") throw seasonNotFound(key);
  const at = document.readTime;
  const season = readSeason(document.data());
  const { pages, segmentPages } = await pagesAt(db, key, at, season.ranking.generation);
  const full = [pages, segmentPages].find(({ length }) => length === writesPerCommitMax);
  if (full !== undefined) {
    const path = full[0]?.ref.parent.path ?? "";
    throw new Error(
      `${path} holds ${full.length} documents or more. Delete the documents that are no pages.`,
    );
  }
  const get = (query: Query) => getAt(db, at, query);
  const foreign: string[] = [];
  async function* shards() {
    for await (const chunk of inChunks(byId(db, shardsPath(key), shardsPerReadMax), shardsPerReadMax, get)) {
      foreign.push(...chunk.filter((one) => !isShard(one.data())).map(({ ref }) => ref.path));
      yield chunk.filter((one) => isShard(one.data()));
    }
  }
  const pending = await foldPending(order, shards());
  const { createTime } = document;
  return { at, season, createTime, pages, segmentPages, foreign, ...pending };
}

/** The error about a season that was never opened. */
export function seasonNotFound({ leaderboard, season }: SeasonKey): FirerankError {
  return new FirerankError(
    "season_not_found",
    `Leaderboard "${leaderboard}" has no season "${season}" yet; the first submission opens it.`,
  );
}

interface CollectionRead {
  /** A read time within the last hour, which Firestore keeps. */
  at: Timestamp;
  path: string;
  /** Called with each batch of documents, in the order of ids. The reader waits until the call is done. */
  use: (part: QueryDocumentSnapshot[]) => void | Promise<void>;
  documentsPerRead?: number | undefined;
}

/** Queries at the same time: as many as one processor can decode. */
const readersMax = 8;

/**
 * Reads all documents of a collection, as they were at one time. How the ids are spread is unknown, so one reader
 * begins with the range of all ids. While fewer than {@link readersMax} readers are busy, a reader that has read a
 * batch gives half of the rest of its range to a new reader. Cost: 1 read a document, and about 1 for each new reader.
 */
export async function readAll(db: Firestore, collection: CollectionRead): Promise<void> {
  const { at, path, use, documentsPerRead = documentsPerReadMax } = collection;
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  function start(range: IdRange): void {
    const reader = read(range)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(reader));
    running.add(reader);
  }

  async function read({ after, until }: IdRange): Promise<void> {
    let rest = { after, until };
    for (;;) {
      const { docs } = await getAt(db, at, byId(db, path, documentsPerRead, rest));
      const last = docs.at(-1);
      if (last === undefined || failure !== undefined) return;
      await use(docs);
      if (docs.length < documentsPerRead) return;
      rest = { ...rest, after: last.id };
      if (running.size >= readersMax) continue;
      const middle = middleOf(rest);
      if (middle === undefined) continue;
      start({ after: middle, until: rest.until });
      rest = { ...rest, until: middle };
    }
  }

  start({});
  while (running.size > 0) await Promise.all(running);
  if (failure !== undefined) throw failure.error;
}
