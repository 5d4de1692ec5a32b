/* eslint-disable max-lines -- each change of a player and what explains it is one story */
/**
 * A ledger of players' scores in each season, which knows only the requests and the answers.
 *
 * Each commit that changes a player's document must be the result of one request, executed once: a submission in all
 * seasons that were current when its call came, or in the tournament that it names, and in no other; a status; an
 * erasure. And each answer must match what was committed. So every score in a season was submitted to it, and no
 * answered score is missing. What final tables have of it is in finals.ts.
 */
import { isDeepStrictEqual } from "node:util";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { countedIn } from "../../functions/src/documents/mark.ts";
import { playerPath } from "../../functions/src/documents/paths.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { insist, Violation } from "./violation.ts";
import { type Change, type Data, microsOf, timeOf } from "../memory/store.ts";
import { keyIn, playersChanged } from "../board.ts";
import type { Life } from "./life.ts";
import type { Finals } from "./finals.ts";
import { WorldCheck } from "./setting.ts";
import { leavesIn } from "./finals.ts";
import { attemptsIn, markOf, nameIn, scoreIn, statusIn, valuesIn } from "./player.ts";
import { type MergeAsked, scoreAfter, strictest } from "./merges.ts";
import type { Known } from "./life.ts";
import { Statuses, type Status, type StatusAsked } from "./statuses.ts";
import type { Call, ProfileChange, Submission, Work } from "./work.ts";

/** A player in a season. */
export interface Held {
  /** Undefined if it cannot be ranked. */
  score: number | undefined;
  status: Status;
  at: Timestamp | undefined;
  /** The values of segments that the document has. */
  segments: Data | undefined;
  /** The segments in which it is counted. */
  marked: readonly string[];
}

/** Why a submission was not recorded; `overtaken` by the end of a season, so that the next takes it. */
export type Refused = "banned" | "closed" | "missing" | "overtaken";

/** A call's answer for a submission: seasons with scores, or why it was refused; undefined if unknown. */
export type Answered =
  | { seasons: { season: string; score: number | undefined; repeated: boolean }[] }
  | { refused: Refused }
  | undefined;

type Rules = Pick<Definition, "aggregation" | "order" | "ties">;

export class Ledger extends WorldCheck<{ life: Life; finals: Finals }> {
  /** The last tick at which a player may have had a score between the submissions of one commit. */
  private readonly between = new Map<string, number>();
  private readonly removedAt = new Map<string, number>();
  /** Calls whose submissions an instance may still commit. */
  private calls: Call[] = [];
  private readonly statuses = new Statuses(() => this.tick());

  private get rules(): Rules {
    return this.world.plan.definition;
  }

  private get skewMsMax() {
    return this.world.plan.skewMsMax;
  }

  /** A player's document of a season. */
  private documentOf(season: string, player: string) {
    return this.world.database.store.get(playerPath(keyIn(season), player))?.data;
  }

  held(season: string, player: string) {
    return stateOf(this.documentOf(season, player));
  }

  /** A player's states in a season since a tick; undefined if that is too long ago. */
  heldSince(season: string, player: string, tick: number): (Held | undefined)[] | undefined {
    const path = playerPath(keyIn(season), player);
    return this.world.database.store.history(path, timeOf(tick))?.map(stateOf);
  }

  /** The score after a submission. */
  private added(before: number | undefined, score: number): number {
    if (before === undefined) return score;
    if (this.rules.aggregation === "best") return isBetter(this.rules.order, score, before) ? score : before;
    return this.rules.aggregation === "latest" ? score : before + score;
  }

  /** Whether a submission does not change a player. */
  private isVain(player: Held | undefined, submission: Submission): boolean {
    const { score, id } = submission;
    if (player?.score === undefined || player.at === undefined) return false;
    if (this.added(player.score, score) !== player.score) return false;
    if (!isDeepStrictEqual(segmentsAfter(player.segments, submission), player.segments)) return false;
    return this.rules.aggregation === "best" || id === undefined;
  }

