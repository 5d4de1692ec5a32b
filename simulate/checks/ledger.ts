/**
 * The ledger of players' documents: it knows only what was asked, and holds each change of a document to that.
 *
 * Each commit that changes a document follows from one request, executed once: submissions (recorded.ts), a merge
 * (merging.ts), or what is here: a status, an erasure, a profile, the write of a trusted server. What submissions are
 * answered with is held to what was recorded (submission-answers.ts). So every score in a season was submitted to the
 * season, and no score that an answer names is missing. finals.ts has what becomes of scores in final tables.
 */
import { isDeepStrictEqual } from "node:util";
import { countedIn } from "../../functions/src/documents/mark.ts";
import { playersChanged } from "../board.ts";
import type { Change, Data } from "../memory/store.ts";
import type { Life } from "./life.ts";
import { mergeIn, type Merging } from "./merging.ts";
import { attemptsIn, nameIn, namesNoStatus, statusIn } from "./player.ts";
import { heldIn, type Players } from "./players.ts";
import type { Recorded } from "./recorded.ts";
import { WorldCheck } from "./setting.ts";
import type { Statuses } from "./statuses.ts";
import { insist } from "./violation.ts";
import type { DirectWrite, ProfileChange, StatusAsked, Work } from "./work.ts";

interface Others {
  life: Life;
  players: Players;
  statuses: Statuses;
  merging: Merging;
  recorded: Recorded;
}

/** A player's document of a season in a commit, before and after. */
interface PlayerChange {
  season: string;
  player: string;
  change: Change;
}

export class Ledger extends WorldCheck<Others> {
  /** @throws a violation */
  observe(changes: readonly Change[], work: Work): void {
    /** The changes that submissions have made, by player and season. */
    const submitted = new Map<string, Map<string, Change>>();
    for (const one of playersChanged(changes)) {
      const { season, player, change } = one;
      checkName(change, work);
      const merge = work.kind === "merge" ? mergeIn(changes, season, work.asked) : undefined;
      if (merge !== undefined && change === (merge.gone ?? merge.kept))
        this.world.merging.observe(season, merge);
      // The change of the player who stays is checked with the change of the player who goes.
      else if (player === merge?.asked.to) continue;
      else if (work.kind === "lanes" && attemptsIn(change.after) > attemptsIn(change.before))
        submitted.set(player, (submitted.get(player) ?? new Map<string, Change>()).set(season, change));
      else this.changed(one, work);
    }
    if (work.kind !== "lanes") return;
    for (const [player, changed] of submitted) this.world.recorded.observe(player, work.instance, changed);
  }

  /** A document that was changed by something other than a submission or a merge. */
  private changed(one: PlayerChange, work: Work): void {
    if (work.kind === "direct") this.written(one, work);
    else if (work.kind === "profile") this.named(one, work);
    else if (one.change.after === undefined) this.removed(one, work);
    else this.completed(one, work);
  }

  /** A trusted server's write is the write that was asked for. */
  private written(one: PlayerChange, write: DirectWrite): void {
    const { season, player, change } = one;
    const { before, after } = change;
    const isIt = write.season === season && write.player === player;
    insist(isIt && isDeepStrictEqual(after, write.after(before)), () => `nothing lost: ${told(one, write)}`);
    const [was, next] = [heldIn(before)?.status, heldIn(after)?.status];
    // A document that named none may have had the board's, of a ban say.
    const isTold = was !== next || namesNoStatus(before);
    if (isTold && !namesNoStatus(after)) this.world.statuses.written(player, next ?? "active");
    if (write.isWhole) this.world.players.replaced(player);
  }

  /** A profile changes only its fields, only for the player who asked, and not in closed seasons. */
  private named(one: PlayerChange, work: ProfileChange): void {
    const { before, after } = one.change;
    const others = (data: Data | undefined) => ({ ...data, counted: undefined, ...work.fields });
    const isIt = work.player === one.player && before !== undefined && heldIn(before)?.status !== "banned";
    const isOpen = ["open", "closing"].includes(this.world.life.get(one.season)?.season.status ?? "");
    const isRight = isIt && isOpen && isDeepStrictEqual(others(before), others(after));
    insist(isRight, () => `profile: ${told(one, work)}`);
    this.checkEverywhere(work);
  }

