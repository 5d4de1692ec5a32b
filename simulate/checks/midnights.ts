/**
 * Rank movement: what the index counted at each midnight, by the slots that had ended, made by adding up all changes
 * without any code of baselines or notes. Each copy of a midnight's ranking is compared with it when page 0 lists it, and
 * each answer about movement when it is given (moved.ts).
 *
 * Two things are left open, as docs/movement.md says. What is stored after the first run that follows a midnight may be
 * missing in the copy. And where a direct write has taken a mark away, nobody knows what was counted for the player if the
 * document is written again before the event comes.
 */
import { isDeepStrictEqual } from "node:util";
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { countedIn } from "../../functions/src/documents/mark.ts";
import { type Page, readPage } from "../../functions/src/documents/page.ts";
import {
  rankingPagesPath,
  playersPath,
  type SeasonKey,
  shardsPath,
} from "../../functions/src/documents/paths.ts";
import type { Order } from "../../functions/src/model/score.ts";
import { playersChanged } from "../board.ts";
import type { Change, Data, Store } from "../memory/store.ts";
import { receiptOf } from "./conservation.ts";
import { type Marks, move, playersIn, shownOf, type Tally } from "./counts.ts";
import type { Commit, Follower, Handled, IndexChange, Slotted } from "./generations.ts";
import { checkRows } from "./pages.ts";
import { markOf } from "./player.ts";
import { SeasonCheck } from "./setting.ts";
import { Violation } from "./violation.ts";

/** What is counted for a player: a score, or why there is none. */
export type Was = number | "new" | "hidden_then";

/** What is counted for a player from a change on. */
interface State extends Slotted {
  was: Was;
  /** Whether a server's write, which changed no mark, made it so: until its event what was before is true as well. */
  isForeign: boolean;
}

/** A direct write that has changed a mark, until its event or a repair has handled it. */
interface Doubt {
  player: string;
  at: Timestamp;
  untilMs: number;
  /** Whether somebody has written the document since. */
  isDisturbed: boolean;
  /** Whether it deleted the document. */
  isDeletion: boolean;
  /** Whether there was no mark before either: it ends with the next one, and no receipt is due. */
  isUnmarked: boolean;
  /** Whether a repair has ended it, of which earlier generations know nothing. */
  isRepaired?: boolean;
}

/** A generation, as its pages say. */
export interface Published {
  generation: number;
  asOfMs: number;
  readAt: Timestamp;
  /** Whether a repair made it, so that movement begins anew. */
  isRepair: boolean;
}

export class Midnights extends SeasonCheck implements Follower {
  /** Every generation, the oldest first. */
  readonly all: Published[] = [];
  private readonly changes: (IndexChange & Slotted)[] = [];
  private readonly states = new Map<string, State[]>();
  /** By the names of their receipts. */
  private readonly doubts = new Map<string, Doubt>();
  /** When nobody could know any more what had been counted for a player. */
  private readonly unsureMs = new Map<string, number>();
  private readonly erasedAt = new Map<string, Timestamp>();
  private listed = new Set<number>();
  /** The shards that went last. */
  private gone: { slotEndMs: number; atMs: number }[] = [];

  constructor(store: Store, key: SeasonKey, order: Order) {
    super(store, key, order);
    // A trusted server may have written before the season was opened.
    for (const { id, data } of store.list(playersPath(key))) this.doubtUnmarked(id, data);
  }

  /** A document without a mark, of which no correction is due, waits for its first one. */
  private doubtUnmarked(player: string, data: Data | undefined): void {
    if (data === undefined || data["counted"] !== undefined) return;
    const at = this.store.now();
    this.doubts.set(player, {
      player,
      at,
      untilMs: Infinity,
      isDisturbed: false,
      isDeletion: false,
      isUnmarked: true,
    });
  }

  observe(
    { changes, isForeign }: Commit,
    counted: readonly IndexChange[],
    { receipts, repairedAt }: Handled,
    slotted: Slotted,
  ): void {
    this.changes.push(...counted.map((change) => ({ ...change, ...slotted })));
    const isShard = (path: string) => path.startsWith(`${shardsPath(this.key)}/`);
    const folded = changes.filter(({ path, after }) => isShard(path) && after === undefined);
    if (folded.length > 0)
      this.gone = folded.map(({ before = {}, time }) => ({
        slotEndMs: slotEndOf(before),
        atMs: time.toMillis(),
      }));
    const handled = receipts.flatMap((name) => this.doubts.get(name) ?? []);
    for (const { player, change } of playersChanged(changes)) {
      if (isForeign) this.foreign(player, change, slotted);
      else this.own(player, change, slotted, handled);
    }
    for (const doubt of handled) this.end(doubt, slotted, undefined);
    if (repairedAt !== undefined)
      for (const doubt of this.open()) if (doubt.at <= repairedAt) this.end(doubt, slotted, repairedAt);
  }

