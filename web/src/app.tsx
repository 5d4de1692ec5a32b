/** The pages and their addresses. */
import { ErrorBoundary, lazy, LocationProvider, Route, Router } from "preact-iso";
import { Shell } from "./parts/shell.tsx";
import { Boards } from "./views/boards.tsx";
import { NotFound } from "./views/not-found.tsx";

const SeasonPage = lazy(() => import("./season/season-page.tsx").then((module) => module.SeasonPage));
const BoardPage = lazy(() => import("./settings/board-page.tsx").then((module) => module.BoardPage));
const NewBoard = lazy(() => import("./settings/new-board.tsx").then((module) => module.NewBoard));
const SignIn = lazy(() => import("./views/sign-in.tsx").then((module) => module.SignIn));

export function App() {
  return (
    <LocationProvider>
      <Shell>
        <ErrorBoundary>
          <Router>
            <Route path="/" component={Boards} />
            <Route path="/boards" component={Boards} />
            <Route path="/boards/new" component={NewBoard} />
            <Route path="/boards/:board" component={BoardPage} />
            <Route path="/boards/:board/:season/:tab?" component={SeasonPage} />
            <Route path="/sign-in" component={SignIn} />
            <Route default component={NotFound} />
          </Router>
        </ErrorBoundary>
      </Shell>
    </LocationProvider>
  );
}
