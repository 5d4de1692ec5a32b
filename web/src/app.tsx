/** The pages and their addresses. */
import { ErrorBoundary, lazy, LocationProvider, Route, Router } from "preact-iso";
import { Shell } from "./parts/shell.tsx";
import { Boards } from "./views/boards.tsx";
import { NotFound } from "./views/not-found.tsx";

const SignIn = lazy(() => import("./views/sign-in.tsx").then((module) => module.SignIn));

export function App() {
  return (
    <LocationProvider>
      <Shell>
        <ErrorBoundary>
          <Router>
            <Route path="/" component={Boards} />
            <Route path="/boards" component={Boards} />
            <Route path="/sign-in" component={SignIn} />
            <Route default component={NotFound} />
          </Router>
        </ErrorBoundary>
      </Shell>
    </LocationProvider>
  );
}