  private open(player?: string): Doubt[] {
    const all = [...this.doubts.values()].filter(({ untilMs }) => untilMs === Infinity);
    return player === undefined ? all : all.filter((doubt) => doubt.player === player);
  }

  private foreign(player: string, change: Change, slotted: Slotted): void {
    const { before, after, time } = change;
    for (const doubt of this.open(player)) doubt.isDisturbed = true;
    if (after === undefined) this.erase(player);
    if (countedIn(before) === countedIn(after) && isDeepStrictEqual(notesIn(before), notesIn(after))) {
      this.doubtUnmarked(player, after);
      // Who is hidden may get a score, or lose it.
      if (after?.["counted"] !== undefined) this.becomes(player, slotted, after, { isForeign: true });
      return;
    }
    const isDisturbed = this.open(player).length > 0;
    const isDeletion = after === undefined;
    const doubt = { player, at: time, untilMs: Infinity, isDisturbed, isDeletion, isUnmarked: false };
    this.doubts.set(receiptOf(this.store, change), doubt);
  }

  private own(player: string, { after, time }: Change, slotted: Slotted, handled: readonly Doubt[]): void {
    for (const doubt of this.open(player)) {
      if (handled.includes(doubt)) continue;
      doubt.isDisturbed = true;
      this.unsureMs.set(player, time.toMillis());
      if (doubt.isUnmarked) doubt.untilMs = time.toMillis();
    }
    this.becomes(player, slotted, after);
  }

  /** @param asOf when the document was so: a repair has read it before its commit, and others may have written it since. */
  private becomes(
    player: string,
    slotted: Slotted,
    data: Data | undefined,
    { isForeign = false, asOf = slotted.committedAt } = {},
  ): void {
    if (data === undefined) {
      this.erase(player);
      return;
    }
    const states = this.states.get(player) ?? [];
    const was = stateOf(data);
    // Not by slots: a repair's ranking may name an earlier one than changes that the repair has read.
    const at = states.findLastIndex(({ committedAt }) => committedAt <= asOf);
    // A repair that ends a doubt may put another state before this one.
    const isNews = states[at]?.was !== was || this.open(player).length > 0;
    if (isNews) states.splice(at + 1, 0, { ...slotted, was, isForeign });
    this.states.set(player, states);
  }

  /** Who is deleted begins anew, whoever did it. */
  private erase(player: string): void {
    this.states.delete(player);
    this.erasedAt.set(player, this.store.now());
  }

  /** A doubt has ended: with its event, or with a repair that has read the marks. */
  private end(doubt: Doubt, slotted: Slotted, repairedAt: Timestamp | undefined): void {
    const { player, isDisturbed, isDeletion } = doubt;
    doubt.untilMs = slotted.committedAt.toMillis();
    doubt.isRepaired = repairedAt !== undefined;
    if (isDisturbed) this.unsureMs.set(player, doubt.untilMs);
    const path = `${playersPath(this.key)}/${player}`;
    const asOf = repairedAt ?? slotted.committedAt;
    const data = this.store.get(path, asOf)?.data;
    // Of a document that a server has made since, nothing is counted before its own event.
    const isMadeAnew = isDeletion && repairedAt === undefined && this.open(player).length > 0;
    // Who was not there, or was deleted since, has begun anew: with the changes since then, which are known.
    const erasedAt = this.erasedAt.get(player);
    const isErased = data === undefined || (erasedAt !== undefined && erasedAt > asOf);
    if (!isMadeAnew && !isErased) this.becomes(player, slotted, data, { asOf });
    this.doubtUnmarked(player, this.store.get(path)?.data);
  }

  published(
    { generation, as_of: asOf, read_at: readAt, baselines = [] }: Page,
    _: Marks,
    isRepair: boolean,
  ): void {
    this.all.push({ generation, asOfMs: asOf.toMillis(), readAt, isRepair });
    for (const { at, copy } of baselines) if (!this.listed.has(at)) this.checkCopy(at, copy);
    this.listed = new Set(baselines.map(({ at }) => at));
  }

  /** @throws a violation */
  private checkCopy(at: number, copy: number): void {
    const { players, apart } = this.at(at);
    if (apart > 0) return;
    const pages = this.store
      .list(rankingPagesPath({ ...this.key, baseline: copy }))
      .map(({ data }) => readPage(data));
    pages.sort((a, b) => a.page - b.page);
    const unusable = pages[0]?.unusable_scores ?? 0;
    try {
      checkRows(this.order, pages, { players, unusable });
    } catch (error) {
      const what = `the copy of ${new Date(at).toISOString()} in ${this.key.season}`;
      throw new Violation(`movement: ${what}: ${String(error)}`, { cause: error });
    }
  }

