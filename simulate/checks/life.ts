/**
 * The life of seasons, commit by commit: a season's status only moves forward, those of a span never overlap, the newest closed
 * ones are kept, and nothing of a deleted one stays or comes
 * back.
 */
import { leaderboardPath, seasonPath, seasonsPath } from "../../functions/src/documents/paths.ts";
import { type Season, seasonStatuses, readSeason } from "../../functions/src/documents/season.ts";
import { boardCacheMs, endWaitMs } from "../../functions/src/model/limits.ts";
import { insist } from "./violation.ts";
import { type Change, parentOf } from "../memory/store.ts";
import { keyOf, leaderboard } from "../board.ts";
import { WorldCheck } from "./setting.ts";
import type { Work } from "./work.ts";

/** A season according to its document. */
export interface Known {
  id: string;
  season: Season;
  opensMs: number;
  /** Infinity if it has no end. */
  closesMs: number;
}

/** How long closeSeason may take from naming an end to its commit, in seconds. */
const closeSecondsMax = 60;

export class Life extends WorldCheck {
  private readonly known = new Map<string, Known>();
  /** All seasons of the calendar so far. */
  private readonly ever = new Map<string, Known>();
  private readonly goneMs = new Map<string, number>();
  private readonly createdMs = new Map<string, number>();
  private readonly late = new Map<string, number>();
  private readonly tombstoneMs = new Map<string, number>();
  /** Whether the board is being deleted. */
  private isGoing = false;
  private readonly parent = seasonsPath(leaderboard);

  private observeSeason(id: string, before: Season | undefined, after: Season | undefined, work: Work): void {
    if (after === undefined) {
      insist(before?.status === "deleting", () => `deleted: ${id} goes without a tombstone`);
      this.known.delete(id);
      this.goneMs.set(id, this.world.now());
      this.checkNothingLeft(id);
      return;
    }
    const one = {
      id,
      season: after,
      opensMs: after.opens_at.toMillis(),
      closesMs: after.closes_at?.toMillis() ?? Infinity,
    };
    // Of a board that is deleted, whatever the season was, or was on its way to.
    if (after.board_deleted === true) this.goesWithBoard(id, before, after, work);
    else if (before === undefined) this.begins(one, work);
    else if (before !== after) this.goesOn(one, before, work);
    this.known.set(id, one);
    if (after.span !== "custom") {
      this.ever.set(id, one);
      // One that is saved again in the middle of its deletion may have another calendar.
      if (!this.isGoing) this.checkApart(one);
    }
  }

  private goesWithBoard(id: string, before: Season | undefined, season: Season, work: Work): void {
    const isKnown = before?.board_deleted === true;
    insist(
      season.status === "deleting" && (isKnown || work.kind === "delete"),
      () => `deleted: ${id} goes with its board as ${season.status}, by ${work.kind}`,
    );
    if (!isKnown) this.tombstoneMs.set(id, this.world.now());
  }

  private begins(one: Known, work: Work): void {
    const { id, season } = one;
    const isTournament = season.span === "custom" && work.kind === "open";
    insist(isTournament || !this.goneMs.has(id), () => `deleted: ${id} is there again`);
    insist(season.status === "open", () => `life: ${id} begins as ${season.status}`);
    insist(
      this.world.database.store.get(leaderboardPath(leaderboard)) !== undefined,
      () => `deleted: ${id} begins, and its board is gone`,
    );
    insist(one.opensMs < one.closesMs, () => `life: ${id} ends before it begins`);
    this.createdMs.set(id, this.world.now());
  }

  private goesOn(one: Known, before: Season, work: Work): void {
    const { id, season, closesMs } = one;
    const [was, is] = [before, season].map(({ status }) => seasonStatuses.indexOf(status));
    insist((is ?? 0) >= (was ?? 0), () => `life: ${id} was ${before.status} and is ${season.status}`);
    insist(
      (is ?? 0) <= (was ?? 0) + 1,
      () => `life: ${id} was ${before.status} and is ${season.status} at once`,
    );
    const closedBefore = before.closes_at?.toMillis() ?? Infinity;
    if (closesMs < closedBefore) {
      const overdueMs = this.world.now() + boardCacheMs - this.world.plan.skewMsMax - closesMs;
      insist(
        season.span === "custom" && overdueMs <= closeSecondsMax * 1_000,
        () => `life: ${id} ends at ${closesMs}, which instances do not know at ${this.world.now()}`,
      );
      this.late.set(id, Math.max(0, overdueMs + 2 * this.world.plan.skewMsMax));
    }
    if (closesMs !== closedBefore)
      insist(before.status === "open", () => `life: the end of ${id} moves when it is ${before.status}`);
    if (season.status === "closing" && before.status === "open")
      insist(
        closesMs <= this.world.now() + this.world.plan.skewMsMax,
        () => `life: ${id} closes before its end`,
      );
    if (season.status === "deleting" && before.status === "closed") {
      this.checkKept(one, work);
      this.tombstoneMs.set(id, this.world.now());
    }
  }

