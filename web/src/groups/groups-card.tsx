/** The private groups of a board, for moderators: to see, rename and delete them, and to take members out. */
import { useState } from "preact/hooks";
import { displayNameCharactersMax } from "../../../functions/src/model/limits.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import type { PrivateGroup } from "../../../functions/src/documents/private-group.ts";
import type { PrivateGroupAnswer } from "../../../functions/src/model/private-group-answers.ts";
import { privateGroupAnswer } from "../../../functions/src/reading/private-group-answer.ts";
import { call } from "../data/calls.ts";
import { readListedPrivateGroup } from "../data/documents.ts";
import { useGrowingList } from "../data/hooks.ts";
import { privateGroups } from "../data/queries.ts";
import { serverNow, useServerClock } from "../data/server-clock.ts";
import { useDelayed } from "../data/settled.ts";
import { formatCount, formatMany } from "../format/numbers.ts";
import { Card, ShowMore } from "../parts/card.tsx";
import { AskButton } from "../parts/confirm.tsx";
import { Icon } from "../parts/icon.tsx";
import { tell } from "../parts/messages.tsx";
import { Search } from "../parts/search.tsx";
import { Empty, LoadingRows, Problem, valueOf } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { PlayerName, scoreColumns } from "../season/entries-table.tsx";

const groupsPerStretch = 10;

interface Props {
  board: string;
  definition: Definition;
}

/** Cost: 1 read for each group that is listed, at least 1, and 1 for each change while it is shown. */
export function GroupsCard({ board, definition }: Props) {
  useServerClock();
  const [typed, setTyped] = useState("");
  const name = useDelayed(typed, 250);
  const growing = useGrowingList(privateGroups(board, name, groupsPerStretch), readListedPrivateGroup, {
    isLive: true,
  });
  // What has left a live list stays in it.
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const groups = valueOf(growing.list)?.filter(({ id }) => !deleted.includes(id));
  return (
    <Card
      id="groups"
      classes="card-flush"
      title="Private groups"
      beside={
        <Search
          label="Groups with a name that begins with"
          placeholder="Find by the start of its name"
          value={typed}
          onText={setTyped}
        />
      }
    >
      {growing.list.state === "failed" ? (
        <Problem title="The groups could not be listed" error={growing.list.error} />
      ) : groups === undefined ? (
        <LoadingRows rows={2} />
      ) : groups.length === 0 ? (
        <Empty icon="person" title={name === "" ? "No group yet" : `No group begins with “${name}”`}>
          Players make groups in the app, and others join with a code.
        </Empty>
      ) : (
        groups.map(({ id, group }) => (
          <Group
            key={id}
            board={board}
            definition={definition}
            id={id}
            group={group}
            onDeleted={() => setDeleted([...deleted, id])}
          />
        ))
      )}
      <ShowMore of={growing}>Show more groups</ShowMore>
    </Card>
  );
}

interface GroupProps extends Props {
  id: string;
  group: PrivateGroup | undefined;
  onDeleted: () => void;
}

type Member = PrivateGroupAnswer["entries"][number];

function Group({ board: leaderboard, definition, id, group, onDeleted }: GroupProps) {
  if (group === undefined) return <p class="player-group">{id} cannot be read.</p>;
  const nowMs = serverNow.value;
  const shown = privateGroupAnswer(definition, { leaderboard, id, group, player: "", nowMs });
  const { name, season, owner, state, players, entries } = shown;
  const seasonKey = { leaderboard, season };
  const columns: Column<Member>[] = [
    ["Place", ({ place }) => formatCount(place), "number rank-head"],
    ["Player", (member) => <PlayerName entry={member} seasonKey={seasonKey} />, "named"],
    ...scoreColumns(definition.columns).map(([title, cell, ...rest]): Column<Member> => {
      return [title, ({ score, columns }) => (score === undefined ? "–" : cell({ score, columns })), ...rest];
    }),
    ["", (member) => players > 1 && <RemoveMember {...{ leaderboard, id, name, member }} />],
  ];
  return (
    <details class="player-group">
      <summary>
        <Icon name="chevron" size={14} />
        <bdi class="strong">{name}</bdi> <span class="muted">{formatMany(players, "member")}</span>
        {state !== "open" && <span class="chip chip-plain">{state}</span>}
      </summary>
      <Table columns={columns} classes="table-links table-dense" caption={`Members of ${name}`}>
        {entries.map((member) => (
          <tr key={member.player}>
            <Cells columns={columns} row={member} />
          </tr>
        ))}
      </Table>
      <div class="card-foot lines-foot">
        <span class="hint">
          {owner === undefined ? "The owner is not shown" : `Owned by ${owner}`} · scores of {season}
        </span>
        <span class="player-buttons">
          <Rename {...{ leaderboard, id, name }} />
          <Delete {...{ leaderboard, id, name, onDeleted }} />
        </span>
      </div>
    </details>
  );
}

interface About {
  leaderboard: string;
  id: string;
  name: string;
}

function RemoveMember({ leaderboard, id, name, member: { player } }: About & { member: Member }) {
  const question = {
    title: `Take ${player} out of ${name}?`,
    text: "The group gets another code, as the member knows the one that it has. Scores stay as they are.",
    verb: "Take out",
    work: async () => {
      await call("removeMember", { leaderboard, group: id, player });
      tell("good", `${player} is out of ${name}.`);
    },
  };
  return (
    <AskButton question={question} classes="button-small" label={`Take ${player} out`}>
      Take out
    </AskButton>
  );
}

function Rename({ leaderboard, id, name }: About) {
  const question = {
    title: `Rename ${name}?`,
    text: "All members see the new name at once.",
    verb: "Rename",
    note: { label: "New name", hint: "", charactersMax: displayNameCharactersMax },
    work: async (text: string) => {
      await call("renameGroup", { leaderboard, group: id, name: text });
      tell("good", `The group is called ${text}.`);
    },
  };
  return (
    <AskButton question={question} classes="button-small" label={`Rename ${name}`}>
      Rename
    </AskButton>
  );
}

function Delete({ leaderboard, id, name, onDeleted }: About & Pick<GroupProps, "onDeleted">) {
  const question = {
    title: `Delete ${name}?`,
    text: "The group is gone for all of its members, and nothing brings it back. Their scores stay as they are.",
    verb: "Delete it",
    isDanger: true,
    work: async () => {
      await call("deleteGroup", { leaderboard, group: id });
      tell("good", `${name} was deleted.`);
    },
    afterwards: onDeleted,
  };
  return (
    <AskButton question={question} classes="button-small" label={`Delete ${name}`}>
      Delete
    </AskButton>
  );
}
