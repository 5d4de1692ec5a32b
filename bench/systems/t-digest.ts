/**
 * A sketch of all scores: a periodic job reads all players and stores T. Dunning's t-digest of their scores in one document.
 * A sketch only takes scores in: a player's old score stays in it, so it has to be built again each time.
 */
import { TDigest } from "tdigest";
import { bill } from "../contest/bill.ts";
import { randomOf } from "../generators/random.ts";
import { billPlayers, openPlayers, playersOf } from "./players.ts";
import type { System } from "./system.ts";

/** What is stored of a sketch. */
interface Centroids {
  means: number[];
  counts: number[];
}

/** A run costs a read for each player and a write; a rank 2 reads. */
export const tDigest: System = {
  id: "t-digest",
  name: "t-digest",
  layout: "Players; a document with a sketch of all scores.",
  source: "https://github.com/tdunning/t-digest",
  rank: "estimate",
  estimateDependsOn: "the order in which the players are read",
  load: { kind: "own document" },
  open({ db, meter, random }) {
    const document = db.doc("ranking/sketch");
    return openPlayers(db, {
      async rank(score) {
        const sketch = (await document.get()).data() as Centroids | undefined;
        return sketch === undefined ? null : rankIn(sketch)(score);
      },
      async run() {
        meter.invoked();
        // By their ids, which do not follow the scores.
        const players = await playersOf(db).select("score").get();
        await document.set(
          build(
            players.docs.map((player) => player.get("score") as number),
            random,
          ),
        );
      },
    });
  },
  bills: () =>
    billPlayers({
      rank: () => bill({ reads: 2 }),
      run: ({ players }) => bill({ reads: Math.max(1, players), writes: 1, invocations: 1 }),
    }),
  estimate: (rising) => rankIn(build(shuffled(rising), randomOf(1))),
};

/** Share of the scores that a centroid may have, at most, and centroids from which on they are merged. */
const digestDelta = 0.01;
const centroidsMax = 25 / digestDelta;

/**
 * As the package `tdigest` has it. To merge centroids, the package shuffles them by Math.random; here the same is done by
 * the seed, so that results repeat.
 */
function build(scores: Iterable<number>, random: () => number): Centroids {
  let digest = new TDigest(digestDelta, 0); // 0: it merges nothing on its own
  for (const score of scores) {
    digest.push(score);
    if (digest.size() > centroidsMax) digest = compressed(digest, random);
  }
  const centroids = compressed(digest, random).toArray();
  return { means: centroids.map(({ mean }) => mean), counts: centroids.map(({ n }) => n) };
}

/** The centroids of a digest, put into a new one in a random order. */
function compressed(digest: TDigest, random: () => number): TDigest {
  const keyed = digest.toArray().map((centroid) => ({ centroid, at: random() }));
  const smaller = new TDigest(digestDelta, 0);
  smaller.push_centroid(keyed.sort((a, b) => a.at - b.at).map(({ centroid }) => centroid));
  return smaller;
}

/** At least 1, and at most one more than the players. */
function rankIn({ means, counts }: Centroids): (score: number) => number {
  const players = counts.reduce((sum, count) => sum + count, 0);
  if (players === 0) return () => 1;
  const digest = new TDigest(0, 0); // a compression of 0 merges nothing
  digest.push_centroid(means.map((mean, i) => ({ mean, n: counts[i] ?? 0 })));
  return (score) => {
    const above = Math.round((1 - digest.p_rank(score)) * players);
    return 1 + Math.max(0, Math.min(players, above));
  };
}

/** In an order that has nothing to do with the scores, the same each time. */
function shuffled(scores: Float64Array): Float64Array {
  const random = randomOf(2);
  const copy = scores.slice();
  for (let i = copy.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [copy[i], copy[other]] = [copy[other] ?? NaN, copy[i] ?? NaN];
  }
  return copy;
}
