/** Players submit, to the board's spans or to a tournament, and resend what was not answered. */
import { FirerankError } from "../../functions/src/model/errors.ts";
import { submissionIdsMax } from "../../functions/src/model/limits.ts";
import { type SubmissionOutcome, recordSubmissions } from "../../functions/src/submit/record-submissions.ts";
import { segmentsSaid } from "../../functions/src/submit/segments.ts";
import { answerSubmission, showChanges } from "../../functions/src/operations/shared/submission.ts";
import { oneOf, somePlayer, somePlayers, someInstance, someScore, someSegment } from "../actors.ts";
import type { Ending, Instance } from "../machine.ts";
import type { Answered } from "../checks/submission-answers.ts";
import type { Call, Submission } from "../checks/work.ts";
import { leaderboard } from "../board.ts";
import type { Retry, World } from "../world.ts";
import { repeatedAfterMsMax } from "../../functions/src/submit/aim.ts";

/** Requests of a player after which a caller gives up, as Firerank may have forgotten the submission's id. */
const requestsBetweenMax = submissionIdsMax / 2;

/** How often a caller sends the same submission. */
const triesMax = 4;

/** How long a caller keeps sending: less than Firerank recognizes a repeated submission to the previous season. */
const sendingMsMax = repeatedAfterMsMax - 3 * 60_000;

/** How often a caller is away before sending again, for up to how long: the day may end meanwhile. */
const offline = { chance: 0.4, msMax: sendingMsMax - 2 * 60_000 };

const offlineMs = ({ random }: World) => (random() < offline.chance ? random() * offline.msMax : 0);

/** How many seconds submitScore and submitScores may take. */
const oneSecondsMax = 60;
const severalSecondsMax = 300;

/** The most submissions of one player that wait in an instance; the search for what a commit has recorded grows with them. */
const overlapMax = 5;

/** How many submissions each player has sent. */
const sentOf = new WeakMap<World, Map<string, number>>();

/** Submissions that a caller sends together, until each is answered. */
interface Batch {
  /** The tournament that it names. */
  cup: string | undefined;
  firstSentMs: number;
  /** How many submissions of each player were sent before. */
  before: ReadonlyMap<string, number>;
}

/** A call of one to three players for the board's spans or for a tournament, in most cases with ids. */
export function submit(world: World, cup: string | undefined): void {
  if (cup === undefined && world.plan.definition.spans.length === 0) return;
  const players = somePlayers(world, world.random() < 0.2 ? 3 : 1);
  begin(world, players, { cup, instance: someInstance(world) });
}

/** Somebody sends more submissions of one player than an instance lets wait. */
export function flood(world: World): void {
  if (world.plan.definition.spans.length === 0) return;
  const [player, instance] = [somePlayer(world), someInstance(world)];
  for (let i = 0; i < overlapMax; i++) begin(world, [player], { cup: undefined, instance });
}

function begin(
  world: World,
  players: readonly string[],
  { cup, instance }: { cup: string | undefined; instance: Instance },
): void {
  const hasIds = world.random() < 0.6;
  const sent = players.map((player): Submission => {
    const id = hasIds ? world.newId() : undefined;
    const one = { player, score: someScore(world), id, segments: saidBy(world) };
    return { ...one, tries: 0, mayBe: new Set(), effect: undefined };
  });
  send(world, sent, { cup, firstSentMs: world.now(), before: new Map(countsOf(world)) }, instance);
}

/** Some name a country, and some players' tokens a guild. */
function saidBy(world: World): Submission["segments"] {
  if (!world.plan.segments) return undefined;
  const all = [someSegment(world), someSegment(world)].filter(() => world.random() < 0.5);
  return all.length === 0 ? undefined : { ...all[0], ...all[1] };
}

/** Sends those that Firerank still remembers, and those again that are not answered for. */
function send(
  world: World,
  all: readonly Submission[],
  batch: Batch,
  instance: Instance = someInstance(world),
): void {
  const counts = countsOf(world);
  const sent = all.filter(
    ({ player }) =>
      (counts.get(player) ?? 0) - (batch.before.get(player) ?? 0) <= requestsBetweenMax &&
      world.calls.waitingFor(player, instance.name).length < overlapMax,
  );
  if (sent.length === 0) return;
  for (const submission of sent) {
    submission.tries += 1;
    counts.set(submission.player, (counts.get(submission.player) ?? 0) + 1);
  }
  invoke(world, sent, batch, instance);
}

