/** The section "After a year" of docs/league.md: a year of 10,000 players, by the model (year.ts). */
import { leagueSchema } from "../../functions/src/model/league.ts";
import { count, percent, table } from "../report/markdown.ts";
import { type Course, courseOf, type Trick, tricks } from "./course.ts";
import { playYear } from "./year.ts";

/** The league of the page, with two tiers more. */
export const league = leagueSchema.parse({
  span: "weekly",
  size: 30,
  tiers: [
    { id: "bronze", name: "Bronze", promote: 7 },
    { id: "silver", name: "Silver", promote: 7, demote: 7 },
    { id: "gold", name: "Gold", promote: 7, demote: 7 },
    { id: "ruby", name: "Ruby", promote: 7, demote: 7 },
    { id: "diamond", name: "Diamond", demote: 7 },
  ],
});

export const ofEachTrick = 100;
const weeks = 52;
const bestOf = 100;

export interface YearEnd {
  course: Course;
  /** How high each stands, 1 for the lowest tier; undefined for one who was never in a group. */
  stepOf: (player: string) => number | undefined;
  /** Weeks until half of the best hundred stand in the highest tier. */
  weeksToTop: number;
}

/** Plays 52 weeks. @param seed of who plays and how well */
export function endOfYear(players: number, seed: number): YearEnd {
  const course = courseOf({ players, ofEachTrick, arrivals: 50, seed });
  const best = honestBest(course);
  const ladder = league.tiers.map(({ id }) => id);
  let tiers: ReadonlyMap<string, string> = new Map();
  let [played, weeksToTop] = [0, Infinity];
  for (const week of playYear({ league, course, weeks, opensAtMs: 0 })) {
    ({ tiers } = week);
    played++;
    const atTop = best.filter((player) => tiers.get(player) === ladder.at(-1)).length;
    if (atTop >= best.length / 2) weeksToTop = Math.min(weeksToTop, played);
  }
  const stepOf = (player: string) => {
    const tier = tiers.get(player);
    return tier === undefined ? undefined : ladder.indexOf(tier) + 1;
  };
  return { course, stepOf, weeksToTop };
}

/** The best players by skill, without those who try tricks. */
const honestBest = ({ souls }: Course, from = 0) =>
  souls
    .toSorted((a, b) => b.skill - a.skill)
    .slice(from, from === 0 ? bestOf : undefined)
    .map(({ honest }) => honest);

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Who is where, tier by tier, the highest first. */
export function tiersTable({ course, stepOf }: YearEnd): string {
  const all = course.souls.map(({ honest }) => honest);
  const groups = [all, honestBest(course), honestBest(course, all.length - bestOf)];
  const shareOf = (players: readonly string[], step: number) =>
    players.filter((player) => stepOf(player) === step).length / players.length;
  const rows = league.tiers.map(({ name }, i) => [
    name,
    ...groups.map((one) => percent(shareOf(one, i + 1))),
  ]);
  return table("tier|of all players|of the best hundred|of the last hundred", rows.toReversed());
}

/** How high those stand who try a trick, and their twins. */
export function trickEnd({ course, stepOf }: YearEnd, name: Trick): { trick: number; twins: number } {
  const tried = course.souls.flatMap((one) =>
    one.trick?.name === name ? [one.trick.player, one.honest] : [],
  );
  const steps = (from: 0 | 1) => tried.flatMap((player, i) => (i % 2 === from ? (stepOf(player) ?? []) : []));
  return { trick: mean(steps(0)), twins: mean(steps(1)) };
}

export function tricksTable(end: YearEnd): string {
  const rows = (Object.entries(tricks) as [Trick, string][]).map(([name, said]) => {
    const { trick, twins } = trickEnd(end, name);
    return [said, count(trick), count(twins)];
  });
  return table("who|stands after a year, on average|twins who don't", rows);
}
