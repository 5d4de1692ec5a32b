/**
 * The final tables that seasons should have, told without any code of the closing: the active players with a score at
 * the one time that the closing's record names, and what admins have done to them since. What a trusted server writes
 * later changes none, except by what an admin then does: whoever is taken out keeps the line with the document, and
 * comes back with it; who has none comes with what the document says.
 */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { countedIn } from "../../functions/src/documents/mark.ts";
import {
  closingNotesPath,
  playerPath,
  playersPath,
  runPath,
  type SeasonKey,
  seasonPath,
  standingsCollection,
  standingsSummaryPath,
} from "../../functions/src/documents/paths.ts";
import { insist } from "./violation.ts";
import { type Change, type Data, parentOf } from "../memory/store.ts";
import { keyOf, leaderboard, playersChanged } from "../board.ts";
import { attemptsIn, markOf, nameIn, scoreIn, segmentsOf, statusIn } from "./player.ts";
import type { Life } from "./life.ts";
import { WorldCheck } from "./setting.ts";
import type { Work } from "./work.ts";

/** A player's line in a table. */
export interface FinalLine {
  score: number;
  at: Timestamp;
  /** Empty where there is none. */
  name: string;
  /** Those that it counts in, as a mark has them. */
  segments: string;
}

/** A season that is closing or closed. */
interface Ending {
  key: SeasonKey;
  /** Changes of players' documents until the season is closed. */
  since: { change: Change; player: string; work: Work }[];
  readAt: Timestamp | undefined;
  table: Map<string, FinalLine>;
  /** Lines that documents keep. */
  kept: Map<string, FinalLine>;
  /** Players whom admins have changed while it closes, and whether the line is replaced. */
  owed: Map<string, boolean>;
}

export class Finals extends WorldCheck<{ life: Life }> {
  private readonly endings = new Map<string, Ending>();

  private observeSeason(season: string, changes: readonly Change[], work: Work): void {
    const status = this.world.life.get(season)?.season.status;
    const ending = this.endings.get(season);
    if (status !== "closing" && status !== "closed") this.endings.delete(season);
    else if (ending === undefined) this.endings.set(season, this.begin({ leaderboard, season }));
    else if (status === "closing") this.closes(ending, changes, work);
    else {
      if (changes.some(({ path }) => path === seasonPath(ending.key))) this.isClosed(ending);
      this.staysClosed(ending, changes, work);
    }
  }

  private begin(key: SeasonKey): Ending {
    return {
      key,
      since: [],
      readAt: undefined,
      table: new Map(),
      kept: new Map(),
      owed: new Map(),
    };
  }

  private closes(ending: Ending, changes: readonly Change[], work: Work): void {
    const { key, owed } = ending;
    const act = actIn(key, changes, work);
    for (const change of changes) {
      const { path, before, after } = change;
      const id = path.slice(parentOf(path).length + 1);
      if (parentOf(path) === playersPath(key)) {
        ending.since.push({ change, player: id, work });
        this.written(ending, id, change, work, act);
        if (act !== undefined) owed.set(id, owed.get(id) === true || replaces(act, id));
      } else if (parentOf(path) === closingNotesPath(key)) {
        const player = String((after ?? before)?.["player"]);
        if (after === undefined) this.applied(ending, player);
        else owed.set(player, owed.get(player) === true || replaces(act, player));
      } else if (path === runPath(key, id) && after?.["kind"] === "closing") {
        const readAt = after["read_at"] instanceof Timestamp ? after["read_at"] : undefined;
        if (readAt?.valueOf() !== ending.readAt?.valueOf()) this.read(ending, readAt);
      }
    }
  }

  /** What a change of a document does to the line that it keeps. */
  private written(
    ending: Ending,
    player: string,
    { path, before, after }: Change,
    work: Work,
    act: Act | undefined,
  ): void {
    const { kept, readAt } = ending;
    if (work.kind === "lanes") {
      const isNew = attemptsIn(after) > attemptsIn(before);
      insist(!isNew || readAt === undefined, () => `standings: ${path} counts, and the players are read`);
      if (isNew) kept.delete(player);
    } else if (work.kind === "direct" && work.isWhole) put(kept, player, heldIn(after));
    else if (act?.kind === "merge") {
      const isKept = player === act.to && statusIn(after) !== "active";
      put(kept, player, isKept ? lineIn({ ...after, status: "active" }) : undefined);
    } else if (act?.status === "removed") kept.delete(player);
    else if (act !== undefined && act.status !== "active")
      put(kept, player, kept.get(player) ?? lineIn(before));
  }

  /** The closing has chosen when it reads the players, or has to choose again. */
  private read(ending: Ending, readAt: Timestamp | undefined): void {
    const { key, since } = ending;
    ending.readAt = readAt;
    ending.table.clear();
    if (readAt === undefined) return;
    for (const { change, player, work } of since)
      if (change.time > readAt && work.kind === "lanes")
        this.written(ending, player, change, work, undefined);
    for (const { id: player, data } of this.world.database.store.list(playersPath(key), readAt)) {
      const line = lineIn(data);
      // Those that are written while it closes need not be found any more.
      const isLate = since.some((one) => one.player === player && one.work.kind === "direct");
      const isListed = data["status"] === "active" && line !== undefined;
      insist(
        isListed || isLate || scoreIn(data) === undefined || statusIn(data) !== "active",
        () => `standings: ${player} of ${key.season} is not completed when its players are read`,
      );
      if (isListed) ending.table.set(player, line);
    }
  }

