/** Variants of Firerank with one mistake each, to show that the simulation finds such mistakes. */
import {
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  type Query,
  type QuerySnapshot,
  Timestamp,
  type Transaction,
} from "../functions/src/documents/firestore.ts";
import {
  indexEntryPath,
  playerPath,
  type SeasonKey,
  seasonPath,
  shardPath,
} from "../functions/src/documents/paths.ts";
import { rankedScoreOf } from "../functions/src/documents/ranked-score.ts";
import { nothingRebuilt } from "../functions/src/documents/repair-record.ts";
import { followPlayer } from "../functions/src/indexing/follow-player.ts";
import { readIndexEntry } from "../functions/src/documents/index-entry.ts";
import { planIndexing } from "../functions/src/indexing/plan.ts";
import { scoreToField } from "../functions/src/model/score.ts";
import { intervalMs, slotEnd } from "../functions/src/model/slot.ts";
import { publishRanking } from "../functions/src/ranking/run.ts";
import { startRepair } from "../functions/src/repair/repair.ts";
import { rebuild } from "../functions/src/repair/rebuild.ts";
import type { PageCache } from "../functions/src/reading/page-cache.ts";
import { livePlace } from "../functions/src/reading/precise.ts";
import type { PlayerSubmission } from "../functions/src/submit/record-submissions.ts";
import type { TopServices } from "../functions/src/top/gate-memory.ts";
import type { QuerySpec } from "./memory/query.ts";
import type { Plan } from "./plan.ts";
import type { Found, Guard } from "./memory/store.ts";

/** One mistake. */
export interface Mutant {
  /** Changes a seed's plan, so that the mistake shows sooner. */
  plan?: (plan: Plan) => Plan;
  /** Replaces the trigger. */
  trigger?: typeof followPlayer;
  /** Replaces the ranking run. */
  run?: typeof publishRanking;
  /** Replaces the rebuild after a stray shard. */
  rebuild?: (services: TopServices, key: SeasonKey) => Promise<void>;
  /** Replaces repairs. */
  repair?: typeof startRepair;
  /** Replaces live ranks. */
  live?: typeof livePlace;
  /** Replaces the pages that an instance has in memory. */
  pages?: (pages: PageCache) => PageCache;
  /** Replaces the results of queries. */
  find?: (spec: QuerySpec, found: Found[]) => Found[];
  /** Replaces the guards of writes. */
  weaken?: (path: string, guard: Guard) => Guard;
  /** Replaces the submissions that callers send. */
  send?: (submission: PlayerSubmission) => PlayerSubmission;
}

/** The obvious first version: believe the event, −1 at the old score and +1 at the new one. */
async function byEvent(
  { db, now }: TopServices,
  key: SeasonKey,
  player: string,
  { before, after }: Parameters<typeof followPlayer>[3],
): Promise<void> {
  const batch = db.batch();
  const entry = rankedScoreOf(after);
  const ref = db.doc(indexEntryPath(key, player));
  if (entry === undefined || !("score" in entry)) batch.delete(ref);
  else batch.set(ref, entry);
  for (const [ranked, delta] of [
    [rankedScoreOf(before), -1],
    [entry, 1],
  ] as const) {
    if (ranked === undefined || !("score" in ranked)) continue;
    const end = slotEnd(now(), 60_000);
    const change = { [scoreToField(ranked.score)]: FieldValue.increment(delta) };
    batch.set(
      db.doc(shardPath(key, 0, end)),
      { slot_ends_at: Timestamp.fromMillis(end), player_count: change },
      { merge: true },
    );
  }
  await batch.commit();
}

/** The right plan, applied in two commits. */
async function inTwoCommits({ db, now }: TopServices, key: SeasonKey, player: string): Promise<void> {
  const entryRef = db.doc(indexEntryPath(key, player));
  const [document, found] = await db.getAll(db.doc(playerPath(key, player)), entryRef);
  const plan = planIndexing(rankedScoreOf(document?.data()), readIndexEntry(found?.data()));
  if (plan === undefined) return;
  if (plan.entry === null) await entryRef.delete();
  else await entryRef.set(plan.entry);
  const end = slotEnd(now(), 60_000);
  const counts = [...plan.changes.playerCount].map(([score, delta]) => [
    scoreToField(score),
    FieldValue.increment(delta),
  ]);
  await db
    .doc(shardPath(key, 0, end))
    .set(
      { slot_ends_at: Timestamp.fromMillis(end), player_count: Object.fromEntries(counts) as object },
      { merge: true },
    );
}

