/** A board: its seasons and its definition. Or a template: its boards and its definition. */
import type { DocumentData } from "firebase/firestore";
import type { ComponentChildren } from "preact";
import { useLocation, useRoute } from "preact-iso";
import { definitionPath } from "../../../functions/src/documents/paths.ts";
import { type Definition, frozenFields, frozenOfTemplate } from "../../../functions/src/model/definition.ts";
import { definitionId, isOfTemplate } from "../../../functions/src/model/template.ts";
import { call } from "../data/calls.ts";
import { readBoardOfTemplate, readDefinition } from "../data/documents.ts";
import { useDocument, useGrowingList } from "../data/hooks.ts";
import { boardsOfTemplate } from "../data/queries.ts";
import { isAdmin, mayModerate, session } from "../firebase/session.ts";
import { AskButton } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";
import { crumbsOf, Screen } from "../parts/screen.tsx";
import { Empty, Problem, Skeleton, valueOf } from "../parts/states.tsx";
import { GroupsCard } from "../groups/groups-card.tsx";
import { SeasonsCard } from "../seasons/seasons-card.tsx";
import { useSeasons } from "../seasons/use-seasons.ts";
import { BoardsCard } from "../templates/boards-card.tsx";
import { longestSpan } from "../templates/find-boards.ts";
import { DefinitionForm } from "./definition-form.tsx";

const boardsPerStretch = 20;

interface Stored {
  definition: Definition | undefined;
  /** Whether a board of the template was opened, so that what all boards share is fixed. */
  hasBoards: boolean;
}

const readStored = (data: DocumentData | undefined): Stored => ({
  definition: readDefinition(data),
  hasBoards: data?.["first_board_at"] !== undefined,
});

export function BoardScreen() {
  const { params } = useRoute();
  const { board = "" } = params;
  const known = session.value !== undefined;
  const stored = useDocument(known ? definitionPath(board) : undefined, readStored);
  const { definition, hasBoards = false } = valueOf(stored) ?? {};
  const isTemplate = definition?.template !== undefined;
  const isMissing =
    stored.state === "ready" && (definition === undefined || (isOfTemplate(board) && !isTemplate));
  return (
    <Screen title={board} tabTitle={`${board} · settings`} crumbs={crumbsOf(board)}>
      <Lead board={board} isTemplate={isTemplate} />
      {stored.state === "failed" ? (
        <Problem title="The board could not be read" error={stored.error} />
      ) : isMissing ? (
        <Empty icon="search" title={`There is no leaderboard “${board}”`}>
          <a href="/boards">All leaderboards</a>
        </Empty>
      ) : isTemplate && !isOfTemplate(board) ? (
        <Template key={board} template={board} definition={definition} hasBoards={hasBoards} />
      ) : (
        <Board key={board} board={board} definition={definition} />
      )}
    </Screen>
  );
}

function Lead({ board, isTemplate }: { board: string; isTemplate: boolean }) {
  if (isOfTemplate(board))
    return (
      <p class="lead">
        Its seasons. Its settings are those of the template{" "}
        <a href={`/boards/${definitionId(board)}`}>{definitionId(board)}</a>.
      </p>
    );
  if (!isTemplate) return <p class="lead">Its seasons and settings.</p>;
  return (
    <p class="lead">
      A template: its settings are those of every board {board}:name, which the first score opens.
    </p>
  );
}

/** A board with its seasons, and with its definition unless a template has that. */
function Board({ board, definition }: { board: string; definition: Definition | undefined }) {
  const known = session.value !== undefined;
  const seasons = useSeasons(known ? board : undefined);
  const { open, ended, isEmpty } = seasons;
  const isRead = open.state !== "loading" && ended.list.state !== "loading";
  const hasSeasons = isRead && !isEmpty;
  const isReady = definition !== undefined && isRead;
  return (
    <div class="stack">
      <SeasonsCard board={board} definition={definition} seasons={seasons} />
      {definition?.private_groups === true && mayModerate(board) && (
        <GroupsCard board={board} definition={definition} />
      )}
      {!isReady && (
        <div class="card form-place">
          <Skeleton width={30} />
        </div>
      )}
      {isReady && !isOfTemplate(board) && (
        <DefinitionForm
          board={board}
          definition={definition}
          freezes={frozenFields}
          isFrozen={hasSeasons}
          isReadOnly={!isAdmin.value}
        />
      )}
      {isReady && (hasSeasons || !isOfTemplate(board)) && (
        <Delete title="Delete this board" board={board}>
          With its seasons, players and scores.
          {isOfTemplate(board) && " When it is gone, the next score opens it again."}
        </Delete>
      )}
    </div>
  );
}

interface TemplateProps {
  template: string;
  definition: Definition;
  hasBoards: boolean;
}

/** Cost: for admins and moderators 1 read a board that is listed, at least 1. */
function Template({ template, definition, hasBoards }: TemplateProps) {
  const asked = mayModerate(template)
    ? boardsOfTemplate(template, longestSpan(definition), boardsPerStretch)
    : undefined;
  const newest = useGrowingList(asked, readBoardOfTemplate);
  const isReady = asked === undefined || newest.list.state !== "loading";
  return (
    <div class="stack">
      <BoardsCard template={template} newest={newest} />
      {isReady && (
        <>
          <DefinitionForm
            board={template}
            definition={definition}
            freezes={frozenOfTemplate}
            isFrozen={hasBoards}
            isReadOnly={!isAdmin.value}
          />
          <Delete title="Delete this template" board={template}>
            With all of its boards, their seasons, players and scores.
          </Delete>
        </>
      )}
    </div>
  );
}

interface DeleteProps {
  title: string;
  board: string;
  children: ComponentChildren;
}

/**
 * For admins; a button that asks for the name. Cost: 1 read and 1 delete a document of the board, or of all boards of
 * the template.
 */
function Delete({ title, board, children }: DeleteProps) {
  const { route } = useLocation();
  if (!isAdmin.value) return null;
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
  return (
    <div class="card form">
      <h2>{title}</h2>
      <p>{children}</p>
      <div>
        <AskButton question={question}>Delete …</AskButton>
      </div>
    </div>
  );
}
