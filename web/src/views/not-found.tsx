/** The page for unknown addresses. */
import { Screen } from "../parts/screen.tsx";
import { Empty } from "../parts/states.tsx";

export function NotFound() {
  return (
    <Screen title="Page not found">
      <Empty icon="search" title="There is no such page">
        <a href="/boards">All leaderboards</a>
      </Empty>
    </Screen>
  );
}
