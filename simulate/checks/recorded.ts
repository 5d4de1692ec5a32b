/**
 * Which submissions a commit of an instance has recorded. Several submissions of a player may share a commit, which names
 * none of them. So the submissions that waited in the instance are tried in every order: one order, each submission
 * applied to what the submission before has left, must lead from the documents before to those after.
 */
import { isDeepStrictEqual } from "node:util";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type Change, type Data, microsOf, timeOf } from "../memory/store.ts";
import { achievedMicros, type Calls, type Waiting } from "./calls.ts";
import type { Life } from "./life.ts";
import { attemptsIn, nameIn, namesNoStatus, statusIn, valuesIn } from "./player.ts";
import { type Held, heldIn, type Players, segmentsAfter } from "./players.ts";
import { tickOf, WorldCheck } from "./setting.ts";
import type { Statuses } from "./statuses.ts";
import { insist, Violation } from "./violation.ts";
import type { Submission } from "./work.ts";

/** What a commit did to the documents of one player, by season. */
interface Commit {
  player: string;
  changed: ReadonlyMap<string, Change>;
  /** The submissions of the player that the instance may have committed. */
  waiting: readonly Waiting[];
}

/** A player in a season, as the submissions of a commit leave the player one after the other. */
interface Explained {
  held: Held | undefined;
  attempts: number;
  /** When the last submission was achieved that changed something, in microseconds. */
  lastMicros: number | undefined;
  /** The ids of the submissions that changed something: only these are remembered in the season. */
  ids: Set<string>;
}

/** An order of submissions that is tried, and the seasons as far as the order is applied. */
interface Trial extends Commit {
  order: readonly Waiting[];
  states: ReadonlyMap<string, Explained>;
}

/** A submission of an order that explains a commit. */
interface Applied {
  submission: Submission;
  /** The seasons of the submission, one choice for each possible moment of its arrival. */
  choices: string[][];
  /** The score after the submission in each season that the commit changes. */
  scores: ReadonlyMap<string, number>;
}

/** How many orders are looked at once an order has been found that explains a commit. */
const otherOrdersMax = 250;

export class Recorded extends WorldCheck<{ life: Life; players: Players; calls: Calls; statuses: Statuses }> {
  /** The last tick at which a player may have had a score between the submissions of one commit. */
  private readonly between = new Map<string, number>();

  /** Whether a player may have had a score between the submissions of one commit, since a tick. */
  wasBetween(season: string, player: string, score: number | undefined, sinceTick: number): boolean {
    return (this.between.get(`${player} ${season} ${score}`) ?? -1) > sinceTick;
  }

  /** An instance has committed submissions of a player. @throws a violation unless an order explains the commit */
  observe(player: string, instance: string, changed: ReadonlyMap<string, Change>): void {
    const waiting = this.world.calls.waitingFor(player, instance);
    const commit = { player, changed, waiting };
    const attempts = [...changed.values()].map(({ before, after }) => attemptsIn(after) - attemptsIn(before));
    const told = `counted: ${player} changed in ${namesOf(changed)}, and ${waiting.length} submissions waited`;
    let problem: unknown = new Violation(told);
    // Some submissions may have changed one season, and others another.
    const most = attempts.reduce((sum, more) => sum + more, 0);
    for (let count = Math.max(...attempts); count <= most; count += 1) {
      const found: Applied[][] = [];
      let others = 0;
      for (const order of ordersFor(commit, count)) {
        if (found.length > 0 && (others += 1) > otherOrdersMax) break;
        try {
          found.push(this.explain(commit, order));
        } catch (error) {
          problem = error;
        }
      }
      if (found.length > 0) {
        this.note(player, found);
        return;
      }
    }
    throw problem;
  }

  /** Notes what a commit has recorded. The first order that explains the commit is held to be the right one. */
  private note(player: string, found: readonly Applied[][]): void {
    for (const { submission, scores } of found.flat())
      for (const [season, score] of scores) {
        submission.mayBe.add(`${season} ${score}`);
        this.between.set(`${player} ${season} ${score}`, tickOf(this.world));
      }
    for (const { submission, choices, scores } of found[0] ?? []) {
      const isDoubtful = !found.every((order) => order.some((one) => one.submission === submission));
      const unchanged = choices.flat().flatMap((season): [string, number][] => {
        const score = scores.has(season) ? undefined : this.world.players.held(season, player)?.score;
        return score === undefined ? [] : [[season, score]];
      });
      const all = new Map([...scores, ...unchanged]);
      submission.effect = { choices, scores: all, tick: tickOf(this.world), isDoubtful };
    }
  }

