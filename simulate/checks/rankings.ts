/**
 * What is published of each season, after each commit. While it is open or closing: conservation. From the moment it closes: its standings are the table of finals.ts, only a revision changes them, and every
 * publication shows one version of them, never an older one than before.
 */
import {
  leaderboardPath,
  pagePath,
  pagesPath,
  playersPath,
  type SeasonKey,
  segmentPagesPath,
  shardsPath,
  standingsCollection,
  topPath,
} from "../../functions/src/documents/paths.ts";
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { readTop } from "../../functions/src/documents/top.ts";
import { type Definition, readDefinition } from "../../functions/src/model/definition.ts";
import { type Page, readPage } from "../../functions/src/documents/page.ts";
import { valuesRankedMax } from "../../functions/src/model/limits.ts";
import { markToField } from "../../functions/src/model/segments.ts";
import { checkTop, checkTopIsNewer } from "./at-rest.ts";
import { Conservation } from "./conservation.ts";
import { add, type Marks, type Tally } from "./counts.ts";
import { type Commit, Generations } from "./generations.ts";
import { Midnights } from "./midnights.ts";
import { checkRows, checkSegments, wholeGeneration } from "./pages.ts";
import { RunsTold } from "./runs-told.ts";
import { checkTeams } from "./teams.ts";
import { insist } from "./violation.ts";
import { type Change, type Data, type Documents, parentOf } from "../memory/store.ts";
import { keyIn, keyOf, leaderboard } from "../board.ts";
import type { Work } from "./work.ts";
import type { Life } from "./life.ts";
import type { Finals } from "./finals.ts";
import { followedIn, followName, type OnItsWay, WorldCheck } from "./setting.ts";
import {
  checkEntries,
  checkStandings,
  type Line,
  recount,
  segmentsIn,
  tableIn,
  tallyIn,
  textOf,
} from "./recount.ts";

/** A version of a closed season's table. */
export interface Version {
  table: Line[];
  /** When readers could know of it: a publication showed it. */
  shownMs: number;
  /** The time of the commit that made it. */
  madeAt?: string | undefined;
}

/** What is known of a season's ranking. */
export interface SeasonRanking {
  conservation: Conservation;
  /** On a board that keeps movement. */
  midnights: Midnights | undefined;
  runsTold: RunsTold;
  /** Empty until the season has closed; the first one after the drafts is that of the closing. */
  versions: Version[];
  /** What the standings said before the season closed: pages may still show it, which nobody answers from. */
  drafts: Version[];
  /** The version that each generation shows, from the closing on. */
  versionOf: Map<number, number>;
  generation: number;
  closedMs: number;
}

export class Rankings extends WorldCheck<
  { life: Life; finals: Finals; needsRepair: ReadonlySet<string> } & OnItsWay
