/** The teams of a ranking: the values of a segment, ranked by what their players have together. Pure. */
import type { StoredTeam } from "../documents/teams.ts";
import { compareShares, type Decimal, shareOf } from "../model/decimal.ts";
import type { TeamSettings } from "../model/team-settings.ts";
import type { Order } from "../model/score.ts";
import { segmentName, segmentText } from "../model/segments.ts";
import type { Ranked } from "./ranked.ts";
import { allPlayers } from "./rows.ts";
import { totalInRows } from "./totals.ts";

/** A segment, and how its values are ranked. */
interface TeamsAsked {
  name: string;
  teams: TeamSettings;
}

/**
 * The teams of a segment, best first, equals by name; undefined while the total of one of them is not known. A team's
 * mean is compared exactly, and `score` is the double next to it.
 */
export function teamsIn(
  order: Order,
  { name, teams: { by, best: most = Infinity, min_players: least = 1 } }: TeamsAsked,
  { segments, totals }: Pick<Ranked, "segments" | "totals">,
): StoredTeam[] | undefined {
  const found: { team: string; sum: Decimal; of: number; players: number }[] = [];
  for (const [segment, rows] of segments) {
    if (segmentName(segment) !== name) continue;
    const players = allPlayers(rows);
    if (players < least) continue;
    const stored = totals.get(segment);
    const sum = stored?.most === most ? stored.sum : totalInRows(rows, most);
    if (sum === undefined) return undefined;
    const team = segment.slice(segmentText(name, "").length);
    found.push({ team, sum, of: by === "mean" ? players : 1, players });
  }
  const direction = order === "descending" ? -1 : 1;
  const compared = found.toSorted(
    (a, b) => direction * compareShares(a.sum, a.of, b.sum, b.of) || (a.team < b.team ? -1 : 1),
  );
  let rank = 1;
  return compared.map(({ team, sum, of, players }, i) => {
    const before = compared[i - 1];
    if (before === undefined || compareShares(before.sum, before.of, sum, of) !== 0) rank = i + 1;
    return { team, rank, score: shareOf(sum, of), players };
  });
}
