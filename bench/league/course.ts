/**
 * Who plays a league for a year, and what each does in a week, from a seed: players who score by their skill and by luck,
 * and among them some who try a trick, each beside an honest twin of the same skill and luck.
 */
import { randomOf } from "../generators/random.ts";

/** What a player does at the time of a {@link Wave}. */
export type Act =
  | { kind: "score"; player: string; score: number }
  | { kind: "takes part"; player: string; takesPart: boolean }
  | { kind: "merge"; guest: string; player: string };

/** What is done at the same hour of a week, counted from its beginning. Then those get seats who wait. */
export interface Wave {
  hour: number;
  acts: Act[];
}

export const tricks = {
  shield: "leaves when about to go down, and takes part again the week after",
  shopper: "comes in the last hour that gives a seat",
  friends: "comes with four friends in the same second, who score 1",
  guest: "plays once more as a guest, and merges the score",
} as const;
export type Trick = keyof typeof tricks;

/** A player; or a player who tries a trick, and the twin, who have skill and luck in common. */
export interface Soul {
  skill: number;
  /** The share of weeks that are played. */
  plays: number;
  honest: string;
  trick?: { name: Trick; player: string; friends: string[] };
}

export interface Course {
  souls: readonly Soul[];
  /** The waves of the next week. @param isGoingDown whether a player's place leads down, as the player sees it. */
  drawWeek(week: number, isGoingDown: (player: string) => boolean): Generator<Wave, void, void>;
}

export interface CourseSettings {
  /** Tricky ones, their twins and their friends are among the players. */
  players: number;
  ofEachTrick: number;
  /** At how many hours first scores come. */
  arrivals: number;
  seed: number;
}

/** First scores come in the first half of a week; some come later, and get no seat. */
const hours = { opens: 0.5, last: 83, merges: 83.5, late: 90, second: 120, leaves: 160 } as const;
const lateShare = 0.05;

/** Draws who plays. */
export function courseOf({ players, ofEachTrick, arrivals, seed }: CourseSettings): Course {
  const random = randomOf(seed);
  // As accounts have them: their order says nothing.
  const named = (name: string) => `${Math.floor(random() * 1e9)}-${name}`;
  const draw = (name: string) => ({
    skill: drawNormal(random),
    plays: 0.5 + random() / 2,
    honest: named(name),
  });
  const tricky = (Object.keys(tricks) as Trick[]).flatMap((name) =>
    Array.from({ length: ofEachTrick }, (): Soul => {
      const friends = name === "friends" ? ["a", "b", "c", "d"].map((one) => named(`friend-${one}`)) : [];
      return { ...draw("twin"), trick: { name, player: named(name), friends } };
    }),
  );
  const known = tricky.reduce((sum, { trick }) => sum + 2 + (trick?.friends.length ?? 0), 0);
  const souls = [...tricky, ...Array.from({ length: players - known }, (): Soul => draw("player"))];
  const gone = new Set<string>();
  return {
    souls,
    *drawWeek(week, isGoingDown) {
      const waves = new Map<number, Act[]>();
      const add = (hour: number, act: Act) => {
        const acts = waves.get(hour);
        if (acts === undefined) waves.set(hour, [act]);
        else acts.push(act);
      };
      for (const player of gone) add(hours.opens, { kind: "takes part", player, takesPart: true });
      gone.clear();
      souls.forEach((soul, i) => drawPlayed(soul, { i, week, arrivals, random, add }));
      for (const [hour, acts] of [...waves].toSorted(([a], [b]) => a - b)) yield { hour, acts };
      for (const { trick } of tricky)
        if (trick?.name === "shield" && isGoingDown(trick.player)) gone.add(trick.player);
      const acts = [...gone].map((player): Act => ({ kind: "takes part", player, takesPart: false }));
      yield { hour: hours.leaves, acts };
    },
  };
}

interface Drawing {
  /** The number of the soul. */
  i: number;
  week: number;
  arrivals: number;
  random: () => number;
  add: (hour: number, act: Act) => void;
}

/** What a soul does in a week. The same numbers are drawn whatever it does. */
function drawPlayed({ honest, trick, ...soul }: Soul, { i, week, arrivals, random, add }: Drawing): void {
  const score = () => Math.max(2, Math.round(1_000 + 200 * soul.skill + 100 * drawNormal(random)));
  const plays = random() < soul.plays;
  const isLate = random() < lateShare && trick === undefined;
  const hour = isLate ? hours.late : 1 + (Math.floor(random() * arrivals) * (hours.last - 2)) / arrivals;
  const [first, second, third] = [score(), score(), score()];
  if (!plays) return;
  add(hour, { kind: "score", player: honest, score: first });
  add(hours.second, { kind: "score", player: honest, score: second });
  if (trick === undefined) return;
  const { name, player, friends } = trick;
  // Those with friends come at a time when nobody else does.
  const comes = name === "shopper" ? hours.last : hour + (name === "friends" ? 0.1 + i / 1_000 : 0);
  add(comes, { kind: "score", player, score: first });
  for (const friend of friends) add(comes, { kind: "score", player: friend, score: 1 });
  if (name === "guest") {
    const guest = `${player}-${week}`;
    add(comes, { kind: "score", player: guest, score: third });
    add(hours.merges, { kind: "merge", guest, player });
  }
  add(hours.second, { kind: "score", player, score: second });
}

/** A number of the normal distribution, by Box and Muller. */
const drawNormal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
