/** An address that leads nowhere. */
import { Page } from "../parts/page.tsx";
import { Empty } from "../parts/states.tsx";

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty icon="search" title="There is no such page">
        <a href="/boards">All leaderboards</a>
      </Empty>
    </Page>
  );
}
