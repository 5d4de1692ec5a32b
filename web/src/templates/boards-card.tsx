/**
 * The boards of a template. There may be a million, so the card never lists all: it shows those that were ranked last,
 * or those whose names begin with a text.
 */
import { useState } from "preact/hooks";
import { leaderboardId } from "../../../functions/src/model/ids.ts";
import { isRemembered } from "../data/connection.ts";
import type { BoardOfTemplate } from "../data/documents.ts";
import { type Growing, usePromise } from "../data/hooks.ts";
import { useDelayed } from "../data/settled.ts";
import { mayModerate } from "../firebase/session.ts";
import { formatCount } from "../format/numbers.ts";
import { Card, ShowMore } from "../parts/card.tsx";
import { Ranked } from "../parts/chips.tsx";
import { Search } from "../parts/search.tsx";
import { Empty, Problem, valueOf } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { findBoards } from "./find-boards.ts";

interface Props {
  template: string;
  /** Those that were ranked last. Only admins and moderators may list them. */
  newest: Growing<BoardOfTemplate>;
}

export function BoardsCard({ template, newest }: Props) {
  const mayList = mayModerate(template);
  const [typed, setTyped] = useState("");
  const name = useDelayed(typed, 250);
  const found = usePromise(mayList && name !== "" ? `${template}:${name}` : undefined, () =>
    findBoards(template, name),
  );
  const list = name === "" ? newest.list : found;
  const isShort = valueOf(list)?.length === 0;
  return (
    <Card
      id="boards"
      classes="card-flush"
      title="Boards"
      beside={
        <Search
          label="Boards with a name that begins with"
          placeholder={mayList ? "Find by the start of its name" : "Open a board by its name"}
          value={typed}
          onText={setTyped}
        />
      }
    >
      {list.state === "failed" && <Problem title="The boards could not be read" error={list.error} />}
      {mayList && list.state !== "failed" && !isShort && (
        <Table
          columns={columns}
          classes="table-links table-fixed of-template"
          loading={list.state === "loading" && 6}
        >
          {valueOf(list)?.map((board) => (
            <tr key={board.id}>
              <Cells columns={columns} row={{ ...board, isOld: isRemembered(list) }} />
            </tr>
          ))}
        </Table>
      )}
      {isShort && name === "" && (
        <Empty icon="trophy" title="No board yet">
          The first score opens a board. A few minutes later it is ranked, and listed here.
        </Empty>
      )}
      {name !== "" && (!mayList || found.state === "ready") && (
        <Unplayed id={`${template}:${name}`} found={valueOf(found) ?? []} />
      )}
      {name === "" && <ShowMore of={newest}>Show more</ShowMore>}
    </Card>
  );
}

/** A link to the board with exactly the name that was typed, unless the list has it. */
function Unplayed({ id, found }: { id: string; found: readonly BoardOfTemplate[] }) {
  if (found.some((board) => board.id === id)) return null;
  if (!leaderboardId.safeParse(id).success)
    return <Empty icon="search" title={`No board can be called “${id}”`} />;
  return (
    <div class="card-foot">
      <a class="button" href={`/boards/${id}`}>
        Open {id}
      </a>
    </div>
  );
}

interface Shown extends BoardOfTemplate {
  isOld: boolean;
}

const columns: readonly Column<Shown>[] = [
  ["Board", nameCell, "named", 14],
  ["Players", ({ season }) => (season === undefined ? "–" : formatCount(season.ranking.players)), "number"],
  ["Ranks", ({ season, isOld }) => season && <Ranked season={season} isRemembered={isOld} />, "", 8, 10],
];

function nameCell({ id, seasonId }: Shown) {
  return (
    <a class="row-link" href={`/boards/${id}/${seasonId}`} title={id}>
      {id}
    </a>
  );
}
