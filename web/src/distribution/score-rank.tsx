/** "A score of … ranks …", without a function call. Cost: that of the client's `rankOf`; in a segment that of `getRank`. */
import { rankOf } from "../../../client/src/rank-of.ts";
import type { Rank } from "../../../functions/src/model/answers.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { boardOf, call } from "../data/calls.ts";
import { firestore } from "../firebase/firestore.ts";
import { formatCount, formatPercent } from "../format/numbers.ts";
import { scoreIn } from "../season/score-asked.ts";
import { ScoreFields } from "../season/score-fields.tsx";
import { askedOf } from "../season/segment.ts";
import type { SeasonProps } from "../season/state.ts";
import { useSegment } from "../season/use-segment.ts";
import { Ask } from "./ask.tsx";

type Props = SeasonProps & { definition: Definition; onScore: (score: number | undefined) => void };

export function ScoreRank({ seasonKey, definition, onScore }: Props) {
  const segment = useSegment();
  const ask = async (form: FormData) => {
    const named = scoreIn(definition.columns, form);
    const rank =
      segment === undefined
        ? await rankOf(
            { ...boardOf(seasonKey), firestore: firestore() },
            "score" in named ? named.score : named.columns,
          )
        : await call("getRank", { ...seasonKey, ...askedOf(segment), ...named });
    return { text: rankText(rank), score: rank.score };
  };
  return (
    <Ask button="Where does it rank?" ask={ask} onScore={onScore}>
      <ScoreFields definition={definition} label="A score of" />
    </Ask>
  );
}

function rankText({ rank, exact, rank_best: best, rank_worst: worst, players, percentile }: Rank): string {
  if (players === 0) return "Nobody is ranked now.";
  const place = exact
    ? `It ranks ${formatCount(rank)}`
    : `It ranks about ${formatCount(rank)} (${formatCount(best)} to ${formatCount(worst)})`;
  return `${place} of ${formatCount(players)}: ${formatPercent(percentile)} of the others are not better.`;
}
