/** A new board: its id and its definition. */
import { frozenFields } from "../../../functions/src/model/definition.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { Screen } from "../parts/screen.tsx";
import { Empty } from "../parts/states.tsx";
import { DefinitionForm } from "./definition-form.tsx";

export function NewBoard() {
  const isRefused = session.value !== undefined && !isAdmin.value;
  return (
    <Screen title="New leaderboard" crumbs={[{ href: "/boards", name: "Leaderboards" }]}>
      <p class="lead">Only the id is needed: every field has a default, and most can be changed later.</p>
      {isRefused ? (
        <div class="card">
          <Empty icon="shield" title="Leaderboards are created by admins">
            <a href="/boards">All leaderboards</a>
          </Empty>
        </div>
      ) : (
        <DefinitionForm
          board={undefined}
          definition={{}}
          freezes={frozenFields}
          isFrozen={false}
          isReadOnly={false}
        />
      )}
    </Screen>
  );
}
