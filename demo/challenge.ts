/** A challenge in the league's second week: the best teams of the first one make a private group, and join it with its code. */
import type { AnswerOf, CallableClient } from "../scripts/callable-client.ts";
import { leagueBoard, textOf } from "./league.ts";
import type { Standing } from "./recount.ts";
import { patiently } from "./replay.ts";

const name = "The first four";

/** How many teams challenge each other. */
export const challengers = 4;

const asked = { leaderboard: leagueBoard };

/** Makes the group, for its first team, and lets the others join. @returns its id */
export async function challenge(
  admin: CallableClient,
  [first = "", ...others]: readonly string[],
): Promise<string> {
  const made = { ...asked, name, player: first, display_name: first };
  const { group, code } = await patiently(() => admin.call("createGroup", made));
  for (const player of others)
    await patiently(() => admin.call("joinGroup", { ...asked, code, player, display_name: player }));
  return group;
}

type ChallengeAnswer = AnswerOf<"getGroup">;

export const challengeOf = (admin: CallableClient, group: string): Promise<ChallengeAnswer> =>
  patiently(() => admin.call("getGroup", { ...asked, group }));

/** What is wrong with the group, in words: each team is in it, in order, with what was recounted of the week. */
export function* challengeProblems(
  { entries }: Pick<ChallengeAnswer, "entries">,
  teams: readonly string[],
  expected: readonly Standing[],
): Generator<string> {
  const table = new Map(expected.map((one) => [one.team, one]));
  const told = new Map(
    entries.map(({ player, columns }) => [player, columns ? textOf(columns) : "no match"]),
  );
  for (const team of teams) {
    const { points, goalDifference, goals } = table.get(team) ?? {};
    const played = points !== undefined && goalDifference !== undefined && goals !== undefined;
    const right = played ? textOf({ points, goal_difference: goalDifference, goals }) : "no match";
    const shown = told.get(team) ?? "missing";
    if (shown !== right) yield `${team} in the challenge: ${shown}; recounted ${right}`;
  }
  const ranks = entries.map(({ player }) => table.get(player)?.rank ?? Infinity);
  if (ranks.some((rank, i) => rank < (ranks[i - 1] ?? 0))) yield "the challenge is not in order";
}

/** The group as a table. */
export function challengeLines({ entries }: Pick<ChallengeAnswer, "entries">): string[] {
  return entries.map(({ place, columns, player }) => {
    const points = columns === undefined ? "–" : String(columns["points"]);
    return `${String(place).padStart(2)}  ${points.padStart(2)}  ${player}`;
  });
}
