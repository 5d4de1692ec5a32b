/** The league of a week: the groups of a tier, and their members with places and zones. */
import { useSignal } from "@preact/signals";
import { groupAnswer, type LeagueShown } from "../../../functions/src/reading/group-answer.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import type { League } from "../../../functions/src/model/league.ts";
import { readListedGroup } from "../data/documents.ts";
import { useGrowingList } from "../data/hooks.ts";
import { groupsOfTier } from "../data/queries.ts";
import { serverNow } from "../data/server-clock.ts";
import { formatCount, formatMany } from "../format/numbers.ts";
import { Card, ShowMore } from "../parts/card.tsx";
import { Icon } from "../parts/icon.tsx";
import { Empty, LoadingRows, Problem, valueOf } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { PlayerName, scoreColumns } from "./entries-table.tsx";
import type { SeasonProps } from "./state.ts";

const groupsPerStretch = 10;

interface Props extends Pick<SeasonProps, "seasonKey"> {
  definition: Definition;
  league: League;
}

/** For moderators. Cost: 1 read for each group that is listed, at least 1. */
export function LeagueCard({ seasonKey, definition, league: { tiers } }: Props) {
  const tier = useSignal(tiers[0]?.id ?? "");
  const chosen = tiers.find(({ id }) => id === tier.value) ?? tiers[0];
  const growing = useGrowingList(
    groupsOfTier(seasonKey, chosen?.id ?? "", groupsPerStretch),
    readListedGroup,
  );
  const groups = valueOf(growing.list);
  return (
    <Card
      id="league"
      classes="card-flush league"
      title="League"
      beside={
        <select
          class="input select-small"
          aria-label="Tier"
          value={chosen?.id}
          onChange={({ currentTarget }) => (tier.value = currentTarget.value)}
        >
          {tiers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      }
    >
      {growing.list.state === "failed" ? (
        <Problem title="The groups could not be listed" error={growing.list.error} />
      ) : groups === undefined ? (
        <LoadingRows rows={3} />
      ) : groups.length === 0 ? (
        <Empty icon="trophy" title="No group in this tier">
          Players get their seats some seconds after their first score of the week.
        </Empty>
      ) : (
        groups.map(({ id, group }) =>
          group === undefined ? (
            <p key={id} class="player-group">
              {id} cannot be read.
            </p>
          ) : (
            <Group
              key={id}
              shown={groupAnswer(definition, { id, group, player: "", nowMs: serverNow.value })}
              columns={definition.columns}
              seasonKey={seasonKey}
            />
          ),
        )
      )}
      <ShowMore of={growing}>Show more groups</ShowMore>
    </Card>
  );
}

type Member = LeagueShown["entries"][number];

const stateWords = { open: "", ending: "ending", settled: "settled" } as const;

function Group({
  shown: { group, state, entries, players },
  columns: of,
  seasonKey,
}: Pick<SeasonProps, "seasonKey"> & { shown: LeagueShown; columns: Definition["columns"] }) {
  const columns: Column<Member>[] = [
    ["Place", ({ place }) => formatCount(place), "number rank-head"],
    ["Player", (member) => <MemberName member={member} seasonKey={seasonKey} />, "named"],
    ...scoreColumns(of).map(([name, cell, ...rest]): Column<Member> => {
      return [name, ({ score, columns }) => (score === undefined ? "–" : cell({ score, columns })), ...rest];
    }),
    ["Zone", (member) => <Zone {...member} />],
  ];
  return (
    <details class="player-group">
      <summary>
        <Icon name="chevron" size={14} />
        <span class="strong">{group}</span> <span class="muted">{formatMany(players, "member")}</span>
        {state !== "open" && <span class="chip chip-plain">{stateWords[state]}</span>}
      </summary>
      <Table columns={columns} classes="table-links table-dense" caption={`Members of ${group}`}>
        {entries.map((member) => (
          <tr key={member.place}>
            <Cells columns={columns} row={member} />
          </tr>
        ))}
      </Table>
    </details>
  );
}

function MemberName({ member, seasonKey }: Pick<SeasonProps, "seasonKey"> & { member: Member }) {
  const { player, display_name: name } = member;
  if (player === undefined) return <span class="muted">left the league</span>;
  const entry = { player, ...(name !== undefined && { display_name: name }) };
  return <PlayerName entry={entry} seasonKey={seasonKey} />;
}

/** Where a place leads, or has led once the group is settled. */
export function Zone({ zone, move }: Pick<Member, "zone" | "move">) {
  const to = move ?? zone;
  if (to === "up") return <span class="chip chip-good">▲ {move === undefined ? "up" : "went up"}</span>;
  if (to === "down") return <span class="chip chip-warn">▼ {move === undefined ? "down" : "went down"}</span>;
  return <span class="muted">{move === undefined ? "–" : "stayed"}</span>;
}