  /** The values with which a player begins in a season: those of one that the submissions go to, or of another. */
  private segmentsBegun(
    player: string,
    order: readonly Waiting[],
    changed: ReadonlyMap<string, Change>,
    season: string,
  ): Data | undefined {
    const ids = new Set(
      order.flatMap(({ call }) =>
        this.targetsOf(call)
          .filter((seasons) => seasons.some(({ id }) => id === season))
          .flat()
          .map(({ id }) => id),
      ),
    );
    const valuesOf = (id: string) => {
      const change = changed.get(id);
      return change === undefined ? this.held(id, player)?.segments : valuesIn(change.before);
    };
    const present = [...ids].map(valuesOf).filter((values) => values !== undefined);
    const others = this.world.life.all().map(({ id }) => valuesOf(id));
    const choices = present.length > 0 ? present : [undefined, ...others];
    const after = valuesIn(changed.get(season)?.after);
    const isRight = (values: Data | undefined) =>
      isDeepStrictEqual(
        order.reduce((before, { submission }) => segmentsAfter(before, submission), values),
        after,
      );
    return choices.find(isRight) ?? choices[0];
  }

  /** Whether a player's document names a submission, so that it is recognized when it comes again. */
  private remembers(season: string, { player, id }: Submission): boolean {
    const ids = this.documentOf(season, player)?.["submission_ids"];
    return Array.isArray(ids) && ids.includes(id);
  }

  /** The seasons that a call may have gone to, one choice for each possible moment of its arrival. */
  private targetsOf({ cup, beganMs }: Call): Known[][] {
    if (cup === undefined) return this.world.life.between(beganMs - this.skewMsMax, beganMs + this.skewMsMax);
    const one = this.world.life.get(cup);
    if (one === undefined || one.opensMs > beganMs + this.skewMsMax) return [];
    return beganMs - this.skewMsMax < one.closesMs + this.world.life.lateMs(cup) ? [[one]] : [];
  }

  /** When a submission was achieved, by the clock of its instance. */
  private timeOf({ beganMs, skewMs, sent }: Call, submission: Submission) {
    return 1_000 * (Math.floor(beganMs) + skewMs) + sent.indexOf(submission);
  }

  /** The submissions of a player that an instance may still commit. */
  private waitingFor(player: string, instance: string): Waiting[] {
    const oldest = this.world.now() - callsKeptMs;
    this.calls = this.calls.filter(({ beganMs }) => beganMs > oldest);
    return this.calls
      .filter((call) => call.instance === instance)
      .flatMap((call) =>
        call.sent
          .filter((one) => one.player === player && !call.over.has(one))
          .map((submission) => ({ call, submission })),
      );
  }

  /**
   * One player's documents, changed by one or more submissions that an instance had to commit. Which, the document says: how
   * many attempts were added, and when the last one arrived. @throws a violation unless some order of them explains it
   */
  private submitted(player: string, instance: string, changed: Map<string, Change>): void {
    const waiting = this.waitingFor(player, instance);
    const lasts = new Set([...changed.values()].map(({ after }) => microsIn(after?.["last_submission_at"])));
    const attempts = [...changed.values()].map(({ before, after }) => attemptsIn(after) - attemptsIn(before));
    let problem: unknown = new Violation(
      `counted: ${player} changed in ${[...changed.keys()].join()}, and ${waiting.length} submissions waited`,
    );
    const isLast = (one: Waiting) => lasts.has(this.timeOf(one.call, one.submission));
    // First those that were not recorded yet: only some may be recorded twice.
    const fresh = waiting.filter(({ submission: { effect } }) => effect === undefined);
    let note: (() => void) | undefined;
    let held: readonly Waiting[] = [];
    const doubtful = new Set<Submission>();
    let tries = 0;
    // Some may have changed one season, and others another.
    const most = attempts.reduce((sum, more) => sum + more, 0);
    for (let count = Math.max(...attempts); count <= most && note === undefined; count += 1)
      for (const order of [...ordersOf(fresh, count), ...ordersOf(waiting, count)]) {
        if (!order.some(isLast)) continue;
        if (note !== undefined && (tries += 1) > otherOrdersMax) break;
        try {
          const made = this.explain(player, { order, waiting }, changed);
          if (note === undefined) [note, held] = [made, order];
          for (const { submission } of held)
            if (!order.some((one) => one.submission === submission)) doubtful.add(submission);
        } catch (error) {
          problem = error;
        }
      }
    if (note !== undefined) {
      note();
      for (const { effect } of doubtful) if (effect !== undefined) effect.isDoubtful = true;
      return;
    }
    throw problem;
  }