  /** @throws a violation unless the submissions of this order, one after the other, make the commit */
  private explain(commit: Commit, order: readonly Waiting[]): Applied[] {
    const states = new Map<string, Explained>();
    for (const [season, { before }] of commit.changed) {
      const attempts = attemptsIn(before);
      const found = heldIn(before);
      const status = this.world.statuses.kept(commit.player);
      const held = found && namesNoStatus(before) ? { ...found, status } : found;
      states.set(season, { held, attempts, lastMicros: undefined, ids: new Set() });
    }
    const applied = order.map((waiting) => this.apply({ ...commit, order, states }, waiting));
    for (const [season, state] of states) compare(commit, season, state);
    return applied;
  }

  /** Applies the next submission of an order to each season that the commit changes. */
  private apply(trial: Trial, waiting: Waiting): Applied {
    const { player, changed, states } = trial;
    const { submission, call } = waiting;
    const told = () =>
      `${player}'s ${submission.score} (${submission.id ?? "without id"}), sent at ${call.beganMs} and committed at ${this.world.now()}`;
    const choices = this.world.calls
      .choicesOf(call)
      .filter((choice) => this.mayHaveChanged(trial, choice, submission));
    insist(
      choices.length > 0,
      () => `counted: ${told()}, changed ${namesOf(changed)}, which are not the seasons of its time`,
    );
    const mayCount = this.mayCount(submission);
    insist(mayCount, () => `counted: ${told()}, counts in ${namesOf(changed)} a second time`);
    const scores = new Map<string, number>();
    for (const [season, state] of states) {
      const isBanned = state.held?.status === "banned";
      insist(!isBanned, () => `counted: ${told()}, though the player is banned in ${season}`);
      const was = state.held ?? this.begun(trial, season, call.beganTick);
      const score = this.world.players.scoreAfter(was.score, submission.score);
      const micros = achievedMicros(waiting);
      const at = score === was.score && was.at !== undefined ? was.at : timeOf(micros);
      if (!this.world.players.isVain(was, submission)) {
        state.attempts += 1;
        state.lastMicros = micros;
        if (submission.id !== undefined) state.ids.add(submission.id);
      }
      state.held = { ...was, score, at, segments: segmentsAfter(was.segments, submission) };
      scores.set(season, score);
    }
    return { submission, choices, scores };
  }

  /** Whether a submission to some seasons may have changed those that the commit has changed, and no other. */
  private mayHaveChanged({ player, changed }: Commit, choice: string[], submission: Submission): boolean {
    const { players } = this.world;
    const isVain = (season: string) => players.isVain(players.held(season, player), submission);
    return (
      [...changed.keys()].every((season) => choice.includes(season)) &&
      choice.every((season) => changed.has(season) || isVain(season))
    );
  }

  /** Whether a submission was not recorded before, or may be recorded once more. */
  private mayCount({ player, id, effect }: Submission): boolean {
    if (effect === undefined || effect.isDoubtful) return true;
    const isPlain = this.world.plan.definition.aggregation === "best" && id === undefined;
    return isPlain || this.world.players.wasReplacedSince(player, effect.tick);
  }

  /** A player who begins in a season. @throws a violation unless the player may have the status of the new document */
  private begun(trial: Trial, season: string, sinceTick: number): Held {
    const status = statusIn(trial.changed.get(season)?.after);
    const possible = this.world.statuses.possibleSince(trial.player, sinceTick);
    insist(
      possible.includes(status),
      () => `status: ${trial.player} begins ${season} as ${status}, and is ${possible.join(" or ")}`,
    );
    const name = nameIn(trial.changed.get(season)?.after);
    const names = this.possiblyBegun(trial, (data) => nameIn(data) || undefined);
    insist(
      names.includes(name || undefined),
      () => `counted: ${trial.player} begins ${season} as "${name}", and is ${names.join(" or ")}`,
    );
    const segments = this.segmentsBegun(trial, season);
    return { score: undefined, status, at: undefined, segments, marked: [] };
  }

