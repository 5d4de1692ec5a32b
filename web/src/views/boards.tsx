/** All boards that the reader may see: a page of the list at a time, each row live. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { type Board, readBoard, readListedSeason } from "../data/documents.ts";
import { type Growing, useGrowingList, useLiveQuery, usePromise } from "../data/hooks.ts";
import { boards, failedRuns, seasonsOf } from "../data/queries.ts";
import { type Loaded, readStretch } from "../data/read.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { formatCount } from "../format/numbers.ts";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { Empty, Problem, Skeleton, valueOf } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import { FreshnessChip } from "../parts/freshness-chip.tsx";
import { countByBoard } from "./failures.ts";

const boardsPerStretch = 20;
const seasonsShown = 3;
const failuresRead = 100;
const dayMs = 86_400_000;
/** What the list is narrowed to; kept while one looks at a board and comes back. */
const prefix = signal("");

export function Boards() {
  const known = session.value !== undefined;
  const list = useGrowingList(
    known
      ? boards({ publicOnly: session.value === null, prefix: prefix.value, limit: boardsPerStretch })
      : undefined,
    readBoard,
  );
  const failures = useFailures(isAdmin.value);
  return (
    <Page
      title="Leaderboards"
      actions={
        isAdmin.value && (
          <a class="button button-primary" href="/boards/new">
            <Icon name="plus" /> New leaderboard
          </a>
        )
      }
    >
      <p class="lead">{leadText()}</p>
      <div class="card card-flush">
        <div class="card-head">
          <Search />
        </div>
        <BoardsList list={list} failures={failures} />
        {list.hasMore && (
          <div class="card-foot">
            <button type="button" class="button" disabled={list.isGrowing} onClick={list.more}>
              {list.isGrowing ? "Loading …" : "Show more"}
            </button>
          </div>
        )}
      </div>
    </Page>
  );
}

function leadText(): string {
  if (session.value === undefined) return "\u00a0";
  if (session.value === null) return "You see the boards that are public. Sign in to see all that you may.";
  return session.value.isAdmin
    ? "Every board, how fresh its ranks are, and whether its runs succeed."
    : "You see boards as a player does: ranks, but neither runs nor settings.";
}

function Search() {
  const [text, setText] = useState(prefix.value);
  useEffect(() => {
    const timer = setTimeout(() => (prefix.value = text.trim()), 250);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return (
    <label class="search">
      <Icon name="search" />
      <span class="visually-hidden">Boards whose id begins with</span>
      <input
        type="search"
        class="input"
        placeholder="Find a board by the start of its id"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
        }}
      />
    </label>
  );
}

/** Failed runs of the last day, by board. */
function useFailures(wanted: boolean): Loaded<ReadonlyMap<string, number>> {
  return usePromise(wanted ? "failures" : undefined, async () => {
    const since = new Date(Date.now() - dayMs);
    return countByBoard((await readStretch(failedRuns(since, failuresRead))).found);
  });
}

interface ListProps {
  list: Growing<Board>;
  failures: Loaded<ReadonlyMap<string, number>>;
}

function BoardsList({ list: { list }, failures }: ListProps) {
  if (list.state === "failed") return <Problem title="The boards could not be read" error={list.error} />;
  if (list.state === "ready" && list.value.length === 0) return <NoBoards />;
  return (
    <table class="table table-links table-fixed boards">
      <thead>
        <tr>
          <th scope="col">Board</th>
          <th scope="col" class="wide-only">
            Seen by
          </th>
          <th scope="col" class="wide-only">
            Season
          </th>
          <th scope="col" class="number">
            Players
          </th>
          <th scope="col" class="number wide-only">
            Generation
          </th>
          <th scope="col">Ranks</th>
          {isAdmin.value && (
            <th scope="col" class="number">
              Failed, 24 h
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {list.state === "loading"
          ? Array.from({ length: 6 }, (_, i) => <LoadingRow key={i} />)
          : list.value.map((board) => <BoardRow key={board.id} board={board} failures={failures} />)}
      </tbody>
    </table>
  );
}

function LoadingRow() {
  return (
    <tr>
      <td>
        <Skeleton width={14} />
        <span class="cell-note">
          <Skeleton width={10} />
        </span>
      </td>
      <td class="wide-only">
        <Skeleton width={6} />
      </td>
      <td class="wide-only">
        <Skeleton width={6} />
      </td>
      <td class="number">
        <Skeleton width={4} />
      </td>
      <td class="number wide-only">
        <Skeleton width={3} />
      </td>
      <td>
        <Skeleton width={8} />
      </td>
      {isAdmin.value && (
        <td class="number">
          <Skeleton width={2} />
        </td>
      )}
    </tr>
  );
}

function BoardRow({
  board: { id, definition },
  failures,
}: {
  board: Board;
  failures: ListProps["failures"];
}) {
  const seasons = useLiveQuery(seasonsOf(id, seasonsShown + 1), readListedSeason);
  const list = valueOf(seasons);
  const latest = list?.[0];
  const ranking = latest?.season?.ranking;
  const href = latest === undefined ? `/boards/${id}` : `/boards/${id}/${latest.id}`;
  const more = (list?.length ?? 0) - 1;
  return (
    <tr>
      <td>
        <a class="row-link" href={href}>
          {id}
        </a>
        <span class="cell-note">
          {definition === undefined
            ? "The definition cannot be read"
            : `${definition.order}, ${definition.aggregation}`}
        </span>
      </td>
      <td class="wide-only">{definition?.visibility === "public" ? "everybody" : "signed-in users"}</td>
      <td class="wide-only">
        {latest?.id ?? (list === undefined ? <Skeleton width={6} /> : "–")}
        {more > 0 && <span class="muted"> and {more < seasonsShown ? more : `${seasonsShown}+`} more</span>}
      </td>
      <td class="number">{numberOr(list, ranking?.players)}</td>
      <td class="number wide-only">{numberOr(list, ranking?.generation)}</td>
      <td>
        {latest?.season !== undefined ? (
          <>
            <FreshnessChip season={latest.season} />
            {ranking?.published_at != null && (
              <span class="cell-note">
                <Ago ms={ranking.published_at.toMillis()} />
              </span>
            )}
          </>
        ) : (
          <span class="muted">{list === undefined ? <Skeleton width={8} /> : "No score yet"}</span>
        )}
      </td>
      {isAdmin.value && (
        <td class="number">
          <Failed failures={failures} board={id} />
        </td>
      )}
    </tr>
  );
}

function Failed({ failures, board }: { failures: ListProps["failures"]; board: string }) {
  if (failures.state === "loading") return <Skeleton width={2} />;
  if (failures.state === "failed") return <span title={failures.error.message}>?</span>;
  const failed = failures.value.get(board) ?? 0;
  return failed === 0 ? <span class="muted">0</span> : <span class="chip chip-bad">{failed}</span>;
}

function numberOr(list: unknown, count: number | undefined) {
  if (list === undefined) return <Skeleton width={3} />;
  return count === undefined ? "–" : formatCount(count);
}

function NoBoards() {
  if (prefix.value !== "") {
    return <Empty icon="search" title={`No board's id begins with “${prefix.value}”`} />;
  }
  return (
    <Empty icon="trophy" title={isAdmin.value ? "No leaderboard yet" : "No leaderboard that you may see"}>
      {isAdmin.value ? (
        <a href="/boards/new">Create the first one</a>
      ) : (
        session.value === null && <a href="/sign-in">Sign in</a>
      )}
    </Empty>
  );
}