  /** Holds that some submissions, one after the other, make a commit. Returns how to note that. */
  private explain(
    player: string,
    { order, waiting }: { order: readonly Waiting[]; waiting: readonly Waiting[] },
    changed: Map<string, Change>,
  ): () => void {
    const states = new Map<string, Explained>();
    for (const [season, { before }] of changed)
      states.set(season, {
        held: stateOf(before),
        begun: before === undefined ? this.segmentsBegun(player, order, changed, season) : undefined,
        attempts: attemptsIn(before),
        last: NaN,
        ids: new Set(),
      });
    const effects: (() => void)[] = [];
    const maybe: [Submission, string][] = [];
    for (const { call, submission } of order) {
      const { score, effect } = submission;
      const named = () =>
        `${player}'s ${score} (${submission.id ?? "without id"}), sent at ${call.beganMs} and committed at ${this.world.now()}`;
      const present = (season: string) =>
        states.has(season) ? states.get(season)?.held : this.held(season, player);
      const targets = this.targetsOf(call).filter(
        (choice) =>
          [...changed.keys()].every((season) => choice.some(({ id }) => id === season)) &&
          choice.every(({ id }) => changed.has(id) || this.isVain(present(id), submission)),
      );
      insist(
        targets.length > 0,
        () =>
          `counted: ${named()}, changed ${[...changed.keys()].join()}, which are not the seasons of its time`,
      );
      const isErasedSince = effect !== undefined && (this.removedAt.get(player) ?? -1) > effect.tick;
      if (effect !== undefined) {
        const isPlain = this.rules.aggregation === "best" && submission.id === undefined;
        const mayRepeat = isPlain || isErasedSince || effect.isDoubtful === true;
        insist(mayRepeat, () => `counted: ${named()}, counts in ${[...changed.keys()].join()} a second time`);
      }
      const scores = new Map<string, number>();
      for (const [season, state] of states) {
        const was = state.held;
        insist(
          was?.status !== "banned",
          () => `counted: ${named()}, though the player is banned in ${season}`,
        );
        const expected = this.added(was?.score, score);
        if (!this.isVain(was, submission)) {
          state.attempts += 1;
          if (submission.id !== undefined) state.ids.add(submission.id);
          state.last = this.timeOf(call, submission);
        }
        const at =
          expected === was?.score && was.at !== undefined ? was.at : timeOf(this.timeOf(call, submission));
        const status = was?.status ?? statusIn(changed.get(season)?.after);
        const possible: readonly Status[] =
          was === undefined ? this.statuses.possibleSince(player, call.beganTick) : [was.status];
        insist(
          possible.includes(status),
          () => `status: ${player} begins ${season} as ${status}, and is ${possible.join(" or ")}`,
        );
        const segments = segmentsAfter(was === undefined ? state.begun : was.segments, submission);
        const next = { score: expected, status, at, segments, marked: [] };
        // Of several orders that explain a commit, only one is held to be the right one.
        maybe.push([submission, `${season} ${expected}`]);
        state.held = next;
        scores.set(season, expected);
      }
      for (const { id } of targets.flat()) {
        const other = present(id)?.score;
        if (other !== undefined && !scores.has(id)) scores.set(id, other);
      }
      const choices = targets.map((choice) => choice.map(({ id }) => id));
      effects.push(() => (submission.effect = { choices, scores, tick: this.tick() }));
    }
    for (const [season, { before, after }] of changed) {
      const [state, next] = [states.get(season), stateOf(after)];
      const [known, kept] = [before, after].map((data) => (data?.["submission_ids"] ?? []) as string[]);
      const news = kept?.filter((id) => known?.includes(id) !== true) ?? [];
      const told = () =>
        `counted: in ${season} ${text(before)} became ${text(after)}, not ${JSON.stringify(state)}`;
      const isTimed = next?.at !== undefined && state?.held?.at?.isEqual(next.at) === true;
      // A score that a trusted server wrote without a time has got one.
      const isFilled = stateOf(before)?.at === undefined && stateOf(before)?.score === next?.score;
      insist(
        next?.score === state?.held?.score &&
          next?.status === state?.held?.status &&
          isDeepStrictEqual(next?.segments, state?.held?.segments) &&
          attemptsIn(after) === state?.attempts &&
          waiting.every(
            ({ submission: { id } }) => id === undefined || news.includes(id) === state.ids.has(id),
          ) &&
          (Number.isNaN(state.last) || microsIn(after?.["last_submission_at"]) === state.last) &&
          (isTimed || isFilled),
        told,
      );
    }
    for (const [submission, result] of maybe) {
      submission.mayBe.add(result);
      this.between.set(`${player} ${result}`, this.tick());
    }
    return () => {
      for (const effect of effects) effect();
    };
  }

