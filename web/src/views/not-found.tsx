/** What is shown where there is no page. */
import { asError } from "../errors.ts";
import { Screen } from "../parts/screen.tsx";
import { Empty } from "../parts/states.tsx";

/** For unknown addresses. */
export function NotFound() {
  return (
    <Screen title="Page not found">
      <Empty icon="search" title="There is no such page">
        <a href="/boards">All leaderboards</a>
      </Empty>
    </Screen>
  );
}

/** Instead of everything else, if the page cannot find out its project. */
export function NotServed({ error }: { error: unknown }) {
  return (
    <main class="screen">
      <h1>Firerank cannot start</h1>
      <p class="notice notice-bad" role="alert">
        {asError(error).message}
      </p>
    </main>
  );
}
