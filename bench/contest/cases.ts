/**
 * What every system passes, whatever it is made of. A case works through a {@link Contestant}, which notes each answer
 * that the system's claim does not allow and each bill that differs from the formula.
 */
import { shapes, type Shape } from "../generators/shapes.ts";
import { scoreMax } from "../systems/system.ts";
import type { Contestant } from "./contestant.ts";
import { drawWork, idOf, type Work } from "./work.ts";

export interface Case {
  title: string;
  play: (contestant: Contestant) => Promise<void>;
}

/** How many players and updates the cases use; small enough for every system on an emulator. */
const small = { players: 24, updates: 10 };

/** So few scores that most players share theirs. */
const fewScores: Shape = {
  title: "eight scores",
  players: small.players,
  draw: (random) => 1_250 * Math.floor(8 * random()),
};

export const cases: Case[] = [
  {
    title: "an empty board is ranked and has no players",
    async play(contestant) {
      await contestant.run();
      await contestant.top(10);
      await contestant.page(0, 25);
      await contestant.askForNobody();
    },
  },
  {
    title: "one player is first, also after a better and after a worse score",
    async play(contestant) {
      for (const score of [500, 900, 100]) {
        await contestant.update({ player: idOf(0), score });
        await contestant.run();
        await askEverything(contestant);
      }
    },
  },
  {
    title: "players who share a score share the rank",
    async play(contestant) {
      for (const score of [5, 7, 7, 7, 7, 9]) {
        await contestant.update({ player: idOf(contestant.truth.players), score });
      }
      await contestant.run();
      await askEverything(contestant);
    },
  },
  {
    title: "players who all share a score share the first rank",
    async play(contestant) {
      for (let i = 0; i < 14; i++) await contestant.update({ player: idOf(i), score: 40 });
      await contestant.run();
      await askEverything(contestant);
    },
  },
  {
    title: "the lowest and the highest score have their places",
    async play(contestant) {
      for (const [i, score] of [0, scoreMax, 0, scoreMax, 1, scoreMax - 1, 4_999, 5_000].entries()) {
        await contestant.update({ player: idOf(i), score });
      }
      await contestant.run();
      await askEverything(contestant);
    },
  },
  {
    title: "new scores move players",
    play: (contestant) => playWork(contestant, smallWork(shapes.uniform9999)),
  },
  {
    title: "new scores move players among equals",
    play: (contestant) => playWork(contestant, smallWork(fewScores)),
  },
  {
    title: "between two runs, ranks are those of the last one, and lists that are live are right",
    async play(contestant) {
      const { arrivals, updates } = smallWork(shapes.uniform999);
      for (const submission of arrivals) await contestant.update(submission);
      await contestant.run();
      for (const [i, submission] of updates.entries()) {
        await contestant.update(submission);
        await contestant.rank(submission.player);
        if (i % 5 > 0) continue;
        await contestant.top(10);
        await contestant.page(0, 25);
        await contestant.around(submission.player, 4, 4);
      }
      await contestant.askForNobody();
    },
  },
];

function smallWork(shape: Shape): Work {
  return drawWork(shape, small.players, small.updates, 1);
}

/** All players arrive, a run, every question; then the updates, and the same again. */
export async function playWork(contestant: Contestant, { arrivals, updates }: Work): Promise<void> {
  for (const submission of arrivals) await contestant.update(submission);
  await contestant.run();
  await askEverything(contestant);
  for (const submission of updates) await contestant.update(submission);
  await contestant.run();
  await askEverything(contestant);
}

/** Ranks and neighbours of the best, the worst and players between; the top; pages at both ends and beyond. */
export async function askEverything(contestant: Contestant, asked = 8): Promise<void> {
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