  /** A document that was changed by something other than a submission. */
  private changed(season: string, player: string, { before, after, path }: Change, work: Work): void {
    const [was, next] = [stateOf(before), stateOf(after)];
    const what = () => `${path} was changed by ${work.kind} from ${text(before)} to ${text(after)}`;
    if (work.kind === "direct") {
      const isIt = work.season === season && work.player === player;
      insist(isIt && isDeepStrictEqual(after, work.after(before)), () => `nothing lost: ${what()}`);
      if (was?.status !== next?.status) this.statuses.written(player, next?.status ?? "active");
      // A submission that is sent again is recognized no more.
      if (work.isWhole) this.removedAt.set(player, this.tick());
    } else if (work.kind === "profile") {
      const others = (data: Data | undefined) => ({ ...data, counted: undefined, ...work.fields });
      const isIt = work.player === player && before !== undefined && was?.status !== "banned";
      const isOpen = ["open", "closing"].includes(this.world.life.get(season)?.season.status ?? "");
      insist(isIt && isOpen && isDeepStrictEqual(others(before), others(after)), () => `profile: ${what()}`);
      this.checkProfile(work);
    } else if (next === undefined) {
      const isDeleted = this.world.life.get(season)?.season.status === "deleting" && work.kind === "step";
      const isRemoved =
        work.kind === "status" && work.asked.status === "removed" && work.asked.player === player;
      insist(isDeleted || isRemoved, () => `nothing lost: ${what()}`);
      this.removedAt.set(player, this.tick());
    } else {
      // Indexing a document completes it.
      const isSame =
        was?.score === next.score &&
        (was?.at === undefined || sameTime(was, next)) &&
        (isDeepStrictEqual(was?.segments, next.segments) || isOfHeldLine(work, before, after));
      const isSet =
        work.kind === "status"
          ? work.asked.player === player && work.asked.status === next.status
          : work.kind === "merge" &&
            work.asked.to === player &&
            this.isStatusOfMerge(work.asked, next.status);
      insist(isSame && (isSet || was?.status === next.status), () => `nothing lost: ${what()}`);
    }
  }

  /** A profile that has changed is the same in all open seasons that have the player's score. */
  private checkProfile({ player, fields, beganMs }: ProfileChange): void {
    for (const { id, opensMs, closesMs, season } of this.world.life.all()) {
      const data = this.documentOf(id, player);
      const isOpen = season.status === "open" && !this.world.life.wasMissing(id, beganMs);
      const takes = opensMs + this.skewMsMax <= beganMs && this.world.now() + this.skewMsMax < closesMs;
      if (!isOpen || !takes || data?.["score"] === undefined) continue;
      for (const [name, value] of Object.entries(fields))
        insist(
          data[name] === value,
          () => `profile: ${player} is ${text(data)} in ${id}, not ${text(fields)}`,
        );
    }
  }

  /** A player as a merge finds one: in a closed season the standings, or the line that they had, say the score. */
  private standing(season: string, player: string, before: Data | undefined): Held | undefined {
    const line = this.world.finals.lineOf(season, player);
    const document = stateOf(before);
    if (line === undefined) return document;
    const { status = "active", segments, marked = [] } = document ?? {};
    return { ...line, status, segments, marked };
  }