/** A run that takes only part of a slot: the first of its shard documents. */
function withoutRest({ collection, filters }: QuerySpec, found: Found[]): Found[] {
  const isOfRun = collection.endsWith("/scores") && filters.some(({ operator }) => operator === "<=");
  return isOfRun ? found.slice(0, 1) : found;
}

/** Slots by the indexing instance's own clock. */
const byOwnClock: typeof followPlayer = (services, ...others) =>
  followPlayer({ ...services, databaseMs: () => services.now() }, ...others);

/** Slots as long as the ranking interval, as the instance remembers it. */
const byInterval: typeof followPlayer = async (services, key, ...others) => {
  const { definition } = await services.boards.load(key);
  const slotMs = intervalMs(definition.ranking_interval_minutes);
  await followPlayer({ ...services, slotMs }, key, ...others);
};

/** A run that tries to delete every shard document, however often it loses to other writers. */
const withoutLeaving: typeof publishRanking = (services, key, options) =>
  publishRanking({ ...services, db: seenAtRest(services.db) }, key, options);

/** A publication dated by the clock of its instance alone. */
const datedByOwnClock: typeof publishRanking = (services, key, options) =>
  publishRanking({ ...services, databaseMs: () => services.now() }, key, options);

/** A rebuild whose last run looks for shards only where the instance remembers the ranking of before. */
async function searchingAsRemembered(services: TopServices, key: SeasonKey): Promise<void> {
  const board = await services.boards.load(key);
  await rebuild(services, board, nothingRebuilt);
  await publishRanking(services, key, { includeOpenSlot: true });
}

/** A database whose documents look as if they were at rest: read long after their slot, and never changed. */
function seenAtRest(db: Firestore): Firestore {
  const later = Timestamp.fromMillis(Date.UTC(2100, 0));
  const unchanged = (time: Timestamp) =>
    Object.assign(Object.create(time) as Timestamp, { isEqual: () => true });
  return gettingBy(db, async (asked, transaction) => {
    const found = await transaction.get(asked);
    if (!("docs" in found)) return found;
    const docs = found.docs.map((document) =>
      Object.assign(Object.create(document) as typeof document, {
        readTime: later,
        updateTime: unchanged(document.updateTime),
      }),
    );
    return Object.assign(Object.create(found) as typeof found, { docs });
  });
}

/** A counted ranking whose counts run outside the transaction, one after another, each at its own moment. */
const countedBeside: typeof publishRanking = (services, key, options) =>
  publishRanking({ ...services, db: countingBeside(services) }, key, options);

function countingBeside({ db, sleep }: TopServices): Firestore {
  return countingBy(db, async (asked) => {
    await sleep(1_000);
    return asked.get();
  });
}

/** A counted ranking that leaves out one of its intervals: the second that has players. */
const withoutPart: typeof publishRanking = (services, key, options) => {
  let parts = 0;
  const db = countingBy(services.db, async (asked, transaction) => {
    const counted = (await transaction.get(asked)) as unknown as { data: () => { count: number } };
    if (counted.data().count > 0) parts += 1;
    return parts === 2 ? { data: () => ({ count: 0 }) } : counted;
  });
  return publishRanking({ ...services, db }, key, options);
};

/** A plan in which owners often change the source, and rebuild. */
const switching = (plan: Plan): Plan => ({ ...plan, weights: { ...plan.weights, "change source": 1 } });

/** A run that folds onto the pages of before the index was left to counts. */
const withoutMark: typeof publishRanking = (services, key, options) =>
  publishRanking({ ...services, db: unmarked(services.db) }, key, options);

/** A rebuild from the index alone, whatever was left to counts. */
const withoutRefusal: typeof startRepair = (services, key, asked, options) => {
  const { db } = services;
  const doc = (path: string) => {
    const ref = db.doc(path);
    return Object.assign(Object.create(ref) as typeof ref, {
      get: async () => withoutMarkIn(await ref.get()),
    });
  };
  const blind = Object.assign(Object.create(unmarked(db)) as Firestore, {
    doc: (path: string) => (path === seasonPath(key) ? doc(path) : db.doc(path)),
  });
  return startRepair({ ...services, db: blind }, key, asked, options);
};

