/**
 * The board's events, commit by commit: each is written once, in the commit of what it is about, and in no other.
 * What the top's events say is the difference of two top documents, found here by plain comparing.
 */
import { type BoardEvent, boardEvent } from "../../functions/src/documents/event.ts";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { storedGroup } from "../../functions/src/documents/group.ts";
import { storedPrivateGroup } from "../../functions/src/documents/private-group.ts";
import {
  eventsPath,
  groupsPath,
  privateGroupsPath,
  type SeasonKey,
  seasonPath,
  standingsSummaryPath,
  topPath,
} from "../../functions/src/documents/paths.ts";
import { readSeason } from "../../functions/src/documents/season.ts";
import { isoTime } from "../../functions/src/model/instant.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { insist } from "./violation.ts";
import { type Change, type Data, parentOf } from "../memory/store.ts";
import { keyOf, leaderboard } from "../board.ts";
import type { Life } from "./life.ts";
import { WorldCheck } from "./setting.ts";
import type { Work } from "./work.ts";

type Kind = BoardEvent["kind"];
type Fields = Readonly<Record<string, unknown>>;

/** What a commit has to tell of a season; nothing of a kind means that it must not, `maybe` that nobody can say. */
type Expected = Map<Kind, Fields | "maybe">;

export class Outbox extends WorldCheck<{ life: Life }> {
  private readonly told: BoardEvent[] = [];
  private readonly parent = eventsPath(leaderboard);

  /** What a commit tells of each season, by kind. */
  private eventsIn(changes: readonly Change[], work: Work): Map<string, Map<Kind, BoardEvent>> {
    const found = new Map<string, Map<Kind, BoardEvent>>();
    for (const { path, before, after } of changes) {
      if (parentOf(path) !== this.parent) continue;
      const isRedacted = work.kind === "merge" || (work.kind === "status" && work.asked.status === "removed");
      insist(
        before === undefined || isRedacted,
        () => `events: ${path} was written a second time by ${work.kind}`,
      );
      if (before !== undefined) continue;
      const event = boardEvent.parse(after);
      const ofSeason = found.get(event.season) ?? new Map<Kind, BoardEvent>();
      found.set(event.season, ofSeason.set(event.kind, event));
      insist(
        Math.abs(event.at.toMillis() - this.world.now()) <= 1_200_000 + this.world.plan.skewMsMax,
        () => `events: ${path} tells of ${isoTime(event.at)}`,
      );
      this.told.push(event);
    }
    return found;
  }

  private expectedOf(season: string, changes: readonly Change[]): Expected {
    const key = { leaderboard, season };
    const changed = (path: string) => changes.find((change) => change.path === path);
    const ofSeason = changed(seasonPath(key));
    const before = ofSeason?.before && readSeason(ofSeason.before);
    const after = ofSeason?.after && readSeason(ofSeason.after);
    const summary = changed(standingsSummaryPath(key));
    const top = changed(topPath(key));
    const expected: Expected = new Map();
    if (after !== undefined && before?.status !== after.status) {
      const { opens_at, closes_at, closed_at } = after;
      if (before === undefined) expected.set("season_opened", { opens_at, closes_at });
      if (after.status === "closing") expected.set("season_closing", { closes_at });
      const players = this.world.database.store.get(standingsSummaryPath(key))?.data["players"];
      if (after.status === "closed") expected.set("season_closed", { closed_at, player_count: players });
    }
    for (const fields of groupsSettled(key, changes)) expected.set("league_settled", fields);
    for (const { season: last, ...fields } of privateGroupsEnded(changes))
      if (last === season) expected.set("group_ended", fields);
    const [was, is] = [summary?.before, summary?.after];
    // A closing applies its notes to standings that nobody has seen.
    const isClosed =
      (after?.status ?? this.world.database.store.get(seasonPath(key))?.data["status"]) === "closed";
    if (isClosed && was !== undefined && is !== undefined && was["revisions"] !== is["revisions"])
      expected.set("season_revised", { revisions: is["revisions"], player_count: is["players"] });
    if (top?.after !== undefined)
      for (const [kind, fields] of this.ofTop(top.before, top.after)) {
        // Whoever remembers a closed season as open may still tell of its top; what it says has to be true.
        const isOver = !["open", "closing"].includes(this.world.life.get(season)?.season.status ?? "");
        expected.set(kind, isOver ? "maybe" : fields);
      }
    return expected;
  }

