/** The pages and their addresses. */
import type { ComponentType } from "preact";
import { ErrorBoundary, lazy, LocationProvider, Route, Router, useRoute } from "preact-iso";
import { leaderboardId, seasonId } from "../../functions/src/model/ids.ts";
import { loadLive } from "./data/read.ts";
import { Guard } from "./parts/guard.tsx";
import { Shell } from "./parts/shell.tsx";
import { Boards } from "./views/boards.tsx";
import { NotFound } from "./views/not-found.tsx";

const NewBoard = lazy(() => import("./settings/new-board.tsx").then((module) => module.NewBoard));
const Roles = lazy(() => import("./roles/roles.tsx").then((module) => module.Roles));
const SignIn = lazy(() => import("./views/sign-in.tsx").then((module) => module.SignIn));
const loadBoard = () => import("./settings/board-screen.tsx").then((module) => module.BoardScreen);
const loadSeason = () => import("./season/season-screen.tsx").then((module) => module.SeasonScreen);
const BoardScreen = ofBoard(lazy(loadBoard));
const SeasonScreen = ofBoard(lazy(loadSeason));
const tabs = ["players", "runs"];

/**
 * Begins to load what the page at an address needs beside this script, while Auth finds out who is signed in. A list of
 * boards is read without Firestore's SDK; all about one board is live.
 */
export function loadPage(path: string): void {
  const [, boards, board, season] = path.split("/");
  if (boards !== "boards" || board === undefined) return;
  const parts = [season === undefined ? loadBoard() : loadSeason(), loadLive()];
  // Whoever needs the part asks for it again, and tells that it is missing.
  for (const part of parts) part.catch(() => undefined);
}

export function App() {
  return (
    <LocationProvider>
      <Shell>
        <Guard>
          <ErrorBoundary>
            <Router>
              <Route path="/" component={Boards} />
              <Route path="/boards" component={Boards} />
              <Route path="/new-board" component={NewBoard} />
              <Route path="/roles" component={Roles} />
              <Route path="/boards/:board" component={BoardScreen} />
              <Route path="/boards/:board/:season/:tab?" component={SeasonScreen} />
              <Route path="/sign-in" component={SignIn} />
              <Route default component={NotFound} />
            </Router>
          </ErrorBoundary>
        </Guard>
      </Shell>
    </LocationProvider>
  );
}

/** The page for valid addresses of a board, or of a season with an existing tab; all others show "not found". */
function ofBoard(Shown: ComponentType): ComponentType {
  return function OfBoard() {
    const { board, season, tab } = useRoute().params;
    const leadsSomewhere =
      leaderboardId.safeParse(board).success &&
      (season === undefined || seasonId.safeParse(season).success) &&
      (tab === undefined || tabs.includes(tab));
    return leadsSomewhere ? <Shown /> : <NotFound />;
  };
}
