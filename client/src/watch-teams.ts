/** `watchTeams`: the teams of a segment, with each publication. */
import { type DocumentData, getDoc, Timestamp, type Unsubscribe } from "firebase/firestore";
import { type SeasonKey, teamsPath } from "../../functions/src/documents/paths.ts";
import type { Season } from "../../functions/src/documents/season.ts";
import { spanOfId } from "../../functions/src/model/season-id.ts";
import { noTeams, teamsAnswer, type TeamsRead } from "../../functions/src/reading/teams-answer.ts";
import type { Teams, WatchedTeams } from "./answers.ts";
import type { Definition } from "./definition.ts";
import {
  type FirerankError,
  invalidField,
  leaderboardNotFound,
  logError,
  seasonNotFound,
  toFirerankError,
} from "./firerank-error.ts";
import type { BoardTypes, Leaderboard, SeasonBoard, SegmentNameOf } from "./leaderboard.ts";
import { isPassing } from "./retries.ts";
import { definitionDocument, seasonDocument } from "./stored.ts";
import { watchDocument } from "./watch-document.ts";

/**
 * Reports all teams of a segment, best first, at once and with each publication, until the returned function is called. If
 * the board names a span, the next season follows when it begins by the server's clock, without teams. It waits for a user
 * as `watchTop` does.
 *
 * Cost: 1 read to start, then 1 for each publication, and 65 bytes sent for each team. Further reads as for `watchTop`. While
 * there are no teams, 1 read for the board's definition, and 1 for a season other than `all_time`, which keeps the segments of
 * its end.
 * @param segment the name of a segment that has `teams`, such as `guild`.
 * @param onTeams gets no teams while nobody is ranked.
 * @param onError gets the error that ended the listening, such as `leaderboard_not_found`, `season_not_found`, or
 * `invalid_request` for a segment without teams; by default the error is logged.
 */
export function watchTeams<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  segment: SegmentNameOf<Types>,
  onTeams: (teams: WatchedTeams) => void,
  onError?: (error: FirerankError) => void,
): Unsubscribe;
export function watchTeams(
  board: Leaderboard,
  segment: string,
  onTeams: (teams: WatchedTeams) => void,
  onError: (error: FirerankError) => void = logError,
): Unsubscribe {
  const pathOf = (key: SeasonKey) => teamsPath(key, segment);
  const what = "watchTeams";
  let isAsked = false;
  let isOver = false;
  const stopDocument = watchDocument(
    board,
    { what, pathOf, shownOf: teamsInDocument },
    (teams) => {
      onTeams(teams);
      if (isAsked || teams.generation > 0 || teams.from_cache) return;
      isAsked = true;
      requireTeams({ ...board, season: teams.season }, segment).catch((cause: unknown) => {
        const error = toFirerankError(what, cause);
        if (isOver || isPassing(error)) return;
        stop();
        onError(error);
      });
    },
    onError,
  );
  function stop(): void {
    isOver = true;
    stopDocument();
  }
  return stop;
}

/**
 * Finds out why there are no teams: nothing is published yet, or there are never any.
 * @throws `leaderboard_not_found`, `season_not_found`, `invalid_request`
 */
async function requireTeams(board: SeasonBoard, segment: string): Promise<void> {
  const definition = await getDoc(definitionDocument(board));
  if (!definition.exists()) throw leaderboardNotFound(board.id);
  const span = spanOfId(board.season);
  const season = span === "all_time" ? undefined : await getDoc(seasonDocument(board, board.season));
  // A day, week or month has a document only from its first score on.
  if (span === "custom" && season?.exists() === false) throw seasonNotFound(board);
  const end = (season?.data() as Partial<Season> | undefined)?.ended_with;
  const { segments = [] } = end ?? (definition.data() as Definition);
  const names = segments.filter(({ teams }) => teams !== undefined).map(({ name }) => name);
  if (names.includes(segment)) return;
  const has = `this ${end ? "season" : "leaderboard"} has ${names.join() || "none"}`;
  throw invalidField("segment", `"${segment}" has no teams; ${has}`);
}

function teamsInDocument(key: SeasonKey, data: DocumentData | undefined): Teams {
  return teamsAnswer(key, data === undefined ? noTeams(Timestamp.now()) : (data as TeamsRead));
}