  /** What a commit merges in a season; in a closed one a player need not have a document any more. */
  private mergeOf(changes: readonly Change[], season: string, work: Work): MergeIn | undefined {
    if (work.kind !== "merge") return undefined;
    const { asked } = work;
    const key = keyIn(season);
    const of = (player: string) => changes.find(({ path }) => path === playerPath(key, player));
    const [gone, kept] = [of(asked.from), of(asked.to)];
    if (gone !== undefined && isGone(gone.after)) return { asked, gone, kept };
    const isLine = kept !== undefined && leavesIn(key, changes, asked.from);
    return isLine ? { asked, gone: undefined, kept } : undefined;
  }

  /** Whether a merge may give its player this status. */
  private isStatusOfMerge({ from, to, began }: MergeAsked, status: Status): boolean {
    return [from, to].some((player) => this.statuses.possibleSince(player, began).includes(status));
  }

  /** One season's documents of two players, merged in one commit: one goes, and the other has what both had. */
  private merged(season: string, { asked, gone: removed, kept: change }: MergeIn): void {
    const { from, to } = asked;
    const gone: Partial<Change> = removed ?? {};
    const unchanged = this.documentOf(season, to);
    const kept = change ?? { before: unchanged, after: unchanged };
    const [was, next] = [this.standing(season, to, kept.before), stateOf(kept.after)];
    const what = () =>
      `merged: ${from} into ${to} in ${season} makes ${text(gone.before)} and ${text(kept.before)} to ${text(kept.after)}`;
    const source = this.standing(season, from, gone.before);
    insist(source !== undefined && next !== undefined, what);
    const { status } = this.world.life.get(season)?.season ?? {};
    insist(!asked.isGuest || status !== "closed", () => `${what()}, and the table is final`);
    const target = was && { held: was, data: kept.before ?? nothing };
    const { score, at } = scoreAfter(this.rules, { held: source, data: gone.before ?? nothing }, target);
    // A score that cannot be ranked is not kept, and so neither is its time.
    const isTimed = score === undefined || at === undefined || next.at?.isEqual(at) === true;
    insist(next.score === score && isTimed, () => `${what()}, and not to ${score} of ${at?.valueOf()}`);
    const least = strictest([source.status, was?.status ?? "active"]);
    const isStrict =
      next.status === least ||
      (strictest([next.status, least]) === next.status && this.isStatusOfMerge(asked, next.status));
    insist(isStrict, () => `${what()}, which is not ${least}`);
    const name = nameIn(kept.before) || nameIn(gone.before);
    insist(
      status === "closed" || nameIn(kept.after) === name,
      () => `${what()}, and not the name to "${name}"`,
    );
    const values = source.segments && { ...source.segments, ...was?.segments };
    insist(
      status === "closed" || isDeepStrictEqual(next.segments, values ?? was?.segments),
      () => `${what()}, and not the segments to ${text(values)}`,
    );
    const left = stateOf(gone.after);
    const mayStay =
      left === undefined || (left.status !== "active" && this.isStatusOfMerge(asked, left.status));
    insist(mayStay, () => `${what()}, and leaves ${text(gone.after)}`);
    this.removedAt.set(from, this.tick());
  }