/** A live rank by the index of a page, whatever was left to counts since. */
const liveWithoutMark: typeof livePlace = (services, ...asked) =>
  livePlace({ ...services, db: unmarked(services.db) }, ...asked);

/** A database whose documents do not say that the index was left to counts. */
function unmarked(db: Firestore): Firestore {
  return gettingBy(db, async (asked, transaction) => {
    const found: object = await transaction.get(asked);
    if ("counts" in asked) return found;
    if (!("docs" in found)) return withoutMarkIn(found as DocumentSnapshot);
    const docs = (found as QuerySnapshot).docs.map(withoutMarkIn);
    return Object.assign(Object.create(found) as typeof found, { docs });
  });
}

function withoutMarkIn<Document extends DocumentSnapshot>(document: Document): Document {
  const { left_to_counts_at: _, ...data } = document.data() ?? {};
  const copy = Object.create(document) as Document;
  copy.data = () => (document.exists ? data : undefined);
  return copy;
}

/** A database whose counts in transactions are those of `count`. */
function countingBy(
  db: Firestore,
  count: (asked: Query, transaction: Transaction) => Promise<unknown>,
): Firestore {
  return gettingBy(db, (asked, transaction) =>
    "counts" in asked ? count(asked, transaction) : transaction.get(asked),
  );
}

/** A database whose transactions read with `read`. */
function gettingBy(
  db: Firestore,
  read: (asked: Query, transaction: Transaction) => Promise<unknown>,
): Firestore {
  const runTransaction = <Result>(
    update: (transaction: Transaction) => Promise<Result>,
    options?: { readOnly: true },
  ) =>
    db.runTransaction((transaction) => {
      const get = (asked: Query) => read(asked, transaction);
      return update(Object.assign(Object.create(transaction) as Transaction, { get }));
    }, options);
  return Object.assign(Object.create(db) as Firestore, { runTransaction });
}

/** Pages from memory, even if the caller has seen newer ones. */
const withoutAsking = (pages: PageCache): PageCache => ({
  pageOf: (key, order, score) => pages.pageOf(key, order, score),
  pageAt: (key, order, offset) => pages.pageAt(key, order, offset),
  keep: () => undefined,
  mark: () => 0,
  freshUntilMs: (key, generation) => pages.freshUntilMs(key, generation),
});

const isShard = (path: string) => path.includes("/scores/");
const isTop = (path: string) => path.includes("/top/");
const isPage = (path: string) => path.includes("/scores_ranking/");

/** The mistakes. mutants.test.ts has the number of steps within which each is found. */
export const mutants = {
  "a trigger that believes its event": { trigger: byEvent },
  "an index entry written apart from its shard": { trigger: inTwoCommits },
  "a publication without preconditions": {
    weaken: (path, guard) => (isShard(path) || isPage(path) || isTop(path) ? {} : guard),
  },
  "a publication that guards its pages and not the shards": {
    weaken: (path, guard) => (isShard(path) ? {} : guard),
  },
  "a publication that does not guard the top": {
    weaken: (path, guard) => (isTop(path) ? {} : guard),
  },
  "a slot that is published in parts": { find: withoutRest },
  "a slot by the clock of the indexing instance": { trigger: byOwnClock },
  "a slot as long as the ranking interval": { trigger: byInterval },
  "a run that leaves no shard document in place": { run: withoutLeaving },
  "a publication dated by the clock of its instance": { run: datedByOwnClock },
  "a rebuild that searches where the ranking before ended": { rebuild: searchingAsRemembered },
  "a page in memory that is older than the caller saw": { pages: withoutAsking },
  "a ranking counted at several moments": { run: countedBeside },
  "a split of counts that loses a part": { run: withoutPart },
  "a run that folds an index that was left to counts": { plan: switching, run: withoutMark },
  "a rebuild from an index that was left to counts": {
    plan: switching,
    repair: withoutRefusal,
  },
  "a live rank of an index that was left to counts": { plan: switching, live: liveWithoutMark },
  "submissions sent again without their id": {
    send: ({ submission_id: _, ...submission }) => submission,
  },
} satisfies Record<string, Mutant>;