  /** A profile that has changed is the same in all open seasons that have the player's score. */
  private checkEverywhere({ player, fields, beganMs }: ProfileChange): void {
    const { life, plan, players } = this.world;
    for (const { id, opensMs, closesMs, season } of life.all()) {
      const data = players.documentOf(id, player);
      const isOpen = season.status === "open" && !life.wasMissing(id, beganMs);
      const takes = opensMs + plan.skewMsMax <= beganMs && this.world.now() + plan.skewMsMax < closesMs;
      if (!isOpen || !takes || data?.["score"] === undefined) continue;
      for (const [name, value] of Object.entries(fields))
        insist(
          data[name] === value,
          () => `profile: ${player} is ${JSON.stringify(data)} in ${id}, not ${JSON.stringify(fields)}`,
        );
    }
  }

  /** A document goes with its season, or because the player is erased. */
  private removed(one: PlayerChange, work: Work): void {
    const isCleared = this.world.life.get(one.season)?.season.status === "deleting" && work.kind === "step";
    const isErased = isAbout(work, one.player) && work.asked.status === "removed";
    insist(isCleared || isErased, () => `nothing lost: ${told(one, work)}`);
    this.world.players.replaced(one.player);
  }

  /**
   * All else may only complete a document, or set the status that was asked for. A document that names no status gets the
   * one that the board keeps; so does one in all_time that a trusted server has deleted, and nothing else.
   */
  private completed(one: PlayerChange, work: Work): void {
    const { player, change } = one;
    const [was, next] = [heldIn(change.before), heldIn(change.after)];
    const isSame =
      was?.score === next?.score &&
      (was?.at === undefined || (next?.at !== undefined && was.at.isEqual(next.at))) &&
      (isDeepStrictEqual(was?.segments, next?.segments) || isOfHeldLine(work, change));
    const status = statusIn(change.after);
    const isSet =
      (isAbout(work, player) && work.asked.status === status) ||
      (work.kind === "merge" && work.asked.to === player && this.world.merging.mayMake(work.asked, status));
    const isBack = one.season === "all_time" && work.kind === "other" && change.before === undefined;
    const isKept = isBack ? isStatusAlone(change.after) : namesNoStatus(change.before);
    const kept = isKept ? this.world.statuses.kept(player) : was?.status;
    const isRight = isSet || kept === status || isSeatAlone(change);
    insist(isSame && isRight, () => `nothing lost: ${told(one, work)}`);
  }
}

/** Only a merge, a profile and a trusted server change the name of a player who stays. @throws a violation */
function checkName({ before, after }: Change, { kind }: Work): void {
  const mayChange = ["direct", "merge", "profile"].includes(kind);
  insist(
    mayChange || before === undefined || after === undefined || nameIn(before) === nameIn(after),
    () =>
      `nothing lost: ${kind} has changed the name in ${JSON.stringify(before)} to ${JSON.stringify(after)}`,
  );
}

/** Whether an admin sets the status of a player, or erases the player. */
function isAbout(work: Work, player: string): work is { kind: "status"; asked: StatusAsked } {
  return work.kind === "status" && work.asked.player === player;
}

/** Whether a document keeps a status, and has nothing else. */
function isStatusAlone(data: Data | undefined): boolean {
  return isDeepStrictEqual(data, { status: statusIn(data), attempts: 0 }) && statusIn(data) !== "active";
}

/** Whether nothing but a seat of a league has changed: whoever writes it leaves the status to the event that gives one. */
function isSeatAlone({ before, after }: Change): boolean {
  const [was, is] = [before, after].map((data) => ({
    ...data,
    league_seat: undefined,
    counted: countedIn(data),
  }));
  return before !== undefined && isDeepStrictEqual(was, is);
}

/** Whether somebody came back with the segments of the line that a ban has held. */
function isOfHeldLine({ kind }: Work, { before, after }: Change): boolean {
  const held = before?.["held_line"] as { segments?: string } | undefined;
  const texts = Object.entries(after?.["segments"] ?? {}).map(([name, value]) => `${name}=${value}`);
  return kind === "status" && held !== undefined && texts.sort().join(" ") === (held.segments ?? "");
}

const told = ({ change: { path, before, after } }: PlayerChange, { kind }: Work) =>
  `${path} was changed by ${kind} from ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