  /**
   * Compares an answer with the submission's effect. It is one function, as an answer that one of its cases is about is
   * not held to those after it.
   */
  answered(call: Call, submission: Submission, answer: Answered): void {
    if (answer === undefined) return;
    call.over.add(submission);
    const { player, score, effect, tries } = submission;
    const told = () => `${player}'s ${score} was answered with ${JSON.stringify(answer)}`;
    if ("refused" in answer) {
      // A commit whose answer was lost is not recognized after a ban, unless it would count twice. Nor is it where a trusted
      // server has replaced the document.
      const isReplaced = effect !== undefined && (this.removedAt.get(player) ?? -1) >= effect.tick;
      const mayBeForgotten =
        answer.refused === "banned" &&
        (isReplaced || this.rules.aggregation !== "sum" || submission.id !== undefined);
      insist(
        tries > 1 || mayBeForgotten || effect === undefined || effect.tick <= call.beganTick,
        () => `answers: ${told()}, and was recorded`,
      );
      this.checkRefusal(call, player, answer.refused, told);
      return;
    }
    const isErased = (this.removedAt.get(player) ?? -1) > (effect?.tick ?? call.beganTick);
    // Of a repeated answer nothing may be left, if no score in it can be ranked any more.
    const isRepeated = answer.seasons.length === 0 || answer.seasons.some((one) => one.repeated);
    if (effect !== undefined && (effect.tick > call.beganTick || isRepeated)) {
      const names = new Set(answer.seasons.map(({ season }) => season));
      // A season whose score cannot be ranked is left out. One that had a better score and remembers nothing of this one
      // may be answered by the next of its span.
      const isNextOf = (season: string, next: string) =>
        this.world.life.get(next)?.season.span === this.world.life.get(season)?.season.span &&
        !this.remembers(season, submission);
      const isAll = (choice: string[]) => {
        const others = [...names].filter((name) => !choice.includes(name));
        const isThere = (season: string) =>
          names.has(season) || others.some((other) => isNextOf(season, other));
        return (
          choice.every((season) => isThere(season) || this.held(season, player)?.score === undefined) &&
          others.every((other) => isRepeated && choice.some((season) => isNextOf(season, other)))
        );
      };
      insist(
        isErased || effect.choices.some(isAll),
        () => `answers: ${told()}, and was recorded in ${effect.choices.join(" or ")}`,
      );
      for (const { season, score: shown, repeated } of answer.seasons) {
        const isIt =
          shown === effect.scores.get(season) ||
          submission.mayBe.has(`${season} ${shown}`) ||
          this.wasScore(season, player, shown, call) ||
          // Where other orders explain its commit without it, it may have been in vain.
          (effect.isDoubtful === true && this.wasVainBetween(submission, season, shown, call));
        insist(
          isErased || repeated || isIt,
          () => `answers: ${told()}, ${effect.scores.get(season)} was recorded`,
        );
      }
      return;
    }
    const choices =
      effect === undefined
        ? this.targetsOf(call).map((choice) => choice.map(({ id }) => id))
        : effect.choices;
    const names = answer.seasons.map(({ season }) => season).sort();
    const isOfTime = choices.some((choice) => [...choice].sort().join() === names.join());
    insist(isErased || isOfTime, () => `answers: ${told()}, which are not the seasons of its time`);
    for (const { season, score: shown } of answer.seasons) {
      const states = this.heldSince(season, player, call.beganTick);
      const isVainThen =
        states?.some((state) => state?.score === shown && this.isVain(state, submission)) ?? true;
      insist(
        isErased ||
          isVainThen ||
          this.wasVainBetween(submission, season, shown, call) ||
          effect !== undefined ||
          submission.mayBe.has(`${season} ${shown}`),
        () => `answers: ${told()}, and nothing was recorded`,
      );
    }
  }

  private wasScore(season: string, player: string, score: number | undefined, { beganTick }: Call): boolean {
    const states = this.heldSince(season, player, beganTick);
    return (
      this.wasBetween(player, `${season} ${score}`, beganTick) ||
      (states?.some((state) => state?.score === score) ?? true)
    );
  }

  /** Whether a player may have had a score between the submissions of one commit. */
  private wasBetween(player: string, score: string, since: number) {
    return (this.between.get(`${player} ${score}`) ?? -1) > since;
  }

  /** Whether a submission may have been in vain between others of one commit. */
  private wasVainBetween(
    submission: Submission,
    season: string,
    score: number | undefined,
    { beganTick }: Call,
  ): boolean {
    return (
      this.wasBetween(submission.player, `${season} ${score}`, beganTick) &&
      this.isVain({ ...active, score, segments: submission.segments }, submission)
    );
  }

