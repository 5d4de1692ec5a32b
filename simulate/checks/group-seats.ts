/** What a private group shows of a member: what the player's document says, or has said a moment ago. */
import { isDeepStrictEqual } from "node:util";
import type { Seat } from "../../functions/src/documents/group.ts";
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { playerPath, playerStatusPath, seasonPath } from "../../functions/src/documents/paths.ts";
import type { PrivateGroup } from "../../functions/src/documents/private-group.ts";
import { keyIn, leaderboard } from "../board.ts";
import { type Data, type Store, timeOf } from "../memory/store.ts";
import { endOf, type GroupsKnown, type PrivateChange } from "./group-known.ts";
import { type Scored, scoredIn } from "./group-places.ts";
import { nameIn, namesNoStatus, type Status, statusIn } from "./player.ts";
import { type Setting, tickOf } from "./setting.ts";
import { insist } from "./violation.ts";
import type { Work } from "./work.ts";

/** How far back a change of a group may have been read: an invocation takes a minute, and then its commit. */
const readBeforeMs = 10 * 60_000;

/** The score of a seat. */
export const pairOf = ({ score, achieved_at: at }: Scored): Scored => ({
  ...(score !== undefined && { score }),
  ...(at && { achieved_at: at }),
});

/** The versions of a player's document of a season since a time, each with a status; undefined if that is too long ago. */
export function statesOf(store: Store, season: string, player: string, since: Timestamp) {
  const versions = store.history(playerPath(keyIn(season), player), since);
  const kept = store.history(playerStatusPath(leaderboard, player), since);
  if (versions === undefined || kept === undefined) return undefined;
  return versions.flatMap((data): { data: Data | undefined; status: Status }[] =>
    data === undefined || namesNoStatus(data)
      ? kept.map((one) => ({ data, status: statusIn(one) }))
      : [{ data, status: statusIn(data) }],
  );
}

interface SeatChange {
  name: string;
  seat: Seat;
  work: Work;
}

/** @throws a violation */
export function checkSeat(
  groups: GroupsKnown,
  setting: Setting,
  { id, before, after }: PrivateChange,
  { name, seat, work }: SeatChange,
): void {
  const was = before?.seats[name];
  const told = () => `groups: ${name} of ${id} was ${text(was)} and is ${text(seat)} in ${text(after)}`;
  const isSeasonsOf = before?.season === after.season;
  if (isSeasonsOf && isShownAs(was, seat)) return;
  const isOver = after.settled_at !== undefined;
  insist(
    !isSeasonsOf || was?.of !== seat.of || was.version <= seat.version || isOfNone(seat),
    () => `${told()}, which is older`,
  );
  if (!isOver) insist(seat.place === undefined, told);
  else if (before?.settled_at !== undefined) checkFinal(before, was, seat, work, told);
  if (seat.of === "") {
    insist((seat.player ?? seat.score ?? seat.achieved_at ?? seat.display_name) === undefined, told);
    return;
  }
  const player = groups.playerOf(seat);
  insist(player !== undefined && (seat.player === undefined || seat.player === player), told);
  const ends = endOf(after);
  const mayKeep = isOver || ends !== undefined;
  const isKept = isSeasonsOf && mayKeep && isDeepStrictEqual(pairOf(was ?? {}), pairOf(seat));
  // Of two members who are merged, the one who stays has the better score that was achieved in time.
  const isPassed =
    (isOver || (work.kind === "merge" && ends !== undefined)) &&
    Object.values(before?.seats ?? {}).some((one) => isDeepStrictEqual(pairOf(one), pairOf(seat)));
  const states = statesOf(groups.store, after.season, player, timeOf(tickOf(setting) - readBeforeMs * 1_000));
  if (states === undefined) return;
  if (seat.player === undefined) {
    insist(seat.display_name === undefined && (seat.score === undefined || isKept || isPassed), told);
    // Whom a server has hidden in one season is shown with the first score of the next.
    // Without a document nothing tells an event that comes late and twice from a new one.
    const isHidden = isSeasonsOf && was?.player !== undefined && !isOfNone(was);
    insist(!isHidden || states.some(({ status }) => status !== "active"), told);
    return;
  }
  const isNew = was?.player === undefined;
  insist(
    !isNew || states.some(({ status }) => status === "active"),
    () => `${told()}, and the player is hidden`,
  );
  const isLate = work.kind === "other" && groups.wasSaid(after.season, player, pairOf(seat));
  // A profile has a name for groups too where no document has one.
  const isRenamed =
    isSeasonsOf && work.kind === "profile" && isDeepStrictEqual(pairOf(was ?? {}), pairOf(seat));
  // A season begins without scores; a refresh follows.
  const isBegun = !isSeasonsOf && isOfNone(seat) && seat.score === undefined;
  const isTrue =
    isClosed(groups.store, after.season) ||
    isKept ||
    isBegun ||
    isPassed ||
    isLate ||
    isRenamed ||
    states.some(({ data }) => says(data, seat, mayKeep));
  insist(isTrue, () => `${told()}, which no document said`);
  insist(
    ends === undefined || seat.achieved_at === undefined || seat.achieved_at <= ends,
    () => `${told()}, which was achieved after the end`,
  );
  const names = [
    was?.display_name,
    work.kind === "group" ? work.displayName : undefined,
    work.kind === "profile" ? work.fields["display_name"] : undefined,
  ];
  const said = states.map(({ data }) => nameIn(data) || undefined);
  const isNamed = [undefined, ...names, ...said].includes(seat.display_name);
  insist(isNamed, () => `${told()}, and nobody has told the name`);
}

/** Whether a season has closed: then the final table says what players have, and other checks hold it to that. */
export function isClosed(store: Store, season: string): boolean {
  return store.get(seasonPath(keyIn(season)))?.data["status"] === "closed";
}

/** Whether a seat is of a player without a document. */
const isOfNone = ({ version }: Seat) => version.toMillis() === 0;

/** Whether two seats show the same, whatever version of a document they are of. */
function isShownAs(was: Seat | undefined, seat: Seat): boolean {
  if (was === undefined) return false;
  const [{ version: _, ...one }, { version: __, ...other }] = [was, seat];
  return isDeepStrictEqual(one, other);
}

/** A bare score of a server has the time of its write, in the group maybe before in the document. */
function says(data: Data | undefined, seat: Seat, mayLackScore: boolean): boolean {
  const said = scoredIn(data);
  if (isDeepStrictEqual(said, pairOf(seat))) return true;
  if (mayLackScore && seat.score === undefined) return true;
  return said.score !== undefined && said.achieved_at === undefined && said.score === seat.score;
}

/** What is final stays: who was shown keeps score and place. Of two that are merged the better one stays. */
function checkFinal(
  before: PrivateGroup,
  was: Seat | undefined,
  seat: Seat,
  work: Work,
  told: () => string,
): void {
  const isMerge = work.kind === "merge";
  const places = Object.values(before.seats).map(({ place }) => place);
  insist(
    was?.place === seat.place || (isMerge && places.includes(seat.place)),
    () => `${told()}: the place was final`,
  );
  const isShown = was?.player !== undefined && seat.player !== undefined;
  insist(
    !isShown || isMerge || isDeepStrictEqual(pairOf(was), pairOf(seat)),
    () => `${told()}: the score was final`,
  );
}

const text = (value: unknown) => JSON.stringify(value);
