/** A season at a glance: the live top, the distribution of scores, and the rank of anyone. */
import { topPath } from "../../../functions/src/model/paths.ts";
import { readTop, type Top } from "../../../functions/src/standings/top.ts";
import { useDocument } from "../data/hooks.ts";
import { session } from "../firebase/session.ts";
import { Empty } from "../parts/states.tsx";
import { Distribution } from "../distribution/distribution.tsx";
import { LiveTop } from "./live-top.tsx";
import { LookUp } from "./look-up.tsx";
import type { SeasonProps } from "./season-page.tsx";

export function Overview(props: SeasonProps & { isLoading: boolean }) {
  const known = session.value !== undefined;
  const top = useDocument(known ? topPath(props.seasonKey) : undefined, (data): Top | undefined =>
    data === undefined ? undefined : readTop(data),
  );
  if (!props.isLoading && props.season === undefined && props.definition !== undefined) return <NoScore />;
  return (
    <div class="columns">
      <LiveTop {...props} top={top} />
      <div class="stack">
        <LookUp {...props} />
        <Distribution {...props} />
      </div>
    </div>
  );
}

function NoScore() {
  return (
    <div class="card">
      <Empty icon="trophy" title="No score yet">
        The first submission opens the season; this page shows it at once.
      </Empty>
    </div>
  );
}