  /** What an admin has done to a player is applied to the table: the document decides. */
  private applied({ key, table, kept, owed, readAt }: Ending, player: string): void {
    insist(readAt !== undefined, () => `standings: a note of ${player} in ${key.season} goes unread`);
    const data = this.world.database.store.get(playerPath(key, player))?.data;
    const line = owed.get(player) === true ? undefined : table.get(player);
    const isActive = data !== undefined && statusIn(data) === "active";
    put(table, player, isActive ? (line ?? keptIn(data, kept.get(player)) ?? lineIn(data)) : undefined);
    if (data !== undefined && !isActive && line !== undefined) kept.set(player, line);
    owed.delete(player);
  }

  /** The season is closed: whatever admins have done until then has to be in the table. */
  private isClosed(ending: Ending): void {
    const { key, owed, readAt, since } = ending;
    insist(readAt !== undefined, () => `standings: ${key.season} is closed, and its players were not read`);
    for (const player of owed.keys()) this.applied(ending, player);
    since.length = 0;
  }

  private staysClosed(ending: Ending, changes: readonly Change[], work: Work): void {
    const { key, table, kept } = ending;
    const documents = playersChanged(changes);
    const act = actIn(key, changes, work);
    if (act === undefined) {
      for (const { player, change } of documents) {
        const isNew = work.kind === "lanes" && attemptsIn(change.after) > attemptsIn(change.before);
        insist(!isNew, () => `standings: ${change.path} counts, and ${key.season} is closed`);
        this.written(ending, player, change, work, act);
      }
      return;
    }
    if (documents.length === 0 && !changes.some(({ path }) => path === standingsSummaryPath(key))) return;
    if (act.kind === "merge") {
      const { from, to } = act;
      const data = this.world.database.store.get(playerPath(key, to))?.data;
      const line = lineIn({ ...data, status: "active" }, segmentsOf(data));
      const isActive = statusIn(data) === "active";
      for (const lines of [table, kept]) lines.delete(from);
      put(table, to, isActive ? line : undefined);
      put(kept, to, isActive ? undefined : line);
      return;
    }
    const { player, status } = act;
    const data = this.world.database.store.get(playerPath(key, player))?.data;
    if (status === "removed") for (const lines of [table, kept]) lines.delete(player);
    else if (data !== undefined) {
      const asked = segmentsOf(data);
      const line =
        table.get(player) ?? (status === "active" ? keptIn(data, kept.get(player), asked) : undefined);
      if (status === "active") put(table, player, line ?? lineIn(data, asked));
      else table.delete(player);
      put(kept, player, status === "active" ? undefined : (line ?? kept.get(player)));
    }
  }

  /** A season's table; nobody in it until the players are read. */
  table(season: string) {
    return this.endings.get(season)?.table ?? new Map<string, FinalLine>();
  }

  /** What a closed season has of a player: the line in its table, or the one that a ban has taken out. */
  lineOf(season: string, player: string) {
    if (this.world.life.get(season)?.season.status !== "closed") return undefined;
    const ending = this.endings.get(season);
    return ending?.table.get(player) ?? ending?.kept.get(player);
  }

  /** After the lives of seasons. @throws a violation */
  observe(changes: readonly Change[], work: Work) {
    for (const [season, ofSeason] of Map.groupBy(changes, ({ path }) => keyOf(path)?.season))
      if (season !== undefined) this.observeSeason(season, ofSeason, work);
  }
}

/** What an admin does to players in a commit. */
type Act = { kind: "status"; player: string; status: unknown } | { kind: "merge"; from: string; to: string };

/** A merge begins with the stricter status of the two for the one who stays. */
function actIn(key: SeasonKey, changes: readonly Change[], work: Work): Act | undefined {
  if (work.kind === "status") return { kind: "status", ...work.asked };
  if (work.kind !== "merge") return undefined;
  const { from, to } = work.asked;
  const document = changes.find(({ path }) => path === playerPath(key, to));
  const isNoted = changes.some(
    ({ path, after }) => parentOf(path) === closingNotesPath(key) && after?.["player"] === from,
  );
  if (isNoted || leavesIn(key, changes, from)) return { kind: "merge", from, to };
  return { kind: "status", player: to, status: statusIn(document?.after) };
}

/** Whether a commit takes a player's document away, or in a closed season the line of one who has none. */
export function leavesIn(key: SeasonKey, changes: readonly Change[], player: string): boolean {
  const has = (data: Data | undefined) => (data?.["players"] as string[] | undefined)?.includes(player);
  return changes.some(({ path, before, after }) => {
    if (path === playerPath(key, player)) return after === undefined;
    const isStandings = parentOf(path) === standingsCollection(key) && path !== standingsSummaryPath(key);
    return isStandings && has(before) === true && has(after) !== true;
  });
}

/** Whether what an admin does replaces a player's line by what the document says then. */
function replaces(act: Act | undefined, player: string): boolean {
  if (act?.kind === "status") return act.status === "removed";
  return act !== undefined && (player === act.from || player === act.to);
}

function put<Value>(map: Map<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) map.delete(name);
  else map.set(name, value);
}

/** The line of an active player whose document is complete, by default in the segments of the mark. */
export function lineIn(
  data: Data | undefined,
  segments = markOf(countedIn(data))?.segments,
): FinalLine | undefined {
  const [score, at] = [scoreIn(data), data?.["achieved_at"]];
  return statusIn(data) === "active" && score !== undefined && at instanceof Timestamp
    ? { score, at, name: nameIn(data), segments: segments?.join(" ") ?? "" }
    : undefined;
}

/** A line that a player comes back with: in the segments of today. */
const keptIn = (data: Data, line: FinalLine | undefined, segments = markOf(countedIn(data))?.segments) =>
  line && { ...line, segments: segments?.join(" ") ?? "" };

/** The line that a copied document brings along. */
function heldIn(data: Data | undefined): FinalLine | undefined {
  const held = data?.["held_line"] as Data | undefined;
  return lineIn(held && { ...held, status: "active" });
}
