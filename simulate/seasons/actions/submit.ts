/** Players submit, to the board's spans or to a tournament, and resend what was not answered. */
import { FirerankError } from "../../../functions/src/model/errors.ts";
import { submissionIdsMax } from "../../../functions/src/model/limits.ts";
import { type Outcome, recordSubmissions } from "../../../functions/src/submit/record-submissions.ts";
import { showChanges } from "../../../functions/src/operations/submit-score.ts";
import { expectPassing, oneOf, someInstance } from "../../actors.ts";
import type { Ending } from "../../machine.ts";
import type { Answered } from "../checks/ledger.ts";
import type { Call, Submission } from "../checks/work.ts";
import { leaderboard } from "../board.ts";
import type { Retry, SeasonsWorld } from "../world.ts";
import { somePlayer, someScore } from "./some.ts";
import { repeatedAfterMsMax } from "../../../functions/src/submit/aim.ts";

/** Requests of a player after which a caller gives up, as Firerank may have forgotten the submission's id. */
const requestsBetweenMax = submissionIdsMax / 2;

/** How often a caller sends the same submission. */
const triesMax = 4;

/** How long a caller keeps sending: less than Firerank recognizes a repeated submission to the previous season. */
const sendingMsMax = repeatedAfterMsMax - 3 * 60_000;

/** How often a caller is away before sending again, for up to how long: the day may end meanwhile. */
const offline = { chance: 0.4, msMax: sendingMsMax - 2 * 60_000 };

const offlineMs = ({ random }: SeasonsWorld) => (random() < offline.chance ? random() * offline.msMax : 0);

/** How many seconds submitScore and submitScores may take. */
const oneSecondsMax = 60;
const severalSecondsMax = 300;

/** How many submissions each player has sent. */
const sentOf = new WeakMap<SeasonsWorld, Map<string, number>>();

/** A call of one to three players for the board's spans or for a tournament, in half of the cases with ids. */
export function submit(world: SeasonsWorld, cup: string | undefined): void {
  if (cup === undefined && world.plan.definition.spans.length === 0) return;
  const several = world.random() < 0.15;
  const players = new Set([somePlayer(world), ...(several ? [somePlayer(world), somePlayer(world)] : [])]);
  const hasIds = world.random() < 0.6;
  const sent = [...players].map((player): Submission => {
    const id = hasIds ? world.newId() : undefined;
    return { player, score: someScore(world), id, tries: 0, mayBe: new Set(), effect: undefined };
  });
  const counts = countsOf(world);
  const before = sent.map(({ player }) => counts.get(player) ?? 0);
  const firstSentMs = world.now();

  /** Resends those that Firerank still remembers. */
  function send(all: readonly Submission[]): void {
    const again = all.filter(
      ({ player }) =>
        (counts.get(player) ?? 0) - (before[sent.findIndex((one) => one.player === player)] ?? 0) <=
        requestsBetweenMax,
    );
    if (again.length === 0) return;
    for (const submission of again) {
      submission.tries += 1;
      counts.set(submission.player, (counts.get(submission.player) ?? 0) + 1);
    }
    invoke(world, cup, again, (unanswered) => {
      const left = unanswered.filter(({ id, tries }) => id !== undefined && tries < triesMax);
      if (left.length > 0)
        world.retries.push({
          firstSentMs,
          againMs: world.now() + 2 * world.plan.skewMsMax + offlineMs(world),
          send: () => {
            send(left);
          },
        });
    });
  }
  send(sent);
}

function countsOf(world: SeasonsWorld): Map<string, number> {
  const counts = sentOf.get(world) ?? new Map<string, number>();
  sentOf.set(world, counts);
  return counts;
}

function invoke(
  world: SeasonsWorld,
  cup: string | undefined,
  sent: Submission[],
  unanswered: (submissions: Submission[]) => void,
): void {
  const { ledger } = world;
  const instance = someInstance(world);
  const call = ledger.call(cup, sent, instance);
  let outcomes: readonly Outcome[] = [];
  const names = sent.map(({ player, score, tries }) => `${player} ${score}${tries > 1 ? " again" : ""}`);
  world.invoke({
    name: `submit ${names.join(", ")}${cup === undefined ? "" : ` to ${cup}`}`,
    instance,
    work: { kind: "submit", call },
    secondsMax: sent.length > 1 ? severalSecondsMax : oneSecondsMax,
    async handle(services) {
      const asked = sent.map(({ player, score, id }) => ({
        player,
        score,
        ...(id === undefined ? {} : { submission_id: id }),
      }));
      outcomes = await recordSubmissions(services, leaderboard, asked, cup);
      await showChanges(
        services,
        outcomes.flatMap(({ changes = [] }) => changes),
      );
    },
    end(ending) {
      const answers = answersOf(world, call, ending, outcomes);
      sent.forEach((submission, i) => {
        try {
          ledger.answered(call, submission, answers[i]);
        } catch (error) {
          world.violation ??= error as Error;
        }
      });
      unanswered(sent.filter((_, i) => mayCountLater(answers[i])));
    },
  });
}

/** Whether a caller sends a submission again after an answer, or after none. */
function mayCountLater(answer: Answered): boolean {
  return answer === undefined || ("refused" in answer && answer.refused === "overtaken");
}

function answersOf(
  world: SeasonsWorld,
  { sent }: Call,
  ending: Ending,
  outcomes: readonly Outcome[],
): Answered[] {
  if (ending.how === "done") return outcomes.map((outcome) => answerOf(world, outcome));
  const refused = ending.how === "failed" ? refusalOf(ending.error) : undefined;
  if (refused === undefined) expectPassing(world, ending);
  return sent.map(() => refused);
}

function answerOf(world: SeasonsWorld, outcome: Outcome): Answered {
  if ("applied" in outcome)
    return {
      seasons: outcome.applied.map(({ board, player, repeated }) => {
        return { season: board.key.season, score: player.score, repeated };
      }),
    };
  const refused = refusalOf(outcome.error);
  if (refused === undefined && outcome.error.code !== "contention") world.violation ??= outcome.error;
  return refused;
}

function refusalOf(error: unknown): Answered {
  if (!(error instanceof FirerankError)) return undefined;
  if (error.code === "player_banned") return { refused: "banned" };
  if (error.code === "season_closed") return { refused: "closed" };
  if (error.code === "contention" && error.message.includes("has just ended"))
    return { refused: "overtaken" };
  return error.code === "season_not_found" ? { refused: "missing" } : undefined;
}

/** Submissions that are to be sent again now. */
export function dueRetries(world: SeasonsWorld): Retry[] {
  return world.retries.filter(({ againMs }) => againMs <= world.now());
}

/** Resends one of some unanswered submissions, unless it is too late. */
export function retry(world: SeasonsWorld, some: readonly Retry[]): void {
  if (some.length === 0) return;
  const again = oneOf(world, some);
  world.retries.splice(world.retries.indexOf(again), 1);
  world.pass(Math.max(0, again.againMs - world.now()));
  if (world.now() - again.firstSentMs <= sendingMsMax) again.send();
}
