/**
 * Players on boards of templates: what each submission made of a score, and whom a template bans, has merged or erased.
 * Each submission has an id, which a player's document keeps: so the document tells which submissions a commit has
 * recorded.
 */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { leaderboardPath, playersPath } from "../../functions/src/documents/paths.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { boardCacheMs, erasureKeptMs } from "../../functions/src/model/limits.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { definitionId } from "../../functions/src/model/template.ts";
import { keyOf, playersChanged } from "../board.ts";
import { type Change, type Data, type Found, microsOf } from "../memory/store.ts";
import { type Boards, templates } from "./boards.ts";
import { scoreAfter, type Side, strictest } from "./merges.ts";
import { attemptsIn, scoreIn, type Status, statusIn } from "./player.ts";
import { tickOf, WorldCheck } from "./setting.ts";
import { insist } from "./violation.ts";
import type { PlayersAsked, Work } from "./work.ts";

/** A submission to a board of a template. */
export interface BoardSubmission {
  leaderboard: string;
  player: string;
  score: number;
  id: string;
  beganMs: number;
  beganTick: number;
  /** Whether a commit has recorded it, in a document that is still there. */
  isRecorded: boolean;
  /** Whether a document that may have had it is gone, so that it may count once more. */
  isForgotten: boolean;
}

/** What a template says of a player. */
interface Standing {
  /** Undefined where calls overlapped, or nobody knows how one ended. */
  status: Status | undefined;
  /** When the last call about the player began or ended. */
  changedTick: number;
  calls: Set<PlayersAsked>;
  /** Until when an erasure keeps the player out. */
  goneUntilMs: number;
}

export class BoardPlayers extends WorldCheck<{ boards: Boards }> {
  private readonly submissions = new Map<string, BoardSubmission>();
  private readonly standings = new Map<string, Standing>();

  private get store() {
    return this.world.database.store;
  }

  private standingOf(template: string, player: string): Standing {
    const name = `${template} ${player}`;
    let standing = this.standings.get(name);
    if (standing === undefined) {
      standing = { status: "active", changedTick: -1, calls: new Set(), goneUntilMs: 0 };
      this.standings.set(name, standing);
    }
    return standing;
  }

  /** @throws a violation */
  observe(changes: readonly Change[], work: Work): void {
    for (const { path, before, after } of changes) {
      const template = templates.find((one) => path === leaderboardPath(one));
      if (template !== undefined && after === undefined) this.templateGoes(template);
      const isGoing = after?.["board_deleted"] === true && before?.["board_deleted"] !== true;
      if (isGoing) this.forget(({ leaderboard }) => leaderboard === keyOf(path)?.leaderboard);
    }
    for (const one of playersChanged(changes)) {
      const { leaderboard } = keyOf(one.change.path) ?? {};
      if (leaderboard !== undefined) this.observePlayer({ ...one, leaderboard }, changes, work);
    }
  }

  /** A template takes along what it keeps of its players. */
  private templateGoes(template: string): void {
    for (const [name, standing] of this.standings) {
      if (!name.startsWith(`${template} `)) continue;
      standing.status = standing.calls.size === 0 ? "active" : undefined;
      for (const call of standing.calls) call.isAlone = false;
    }
  }

