/** All boards that the reader may see, one page at a time, each row live. */
import { computed, signal } from "@preact/signals";
import { definedId } from "../../../functions/src/model/ids.ts";
import { definitionId, isOfTemplate } from "../../../functions/src/model/template.ts";
import { now } from "../clock.ts";
import { readBoard } from "../data/documents.ts";
import { useGrowingList, usePromise } from "../data/hooks.ts";
import { boards, failedRuns, parkedSeasons } from "../data/queries.ts";
import { type Loaded, readStretch } from "../data/read.ts";
import { useDelayed } from "../data/settled.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { Icon } from "../parts/icon.tsx";
import { Screen } from "../parts/screen.tsx";
import { Search } from "../parts/search.tsx";
import { ShowMore } from "../parts/card.tsx";
import { Empty, Notice, Problem, valueOf } from "../parts/states.tsx";
import { BoardsTable } from "./boards-table.tsx";
import { definitionsOfSeasons, type Failures, failuresIn, failuresText } from "./failures.ts";

const boardsPerStretch = 20;
const failuresRead = 100;
const parkedShown = 20;
const failedBoardsShown = 4;
const dayMs = 86_400_000;
const minute = computed(() => Math.floor(now.value / 60_000));
/** The filter of the list; kept when the reader opens a board and comes back. */
const typed = signal("");

export function Boards() {
  const known = session.value !== undefined;
  const prefix = useDelayed(typed.value, 250);
  /** Whether a board id can begin with that. */
  const mayFind = prefix === "" || definedId.safeParse(prefix).success;
  const list = useGrowingList(
    known && mayFind
      ? boards({ publicOnly: session.value === null, prefix, limit: boardsPerStretch })
      : undefined,
    readBoard,
  );
  const failures = useFailures(isAdmin.value);
  return (
    <Screen
      title="Leaderboards"
      actions={
        isAdmin.value && (
          <a class="button button-primary" href="/new-board">
            <Icon name="plus" /> New leaderboard
          </a>
        )
      }
    >
      <p class="lead">{leadText()}</p>
      <div class="card card-flush">
        <div class="card-head">
          <Search
            label="Boards with an id that begins with"
            placeholder="Find a board by the start of its id"
            value={typed.value}
            onText={(text) => (typed.value = text)}
          />
          <FailedBoards failures={failures} />
        </div>
        {!mayFind || valueOf(list.list)?.length === 0 ? (
          <NoBoards prefix={prefix} />
        ) : list.list.state === "failed" ? (
          <Problem title="The boards could not be read" error={list.list.error} />
        ) : (
          <BoardsTable list={list.list} failures={failures} />
        )}
        <ShowMore of={list}>Show more</ShowMore>
      </div>
      {list.list.state !== "loading" && <ParkedBoards />}
    </Screen>
  );
}

function leadText(): string {
  if (session.value === undefined) return "\u00a0";
  if (session.value === null) return "You see public boards only. Sign in to see more.";
  return session.value.isAdmin
    ? "Every board, how fresh its ranks are, and whether its runs succeed."
    : "You see boards as players do: ranks, but no runs and no settings.";
}

/**
 * Boards whose definition was deleted while they had a season: nothing else in the dashboard would show them. They are
 * read after the list, so they stand below it, where nothing moves. Cost: each minute 1 read for each, at least 1 and at
 * most 20.
 */
function ParkedBoards() {
  const parked = usePromise(isAdmin.value ? `parked ${minute.value}` : undefined, async () =>
    definitionsOfSeasons((await readStretch(parkedSeasons(parkedShown))).found),
  );
  return (
    <>
      {valueOf(parked)?.map((board) => (
        <Notice key={board} role="status">
          The definition of <a href={`/boards/${board}`}>{board}</a> was deleted, so the board is not ranked.
          Create it again under the same id, and ranking resumes.
        </Notice>
      ))}
    </>
  );
}

/** Failed runs of the last day, by board. Cost: each minute 1 read for each, at least 1 and at most 100. */
function useFailures(wanted: boolean): Loaded<Failures> {
  return usePromise(wanted ? `failures ${minute.value}` : undefined, async () => {
    const since = new Date(Date.now() - dayMs);
    return failuresIn((await readStretch(failedRuns(since, failuresRead))).found, failuresRead);
  });
}

/**
 * The boards whose runs failed, wherever they are in the list. The line is there from the start, so that nothing moves.
 */
function FailedBoards({ failures }: { failures: Loaded<Failures> }) {
  if (!isAdmin.value) return null;
  const known = valueOf(failures);
  const boardsFailed = [...(known?.ofBoard.keys() ?? [])];
  if (known === undefined || boardsFailed.length === 0) {
    const text = known === undefined ? "\u00a0" : "No run failed in the last 24 hours";
    return <p class="failed-boards failed-boards-none">{text}</p>;
  }
  return (
    <p class="failed-boards">
      <Icon name="alert" /> Failed in the last 24 hours:
      {boardsFailed.slice(0, failedBoardsShown).map((board) => (
        <a key={board} href={`/boards/${board}`} title={`Failed runs: ${failuresText(known, board)}`}>
          {board}
        </a>
      ))}
      {boardsFailed.length > failedBoardsShown && (
        <span>
          and {boardsFailed.length - failedBoardsShown}
          {known.isCut && "+"} more
        </span>
      )}
    </p>
  );
}

function NoBoards({ prefix }: { prefix: string }) {
  if (isOfTemplate(prefix))
    return (
      <Empty icon="search" title="Boards of a template are on its page">
        <a href={`/boards/${definitionId(prefix)}`}>The template {definitionId(prefix)}</a>
      </Empty>
    );
  if (prefix !== "") return <Empty icon="search" title={`No board's id begins with “${prefix}”`} />;
  return (
    <Empty icon="trophy" title={isAdmin.value ? "No leaderboard yet" : "No leaderboard that you can see"}>
      {isAdmin.value ? (
        <a href="/new-board">Create the first one</a>
      ) : (
        session.value === null && <a href="/sign-in">Sign in</a>
      )}
    </Empty>
  );
}
