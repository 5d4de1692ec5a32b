/** Players whose documents say something that nobody can rank: a full audit counts them, as it reads each document. */
import type { QueryDocumentSnapshot } from "../../documents/firestore.ts";
import { rankedScoreOf } from "../../documents/ranked-score.ts";
import type { AuditFindings } from "../../documents/repair-record.ts";
import { many } from "../../model/many.ts";
import { unrankedSegments } from "../../model/segments.ts";
import type { Board } from "../../seasons/read-board.ts";
import type { Services } from "../../world/services.ts";

/** The most characters of a reason in a record. */
const reasonMax = 200;

/** Counts them. The record has a reason, and the log the player, as records name nobody. Costs no read. */
export function countUnranked({ key, definition, segmentsGone }: Board) {
  let [players, first]: [number, { player: string; problem: string } | undefined] = [0, undefined];
  return {
    look(document: QueryDocumentSnapshot): void {
      const data = document.data();
      const ranked = rankedScoreOf(data);
      if (ranked === undefined) return;
      const [wrong] = unrankedSegments(data["segments"], definition.segments, segmentsGone);
      const problem = "unusable" in ranked ? ranked.unusable : wrong;
      if (problem === undefined) return;
      players += 1;
      first ??= { player: document.id, problem };
    },
    /** For the audit's findings; logs the first player. */
    found({ log }: Services): Pick<AuditFindings, "unranked"> {
      if (first === undefined) return {};
      const { player, problem } = first;
      const others = players === 1 ? "" : ` (an audit found ${many(players, "such player")})`;
      log.error(`player ${player} is not ranked as the document says: ${problem}${others}`, {
        ...key,
        player,
        problem,
        players,
      });
      return { unranked: { players, reason: problem.slice(0, reasonMax) } };
    },
  };
}
