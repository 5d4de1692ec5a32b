/** What submissions are answered with: what was recorded, what the player has if nothing changed, or a true refusal. */
import type { Calls } from "./calls.ts";
import type { Life } from "./life.ts";
import type { Held, Players } from "./players.ts";
import type { Recorded } from "./recorded.ts";
import { WorldCheck } from "./setting.ts";
import type { Statuses } from "./statuses.ts";
import { insist } from "./violation.ts";
import type { Call, Effect, Submission } from "./work.ts";

/** Why a submission was not recorded; `overtaken` by the end of a season, so that the next season takes it. */
export type Refused = "banned" | "closed" | "missing" | "overtaken";

/** A season in a call's answer, with the player's score there. */
interface Shown {
  season: string;
  score: number | undefined;
  /** Whether the submission had been recorded before. */
  repeated: boolean;
}

/** A call's answer for a submission: seasons with scores, or why it was refused; undefined if unknown. */
export type Answered = { seasons: Shown[] } | { refused: Refused } | undefined;

/** How long an instance may use an old state of a season, with some time for its work. */
const memoryMs = 120_000;

/** A submission of a call, and how to tell its answer. */
interface Asked {
  call: Call;
  submission: Submission;
  told: () => string;
}

interface Others {
  life: Life;
  players: Players;
  calls: Calls;
  statuses: Statuses;
  recorded: Recorded;
}

export class SubmissionAnswers extends WorldCheck<Others> {
  /** @throws a violation */
  answered(call: Call, submission: Submission, answer: Answered): void {
    if (answer === undefined) return;
    call.over.add(submission);
    const { player, score, effect } = submission;
    const told = () => `${player}'s ${score} was answered with ${JSON.stringify(answer)}`;
    const asked = { call, submission, told };
    if ("refused" in answer) {
      this.checkUnrecorded(asked, answer.refused);
      this.checkRefusal(asked, answer.refused);
      return;
    }
    if (this.world.players.wasReplacedSince(player, effect?.tick ?? call.beganTick)) return;
    const { seasons } = answer;
    if (effect !== undefined && (effect.tick > call.beganTick || isRepeated(seasons))) {
      this.checkSeasons(asked, effect, seasons);
      this.checkScores(asked, effect, seasons);
    } else this.checkVain(asked, seasons);
  }

  /** A submission that is refused was not recorded by this call. */
  private checkUnrecorded({ call, submission, told }: Asked, why: Refused): void {
    const { player, effect, id, tries } = submission;
    if (effect === undefined || effect.tick <= call.beganTick || tries > 1) return;
    // A commit whose answer was lost is not recognized after a ban, unless the commit would count twice; and not where a
    // trusted server has replaced the document.
    const isRecognized = this.world.plan.definition.aggregation === "sum" && id === undefined;
    const mayBeForgotten = !isRecognized || this.world.players.wasReplacedSince(player, effect.tick);
    insist(why === "banned" && mayBeForgotten, () => `answers: ${told()}, and was recorded`);
  }

  /** The answer of a recorded submission has the seasons of its time. */
  private checkSeasons({ submission, told }: Asked, effect: Effect, seasons: readonly Shown[]): void {
    const { life, players } = this.world;
    const names = new Set(seasons.map(({ season }) => season));
    // A season that had a better score remembers nothing of the submission: the next season of its span may answer for it.
    const mayAnswerFor = (next: string, season: string) =>
      life.get(next)?.season.span === life.get(season)?.season.span && !this.remembers(season, submission);
    const isOf = (choice: readonly string[]) => {
      const others = [...names].filter((name) => !choice.includes(name));
      // A season whose score cannot be ranked is left out.
      const isAnswered = (season: string) =>
        names.has(season) ||
        others.some((other) => mayAnswerFor(other, season)) ||
        players.held(season, submission.player)?.score === undefined;
      const isNext = (other: string) =>
        isRepeated(seasons) && choice.some((season) => mayAnswerFor(other, season));
      return choice.every(isAnswered) && others.every(isNext);
    };
    insist(
      effect.choices.some(isOf),
      () => `answers: ${told()}, and was recorded in ${effect.choices.join(" or ")}`,
    );
  }

  /** The answer of a recorded submission has the scores that were recorded, or came since. */
  private checkScores({ call, submission, told }: Asked, effect: Effect, seasons: readonly Shown[]): void {
    const { players, recorded } = this.world;
    const { player } = submission;
    for (const { season, score, repeated } of seasons) {
      const isRight =
        repeated ||
        score === effect.scores.get(season) ||
        submission.mayBe.has(`${season} ${score}`) ||
        recorded.wasBetween(season, player, score, call.beganTick) ||
        players.mayHaveBeen(season, player, call.beganTick, (held) => held?.score === score);
      insist(isRight, () => `answers: ${told()}, ${effect.scores.get(season)} was recorded`);
    }
  }

