/**
 * Boards of templates, told by a plain model: which boards there are, and whose definition they have. What players do on
 * them is in board-players.ts.
 *
 * A board is there from the commit that opens its first season to the commit that deletes its last one; nothing is
 * written below a board that is not there. So a submission that was refused has written nothing.
 */
import { isDeepStrictEqual } from "node:util";
import {
  leaderboardPath,
  newBoardsPath,
  seasonsPath,
  type SeasonKey,
} from "../../functions/src/documents/paths.ts";
import { type Definition, frozenOfTemplate, readDefinition } from "../../functions/src/model/definition.ts";
import { newBoardsMax } from "../../functions/src/model/new-boards.ts";
import { boardName, definitionId, isOfTemplate } from "../../functions/src/model/template.ts";
import { keyOf } from "../board.ts";
import type { Change, Data } from "../memory/store.ts";
import { checkPublished } from "./at-rest.ts";
import { Conservation } from "./conservation.ts";
import { Generations } from "./generations.ts";
import { WorldCheck } from "./setting.ts";
import { insist } from "./violation.ts";
import type { Work } from "./work.ts";

/** The templates of a simulation. Their definitions differ, so that one in place of the other shows. */
export const templates = ["level", "track"] as const;

/** The collection whose documents name a template's boards, where it says so. */
export const collectionOf = (template: string) => `${template}s`;

/** A board from its first season on. */
interface BoardKnown {
  openedMs: number;
  seasons: Map<string, Conservation>;
  /** Whether it is being deleted. */
  isGoing: boolean;
}

/** How long after its first read a transaction may commit. */
const commitsWithinMs = 60_000;

export class Boards extends WorldCheck {
  private readonly boards = new Map<string, BoardKnown>();
  /** What a template keeps from its first board on, as the commit found it that opened the board. */
  private readonly frozen = new Map<string, Definition>();
  /** How many boards of a template were opened on the last day on which one was. */
  private readonly opened = new Map<string, { day: string; boards: number }>();
  private readonly goneMs = new Map<string, number>();
  private readonly savedMs = new Map<string, number>();

  private get store() {
    return this.world.database.store;
  }

  /** The stored definition of a template, or of the template of a board. */
  definitionOf(leaderboard: string): Definition | undefined {
    const data = this.store.get(leaderboardPath(definitionId(leaderboard)))?.data;
    return data && readDefinition(data);
  }

  /** When a board was opened that is not being deleted; Infinity for any other. */
  openedMs(leaderboard: string): number {
    const board = this.boards.get(leaderboard);
    return board?.isGoing === false ? board.openedMs : Infinity;
  }

  /** The boards that are there and not being deleted. */
  all(): string[] {
    return [...this.boards].flatMap(([leaderboard, { isGoing }]) => (isGoing ? [] : [leaderboard]));
  }

  /** The seasons of boards that are there and not being deleted. */
  seasons(): SeasonKey[] {
    return this.all().flatMap((leaderboard) =>
      [...(this.boards.get(leaderboard)?.seasons.keys() ?? [])].map((season) => ({ leaderboard, season })),
    );
  }

  /** Seasons of boards that are being deleted. */
  going(): SeasonKey[] {
    return [...this.boards].flatMap(([leaderboard, { isGoing, seasons }]) =>
      isGoing ? [...seasons.keys()].map((season) => ({ leaderboard, season })) : [],
    );
  }

  /** @throws a violation */
  observe(changes: readonly Change[], work: Work): void {
    const opened = changes.filter((change) => this.observeBoard(change, work));
    for (const change of changes) this.observeTemplate(change, work, opened.length > 0);
    for (const { path, after } of changes) this.checkInside(path, after);
    for (const [leaderboard, own] of Map.groupBy(changes, ({ path }) => keyOf(path)?.leaderboard))
      for (const [season, conservation] of this.boards.get(leaderboard ?? "")?.seasons ?? []) {
        const of = own.filter(({ path }) => keyOf(path)?.season === season);
        if (this.boards.get(leaderboard ?? "")?.isGoing === false)
          conservation.observe({ changes: of, isForeign: false });
      }
  }

  /** A template's definition is saved or deleted. */
  private observeTemplate({ path, after }: Change, work: Work, isOpening: boolean): void {
    const template = templates.find((one) => path === leaderboardPath(one));
    if (template === undefined) return;
    this.savedMs.set(template, this.world.now());
    if (after === undefined) {
      insist(work.kind === "boards", () => `templates: ${template} was deleted by ${work.kind}`);
      this.frozen.delete(template);
      this.opened.delete(template);
      return;
    }
    const [before, now] = [this.frozen.get(template), readDefinition(after)];
    if (before === undefined) {
      if (isOpening || this.hasBoards(template)) this.frozen.set(template, now);
      return;
    }
    for (const name of frozenOfTemplate)
      insist(
        isDeepStrictEqual(before[name], now[name]),
        () => `templates: ${name} of ${template} changed, which has boards`,
      );
  }