  /** Checks that a span has as many newer closed seasons as the board keeps. */
  private checkKept({ id, season, closesMs }: Known, work: Work): void {
    const newer = [...this.known.values()].filter(
      (other) =>
        other.season.span === season.span && other.season.status === "closed" && other.closesMs > closesMs,
    );
    insist(
      season.span !== "custom" &&
        work.kind === "step" &&
        this.world.plan.definition.keep_seasons !== undefined &&
        newer.length >= this.world.plan.definition.keep_seasons,
      () =>
        `kept: ${id} is being deleted, and ${newer.length} newer ones are closed where ${this.world.plan.definition.keep_seasons} are kept`,
    );
  }

  /** Checks that seasons of a span do not overlap, and come in the order of their ids. */
  private checkApart(one: Known): void {
    for (const other of this.ever.values()) {
      if (other.id === one.id || other.season.span !== one.season.span) continue;
      const [first, second] = one.opensMs < other.opensMs ? [one, other] : [other, one];
      insist(
        first.closesMs <= second.opensMs && first.id < second.id,
        () => `life: ${first.id} ends at ${first.closesMs}, ${second.id} begins at ${second.opensMs}`,
      );
    }
  }

  private checkNothingLeft(id: string): void {
    const below = `${seasonPath({ leaderboard, season: id })}/`;
    for (const collection of this.world.database.store.collections()) {
      if (!collection.startsWith(below)) continue;
      const [left] = this.world.database.store.list(collection);
      insist(left === undefined, () => `deleted: ${id} was deleted and has left ${left?.path}`);
    }
  }

  /** Checks that nothing is written to a season that does not exist, or that has its tombstone. */
  private checkInside({ path, before, after }: Change): void {
    const id = keyOf(path)?.season;
    if (id === undefined || after === undefined) return;
    // An instance that remembers the season may leave a record in it until its documents are deleted.
    const { status, board_deleted: isOfBoard } = this.known.get(id)?.season ?? {};
    const isRemembered =
      this.world.now() <= (this.tombstoneMs.get(id) ?? 0) + endWaitMs + 2 * this.world.plan.skewMsMax;
    // One that remembers the whole board goes on as before.
    const isRecord = (path.includes("/runs/") || isOfBoard === true) && isRemembered;
    // A player's status is kept in all_time even before the first score.
    if (status === undefined && id === "all_time" && path.includes("/players/")) return;
    insist(
      status !== undefined && (status !== "deleting" || before !== undefined || isRecord),
      () => `deleted: ${path} was written, and its season is ${status ?? "not there"}`,
    );
  }

  get(season: string) {
    return this.known.get(season);
  }

  /** All existing seasons, including tombstones. */
  all() {
    return [...this.known.values()];
  }

  /** Ids of seasons that were deleted. */
  gone() {
    return [...this.goneMs.keys()];
  }

  /** How long after its end a tournament may take scores, because closeSeason was slow. */
  lateMs(season: string) {
    return this.late.get(season) ?? 0;
  }

  /** Whether a season was missing, for callers, at some time since `sinceMs`. */
  wasMissing(season: string, sinceMs: number) {
    const one = this.known.get(season);
    if (one === undefined || one.season.status === "deleting") return true;
    return (this.createdMs.get(season) ?? 0) >= sinceMs || (this.goneMs.get(season) ?? 0) >= sinceMs;
  }

  /** The current seasons of all spans of the board, if all are open, for each relevant moment between two times. */
  between(fromMs: number, untilMs: number) {
    const edges = [...this.known.values()].map(({ opensMs }) => opensMs);
    const moments = [fromMs, ...edges.filter((ms) => ms > fromMs && ms <= untilMs)];
    const at = (ms: number) =>
      this.world.plan.definition.spans.flatMap((span) => {
        const found = [...this.known.values()].find(
          ({ season, opensMs, closesMs }) =>
            season.span === span && (span === "all_time" || (opensMs <= ms && ms < closesMs)),
        );
        return found ?? [];
      });
    return moments.map(at).filter((choice) => choice.length === this.world.plan.definition.spans.length);
  }

  /** Whether an event of a season may be lost without harm: its closing finds the change anyway. */
  mayLoseEvents(id: string) {
    const one = this.known.get(id);
    return one !== undefined && one.closesMs < Infinity && ["open", "closing"].includes(one.season.status);
  }

  /** @throws a violation */
  observe(changes: readonly Change[], work: Work) {
    this.isGoing ||= work.kind === "delete";
    for (const { path, before, after } of changes) {
      if (parentOf(path) !== this.parent) continue;
      const [was, is] = [before, after].map((data) => data && readSeason(data));
      this.observeSeason(path.slice(this.parent.length + 1), was, is, work);
    }
    for (const change of changes) if (parentOf(change.path) !== this.parent) this.checkInside(change);
  }
}
