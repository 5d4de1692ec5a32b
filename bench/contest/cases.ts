/**
 * What every system passes, whatever it is made of: the life of one board. It works through a {@link Contestant}, which
 * notes each answer that the system's claim does not allow and each bill that differs from the formula.
 */
import { shapes, type Shape } from "../generators/shapes.ts";
import { scoreMax, type Submission } from "../systems/system.ts";
import type { Contestant } from "./contestant.ts";
import { drawWork, idOf } from "./work.ts";

/** So few scores that most players share theirs. */
const fewScores: Shape = { title: "", players: 0, draw: (random) => 1_250 * Math.floor(8 * random()) };

export async function playCases(contestant: Contestant): Promise<void> {
  // An empty board is ranked and has no players.
  await contestant.run();
  await contestant.top(10);
  await contestant.page(0, 25);
  await contestant.askForNobody();
  // One player is first, also after a better and after a worse score.
  for (const score of [500, 900, 40]) await play(contestant, [{ player: idOf(0), score }]);
  // Players who all share a score share the first rank, and twice as many as fit beside one.
  await play(contestant, scoresOf(1, Array<number>(13).fill(40)));
  // The lowest and the highest score have their places.
  await play(contestant, scoresOf(10, [0, scoreMax, 0, scoreMax, 1, scoreMax - 1, 4_999, 5_000]));
  // New scores move players, also among equals.
  for (const [i, shape] of [shapes.uniform9999, fewScores].entries())
    await play(contestant, drawWork(shape, 20, 0, i).arrivals);
  // Between two runs, ranks are those of the last one, and lists that are live are right.
  for (const [i, submission] of drawWork(fewScores, 20, 10, 3).updates.entries()) {
    await contestant.update(submission);
    await contestant.rank(submission.player);
    if (i % 5 > 0) continue;
    await contestant.top(10);
    await contestant.page(0, 25);
    await contestant.around(submission.player, 4, 4);
  }
  await contestant.askForNobody();
  await play(contestant, []);
}

function scoresOf(first: number, scores: readonly number[]): Submission[] {
  return scores.map((score, i) => ({ player: idOf(first + i), score }));
}

/** Submits, runs and asks everything. */
async function play(contestant: Contestant, submissions: readonly Submission[]): Promise<void> {
  for (const submission of submissions) await contestant.update(submission);
  await contestant.run();
  await askEverything(contestant, 4);
}

/** Ranks and neighbours of the best, the worst and players between; the top; pages at both ends and beyond. */
export async function askEverything(contestant: Contestant, asked: number): Promise<void> {
  const { truth } = contestant;
  const players = truth.ids();
  const byScore = players.toSorted((a, b) => (truth.scoreOf(b) ?? 0) - (truth.scoreOf(a) ?? 0));
  const stride = Math.max(1, Math.floor(byScore.length / asked));
  const chosen = byScore.filter((_, i) => i % stride === 0 || i === byScore.length - 1);
  await contestant.top(10);
  for (const from of [0, 1, Math.floor(players.length / 2), players.length - 1, players.length]) {
    await contestant.page(Math.max(0, from), 25);
  }
  for (const player of chosen) await contestant.rank(player);
  for (const player of chosen) await contestant.around(player, 4, 4);
}