  /** A submission that this call has not recorded changed nothing: its answer has the player's own scores. */
  private checkVain({ call, submission, told }: Asked, seasons: readonly Shown[]): void {
    const { calls, players } = this.world;
    const { effect, player, mayBe } = submission;
    const choices = effect?.choices ?? calls.choicesOf(call);
    const names = namesOf(seasons.map(({ season }) => season));
    const isOfTime = choices.some((choice) => namesOf(choice) === names);
    insist(isOfTime, () => `answers: ${told()}, which are not the seasons of its time`);
    if (effect !== undefined) return;
    for (const { season, score } of seasons) {
      const isVain = (held: Held | undefined) => held?.score === score && players.isVain(held, submission);
      const isRight =
        mayBe.has(`${season} ${score}`) ||
        this.wasVainBetween(call, submission, { season, score }) ||
        players.mayHaveBeen(season, player, call.beganTick, isVain);
      insist(isRight, () => `answers: ${told()}, and nothing was recorded`);
    }
  }

  /** Whether a submission may have been in vain between other submissions of a commit. */
  private wasVainBetween(
    call: Call,
    submission: Submission,
    { season, score }: Pick<Shown, "season" | "score">,
  ): boolean {
    const { players, recorded } = this.world;
    const held = { score, segments: submission.segments };
    return (
      recorded.wasBetween(season, submission.player, score, call.beganTick) &&
      players.isVain(held, submission)
    );
  }

  /** Whether a player's document names a submission, so that the submission is recognized when it comes again. */
  private remembers(season: string, { player, id }: Submission): boolean {
    const ids = this.world.players.documentOf(season, player)?.["submission_ids"];
    return Array.isArray(ids) && ids.includes(id);
  }

  /** A refusal tells the truth about the player or the season, at some moment of the call. */
  private checkRefusal({ call, submission, told }: Asked, why: Refused): void {
    if (why === "banned") {
      const isBanned = this.mayBeBanned(submission.player, call.beganTick);
      insist(isBanned, () => `answers: ${told()}, and the player is not banned`);
    } else if (why === "overtaken") {
      const isOvertaken = call.cup === undefined && this.hasSpanEnded(call);
      insist(isOvertaken, () => `answers: ${told()}, and no season of a span has ended`);
    } else {
      const { cup } = call;
      insist(cup !== undefined, () => `answers: ${told()}, and the spans always take scores`);
      const wasMissing = this.world.life.wasMissing(cup, call.beganMs - memoryMs);
      if (why === "missing") insist(wasMissing, () => `answers: ${told()}, and the season is there`);
      else
        insist(
          wasMissing || !this.mustTake(cup, call),
          () => `answers: ${told()}, and the season takes scores`,
        );
    }
  }

  private mayBeBanned(player: string, sinceTick: number): boolean {
    const { life, players, statuses } = this.world;
    const mayBeBannedIn = (season: string) =>
      players.mayHaveBeen(season, player, sinceTick, (held) => held?.status === "banned");
    const isBanned = statuses.possibleSince(player, sinceTick).includes("banned");
    return isBanned || life.all().some(({ id }) => mayBeBannedIn(id));
  }

  /** Whether a season of a span may have ended during a call. */
  private hasSpanEnded({ beganMs }: Call): boolean {
    const { life, plan, now } = this.world;
    return life
      .all()
      .some(
        ({ season: { span, status }, closesMs }) =>
          span !== "custom" &&
          status !== "open" &&
          beganMs - plan.skewMsMax < closesMs &&
          closesMs <= now() + plan.skewMsMax,
      );
  }

  /** Whether a tournament is open, and was open for every clock when a call began. */
  private mustTake(cup: string, { beganMs }: Call): boolean {
    const { life, plan } = this.world;
    const known = life.get(cup);
    // An instance may remember an end that moved, as the commit that moved the end took long.
    return (
      known?.season.status === "open" &&
      known.opensMs + plan.skewMsMax <= beganMs &&
      beganMs < known.closesMs - plan.skewMsMax - life.lateMs(cup)
    );
  }
}

/** Whether an answer repeats what was recorded before. Nothing may be left of it, if no score in it can be ranked any more. */
const isRepeated = (seasons: readonly Shown[]) =>
  seasons.length === 0 || seasons.some(({ repeated }) => repeated);

const namesOf = (seasons: readonly string[]) => [...seasons].sort().join();
