/** The teams of a segment, such as guilds, as of the last ranking. */
import { teamsPath } from "../../../functions/src/documents/paths.ts";
import type { StoredTeam } from "../../../functions/src/documents/teams.ts";
import { readTeams } from "../data/documents.ts";
import { useDocument } from "../data/hooks.ts";
import { session } from "../firebase/session.ts";
import { formatCount, formatMany, formatScore } from "../format/numbers.ts";
import { Card } from "../parts/card.tsx";
import { Empty, LoadingRows, Problem } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { addressOf } from "./segment.ts";
import type { SeasonProps } from "./state.ts";

const rowsShown = 15;

/** What a team's score is. */
const scoreWords = { sum: "Sum", mean: "Mean", best: "Best players" };

/** Cost: 1 read, and 1 for each publication. @param name of a segment that has teams */
export function TeamsCard({ seasonKey, name }: Pick<SeasonProps, "seasonKey"> & { name: string }) {
  const { leaderboard, season } = seasonKey;
  const path = session.value === undefined ? undefined : teamsPath(seasonKey, name);
  const found = useDocument(path, readTeams);
  const teams = found.state === "ready" ? found.value : undefined;
  const count = teams?.entries.length ?? 0;
  const columns: Column<StoredTeam>[] = [
    ["Rank", ({ rank }) => formatCount(rank), "number rank-head"],
    [
      "Team",
      ({ team }) => (
        <a href={addressOf(`/boards/${leaderboard}/${season}`, { segment: `${name}=${team}` })}>{team}</a>
      ),
    ],
    ["Players", ({ players }) => formatCount(players), "number muted"],
    [scoreWords[teams?.teams.by ?? "sum"], ({ score }) => formatScore(score), "number"],
  ];
  return (
    <Card
      id={`teams-${name}`}
      classes="card-flush"
      title={`Teams of ${name}`}
      beside={
        teams !== undefined && (
          <span class="hint">
            {formatMany(count, "team")}, as of <Ago ms={teams.as_of.toMillis()} />
          </span>
        )
      }
    >
      {found.state === "failed" ? (
        <Problem title="The teams could not be read" error={found.error} />
      ) : found.state !== "ready" ? (
        <LoadingRows rows={3} />
      ) : count === 0 ? (
        <Empty icon="trophy" title="No team is ranked yet">
          Teams come with the ranking that is published next.
        </Empty>
      ) : (
        <Table columns={columns} caption={`Teams of ${name}`}>
          {teams?.entries.slice(0, rowsShown).map((team) => (
            <tr key={team.team}>
              <Cells columns={columns} row={team} />
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}
