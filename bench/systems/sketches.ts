/**
 * Sketches of streams: a periodic job reads all players and stores a sketch of their scores in one document. A sketch
 * only takes scores in. A player's old score stays in it, so it has to be built again from all players each time;
 * {@link System.drift} is what becomes of one that gets each new score instead.
 *
 * KLL is missing: npm has no package for it that is kept.
 */
import { bill } from "../contest/bill.ts";
import { randomOf } from "../generators/random.ts";
import { listBills, storeBill } from "./player-bills.ts";
import { playerLists, playersOf, scoreOf, storeScore } from "./players.ts";
import { ddSketch, frugal1U, frugal2U, lossyCounting, type SketchKind, tDigest } from "./sketch-kinds.ts";
import type { Opened, Place, System } from "./system.ts";

const byOrder = { estimateDependsOn: "the order in which the players are read" };

const about = {
  lossyCounting: {
    id: "sketches-lossy-counting",
    name: "Lossy counting",
    source: "Manku and Motwani (2002), named in Google's “Fast and Reliable Ranking in Datastore”",
  },
  frugal1U: {
    id: "sketches-frugal-1u",
    name: "Frugal streaming, 1U on 100 quantiles",
    source: "https://arxiv.org/abs/1407.1121, named in Google's “Fast and Reliable Ranking in Datastore”",
    ...byOrder,
  },
  frugal2U: {
    id: "sketches-frugal-2u",
    name: "Frugal streaming, 2U on 100 quantiles",
    source: "https://arxiv.org/abs/1407.1121",
    ...byOrder,
  },
  tDigest: {
    id: "sketches-t-digest",
    name: "t-digest",
    source: "https://github.com/tdunning/t-digest",
    ...byOrder,
  },
  ddSketch: { id: "sketches-ddsketch", name: "DDSketch, 1 %", source: "https://arxiv.org/abs/1908.10693" },
};

export const sketchSystems: readonly System[] = [
  sketchSystem(about.lossyCounting, lossyCounting),
  sketchSystem(about.frugal1U, frugal1U),
  sketchSystem(about.frugal2U, frugal2U),
  sketchSystem(about.tDigest, tDigest),
  sketchSystem(about.ddSketch, ddSketch),
];

/** Sketches that the benchmark leaves out, and why. */
export const sketchesLeftOut = { KLL: "npm has no kept package for it" };

/** A run costs a read for each player and a write; a rank 2 reads. */
function sketchSystem<Stored extends object>(
  names: Pick<System, "id" | "name" | "source" | "estimateDependsOn">,
  kind: SketchKind<Stored>,
): System {
  return {
    ...names,
    layout: "Players; a document with a sketch of all scores.",
    rank: "estimate",
    keeps: "latest",
    cannot: {},
    load: { kind: "own document" },
    open: (place) => Promise.resolve(open(place, kind)),
    bills: () => ({
      update: (_, change) => storeBill(change),
      rank: () => bill({ reads: 2 }),
      ...listBills,
      run: ({ players }) => bill({ reads: Math.max(1, players), writes: 1, invocations: 1 }),
    }),
    estimate: (rising) => ranks(kind, shuffled(rising), rising.length),
    drift: (stream, players) => ranks(kind, stream, players),
  };
}

function open<Stored extends object>(place: Place, kind: SketchKind<Stored>): Opened {
  const { db, meter } = place;
  const document = db.doc("ranking/sketch");
  return {
    async submit(submission) {
      await storeScore(db, submission);
      return undefined;
    },
    async rank(player) {
      const [score, stored] = await Promise.all([scoreOf(db, player), document.get()]);
      const { players, sketch } = (stored.data() ?? {}) as Partial<Document<Stored>>;
      if (score === undefined || players === undefined || sketch === undefined) return null;
      return rankOf(kind.shareAbove(sketch)(score), players);
    },
    ...playerLists(db),
    async run() {
      meter.invoked();
      // By their ids, which do not follow the scores.
      const players = await playersOf(db).select("score").get();
      const scores = players.docs.map((player) => player.get("score") as number);
      await document.set({ players: scores.length, sketch: kind.build(scores, () => place.random()) });
    },
  };
}

interface Document<Stored> {
  players: number;
  sketch: Stored;
}

function ranks<Stored extends object>(
  kind: SketchKind<Stored>,
  stream: Float64Array,
  players: number,
): (score: number) => number {
  const shareAbove = kind.shareAbove(kind.build(stream, randomOf(1)));
  return (score) => rankOf(shareAbove(score), players);
}

/** At least 1, and at most one more than the players. */
function rankOf(shareAbove: number, players: number): number {
  return players === 0 ? 1 : 1 + Math.max(0, Math.min(players, Math.round(shareAbove * players)));
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