  private checkRefusal(call: Call, player: string, why: Refused, told: () => string): void {
    const { cup = "", beganMs, beganTick } = call;
    if (why === "banned") {
      const isBanned =
        this.statuses.possibleSince(player, beganTick).includes("banned") ||
        this.world.life
          .all()
          .some(
            ({ id }) =>
              this.heldSince(id, player, beganTick)?.some((state) => state?.status === "banned") ?? true,
          );
      insist(isBanned, () => `answers: ${told()}, and the player is not banned`);
      return;
    }
    if (why === "overtaken") {
      const isOvertaken = this.world.life
        .all()
        .some(
          ({ season: { span, status }, closesMs }) =>
            span !== "custom" &&
            status !== "open" &&
            beganMs - this.skewMsMax < closesMs &&
            closesMs <= this.world.now() + this.skewMsMax,
        );
      insist(
        call.cup === undefined && isOvertaken,
        () => `answers: ${told()}, and no season of a span has ended`,
      );
      return;
    }
    insist(call.cup !== undefined, () => `answers: ${told()}, and the spans always take scores`);
    const one = this.world.life.get(cup);
    const wasMissing = this.world.life.wasMissing(cup, beganMs - memoryMs);
    if (why === "missing") insist(wasMissing, () => `answers: ${told()}, and the season is there`);
    else {
      // A tournament that has begun to close takes nothing, also of a call that came before and was slow.
      const isOpen =
        one?.season.status === "open" &&
        one.opensMs + this.skewMsMax <= beganMs &&
        // An instance may remember an end that moved, as its commit took long.
        beganMs < one.closesMs - this.skewMsMax - this.world.life.lateMs(cup);
      insist(!isOpen || wasMissing, () => `answers: ${told()}, and the season takes scores`);
    }
  }

  /** The time in microseconds, each time a later one. */
  tick() {
    return microsOf(this.world.database.store.now());
  }

  call(cup: string | undefined, sent: Submission[], { name, skewMs }: { name: string; skewMs: number }) {
    const call = {
      cup,
      sent,
      over: new Set<Submission>(),
      instance: name,
      skewMs,
      beganMs: this.world.now(),
      beganTick: this.tick(),
    };
    this.calls.push(call);
    return call;
  }

  /** How many submissions of a player an instance may still commit. */
  waiting(player: string, instance: string) {
    return this.waitingFor(player, instance).length;
  }

  /** Nothing is under way any more. */
  rest() {
    this.calls = [];
    this.between.clear();
  }

  statusAsked(player: string, status: StatusAsked["status"]) {
    return this.statuses.asked(player, status, this.tick());
  }

  /** @throws a violation */
  statusAnswered(asked: StatusAsked, how: "done" | "refused" | "unknown") {
    for (const { id, season } of how === "refused" ? this.world.life.all() : [])
      insist(
        season.status === "deleting" ||
          (this.heldSince(id, asked.player, asked.began)?.includes(undefined) ?? true),
        () => `status: ${asked.player} was not found, and is in ${id}`,
      );
    const places = this.world.life.all().flatMap(({ id, season }) => {
      const state = season.status === "deleting" ? undefined : this.held(id, asked.player);
      return state === undefined ? [] : [{ season: id, status: state.status }];
    });
    this.statuses.answered(asked, how, places);
  }

  mergeAsked(from: string, to: string, isGuest = false): MergeAsked {
    const began = this.tick();
    return { from, to, began, statuses: this.statuses.merging(from, to, began), isGuest };
  }

  /** A guest has gone from every open season, or is in none. @throws a violation */
  guestAnswered({ from, began }: MergeAsked) {
    for (const { id, season } of this.world.life.all())
      insist(
        season.status !== "open" ||
          (this.heldSince(id, from, began)?.some((state) => state?.score === undefined) ?? true),
        () => `merged: ${from} was a guest, and is in ${id} as before`,
      );
  }

  mergeAnswered({ from, to, statuses: asked }: MergeAsked) {
    const found = this.world.life.all().flatMap(({ id }) => this.held(id, to)?.status ?? []);
    this.statuses.merged(from, to, asked, found);
  }

