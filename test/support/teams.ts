/** Teams as a plain sort makes them, of players one by one. */
import type { TeamsAnswer } from "../../functions/src/model/team-answers.ts";
import type { TeamSettings } from "../../functions/src/model/team-settings.ts";
import type { Order } from "../../functions/src/model/score.ts";

export type TeamsBy = TeamSettings;

interface TeamPlayer {
  score: number;
  guild: string;
}

/**
 * The teams of some players. Scores are counted in thousandths, so they have three decimals at most, and sums are exact
 * without what the functions use.
 */
export function teamsSorted(
  order: Order,
  { by, best = Infinity, min_players: least = 1 }: TeamsBy,
  players: readonly TeamPlayer[],
): TeamsAnswer["entries"] {
  const sign = order === "descending" ? 1n : -1n;
  const thousandths = ({ score }: TeamPlayer) => BigInt(Math.round(score * 1_000));
  const guilds = [...Map.groupBy(players, ({ guild }) => guild)].map(([team, own]) => {
    const inOrder = own.map(thousandths).sort((a, b) => Number(sign * (b - a)));
    const counted = inOrder.slice(0, best);
    const sum = counted.reduce((all, one) => all + one, 0n);
    return { team, sum, players: own.length, of: by === "mean" ? BigInt(own.length) : 1n };
  });
  const ranked = guilds.filter(({ players: count }) => count >= least);
  const isBetter = (a: (typeof ranked)[number], b: (typeof ranked)[number]) =>
    sign * (a.sum * b.of - b.sum * a.of) > 0n;
  const sorted = ranked.sort((a, b) => {
    if (isBetter(a, b)) return -1;
    if (isBetter(b, a)) return 1;
    return a.team < b.team ? -1 : 1;
  });
  return sorted.map((one, i) => ({
    team: one.team,
    place: i + 1,
    rank: 1 + sorted.filter((other) => isBetter(other, one)).length,
    score: Number(one.sum) / (1_000 * Number(one.of)),
    players: one.players,
  }));
}