  private observePlayer(
    one: { leaderboard: string; season: string; player: string; change: Change },
    changes: readonly Change[],
    work: Work,
  ): void {
    const { leaderboard, player, change } = one;
    const { before, after, path } = change;
    if (this.world.boards.openedMs(leaderboard) === Infinity) return;
    const told = () =>
      `${path} was changed by ${work.kind}, ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
    insist(
      scoreIn(after) === undefined || after?.["player_id"] === player,
      () => `templates: ${told()}, and names no player`,
    );
    if (work.kind === "lanes" || work.kind === "submit") this.submitted(one, told);
    else if (work.kind === "boards" && work.asked?.what === "merged")
      this.merged(one, changes, work.asked, told);
    else {
      // The second look of an erasure whose first one was cut off finds what was there before it.
      const isLook =
        work.kind === "status" && work.asked.status === "removed" && work.asked.player === player;
      const isErased = isLook || (work.kind === "boards" && work.asked?.what === "removed");
      const isOfCall = isLook || (work.kind === "boards" && work.asked?.players.includes(player) === true);
      if (after === undefined) {
        insist(isErased && isOfCall, () => `templates: ${told()}`);
        this.forget((of) => of.leaderboard === leaderboard && of.player === player);
        return;
      }
      insist(
        scoreIn(before) === scoreIn(after) &&
          attemptsIn(before) === attemptsIn(after) &&
          (isOfCall || statusIn(before) === statusIn(after)),
        () => `templates: ${told()}`,
      );
    }
  }

  /** A commit has recorded the submissions whose ids are new in the document, in their order. */
  private submitted(
    {
      leaderboard,
      player,
      change: { before, after },
    }: { leaderboard: string; player: string; change: Change },
    told: () => string,
  ): void {
    const idsIn = (data: Data | undefined) => (data?.["submission_ids"] ?? []) as string[];
    const made = idsIn(after).filter((id) => !idsIn(before).includes(id));
    const definition = this.world.boards.definitionOf(leaderboard);
    let score = scoreIn(before);
    for (const id of made) {
      const submission = this.submissions.get(id);
      const isOpen = submission !== undefined && (!submission.isRecorded || submission.isForgotten);
      const isIts = submission?.leaderboard === leaderboard && submission.player === player;
      insist(isOpen && isIts, () => `templates: ${told()}, which nobody asked for`);
      submission.isRecorded = true;
      if (definition !== undefined) score = afterSubmission(definition, score, submission.score);
    }
    const isRight = scoreIn(after) === score && attemptsIn(after) === attemptsIn(before) + made.length;
    insist(made.length > 0 && isRight, () => `templates: ${told()}, and not to ${score}`);
    const { status, goneUntilMs } = this.standingOf(definitionId(leaderboard), player);
    const is = statusIn(after);
    insist(
      is !== "banned" && (status === undefined || is === status),
      () => `templates: ${told()}, and the template has ${player} as ${status}`,
    );
    const isKeptOut = this.world.now() < goneUntilMs - 2 * this.world.plan.skewMsMax;
    insist(before !== undefined || !isKeptOut, () => `templates: ${told()}, and ${player} was erased`);
  }

  /** A merge takes a document away, and leaves to the other what both had. */
  private merged(
    {
      leaderboard,
      season,
      player,
      change,
    }: { leaderboard: string; season: string; player: string; change: Change },
    changes: readonly Change[],
    { players: [from = "", to = ""] }: PlayersAsked,
    told: () => string,
  ): void {
    const definition = this.world.boards.definitionOf(leaderboard);
    const path = (of: string) => `${playersPath({ leaderboard, season })}/${of}`;
    const of = changes.find((one) => one.path === path(from));
    const gone = scoreIn(of?.before) !== undefined && scoreIn(of?.after) === undefined ? of?.was : undefined;
    if (gone === undefined || definition === undefined) {
      const isIts = [from, to].includes(player);
      insist(isIts && scoreIn(change.before) === scoreIn(change.after), () => `templates: ${told()}`);
      return;
    }
    this.forget((one) => one.leaderboard === leaderboard && [from, to].includes(one.player));
    if (player !== from) return;
    const kept = changes.find((one) => one.path === path(to));
    const found = this.store.get(path(to));
    const present = found?.data;
    const was = kept === undefined ? found : kept.was;
    const { score } = scoreAfter(definition, sideOf(gone), was && sideOf(was));
    const least = strictest([statusIn(gone.data), statusIn(was?.data)]);
    insist(
      scoreIn(present) === score && strictest([statusIn(present), least]) === statusIn(present),
      () => `templates: ${told()}, and ${to} is ${JSON.stringify(present)}, not ${least} with ${score}`,
    );
  }

  private forget(which: (submission: BoardSubmission) => boolean): void {
    for (const submission of this.submissions.values()) if (which(submission)) submission.isForgotten = true;
  }

  /** The present moment, for a call that begins. */
  moment() {
    return { ms: this.world.now(), tick: tickOf(this.world) };
  }

  /** A submission is sent for the first time. */
  submits(leaderboard: string, player: string, score: number, id: string): BoardSubmission {
    const [beganMs, beganTick] = [this.world.now(), tickOf(this.world)];
    const known = {
      leaderboard,
      player,
      score,
      id,
      beganMs,
      beganTick,
      isRecorded: false,
      isForgotten: false,
    };
    this.submissions.set(id, known);
    return known;
  }

  /** @throws a violation unless an answer is true. @param sinceMs when the call began */
  answered(
    submission: BoardSubmission,
    answer: "taken" | "banned" | "missing",
    since: { ms: number; tick: number },
  ) {
    const { leaderboard, player, isRecorded, isForgotten } = submission;
    const told = () =>
      `templates: ${player}'s ${submission.score} to ${leaderboard} was answered with ${answer}`;
    const standing = this.standingOf(definitionId(leaderboard), player);
    if (answer === "banned") {
      const wasActive = standing.status === "active" && standing.changedTick < since.tick;
      insist(!wasActive, () => `${told()}, and the player is active`);
    } else if (answer === "missing") {
      const openedMs = this.world.boards.openedMs(leaderboard);
      const isNew = openedMs >= since.ms - boardCacheMs - 2 * this.world.plan.skewMsMax;
      insist(isNew, () => `${told()}, and the board is there`);
    } else {
      const isBest = this.world.boards.definitionOf(leaderboard)?.aggregation === "best";
      const mayBeGone = this.world.boards.openedMs(leaderboard) === Infinity || isForgotten;
      insist(isRecorded || mayBeGone || isBest, () => `${told()}, and was not recorded`);
    }
  }