> {
  private readonly rankings = new Map<string, SeasonRanking>();
  /** The board's definitions, each from a time on, in milliseconds since 1970. */
  readonly definitions: { fromMs: number; definition: Definition; movementSinceMs: number }[] = [];

  private get store() {
    return this.world.database.store;
  }

  private get definition() {
    return this.world.plan.definition;
  }

  private tableOf(season: string) {
    return recount(this.world.finals.table(season), this.definition);
  }

  private rankingOf(season: string): SeasonRanking {
    let ranking = this.rankings.get(season);
    if (ranking === undefined) {
      const key = { leaderboard, season };
      const { order, movement } = this.definition;
      const midnights = movement ? new Midnights(this.store, key, order) : undefined;
      const followers = [new Generations(this.store, key, order), ...(midnights ? [midnights] : [])];
      ranking = {
        conservation: new Conservation(this.store, key, order, followers),
        midnights,
        runsTold: new RunsTold(this.store, key),
        versions: [],
        drafts: [],
        versionOf: new Map(),
        generation: 0,
        closedMs: Infinity,
      };
      this.rankings.set(season, ranking);
    }
    return ranking;
  }

  private observeSeason(key: SeasonKey, commit: Commit, work: Work): void {
    const { season } = key;
    const status = this.world.life.get(season)?.season.status;
    if (status === undefined) {
      this.rankings.delete(season);
      return;
    }
    if (status === "deleting") return;
    this.observeLiving(key, commit, work, status);
  }

  private observeLiving(
    key: SeasonKey,
    commit: Commit,
    work: Work,
    status: "open" | "closing" | "closed",
  ): void {
    const { season } = key;
    const { changes } = commit;
    const ranking = this.rankingOf(season);
    const top = changes.find(({ path }) => path === topPath(key));
    if (top !== undefined) {
      // A top that keeps its entries was checked with them: events that were on their way then may have come since.
      const [was, is] = [top.before?.["as_of"], top.after?.["as_of"]] as (Timestamp | undefined)[];
      const isKept = was !== undefined && is !== undefined && was.isEqual(is);
      const isUnseen = this.isUnseenIn(season);
      if (status !== "closed" && !isKept) checkTop(this.store, key, this.definition, isUnseen);
      checkTopIsNewer(this.store, key, this.definition, top, isUnseen);
    }
    const isCounting = changes.some(
      ({ path, after }) => parentOf(path) === shardsPath(key) && after !== undefined,
    );
    insist(
      !isCounting || this.world.life.get(season)?.season.cleared_at == null,
      () => `cleared: ${work.kind} counts in ${season}, which is cleared`,
    );
    if (status === "closing" && changes.some(({ path }) => parentOf(path) === standingsCollection(key))) {
      const table = tableIn(this.store, key);
      if (table !== undefined) ranking.drafts.push({ table, shownMs: Infinity });
    }
    if (status !== "closed") {
      ranking.conservation.observe(commit);
      this.checkTeamsIn(key, ranking.conservation, changes);
      ranking.runsTold.observe(changes);
      ranking.generation = ranking.conservation.generation();
    } else if (ranking.versions.length === 0) this.closes(key, ranking, changes[0]?.time.valueOf());
    else this.staysClosed(key, ranking, changes, work);
    if (top?.after === undefined || status !== "closed") return;
    const shown = readTop(top.after);
    checkEntries(shown, this.tableAt(ranking, shown.as_of), this.definition.top_size);
  }

  /** Whatever publishes pages publishes teams with them. */
  private checkTeamsIn(key: SeasonKey, { heldIn }: Conservation, changes: readonly Change[]): void {
    const first = changes.find(({ path }) => path === pagePath(key, 0))?.after;
    const page = first && readPage(first);
    const held = page && heldIn(page.generation);
    if (page !== undefined && held !== undefined) checkTeams(this.store, key, this.definition, page, held);
  }

  /**
   * Whether a server may have written a player's document, and no event of that was handled before a moment. What no shard
   * names of such a write shows when all players are read after its event.
   */
  private isUnseenIn(season: string) {
    const key = keyIn(season);
    const isFollowed = followedIn(this.world, key);
    const wasFollowed = (player: string, moment: Timestamp) => {
      const at = this.world.followedAt.get(followName(key, player));
      return at !== undefined && at >= moment;
    };
    return (player: string, moment: Timestamp) =>
      this.world.needsRepair.has(season) || isFollowed(player) || wasFollowed(player, moment);
  }

  /** A closed season's table as of a time. */
  private tableAt({ versions, drafts }: SeasonRanking, at: Timestamp): readonly Line[] {
    const finals = versions.slice(drafts.length);
    const version = finals.findLast(({ madeAt }) => madeAt !== undefined && madeAt <= at.valueOf());
    return (version ?? finals[0])?.table ?? [];
  }

  private closes(key: SeasonKey, ranking: SeasonRanking, madeAt: string | undefined): void {
    const table = this.tableOf(key.season);
    checkStandings(this.store, key, table);
    ranking.versions.push(...ranking.drafts, { table, shownMs: this.world.now(), madeAt });
    ranking.closedMs = this.world.now();
    this.checkPages(key, ranking);
  }

  private staysClosed(key: SeasonKey, ranking: SeasonRanking, changes: readonly Change[], work: Work): void {
    const isIn = (...parents: string[]) => changes.some(({ path }) => parents.includes(parentOf(path)));
    // A step takes away what an earlier pass has left.
    const isRevised = changes.some(
      ({ path, after }) => parentOf(path) === standingsCollection(key) && after !== undefined,
    );
    if (isRevised)
      insist(
        work.kind === "status" || work.kind === "merge",
        () => `standings: ${key.season} is closed, and ${work.kind} changed them`,
      );
    if (isIn(standingsCollection(key), playersPath(key))) {
      const table = this.tableOf(key.season);
      checkStandings(this.store, key, table);
      if (textOf(table) !== textOf(ranking.versions.at(-1)?.table ?? []))
        ranking.versions.push({ table, shownMs: Infinity, madeAt: changes[0]?.time.valueOf() });
    }
    if (isIn(pagesPath(key), segmentPagesPath(key))) this.checkPages(key, ranking);
  }

  /** Checks that the pages show a version of the standings, never an older one than before. */
  private checkPages(key: SeasonKey, ranking: SeasonRanking): void {
    const pages = wholeGeneration(this.store, key);
    const generation = pages[0]?.generation ?? 0;
    const before = Math.max(0, ...ranking.versionOf.values());
    insist(
      generation >= ranking.generation,
      () => `standings: generation ${generation} of ${key.season} comes after ${ranking.generation}`,
    );
    ranking.generation = generation;
    // If several versions have the same scores, the oldest possible one.
    const shown = ranking.versions.findIndex(({ table }, i) => {
      if (i < before) return false;
      if (pages.length === 0) return table.length === 0;
      try {
        checkTable(this.store, key, this.definition, pages, table);
        return true;
      } catch {
        return false;
      }
    });
    insist(
      shown !== -1,
      () =>
        `standings: generation ${generation} of ${key.season} shows no version of them from the ${before}th on`,
    );
    ranking.versionOf.set(generation, shown);
    for (const version of ranking.versions.slice(0, shown + 1))
      version.shownMs = Math.min(version.shownMs, this.world.now());
  }

  private isDefined(saved: Data): void {
    const fromMs = this.world.now();
    const movementSinceMs = (saved["movement_since"] as Timestamp | undefined)?.toMillis() ?? Infinity;
    this.definitions.push({ fromMs, definition: readDefinition(saved), movementSinceMs });
  }

  of(season: string) {
    return this.rankings.get(season);
  }

  /** @throws a violation */
  observe(commit: Commit, work: Work) {
    const saved = commit.changes.find(({ path }) => path === leaderboardPath(leaderboard))?.after;
    if (saved !== undefined) this.isDefined(saved);
    const touched = Map.groupBy(commit.changes, ({ path }) => keyOf(path)?.season);
    for (const [season, ofSeason] of touched)
      if (season !== undefined)
        this.observeSeason({ leaderboard, season }, { ...commit, changes: ofSeason }, work);
  }

  /** Pages and top of a closed season show its table as it is now. @throws a violation */
  checkShown(key: SeasonKey) {
    checkShown(this.store, key, this.definition, this.tableOf(key.season));
  }

  /** Whether a generation of a season from one on leaves a segment out, as there are too many. */
  leavesOut(season: string, from: number, segment: string): boolean {
    const { conservation, versions = [] } = this.rankings.get(season) ?? {};
    const isFull = ({ table }: Version) => new Set(table.flatMap(segmentsIn)).size > valuesRankedMax;
    return conservation?.leavesOut(from, segment) === true || versions.some(isFull);
  }

  /** The truth behind a season's generation, or a segment of it; undefined if it is too old, or need not rank the segment. */
  truthOf(season: string, generation: number, segment?: string): Tally | undefined {
    const ranking = this.rankings.get(season);
    const version = ranking?.versionOf.get(generation);
    if (version === undefined) return ranking?.conservation.truthOf(generation, segment);
    return tallyIn(ranking?.versions[version]?.table ?? [], segment);
  }
}