  /** What the top that replaces another has to tell of. */
  private ofTop(before: Data | undefined, after: Data): Map<Kind, Fields> {
    const [old, entries] = [entriesIn(before), entriesIn(after)];
    const expected = new Map<Kind, Fields>();
    const [leader] = entries;
    if (leader !== undefined && leader.player !== old[0]?.player)
      expected.set("lead_changed", { leader: leader.player, before: old[0]?.player ?? null });
    const listed = new Set(old.map(({ player }) => player));
    const lowest = before?.["lowest_score"] === null ? undefined : old.at(-1);
    const entrants = entries.filter(
      (entry) => !listed.has(entry.player) && (lowest === undefined || !this.isBehind(entry, lowest)),
    );
    if (entrants.length > 0)
      expected.set("top_entered", { entrants: entrants.map(({ player }) => player).join() });
    return expected;
  }

  /** Whether somebody could not have been listed where this one came last, as far as scores and times tell. */
  private isBehind(entry: Listed, lowest: Listed): boolean {
    if (entry.score !== lowest.score)
      return isBetter(this.world.plan.definition.order, lowest.score, entry.score);
    const laterMs = entry.achieved_at.toMillis() - lowest.achieved_at.toMillis();
    return this.world.plan.definition.ties === "first" ? laterMs > 0 : laterMs < 0;
  }

  /** The events, in the order of commits. */
  all() {
    return this.told;
  }

  /** @returns the events of a commit. @throws a violation */
  observe(changes: readonly Change[], work: Work): BoardEvent[] {
    const events = this.eventsIn(changes, work);
    const seasons = new Set([
      ...changes.flatMap(({ path }) => keyOf(path)?.season ?? []),
      ...privateGroupsEnded(changes).map(({ season }) => season),
    ]);
    for (const season of new Set([...seasons, ...events.keys()])) {
      const expected = this.expectedOf(season, changes);
      const found = events.get(season) ?? new Map<Kind, BoardEvent>();
      for (const [kind, event] of found)
        insist(
          expected.has(kind),
          () => `events: ${season} tells of ${JSON.stringify(event)}, which did not happen`,
        );
      for (const [kind, fields] of expected) {
        if (fields === "maybe") continue;
        const event = found.get(kind);
        insist(event !== undefined, () => `events: ${season} does not tell of ${kind} ${textOf(fields)}`);
        const said = saidIn(event, fields);
        insist(
          said === textOf(fields),
          () => `events: ${kind} of ${season} says ${said}, it was ${textOf(fields)}`,
        );
      }
    }
    return [...events.values()].flatMap((ofSeason) => [...ofSeason.values()]);
  }
}

/** The groups of a league that a commit settles: who went where, best first, without those who are not shown. */
function groupsSettled(key: SeasonKey, changes: readonly Change[]): Fields[] {
  return changes.flatMap(({ path, before, after }) => {
    const isSettled = after?.["settled_at"] !== undefined && before?.["settled_at"] === undefined;
    if (parentOf(path) !== groupsPath(key) || after === undefined || !isSettled) return [];
    const { seats, league } = storedGroup.parse(after);
    const shown = Object.values(seats).toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
    const went = (move: string) => shown.flatMap((seat) => (seat.move === move ? (seat.player ?? []) : []));
    const group = path.slice(parentOf(path).length + 1);
    return [{ group, tier: league?.tier, up: went("up"), stayed: went("stayed"), down: went("down") }];
  });
}

/** The private groups that a commit ends: who was where, best first, without those who are not shown or have no score. */
function privateGroupsEnded(
  changes: readonly Change[],
): { season: string; group: string; places: string[] }[] {
  return changes.flatMap(({ path, before, after }) => {
    const isEnded = after?.["settled_at"] !== undefined && before?.["settled_at"] === undefined;
    if (parentOf(path) !== privateGroupsPath(leaderboard) || after === undefined || !isEnded) return [];
    const { seats, season } = storedPrivateGroup.parse(after);
    const shown = Object.values(seats).toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
    const places = shown.flatMap(({ player, score }) => (score === undefined ? [] : (player ?? [])));
    return [{ season, group: path.slice(parentOf(path).length + 1), places }];
  });
}

interface Listed {
  player: string;
  score: number;
  achieved_at: Timestamp;
}

const entriesIn = (top: Data | undefined) => (top?.["entries"] ?? []) as readonly Listed[];

const textOf = (fields: Fields) =>
  JSON.stringify(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Timestamp ? value.toMillis() : value,
    ]),
  );

/** The same fields as the event says them; players by their ids. */
function saidIn(event: BoardEvent, fields: Fields): string {
  const all = event as unknown as Fields;
  const nameOf = (value: unknown) => (value as { player?: string } | null)?.player ?? null;
  const said = (name: string) => {
    if (event.kind === "lead_changed") return nameOf(all[name]);
    if (event.kind === "top_entered") return event.entrants.map(({ player }) => player).join();
    return all[name];
  };
  return textOf(Object.fromEntries(Object.keys(fields).map((name) => [name, said(name)])));
}