  /** A call about players of a template begins. */
  asked(template: string, what: PlayersAsked["what"], ...players: readonly string[]): PlayersAsked {
    const standings = players.map((player) => this.standingOf(template, player));
    const isAlone = standings.every(({ calls }) => calls.size === 0);
    const beganTick = tickOf(this.world);
    const asked = { what, template, players, isAlone, statusBefore: standings[0]?.status, beganTick };
    for (const standing of standings) {
      for (const other of standing.calls) other.isAlone = false;
      standing.calls.add(asked);
      standing.status = undefined;
      standing.changedTick = tickOf(this.world);
      // Who gets a status, or another's scores, may be back.
      standing.goneUntilMs = 0;
    }
    return asked;
  }

  /** A call about players has ended. @throws a violation unless it has done what it says */
  ended(asked: PlayersAsked, how: "done" | "refused" | "unknown"): void {
    const { what, template, players, isAlone, statusBefore, beganTick } = asked;
    const [player = ""] = players;
    for (const one of players) {
      const standing = this.standingOf(template, one);
      standing.calls.delete(asked);
      standing.changedTick = tickOf(this.world);
    }
    if (!isAlone || how === "unknown") return;
    const standing = this.standingOf(template, player);
    if (what === "merged") {
      // Whoever is merged may submit again, behind the merge's back.
      this.checkGone(template, player, how === "done", beganTick);
      return;
    }
    standing.status = how === "refused" ? statusBefore : what === "removed" ? undefined : what;
    if (how === "refused") return;
    if (what === "removed") {
      this.checkGone(template, player, true);
      standing.goneUntilMs = this.world.now() + erasureKeptMs - 3_600_000;
      return;
    }
    for (const { path, data } of this.documentsOf(template, player))
      insist(
        statusIn(data) === what,
        () => `templates: ${player} was made ${what}, and ${path} says otherwise`,
      );
  }

  private checkGone(template: string, player: string, isDone: boolean, untilTick = Infinity): void {
    const left = this.documentsOf(template, player).filter(
      ({ data, createTime }) => scoreIn(data) !== undefined && microsOf(createTime) <= untilTick,
    );
    insist(!isDone || left.length === 0, () => `templates: ${player} is gone, and ${left[0]?.path} is there`);
  }

  /** A player's documents on the boards of a template that are not being deleted. */
  documentsOf(template: string, player: string) {
    return this.world.boards
      .seasons()
      .filter(({ leaderboard }) => definitionId(leaderboard) === template)
      .flatMap((key) => this.store.get(`${playersPath(key)}/${player}`) ?? []);
  }
}

/** A trusted server's score without a time has that of the write. */
function sideOf({ data, updateTime }: Pick<Found, "data" | "updateTime">): Side {
  return {
    held: { score: scoreIn(data), at: (data["achieved_at"] as Timestamp | undefined) ?? updateTime },
    data,
  };
}

/** What a submission makes of a score. */
function afterSubmission(
  { aggregation, order }: Definition,
  before: number | undefined,
  score: number,
): number {
  if (before === undefined || aggregation === "latest") return score;
  if (aggregation === "sum") return before + score;
  return isBetter(order, score, before) ? score : before;
}
