/** A season at a glance: the live top, the distribution of scores, and the rank of any player. */
import { useState } from "preact/hooks";
import { topPath } from "../../../functions/src/documents/paths.ts";
import { ClosingCard } from "../closing/closing-card.tsx";
import { HistoryCard } from "../closing/history-card.tsx";
import { readTop } from "../data/documents.ts";
import { useDocument } from "../data/hooks.ts";
import { Distribution } from "../distribution/distribution.tsx";
import { isAdmin, mayModerate, session } from "../firebase/session.ts";
import { LeagueCard } from "./league-card.tsx";
import { LiveTop } from "./live-top.tsx";
import { LookUp } from "./look-up.tsx";
import { SegmentTop } from "./segment-top.tsx";
import type { SeasonProps } from "./state.ts";
import { TeamsCard } from "./teams-card.tsx";
import { useSegment } from "./use-segment.ts";

export function Overview(props: SeasonProps) {
  const known = session.value !== undefined;
  const segment = useSegment();
  const top = useDocument(known && segment === undefined ? topPath(props.seasonKey) : undefined, readTop);
  const [score, setScore] = useState<number | undefined>(undefined);
  const { season, definition } = props;
  const moderates = mayModerate(props.seasonKey.leaderboard);
  return (
    <div class="stack">
      {season !== undefined && <ClosingCard {...props} season={season} />}
      <div class="columns">
        {segment === undefined ? (
          <LiveTop {...props} top={top} />
        ) : (
          <SegmentTop {...props} segment={segment} />
        )}
        <div class="stack">
          <LookUp {...props} onScore={setScore} />
          <Distribution {...props} score={score} />
          {props.definition?.segments?.map(
            ({ name, teams }) => teams && <TeamsCard key={name} {...props} name={name} />,
          )}
          {definition?.league !== undefined && season?.league !== undefined && moderates && (
            <LeagueCard {...props} definition={definition} league={definition.league} />
          )}
          {isAdmin.value && season?.status === "closed" && <HistoryCard {...props} />}
        </div>
      </div>
    </div>
  );
}