function countsOf(world: World): Map<string, number> {
  const counts = sentOf.get(world) ?? new Map<string, number>();
  sentOf.set(world, counts);
  return counts;
}

function invoke(world: World, sent: Submission[], batch: Batch, instance: Instance): void {
  const { cup } = batch;
  const call = world.calls.begin(cup, sent, instance);
  let outcomes: readonly SubmissionOutcome[] = [];
  const names = sent.map(({ player, score, tries }) => `${player} ${score}${tries > 1 ? " again" : ""}`);
  world.invoke({
    name: `submit ${names.join(", ")}${cup === undefined ? "" : ` to ${cup}`}`,
    instance,
    work: { kind: "submit", call },
    secondsMax: sent.length > 1 ? severalSecondsMax : oneSecondsMax,
    async handle(services) {
      const asked = sent.map(({ player, score, id, segments: { guild, ...segments } = {} }) => {
        // A claim that is no value counts as none.
        const claims = { guild: guild ?? "no guild", country: "FR" };
        const { definition } = world.plan;
        const said = segmentsSaid({ definition, isTrusted: false, claims }, segments);
        return { player, score, ...(id === undefined ? {} : { submission_id: id }), segments: said.values };
      });
      outcomes = await recordSubmissions(services, leaderboard, asked, cup);
      for (const [i, outcome] of outcomes.entries()) {
        const player = asked[i]?.player ?? "";
        if ("applied" in outcome)
          await answerSubmission(services, { leaderboard, player, applied: outcome.applied });
      }
      await showChanges(
        services,
        outcomes.flatMap(({ changes = [] }) => changes),
      );
    },
    clear: refusals,
    end(ending) {
      const answers = answersOf(world, call, ending, outcomes);
      sent.forEach((submission, i) => {
        world.submissionAnswers.answered(call, submission, answers[i]);
      });
      const left = sent.filter(({ id, tries }, i) => {
        return id !== undefined && tries < triesMax && mayCountLater(answers[i]);
      });
      if (left.length > 0) world.retries.push(retryOf(world, left, batch));
    },
  });
}

/** A caller sends again when every clock is past the moment at which it was sent, as far as a season may end meanwhile. */
function retryOf(world: World, left: readonly Submission[], batch: Batch): Retry {
  const skewMs = world.plan.ends ? 2 * world.plan.skewMsMax : 0;
  return {
    firstSentMs: batch.firstSentMs,
    againMs: world.now() + skewMs + offlineMs(world),
    send: () => {
      send(world, left, batch);
    },
  };
}

const refusals = ["player_banned", "player_erased", "season_closed", "season_not_found"] as const;

/** Whether a caller sends a submission again after an answer, or after none. */
function mayCountLater(answer: Answered): boolean {
  return answer === undefined || ("refused" in answer && answer.refused === "overtaken");
}

function answersOf(
  world: World,
  { sent }: Call,
  ending: Ending,
  outcomes: readonly SubmissionOutcome[],
): Answered[] {
  if (ending.how === "done") return outcomes.map((outcome) => answerOf(world, outcome));
  const refused = ending.how === "failed" ? refusalOf(ending.error) : undefined;
  return sent.map(() => refused);
}

function answerOf(world: World, outcome: SubmissionOutcome): Answered {
  if ("applied" in outcome)
    return {
      seasons: outcome.applied.map(({ board, player, repeated }) => {
        return { season: board.key.season, score: player?.score, repeated };
      }),
    };
  const refused = refusalOf(outcome.error);
  // What it had stored before is gone: nothing tells whether there was anything.
  if (refused === undefined && !["contention", "player_erased"].includes(outcome.error.code))
    world.violation ??= outcome.error;
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
export function dueRetries(world: World): Retry[] {
  return world.retries.filter(({ againMs }) => againMs <= world.now());
}

/** Resends one of some unanswered submissions, unless it is too late. */
export function retry(world: World, some: readonly Retry[]): void {
  if (some.length === 0) return;
  const again = oneOf(world, some);
  world.retries.splice(world.retries.indexOf(again), 1);
  world.pass(Math.max(0, again.againMs - world.now()));
  if (world.now() - again.firstSentMs <= sendingMsMax) again.send();
}