  /** The values of segments with which a player begins in a season. */
  private segmentsBegun(trial: Trial, season: string): Data | undefined {
    const possible = this.possiblyBegun(trial, valuesIn);
    const after = valuesIn(trial.changed.get(season)?.after);
    const isRight = (values: Data | undefined) => {
      const last = trial.order.reduce((before, { submission }) => segmentsAfter(before, submission), values);
      return isDeepStrictEqual(last, after);
    };
    return possible.find(isRight) ?? possible[0];
  }

  /**
   * What a player may begin with in a season. It comes from another season of the submissions that has the player. If there
   * is none, the player begins without it, or with that of any season.
   */
  private possiblyBegun<Field>(
    { player, changed, order }: Trial,
    fieldIn: (data: Data | undefined) => Field | undefined,
  ): (Field | undefined)[] {
    const choices = order.flatMap(({ call }) => this.world.calls.choicesOf(call));
    // About midnight a submission may be for either day, and the commit tells for which.
    const isChosen = (choice: string[]) => [...changed.keys()].every((id) => choice.includes(id));
    const beside = new Set(choices.filter(isChosen).flat());
    const fieldOf = (id: string) =>
      fieldIn(changed.has(id) ? changed.get(id)?.before : this.world.players.documentOf(id, player));
    const present = [...beside].map(fieldOf).filter((field) => field !== undefined);
    const others = this.world.life.all().map(({ id }) => fieldOf(id));
    return present.length > 0 ? present : [undefined, ...others];
  }
}

/** @throws a violation unless a document is as the submissions of an order have left it */
function compare({ changed, waiting }: Commit, season: string, state: Explained): void {
  const { before, after } = changed.get(season) ?? {};
  const [was, is] = [heldIn(before), heldIn(after)];
  const [known, kept] = [before, after].map((data) => (data?.["submission_ids"] ?? []) as string[]);
  const newIds = kept?.filter((id) => known?.includes(id) !== true) ?? [];
  const isTimed = is?.at !== undefined && state.held?.at?.isEqual(is.at) === true;
  // A score that a trusted server wrote without a time has got a time.
  const isCompleted = was?.at === undefined && was?.score === is?.score;
  insist(
    is?.score === state.held?.score &&
      is?.status === state.held?.status &&
      isDeepStrictEqual(is?.segments, state.held?.segments) &&
      attemptsIn(after) === state.attempts &&
      waiting.every(
        ({ submission: { id } }) => id === undefined || newIds.includes(id) === state.ids.has(id),
      ) &&
      (state.lastMicros === undefined || lastMicrosIn(after) === state.lastMicros) &&
      (isTimed || isCompleted),
    () =>
      `counted: in ${season} ${JSON.stringify(before)} became ${JSON.stringify(after)}, not ${JSON.stringify(state)}`,
  );
}

/**
 * The orders of so many submissions that may be a commit's. A document has the time of the last one. Submissions that were
 * not recorded before come first, as only some may be recorded twice.
 */
function* ordersFor({ changed, waiting }: Commit, count: number): Iterable<Waiting[]> {
  const lasts = new Set([...changed.values()].map(({ after }) => lastMicrosIn(after)));
  const fresh = waiting.filter(({ submission }) => submission.effect === undefined);
  for (const some of [fresh, waiting])
    for (const order of ordersOf(some, count))
      if (order.some((one) => lasts.has(achievedMicros(one)))) yield order;
}

/** All orders of this many of some items. */
function* ordersOf<Item>(items: readonly Item[], count: number): Iterable<Item[]> {
  if (count === 0) yield [];
  else
    for (const [i, item] of items.entries())
      for (const others of ordersOf(items.toSpliced(i, 1), count - 1)) yield [...others, item];
}

function lastMicrosIn(data: Data | undefined): number {
  const time = data?.["last_submission_at"];
  return time instanceof Timestamp ? microsOf(time) : NaN;
}

const namesOf = (changed: ReadonlyMap<string, Change>) => [...changed.keys()].join();
