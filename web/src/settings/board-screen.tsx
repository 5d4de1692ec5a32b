/** A board: its seasons and its definition. */
import { useRoute } from "preact-iso";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import { isRemembered } from "../data/connection.ts";
import { readDefinition, readListedSeason } from "../data/documents.ts";
import type { ListedSeason } from "../data/documents.ts";
import { useDocument, useLiveQuery } from "../data/hooks.ts";
import { seasonsOf } from "../data/queries.ts";
import type { Loaded } from "../data/read.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { formatCount } from "../format/numbers.ts";
import { FreshnessChip } from "../parts/freshness-chip.tsx";
import { Screen } from "../parts/screen.tsx";
import { Empty, Problem, Skeleton, valueOf } from "../parts/states.tsx";
import { DefinitionForm } from "./definition-form.tsx";

/** Seasons that are listened to, those opened last. */
const seasonsMax = 20;

export function BoardScreen() {
  const { params } = useRoute();
  const { board = "" } = params;
  const known = session.value !== undefined;
  const definition = useDocument(known ? leaderboardPath(board) : undefined, readDefinition);
  const seasons = useLiveQuery(known ? seasonsOf(board, seasonsMax) : undefined, readListedSeason);
  const value = valueOf(definition);
  return (
    <Screen
      title={board}
      tabTitle={`${board} · settings`}
      crumbs={[{ href: "/boards", name: "Leaderboards" }]}
    >
      <p class="lead">Its seasons, and how it is defined.</p>
      {definition.state === "failed" ? (
        <Problem title="The board could not be read" error={definition.error} />
      ) : definition.state === "ready" && value === undefined ? (
        <Empty icon="search" title={`There is no leaderboard “${board}”`}>
          <a href="/boards">All leaderboards</a>
        </Empty>
      ) : (
        <div class="stack">
          <Seasons board={board} seasons={seasons} />
          {value === undefined || seasons.state === "loading" ? (
            <div class="card form-place">
              <Skeleton width={30} />
            </div>
          ) : (
            <DefinitionForm
              key={board}
              board={board}
              definition={value}
              isFrozen={(valueOf(seasons)?.length ?? 0) > 0}
              isReadOnly={!isAdmin.value}
            />
          )}
        </div>
      )}
    </Screen>
  );
}

function Seasons({ board, seasons }: { board: string; seasons: Loaded<ListedSeason[]> }) {
  const list = valueOf(seasons);
  const isOld = isRemembered(seasons);
  return (
    <section class="card card-flush" aria-labelledby="seasons-heading">
      <div class="card-head">
        <h2 id="seasons-heading">Seasons</h2>
        {list?.length === seasonsMax && <span class="hint">The {seasonsMax} opened last</span>}
      </div>
      {list?.length === 0 ? (
        <p class="seasons-none muted">The first submission opens a season.</p>
      ) : (
        <table class="table table-links table-dense">
          <thead>
            <tr>
              <th scope="col">Season</th>
              <th scope="col">Status</th>
              <th scope="col" class="number">
                Players
              </th>
              <th scope="col" class="number wide-only">
                Generation
              </th>
              <th scope="col" class="wide-only">
                Ranks
              </th>
            </tr>
          </thead>
          <tbody>
            {list === undefined ? (
              <tr>
                <td colSpan={5}>
                  <Skeleton width={20} />
                </td>
              </tr>
            ) : (
              list.map(({ id, season }) => (
                <tr key={id}>
                  <td>
                    <a class="row-link" href={`/boards/${board}/${id}`}>
                      {id}
                    </a>
                  </td>
                  <td>{season?.status ?? "unreadable"}</td>
                  <td class="number">{formatCount(season?.ranking.players ?? 0)}</td>
                  <td class="number wide-only">{formatCount(season?.ranking.generation ?? 0)}</td>
                  <td class="wide-only">
                    {season !== undefined && <FreshnessChip season={season} isRemembered={isOld} />}
                  </td>
                </tr>
              ))
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}