  /** What the index counted at a midnight, apart by changes that came late, too, and by players whom rows owe. */
  at(midnightMs: number): Tally {
    const follows = ({ asOfMs, readAt }: Published) =>
      asOfMs >= midnightMs || readAt.toMillis() >= midnightMs;
    const runAt = this.all.find(follows)?.readAt;
    const counted = this.changes.filter(({ slotEndMs }) => slotEndMs <= midnightMs);
    const late = counted.filter(({ committedAt }) => runAt !== undefined && committedAt >= runAt);
    const marks = new Map<string, number>();
    for (const change of counted) move(marks, change);
    const { players, apart } = shownOf(playersIn(marks));
    return { players, apart: apart + late.length };
  }

  /**
   * What may be told of a player at a midnight, by a generation and to who asked since a moment. Undefined if a foreign
   * write is on its way to the trigger, or the player was erased.
   */
  wasAt(player: string, midnightMs: number, generation: number, sinceMs: number): Set<Was> | undefined {
    const isOver = ({ untilMs, isRepaired, at }: Doubt) =>
      untilMs < sinceMs && (isRepaired !== true || this.isBeforeRepair(generation, at.toMillis()));
    const isDoubtful = (doubt: Doubt) => doubt.player === player && !isOver(doubt);
    if ((this.erasedAt.get(player)?.toMillis() ?? -Infinity) >= sinceMs) return undefined;
    if ([...this.doubts.values()].some(isDoubtful)) return undefined;
    const all = this.states.get(player) ?? [];
    const from = (slotOf: (state: State) => number) => {
      const states = all.filter((state) => slotOf(state) <= midnightMs);
      const before = states.findLast(({ committedAt }) => committedAt.toMillis() < sinceMs)?.was ?? "new";
      return [
        before,
        ...states.filter(({ committedAt }) => committedAt.toMillis() >= sinceMs).map(({ was }) => was),
      ];
    };
    return new Set([...from(({ slotEndMs }) => slotEndMs), ...from(({ earliestMs }) => earliestMs)]);
  }

  /** What a player has been since a midnight, as far as it was not counted: told of who was erased, or hidden and shown. */
  absencesSince(player: string, midnightMs: number): Set<Was> {
    const all = this.states.get(player) ?? [];
    const last = all.findLastIndex(({ slotEndMs }) => slotEndMs <= midnightMs);
    const since = all[last]?.isForeign === true ? last - 1 : last;
    // Who had a document and was never counted was both: a server's bare score, whose event came later, is new too.
    const wasNeverCounted = all.slice(0, since + 1).every(({ was }) => typeof was !== "number");
    return new Set([
      ...(wasNeverCounted ? ["new" as const] : []),
      ...all.slice(Math.max(0, since)).map(({ was }) => was),
    ]);
  }

  /** Whether nobody may know what was counted for a player at a midnight. */
  mayBeUnknown(player: string, midnightMs: number): boolean {
    return (this.unsureMs.get(player) ?? -Infinity) >= midnightMs;
  }

  /**
   * Whether everything that was counted up to a midnight is in a generation, which is the published one, and no shard of
   * before midnight has been there since a moment.
   */
  isQuiet({ generation, readAt }: Published, midnightMs: number, sinceMs: number): boolean {
    const shards = this.store.list(shardsPath(this.key));
    return (
      this.all.at(-1)?.generation === generation &&
      !shards.some(({ data }) => slotEndOf(data) <= midnightMs) &&
      !this.gone.some(({ slotEndMs, atMs }) => slotEndMs <= midnightMs && atMs >= sinceMs) &&
      !this.changes.some(({ slotEndMs, committedAt }) => slotEndMs <= midnightMs && committedAt >= readAt)
    );
  }

  /** Whether a midnight comes before the ranking was made anew, as a generation knows it. */
  isBeforeRepair(generation: number, midnightMs: number): boolean {
    return this.all.some((one) => {
      return one.isRepair && one.generation <= generation && one.readAt.toMillis() >= midnightMs;
    });
  }
}

const slotEndOf = (shard: Data) => (shard["slot_ends_at"] as Timestamp).toMillis();

function stateOf(data: Data): Was {
  const { score } = markOf(countedIn(data)) ?? {};
  return score ?? (data["score"] == null ? "new" : "hidden_then");
}

const notesIn = (data: Data | undefined) => (data?.["counted"] as Data | undefined)?.["before"];
