/**
 * Buckets with a global query: a periodic job counts the players of each bucket of scores and stores all buckets in one
 * document. A rank is looked up there, with a straight line within the bucket. bucket-ranks.ts has the formulas.
 *
 * The source's job read every player; `count()`, which came later, is billed a read for each 1,000 of them.
 */
import { bill } from "../contest/bill.ts";
import { countBelow, type Truth } from "../contest/truth.ts";
import { type Bucket, bucketsOf, evenDepths, evenWidths, rankIn } from "./bucket-ranks.ts";
import { listBills, storeBill } from "./player-bills.ts";
import { playerLists, playersOf, scoreOf, storeScore } from "./players.ts";
import type { Bills, Opened, Place, System } from "./system.ts";

type Shape = "width" | "depth";

/**
 * A run costs 2 reads for the lowest and the highest score, a read for each 1,000 players of a bucket, at least one, and
 * a write; with `depth`, also a read of the last run's buckets. A rank costs 2 reads.
 */
export function bucketSystem(shape: Shape, size: number): System {
  return {
    id: shape === "width" ? `buckets-${size}` : `buckets-depth-${size}`,
    name: `${size} buckets of equal ${shape}`,
    layout: `Players; a document with ${size} buckets of scores, each with its players and the rank of its best.`,
    source: "appendix of Google's “Fast and Reliable Ranking in Datastore” (2013)",
    rank: "estimate",
    keeps: "latest",
    cannot: {},
    load: { kind: "own document" },
    open: (place) => Promise.resolve(open(place, shape, size)),
    bills: () => bills(shape, size),
    ...(shape === "depth" && { estimateDependsOn: "the buckets of the last run" }),
    estimate(scores) {
      const buckets = estimated(scores, shape, size);
      return (score) => rankIn(buckets, score);
    },
  };
}

/** As the source tries it. */
export const fiveBuckets = bucketSystem("width", 5);
export const hundredBuckets = bucketSystem("width", 100);
/** Their ends follow the players: each run takes them from the counts of the last. */
export const deepBuckets = bucketSystem("depth", 100);

/** The lower ends of the buckets that a run counts. */
function lowsFor(shape: Shape, size: number, last: readonly Bucket[], [lowest, highest]: Ends): number[] {
  return shape === "width" ? evenWidths(lowest, highest, size) : evenDepths(last, lowest, highest, size);
}

/** The lowest and the highest score, as whole numbers. */
type Ends = [number, number];

function open({ db, meter }: Place, shape: Shape, size: number): Opened {
  const document = db.doc("ranking/buckets");
  const players = playersOf(db);
  const endOf = async (direction: "asc" | "desc") =>
    (await players.orderBy("score", direction).limit(1).get()).docs[0]?.get("score") as number | undefined;
  const read = async () => (await document.get()).get("buckets") as Bucket[] | undefined;
  return {
    async submit(submission) {
      await storeScore(db, submission);
      return undefined;
    },
    async rank(player) {
      const [score, buckets] = await Promise.all([scoreOf(db, player), read()]);
      return score === undefined || buckets === undefined ? null : rankIn(buckets, score);
    },
    ...playerLists(db),
    async run() {
      meter.invoked();
      const last = shape === "depth" ? ((await read()) ?? []) : [];
      const [lowest, highest] = await Promise.all([endOf("asc"), endOf("desc")]);
      const ends: Ends | undefined =
        lowest === undefined || highest === undefined ? undefined : [lowest, highest];
      const lows = ends === undefined ? [] : lowsFor(shape, size, last, ends);
      const counts = await Promise.all(
        lows.map(async (low, i) => {
          const from = players.where("score", ">=", low);
          const next = lows[i + 1];
          const query = next === undefined ? from : from.where("score", "<", next);
          return (await query.count().get()).data().count;
        }),
      );
      await document.set({ buckets: bucketsOf(lows, highest ?? NaN, counts) });
    },
  };
}

/** It remembers the last run's buckets, which decide where the next ones end. */
function bills(shape: Shape, size: number): Bills {
  let last: Bucket[] = [];
  return {
    update: (_, change) => storeBill(change),
    rank: () => bill({ reads: 2 }),
    ...listBills,
    run(truth) {
      last = countedBy(truth, shape, size, last);
      const counted = last.reduce((sum, { count }) => sum + Math.max(1, Math.ceil(count / 1_000)), 0);
      return bill({ reads: (shape === "depth" ? 1 : 0) + 2 + counted, writes: 1, invocations: 1 });
    },
  };
}

function countedBy(truth: Truth, shape: Shape, size: number, last: readonly Bucket[]): Bucket[] {
  if (truth.players === 0) return [];
  const highest = truth.scoreAt(0);
  const lows = lowsFor(shape, size, last, [truth.scoreAt(truth.players - 1), highest]);
  const from = (low: number) => truth.above(low) + truth.equals(low);
  const counts = lows.map((low, i) => from(low) - (i + 1 < lows.length ? from(lows[i + 1] ?? NaN) : 0));
  return bucketsOf(lows, highest, counts);
}

/** How often buckets of equal depth are counted before they are judged: as many runs without new scores. */
const rounds = 4;

/** @param scores rising. */
function estimated(scores: Float64Array, shape: Shape, size: number): Bucket[] {
  if (scores.length === 0) return [];
  const ends: Ends = [Math.floor(scores[0] ?? NaN), Math.ceil(scores.at(-1) ?? NaN)];
  let buckets: Bucket[] = [];
  for (let round = 0; round < (shape === "depth" ? rounds : 1); round++) {
    const lows = lowsFor(shape, size, buckets, ends);
    const below = [...lows.map((low) => countBelow(scores, low)), scores.length];
    const counts = lows.map((_, i) => (below[i + 1] ?? NaN) - (below[i] ?? NaN));
    buckets = bucketsOf(lows, ends[1], counts);
  }
  return buckets;
}