type Shown = Pick<Definition, "order" | "top_size" | "segments">;

/** Pages and top show a table. @throws a violation */
export function checkShown(
  store: Documents,
  key: SeasonKey,
  definition: Shown,
  table: readonly Line[],
): void {
  const pages = wholeGeneration(store, key);
  const top = store.get(topPath(key));
  if (top !== undefined) checkEntries(readTop(top.data), table, definition.top_size);
  if (pages.length === 0) insist(table.length === 0, () => `standings: ${key.season} has no pages`);
  else checkTable(store, key, definition, pages, table);
}

/** Pages show a table, with its segments. @throws a violation */
function checkTable(
  store: Documents,
  key: SeasonKey,
  { order, segments }: Shown,
  pages: readonly Page[],
  table: readonly Line[],
): void {
  const [first] = pages;
  if (first === undefined) return;
  checkRows(order, pages, { players: tallyIn(table).players, unusable: first.unusable_scores });
  const marks = marksOf(table);
  checkSegments(store, key, order, first, marks);
  checkTeams(store, key, { order, segments }, first, marks);
}

function marksOf(table: readonly Line[]): Marks {
  const counts = new Map<string, number>();
  for (const line of table) add(counts, markToField(line.score, segmentsIn(line)), 1);
  return counts;
}
