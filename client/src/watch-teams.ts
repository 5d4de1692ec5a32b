/** `watchTeams`: the teams of a segment, with each publication. */
import { type DocumentData, Timestamp, type Unsubscribe } from "firebase/firestore";
import { type SeasonKey, teamsPath } from "../../functions/src/documents/paths.ts";
import { noTeams, teamsAnswer, type TeamsRead } from "../../functions/src/reading/teams-answer.ts";
import type { Teams, WatchedTeams } from "./answers.ts";
import { type FirerankError, logError } from "./firerank-error.ts";
import type { BoardTypes, Leaderboard, SegmentNameOf } from "./leaderboard.ts";
import { watchDocument } from "./watch-document.ts";

/**
 * Reports all teams of a segment, best first, at once and with each publication, until the returned function is called. If
 * the board names a span, the next season follows when it begins by the server's clock, without teams. It waits for a user
 * as `watchTop` does.
 *
 * Cost: 1 read to start, then 1 for each publication, and 65 bytes sent for each team. Further reads as for `watchTop`.
 * @param segment the name of a segment that has `teams`, such as `guild`. Of any other there are none.
 * @param onTeams gets no teams while nobody is ranked.
 * @param onError gets the error that ended the listening, such as `leaderboard_not_found`; by default the error is logged.
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
  return watchDocument(board, { what: "watchTeams", pathOf, shownOf: teamsInDocument }, onTeams, onError);
}

function teamsInDocument(key: SeasonKey, data: DocumentData | undefined): Teams {
  return teamsAnswer(key, data === undefined ? noTeams(Timestamp.now()) : (data as TeamsRead));
}
