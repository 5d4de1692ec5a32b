/**
 * Shapes of score distributions, each drawn from numbers that somebody published, for any number of players.
 *
 * What comes out is **synthetic between the published points**: the published counts and ranks are met, up to the
 * noise of a draw; everything between them is a smooth curve and no real board. A histogram's cumulative counts
 * go through a monotone cubic, whose rise over each step is that score's share; a table of ranks goes through one
 * of score against log(rank), and a draw of more players than the table has goes on above its best.
 */
import { firstWhere } from "../../functions/src/model/search.ts";
import { monotoneCubic, type Point } from "./monotone-cubic.ts";
import chess from "./published/chess-rapid.json" with { type: "json" };
import codeforces from "./published/codeforces.json" with { type: "json" };
import guitarHero from "./published/guitar-hero-3.json" with { type: "json" };
import osu from "./published/osu-pp.json" with { type: "json" };
import { randomOf } from "./random.ts";

export interface Shape {
  title: string;
  /** Players of the board that was published. */
  players: number;
  /** One player's score. */
  draw(random: () => number): number;
}

export const shapes = {
  /** 15.3 million players on about 2,600 different scores. */
  chess: histogramShape(chess),
  /** 2.27 million players, a long head without an upper bound, many at zero, steps of 0.001. */
  osu: rankTableShape(osu),
  /** Large whole numbers: hardly two players share one. */
  guitarHero: rankTableShape(guitarHero),
  /** The same without whole numbers: players who all differ, however many. */
  different: { ...rankTableShape({ ...guitarHero, step: 0 }), title: "scores that all differ" },
  /** A small board of whole numbers. */
  codeforces: rankTableShape(codeforces),
  /** 30,000 players on 0–999: the usual example of an inverted index on Firestore. */
  uniform999: uniformShape(30_000, 999),
  /** 10,000 players on 0–9999: the appendix of Google's "Fast and Reliable Ranking in Datastore". */
  uniform9999: uniformShape(10_000, 9_999),
} satisfies Record<string, Shape>;

/** Scores of so many players, the same for the same seed, in no order. */
export function drawScores(shape: Shape, players: number, seed: number): Float64Array {
  const random = randomOf(seed);
  const scores = new Float64Array(players);
  for (let i = 0; i < players; i++) scores[i] = shape.draw(random);
  return scores;
}

interface Histogram {
  title: string;
  players: number;
  /** Smallest difference between two scores. */
  step: number;
  /** [from, players], rising; a score missing between two bins has no players. */
  bins: number[][];
  binWidth: number;
}

/** @throws if the bins do not add up to the players. */
function histogramShape({ title, players, step, bins, binWidth }: Histogram): Shape {
  const edges: Point[] = [];
  let count = 0;
  for (const [from = NaN, more = NaN] of bins) {
    if (edges.at(-1)?.[0] !== from) edges.push([from, count]);
    count += more;
    edges.push([from + binWidth, count]);
  }
  if (count !== players) throw new Error(`${title}: the bins hold ${count} players, not ${players}`);
  const lowest = edges[0]?.[0] ?? NaN;
  const steps = Math.round(((edges.at(-1)?.[0] ?? NaN) - lowest) / step);
  const curve = monotoneCubic(edges);
  // Players at or below each step.
  const cumulative = Float64Array.from({ length: steps }, (_, i) => curve(lowest + (i + 1) * step));
  return {
    title,
    players,
    draw(random) {
      const drawn = random() * players;
      const index = firstWhere(cumulative, (sum) => sum > drawn);
      return lowest + step * Math.min(steps - 1, index);
    },
  };
}

interface RankTable {
  title: string;
  players: number;
  /** Smallest difference between two scores; 0 for none. */
  step: number;
  /** [rank, score], published. */
  ranks: number[][];
  /** [rank, score], ours; the data file says why. */
  assumed: number[][];
}

function rankTableShape({ title, players, step, ranks, assumed }: RankTable): Shape {
  const points = [...ranks, ...assumed]
    .map(([rank = NaN, score = NaN]): Point => [Math.log(rank), score])
    .sort(([a], [b]) => a - b);
  const curve = monotoneCubic(points);
  return {
    title,
    players,
    draw(random) {
      const score = curve(Math.log((1 - random()) * players));
      // Dividing by the inverse of the step gives the double that is nearest to the decimal.
      return step === 0 ? score : Math.round(score / step) / Math.round(1 / step);
    },
  };
}

function uniformShape(players: number, most: number): Shape {
  return { title: `uniform 0–${most}`, players, draw: (random) => Math.floor(random() * (most + 1)) };
}
