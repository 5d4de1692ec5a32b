/** A board: its seasons and its definition. */
import { useLocation, useRoute } from "preact-iso";
import { definitionPath } from "../../../functions/src/documents/paths.ts";
import { call } from "../data/calls.ts";
import { readDefinition, readListedSeason } from "../data/documents.ts";
import { useDocument, useGrowingList } from "../data/hooks.ts";
import { seasonsOf } from "../data/queries.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { AskButton } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";
import { Screen } from "../parts/screen.tsx";
import { Empty, Problem, Skeleton, valueOf } from "../parts/states.tsx";
import { SeasonsCard } from "../seasons/seasons-card.tsx";
import { seasonsMax } from "../seasons/shown.ts";
import { DefinitionForm } from "./definition-form.tsx";

export function BoardScreen() {
  const { params } = useRoute();
  const { board = "" } = params;
  const known = session.value !== undefined;
  const definition = useDocument(known ? definitionPath(board) : undefined, readDefinition);
  const seasons = useGrowingList(known ? seasonsOf(board, seasonsMax) : undefined, readListedSeason, {
    isLive: true,
  });
  const value = valueOf(definition);
  return (
    <Screen
      title={board}
      tabTitle={`${board} · settings`}
      crumbs={[{ href: "/boards", name: "Leaderboards" }]}
    >
      <p class="lead">Its seasons and settings.</p>
      {definition.state === "failed" ? (
        <Problem title="The board could not be read" error={definition.error} />
      ) : definition.state === "ready" && value === undefined ? (
        <Empty icon="search" title={`There is no leaderboard “${board}”`}>
          <a href="/boards">All leaderboards</a>
        </Empty>
      ) : (
        <div class="stack">
          <SeasonsCard key={board} board={board} definition={value} seasons={seasons} />
          {value === undefined || seasons.list.state === "loading" ? (
            <div class="card form-place">
              <Skeleton width={30} />
            </div>
          ) : (
            <DefinitionForm
              key={board}
              board={board}
              definition={value}
              isFrozen={(valueOf(seasons.list)?.length ?? 0) > 0}
              isReadOnly={!isAdmin.value}
            />
          )}
          {isAdmin.value && value !== undefined && seasons.list.state !== "loading" && (
            <div class="card form-place">
              <h2>Delete this board</h2>
              <p>With its seasons, players and scores.</p>
              <DeleteBoard board={board} />
            </div>
          )}
        </div>
      )}
    </Screen>
  );
}

/** A button for admins, after the name was typed. Cost: 1 read and 1 delete a document of the board. */
function DeleteBoard({ board }: { board: string }) {
  const { route } = useLocation();
  const question = {
    title: `Delete ${board}?`,
    text: "Its seasons, players, scores and final tables are deleted, and nothing brings them back. Apps that still use it get an error. It takes a quarter of an hour, or longer if the board is large.",
    verb: "Delete it",
    typed: board,
    isDanger: true,
    work: async () => {
      await call("deleteLeaderboard", { leaderboard: board });
      tell("good", `${board} is being deleted.`);
    },
    afterwards: () => route("/boards"),
  };
  return <AskButton question={question}>Delete …</AskButton>;
}