  /** @throws a violation */
  observe(changes: readonly Change[], work: Work) {
    const byPlayer = new Map<string, Map<string, Change>>();
    for (const { season, player, change } of playersChanged(changes)) {
      const keepsName = !["direct", "merge", "profile"].includes(work.kind);
      if (keepsName && change.before !== undefined && change.after !== undefined)
        insist(
          nameIn(change.before) === nameIn(change.after),
          () =>
            `nothing lost: ${work.kind} has changed the name in ${text(change.before)} to ${text(change.after)}`,
        );
      const merge = this.mergeOf(changes, season, work);
      if (merge !== undefined && change === (merge.gone ?? merge.kept)) this.merged(season, merge);
      else if (player === merge?.asked.to) continue;
      else if (work.kind === "lanes" && attemptsIn(change.after) > attemptsIn(change.before))
        byPlayer.set(player, (byPlayer.get(player) ?? new Map<string, Change>()).set(season, change));
      else this.changed(season, player, change, work);
    }
    if (work.kind === "lanes")
      for (const [player, ofPlayer] of byPlayer) this.submitted(player, work.instance, ofPlayer);
  }
}

/** A player in a season, as the submissions of a commit leave it one after the other. */
interface Explained {
  held: Held | undefined;
  /** The values of segments with which a new document begins. */
  begun: Data | undefined;
  attempts: number;
  last: number;
  /** The ids that are remembered of them: one that changes nothing in a season is not remembered there. */
  ids: Set<string>;
}

/** A submission that an instance has to commit. */
interface Waiting {
  call: Call;
  submission: Submission;
}

/** How many orders are looked at once one has been found that explains a commit. */
const otherOrdersMax = 250;

/** How long after its beginning a call may still be committed. */
const callsKeptMs = 15 * 60_000;

/** All orders of this many of some items. */
function* ordersOf<Item>(items: readonly Item[], count: number): Iterable<Item[]> {
  if (count === 0) yield [];
  else
    for (const [i, item] of items.entries())
      for (const others of ordersOf(items.toSpliced(i, 1), count - 1)) yield [...others, item];
}

const microsIn = (time: unknown) => (time instanceof Timestamp ? microsOf(time) : NaN);

/** What a commit merges in a season. */
interface MergeIn {
  asked: MergeAsked;
  /** Undefined if the player who goes had no document any more. */
  gone: Change | undefined;
  /** Undefined if the document of the player who stays does not change. */
  kept: Change | undefined;
}

/** Whether nothing is left of a player, or in `all_time` the status of one who is hidden or banned. */
function isGone(after: Data | undefined): boolean {
  const { counted: _, ...others } = after ?? {};
  return (
    after === undefined ||
    (Object.keys(others).sort().join() === "attempts,status" && after["attempts"] === 0)
  );
}

/** The document of a player who has only a line. */
const nothing: Data = { attempts: 0 };

const active: Held = {
  score: undefined,
  status: "active",
  at: new Timestamp(0, 0),
  segments: {},
  marked: [],
};

/** How long an instance may use an old state of a season, with some time for its work. */
const memoryMs = 120_000;

/** The values of segments after a submission: those that it says, and of other segments those before. */
const segmentsAfter = (before: Data | undefined, { segments: said }: Pick<Submission, "segments">) =>
  said === undefined || Object.keys(said).length === 0 ? before : { ...before, ...said };

function stateOf(data: Data | undefined): Held | undefined {
  if (data === undefined) return undefined;
  const { achieved_at: at } = data;
  return {
    score: scoreIn(data),
    status: statusIn(data),
    at: at instanceof Timestamp ? at : undefined,
    segments: valuesIn(data),
    marked: markOf(countedIn(data))?.segments ?? [],
  };
}

function sameTime(a: Held | undefined, b: Held | undefined): boolean {
  if (a?.at === undefined || b?.at === undefined) return a?.at === b?.at;
  return a.at.isEqual(b.at);
}

const text = (data: Data | undefined) => JSON.stringify(data);

/** Whether somebody came back with the segments of the line that was held. */
function isOfHeldLine(work: Work, before: Data | undefined, after: Data | undefined): boolean {
  const held = before?.["held_line"] as { segments?: string } | undefined;
  const texts = Object.entries(after?.["segments"] ?? {}).map(([name, value]) => `${name}=${value}`);
  return work.kind === "status" && held !== undefined && texts.sort().join(" ") === (held.segments ?? "");
}
