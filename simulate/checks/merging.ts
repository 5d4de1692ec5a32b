/** Merges: what was asked, and what a commit of a merge may do to the documents of the two players. */
import { isDeepStrictEqual } from "node:util";
import { playerPath } from "../../functions/src/documents/paths.ts";
import { keyIn } from "../board.ts";
import type { Change, Data, Found } from "../memory/store.ts";
import { type Finals, leavesIn } from "./finals.ts";
import type { Life } from "./life.ts";
import { scoreAfter, strictest } from "./merges.ts";
import { nameIn, type Status } from "./player.ts";
import { type Held, heldIn, type Players } from "./players.ts";
import { tickOf, WorldCheck } from "./setting.ts";
import type { Statuses } from "./statuses.ts";
import { insist } from "./violation.ts";
import type { MergeAsked } from "./work.ts";

/** What a commit merges in a season. */
interface MergeIn {
  asked: MergeAsked;
  /** Undefined if the player who goes had no document any more. */
  gone: Change | undefined;
  /** Undefined if the document of the player who stays does not change. */
  kept: Change | undefined;
}

/** The document of a player who has only a line in a final table. */
const nothing: Data = { attempts: 0 };

export class Merging extends WorldCheck<{
  life: Life;
  finals: Finals;
  players: Players;
  statuses: Statuses;
}> {
  /** A merge starts; a guest's if the player who stays asked for it. */
  asked(from: string, to: string, isGuest = false): MergeAsked {
    const began = tickOf(this.world);
    return { from, to, began, statuses: this.world.statuses.merging(from, to, began), isGuest };
  }

  /** A merge has ended, well or not. */
  answered({ from, to, statuses }: MergeAsked): void {
    this.world.statuses.merged(from, to, statuses);
  }

  /** A guest has gone from every open season, or was in none. @throws a violation */
  guestAnswered({ from, began }: MergeAsked): void {
    for (const { id, season } of this.world.life.all())
      insist(
        season.status !== "open" ||
          this.world.players.mayHaveBeen(id, from, began, (held) => held?.score === undefined),
        () => `merged: ${from} was a guest, and is in ${id} as before`,
      );
  }

  /** Whether a merge may give its player this status. */
  mayMake({ from, to, began }: MergeAsked, status: Status): boolean {
    return [from, to].some((player) => this.world.statuses.possibleSince(player, began).includes(status));
  }

  /** A season's documents of two players, merged in a commit: one player goes, and the other has what both had. */
  observe(season: string, { asked, gone: removed, kept: change }: MergeIn): void {
    const { from, to } = asked;
    const gone: Partial<Change> = removed ?? {};
    const unchanged = this.world.database.store.get(playerPath(keyIn(season), to));
    const kept = change ?? { was: unchanged, before: unchanged?.data, after: unchanged?.data };
    const [source, was] = [this.standing(season, from, gone.was), this.standing(season, to, kept.was)];
    const next = heldIn(kept.after);
    const told = () =>
      `merged: ${from} into ${to} in ${season} makes ${text(gone.before)} and ${text(kept.before)} to ${text(kept.after)}`;
    insist(source !== undefined && next !== undefined, told);
    const isFinal = this.world.life.get(season)?.season.status === "closed";
    insist(!asked.isGuest || !isFinal, () => `${told()}, and the table is final`);

    const target = was && { held: was, data: kept.before ?? nothing };
    const sides = [{ held: source, data: gone.before ?? nothing }, target] as const;
    const { score, at } = scoreAfter(this.world.plan.definition, ...sides);
    // A score that cannot be ranked is not kept, and so neither is its time.
    const isTimed = score === undefined || at === undefined || next.at?.isEqual(at) === true;
    insist(next.score === score && isTimed, () => `${told()}, and not to ${score} of ${at?.valueOf()}`);

    const least = strictest([source.status, was?.status ?? "active"]);
    const isStrict = strictest([next.status, least]) === next.status;
    const isRight = next.status === least || (isStrict && this.mayMake(asked, next.status));
    insist(isRight, () => `${told()}, which is not ${least}`);

    const name = nameIn(kept.before) || nameIn(gone.before);
    const isNamed = isFinal || nameIn(kept.after) === name;
    insist(isNamed, () => `${told()}, and not the name to "${name}"`);

    const values = source.segments ? { ...source.segments, ...was?.segments } : was?.segments;
    const hasValues = isFinal || isDeepStrictEqual(next.segments, values);
    insist(hasValues, () => `${told()}, and not the segments to ${text(values)}`);

    const left = heldIn(gone.after);
    const mayStay = left === undefined || (left.status !== "active" && this.mayMake(asked, left.status));
    insist(mayStay, () => `${told()}, and leaves ${text(gone.after)}`);
    this.world.players.replaced(from);
  }

  /** A player as a merge finds the player: in a closed season the line in the table, or before a ban, says the score. */
  private standing(season: string, player: string, before: Found | undefined): Held | undefined {
    const line = this.world.finals.lineOf(season, player);
    const held = heldIn(before?.data);
    // A trusted server's score without a time has that of the write.
    if (line === undefined) return held && { ...held, at: held.at ?? before?.updateTime };
    const { status = "active", segments, marked = [] } = held ?? {};
    return { ...line, status, segments, marked };
  }
}

/** What a commit merges in a season; undefined if nobody goes there. In a closed season a line may go in place of a document. */
export function mergeIn(changes: readonly Change[], season: string, asked: MergeAsked): MergeIn | undefined {
  const key = keyIn(season);
  const changeOf = (player: string) => changes.find(({ path }) => path === playerPath(key, player));
  const [gone, kept] = [changeOf(asked.from), changeOf(asked.to)];
  if (gone !== undefined && isGone(gone.after)) return { asked, gone, kept };
  const isLine = kept !== undefined && leavesIn(key, changes, asked.from);
  return isLine ? { asked, gone: undefined, kept } : undefined;
}

/** Whether nothing is left of a player, or in `all_time` only the status of a player who is hidden or banned. */
function isGone(after: Data | undefined): boolean {
  const { counted: _, ...others } = after ?? {};
  return (
    after === undefined ||
    (Object.keys(others).sort().join() === "attempts,status" && after["attempts"] === 0)
  );
}

const text = (data: Data | undefined) => JSON.stringify(data);
