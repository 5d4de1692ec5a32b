/**
 * The life of seasons, commit by commit: a season's status only moves forward, those of a span never overlap, the newest closed
 * ones are kept, and nothing of a deleted one stays or comes
 * back.
 */
import { seasonPath, seasonsPath } from "../../functions/src/documents/paths.ts";
import { type Season, seasonStatuses, readSeason } from "../../functions/src/documents/season.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { boardCacheMs, endWaitMs } from "../../functions/src/model/limits.ts";
import { insist } from "./violation.ts";
import { type Change, parentOf, type Store } from "../memory/store.ts";
import { keyOf, leaderboard } from "../board.ts";
import type { Work } from "./work.ts";

/** A season according to its document. */
export interface Known {
  id: string;
  season: Season;
  opensMs: number;
  /** Infinity if it has no end. */
  closesMs: number;
}

/** The exact time, and how far instances' clocks are off. */
export interface Hours {
  now: () => number;
  skewMsMax: number;
}

export interface Life {
  get(season: string): Known | undefined;
  /** All existing seasons, including tombstones. */
  all(): Known[];
  /** Ids of seasons that were deleted. */
  gone(): string[];
  /** How long after its end a tournament may take scores, because closeSeason was slow. */
  lateMs(season: string): number;
  /** Whether a season was missing, for callers, at some time since `sinceMs`. */
  wasMissing(season: string, sinceMs: number): boolean;
  /** The current seasons of all spans of the board, if all are open, for each relevant moment between two times. */
  between(fromMs: number, untilMs: number): Known[][];
  /** Whether an event of a season may be lost without harm: its closing finds the change anyway. */
  mayLoseEvents(season: string): boolean;
  /** @throws a violation */
  observe(changes: readonly Change[], work: Work): void;
}

/** How long closeSeason may take from naming an end to its commit, in seconds. */
const closeSecondsMax = 60;

type Spans = Pick<Definition, "spans" | "keep_seasons">;

