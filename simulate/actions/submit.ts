/** Players submit, and resend what was not answered. */
import { FirerankError } from "../../functions/src/model/errors.ts";
import { submissionIdsMax } from "../../functions/src/model/limits.ts";
import { type Outcome, recordSubmissions } from "../../functions/src/submit/record-submissions.ts";
import { answerSubmission, showChanges } from "../../functions/src/operations/submit-score.ts";
import { expectPassing, oneOf, someInstance, somePlayers, someScore } from "../actors.ts";
import type { Answer, Open } from "../checks/players-twin.ts";
import type { Ending, Instance } from "../machine.ts";
import type { World } from "../world.ts";

interface Sent {
  player: string;
  score: number;
  submission_id: string | undefined;
  /** The number of requests about the player before it was first sent. */
  requestsBefore: number;
}

/** The most concurrent requests about one player; the twin's search grows with them. */
export const overlapMax = 5;

/** Requests after which a caller gives up, as Firerank may have forgotten the submission's id. */
const requestsBetweenMax = submissionIdsMax - overlapMax;

/** How often a caller sends the same submission. */
const triesMax = 4;

/** A call with one to three players, in half of the cases with ids so that it can be resent. */
export function submit(world: World): void {
  const players = somePlayers(world, world.random() < 0.2 ? 3 : 1);
  const hasIds = world.random() < 0.6;
  const submissions = players.map((player) => ({
    player,
    score: someScore(world),
    submission_id: hasIds ? world.newId() : undefined,
    requestsBefore: world.twin.requests(player),
  }));
  send(world, submissions, 1);
}

/** Somebody sends more submissions of one player than an instance lets wait. */
export function flood(world: World): void {
  const player = somePlayers(world, 1)[0] ?? "";
  const instance = someInstance(world);
  for (let i = 0; i < overlapMax; i++) {
    const submission_id = world.random() < 0.6 ? world.newId() : undefined;
    const requestsBefore = world.twin.requests(player);
    send(world, [{ player, score: someScore(world), submission_id, requestsBefore }], 1, instance);
  }
}

function send(world: World, all: readonly Sent[], tries: number, instance = someInstance(world)): void {
  const sent = all.filter((submission) => {
    const { player, requestsBefore, submission_id: id } = submission;
    const isLate = world.twin.requests(player) - requestsBefore > requestsBetweenMax;
    const goes = world.twin.overlapping(player) < overlapMax && !world.twin.isUnclear(player) && !isLate;
    if (!goes && id !== undefined) world.twin.forget(id);
    return goes;
  });
  if (sent.length === 0) return;
  const open = sent.map(({ player, score, submission_id: id }) =>
    world.twin.begin(player, { kind: "submit", score, id, isRetry: tries > 1 }),
  );
  let outcomes: readonly Outcome[] = [];
  world.begin(
    `submit ${sent.map(({ player, score }) => `${player} ${score}`).join(", ")}`,
    instance,
    async (services) => {
      const asked = sent.map(({ player, score, submission_id: id }) => ({
        player,
        score,
        ...(id === undefined ? {} : { submission_id: id }),
      }));
      const { leaderboard } = world.key;
      outcomes = await recordSubmissions(services, leaderboard, asked);
      for (const [i, outcome] of outcomes.entries())
        if ("applied" in outcome)
          await answerSubmission(services, leaderboard, asked[i]?.player ?? "", outcome.applied);
      await showChanges(
        services,
        outcomes.flatMap(({ changes = [] }) => changes),
      );
    },
    (ending) => {
      close(world, { sent, open, outcomes, tries, instance }, ending);
    },
  );
}

interface Call {
  sent: readonly Sent[];
  open: readonly Open[];
  outcomes: readonly Outcome[];
  tries: number;
  instance: Instance;
}

function close(world: World, { sent, open, outcomes, tries, instance }: Call, ending: Ending): void {
  expectPassing(world, ending);
  if (ending.how !== "done") world.mayMissFollower = true;
  const unanswered: Sent[] = [];
  sent.forEach((submission, i) => {
    const request = open[i];
    if (request === undefined) return;
    const answer = ending.how === "done" ? answerOf(outcomes[i]) : "unknown";
    const { submission_id: id } = submission;
    if (id !== undefined && answer === "unknown" && tries < triesMax) unanswered.push(submission);
    else if (id !== undefined) world.twin.forget(id);
    const end = () => {
      try {
        world.twin.end(submission.player, request, answer);
      } catch (error) {
        world.violation ??= error as Error;
      }
    };
    if (answer === "unknown") world.endings.push({ commits: world.scheduler.commitsOf(instance.actor), end });
    else end();
  });
  if (unanswered.length > 0)
    world.retries.push(() => {
      send(world, unanswered, tries + 1);
    });
}

function answerOf(outcome: Outcome | undefined): Answer {
  if (outcome === undefined) throw new Error("a submission was not answered for");
  if ("applied" in outcome) return { score: outcome.applied[0]?.player.score };
  if (outcome.error.code === "player_banned") return "refused";
  if (outcome.error instanceof FirerankError && outcome.error.code === "contention") return "unknown";
  throw outcome.error;
}

/** Resends one of the unanswered submissions. */
export function retry(world: World): void {
  if (world.retries.length === 0) return;
  const again = oneOf(world, world.retries);
  world.retries.splice(world.retries.indexOf(again), 1);
  again();
}