  private hasBoards(template: string): boolean {
    return this.all().some((leaderboard) => definitionId(leaderboard) === template);
  }

  /** A season of a board begins, is being deleted or goes. @returns whether it begins */
  private observeBoard({ path, before, after }: Change, work: Work): boolean {
    const key = keyOf(path);
    if (key === undefined || path !== `${seasonsPath(key.leaderboard)}/${key.season}`) return false;
    const { leaderboard, season } = key;
    if (before === undefined && after !== undefined) {
      this.begins(key, after);
      return true;
    }
    const board = this.boards.get(leaderboard);
    insist(board !== undefined, () => `templates: ${path} changes, and the board is not there`);
    if (after?.["board_deleted"] === true && !board.isGoing) {
      insist(work.kind === "boards", () => `templates: ${leaderboard} was deleted by ${work.kind}`);
      board.isGoing = true;
      // Others of its seasons follow, maybe in later commits.
    }
    if (after !== undefined) return false;
    insist(before?.["board_deleted"] === true, () => `templates: ${path} goes, and its board is not deleted`);
    board.seasons.delete(season);
    const left = this.store.collections().filter((one) => one.startsWith(`${path}/`));
    const documents = left.flatMap((one) => this.store.list(one));
    insist(documents.length === 0, () => `templates: ${documents[0]?.path} is left of a deleted board`);
    if (board.seasons.size > 0) return false;
    this.boards.delete(leaderboard);
    this.goneMs.set(leaderboard, this.world.now());
    return false;
  }

  private begins({ leaderboard, season }: SeasonKey, after: Data): void {
    const template = definitionId(leaderboard);
    const definition = this.definitionOf(leaderboard);
    insist(definition?.template !== undefined, () => `templates: ${leaderboard} begins without its template`);
    const board = this.boards.get(leaderboard);
    insist(board?.isGoing !== true, () => `templates: ${leaderboard} begins while it is being deleted`);
    if (board === undefined) this.opens(leaderboard, definition);
    const { ordering } = after as { ordering?: Partial<Definition> };
    insist(
      after["template"] === template &&
        ordering?.order === definition.order &&
        ordering.aggregation === definition.aggregation,
      () => `templates: ${leaderboard} begins as ${JSON.stringify(after)}`,
    );
    const key = { leaderboard, season };
    const followers = [new Generations(this.store, key, definition.order)];
    const conservation = new Conservation(this.store, key, definition.order, followers);
    this.boards.get(leaderboard)?.seasons.set(season, conservation);
    if (!this.frozen.has(template)) this.frozen.set(template, definition);
  }

  /** A board is there from now on: it is allowed, and counted. */
  private opens(leaderboard: string, definition: Definition): void {
    const template = definitionId(leaderboard);
    const { ids } = definition.template ?? {};
    if (ids !== "any")
      insist(
        this.store.get(`${ids?.collection}/${boardName(leaderboard)}`) !== undefined,
        () => `templates: ${leaderboard} was opened, and no document names it`,
      );
    this.boards.set(leaderboard, { openedMs: this.world.now(), seasons: new Map(), isGoing: false });
    const most = newBoardsMax(definition);
    if (most === Infinity) return;
    const { day = "", boards = 0 } = (this.store.get(newBoardsPath(template))?.data ?? {}) as {
      day?: string;
      boards?: number;
    };
    const before = this.opened.get(template);
    const count = before?.day === day ? before.boards + 1 : 1;
    this.opened.set(template, { day, boards: count });
    const isLater = before === undefined || before.day <= day;
    const offMs = Math.abs(this.world.now() - Date.parse(`${day}T12:00:00Z`)) - 43_200_000;
    insist(
      isLater && offMs <= this.world.plan.skewMsMax + commitsWithinMs && boards === count && count <= most,
      () =>
        `templates: ${leaderboard} is counted as the ${boards}th of ${day}, and is the ${count}th of ${most}`,
    );
  }

  /** Nothing is written below a board that is not there, and none has a document of its own. */
  private checkInside(path: string, after: Data | undefined): void {
    const [, leaderboard = "", collection] = path.split("/");
    if (after === undefined || !isOfTemplate(leaderboard)) return;
    insist(collection !== undefined, () => `templates: ${path} has a document of its own`);
    const { season } = keyOf(path) ?? {};
    const board = this.boards.get(leaderboard);
    const isThere = board !== undefined && (season === undefined || board.seasons.has(season));
    insist(isThere, () => `templates: ${path} was written, and the board is not there`);
  }

  /** Nothing is under way: each board is ranked, and equals a plain sort. @throws a violation */
  checkAtRest(except?: SeasonKey): void {
    for (const key of this.seasons()) {
      const definition = this.definitionOf(key.leaderboard);
      if (definition === undefined || isDeepStrictEqual(key, except)) continue;
      checkPublished(this.store, key, definition);
    }
  }
}