/** No seasons yet. It is one function, as each check of a commit needs the lives that the earlier ones left. */
export function createLife(
  store: Store,
  { spans, keep_seasons: keep }: Spans,
  { now, skewMsMax }: Hours,
): Life {
  const known = new Map<string, Known>();
  /** All seasons of the calendar so far. */
  const ever = new Map<string, Known>();
  const goneMs = new Map<string, number>();
  const createdMs = new Map<string, number>();
  const lateMs = new Map<string, number>();
  const tombstoneMs = new Map<string, number>();
  const parent = seasonsPath(leaderboard);

  function observeSeason(
    id: string,
    before: Season | undefined,
    after: Season | undefined,
    work: Work,
  ): void {
    if (after === undefined) {
      insist(before?.status === "deleting", () => `deleted: ${id} goes without a tombstone`);
      known.delete(id);
      goneMs.set(id, now());
      checkNothingLeft(id);
      return;
    }
    const one = {
      id,
      season: after,
      opensMs: after.opens_at.toMillis(),
      closesMs: after.closes_at?.toMillis() ?? Infinity,
    };
    if (before === undefined) begins(one, work);
    else if (before !== after) goesOn(one, before, work);
    known.set(id, one);
    if (after.span !== "custom") {
      ever.set(id, one);
      checkApart(one);
    }
  }

  function begins(one: Known, work: Work): void {
    const { id, season } = one;
    const isTournament = season.span === "custom" && work.kind === "open";
    insist(isTournament || !goneMs.has(id), () => `deleted: ${id} is there again`);
    insist(season.status === "open", () => `life: ${id} begins as ${season.status}`);
    insist(one.opensMs < one.closesMs, () => `life: ${id} ends before it begins`);
    createdMs.set(id, now());
  }

  function goesOn(one: Known, before: Season, work: Work): void {
    const { id, season, closesMs } = one;
    const [was, is] = [before, season].map(({ status }) => seasonStatuses.indexOf(status));
    insist((is ?? 0) >= (was ?? 0), () => `life: ${id} was ${before.status} and is ${season.status}`);
    insist(
      (is ?? 0) <= (was ?? 0) + 1,
      () => `life: ${id} was ${before.status} and is ${season.status} at once`,
    );
    const closedBefore = before.closes_at?.toMillis() ?? Infinity;
    if (closesMs < closedBefore) {
      const late = now() + boardCacheMs - skewMsMax - closesMs;
      insist(
        season.span === "custom" && late <= closeSecondsMax * 1_000,
        () => `life: ${id} ends at ${closesMs}, which instances do not know at ${now()}`,
      );
      lateMs.set(id, Math.max(0, late + 2 * skewMsMax));
    }
    if (closesMs !== closedBefore)
      insist(before.status === "open", () => `life: the end of ${id} moves when it is ${before.status}`);
    if (season.status === "closing" && before.status === "open")
      insist(closesMs <= now() + skewMsMax, () => `life: ${id} closes before its end`);
    if (season.status === "deleting" && before.status === "closed") {
      checkKept(one, work);
      tombstoneMs.set(id, now());
    }
  }

  /** Checks that a span has as many newer closed seasons as the board keeps. */
  function checkKept({ id, season, closesMs }: Known, work: Work): void {
    const newer = [...known.values()].filter(
      (other) =>
        other.season.span === season.span && other.season.status === "closed" && other.closesMs > closesMs,
    );
    insist(
      season.span !== "custom" && work.kind === "step" && keep !== undefined && newer.length >= keep,
      () => `kept: ${id} is being deleted, and ${newer.length} newer ones are closed where ${keep} are kept`,
    );
  }

  /** Checks that seasons of a span do not overlap, and come in the order of their ids. */
  function checkApart(one: Known): void {
    for (const other of ever.values()) {
      if (other.id === one.id || other.season.span !== one.season.span) continue;
      const [first, second] = one.opensMs < other.opensMs ? [one, other] : [other, one];
      insist(
        first.closesMs <= second.opensMs && first.id < second.id,
        () => `life: ${first.id} ends at ${first.closesMs}, ${second.id} begins at ${second.opensMs}`,
      );
    }
  }

  function checkNothingLeft(id: string): void {
    const below = `${seasonPath({ leaderboard, season: id })}/`;
    for (const collection of store.collections()) {
      if (!collection.startsWith(below)) continue;
      const [left] = store.list(collection);
      insist(left === undefined, () => `deleted: ${id} was deleted and has left ${left?.path}`);
    }
  }

  /** Checks that nothing is written to a season that does not exist, or that has its tombstone. */
  function checkInside({ path, before, after }: Change): void {
    const id = keyOf(path)?.season;
    if (id === undefined || after === undefined) return;
    const status = known.get(id)?.season.status;
    // An instance that remembers the season may leave a record in it until its documents are deleted.
    const isRecord = path.includes("/runs/") && now() <= (tombstoneMs.get(id) ?? 0) + endWaitMs;
    // A player's status is kept in all_time even before the first score.
    if (status === undefined && id === "all_time" && path.includes("/players/")) return;
    insist(
      status !== undefined && (status !== "deleting" || before !== undefined || isRecord),
      () => `deleted: ${path} was written, and its season is ${status ?? "not there"}`,
    );
  }

  return {
    get: (season) => known.get(season),
    all: () => [...known.values()],
    gone: () => [...goneMs.keys()],
    lateMs: (season) => lateMs.get(season) ?? 0,
    wasMissing(season, sinceMs) {
      const one = known.get(season);
      if (one === undefined || one.season.status === "deleting") return true;
      return (createdMs.get(season) ?? 0) >= sinceMs || (goneMs.get(season) ?? 0) >= sinceMs;
    },
    between(fromMs, untilMs) {
      const edges = [...known.values()].map(({ opensMs }) => opensMs);
      const moments = [fromMs, ...edges.filter((ms) => ms > fromMs && ms <= untilMs)];
      const at = (ms: number) =>
        spans.flatMap((span) => {
          const found = [...known.values()].find(
            ({ season, opensMs, closesMs }) =>
              season.span === span && (span === "all_time" || (opensMs <= ms && ms < closesMs)),
          );
          return found ?? [];
        });
      return moments.map(at).filter((choice) => choice.length === spans.length);
    },
    mayLoseEvents(id) {
      const one = known.get(id);
      return one !== undefined && one.closesMs < Infinity && ["open", "closing"].includes(one.season.status);
    },
    observe(changes, work) {
      for (const { path, before, after } of changes) {
        if (parentOf(path) !== parent) continue;
        const [was, is] = [before, after].map((data) => data && readSeason(data));
        observeSeason(path.slice(parent.length + 1), was, is, work);
      }
      for (const change of changes) if (parentOf(change.path) !== parent) checkInside(change);
    },
  };
}
