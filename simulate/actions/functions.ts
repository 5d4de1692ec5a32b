/** Actions of the platform: events reach the trigger, schedules look for due work, tasks are delivered. */
import { enqueueDue } from "../../functions/src/jobs/schedule/schedule.ts";
import { askAlone, stepJob, stepTogether } from "../../functions/src/jobs/schedule/step.ts";
import { erasuresPath, type SeasonKey } from "../../functions/src/documents/paths.ts";
import { stepEnd } from "../../functions/src/jobs/closing/end.ts";
import { startRepair } from "../../functions/src/jobs/repair/repair.ts";
import { stepPlayer } from "../../functions/src/jobs/players/step.ts";
import { followPlayer } from "../../functions/src/counting/follow-player.ts";
import type { Version } from "../../functions/src/documents/mark.ts";
import {
  sharedTaskSecondsMax,
  taskSecondsMax,
  topRefreshTaskSecondsMax,
} from "../../functions/src/model/limits.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";
import { followInPrivateGroups } from "../../functions/src/groups/follow-private.ts";
import { refreshWhenDue } from "../../functions/src/groups/refresh.ts";
import type { RepairRequest, TopRefreshRequest } from "../../functions/src/world/tasks.ts";
import { oneOf, someSeason } from "../actors.ts";
import { keyIn, leaderboard } from "../board.ts";
import { templates } from "../checks/boards.ts";
import { followName } from "../checks/setting.ts";
import { insist } from "../checks/violation.ts";
import type { PlayerEvent, World } from "../world.ts";

const secondsMax = 60;

/** How often a queue tries a failing step. */
const stepAttempts = 3;

/** How many delivered events may come once more. */
const deliveredKept = 100;

const copyOf = (version: Version | undefined) => version && { ...version, data: { ...version.data } };

/** Delivers an event to the trigger; a failed event is redelivered, as Firestore does for a day. */
export function deliver(world: World, event: PlayerEvent): void {
  const { key, player, write, isOwn } = event;
  const copy = { ...write, before: copyOf(write.before), after: copyOf(write.after) };
  const requestsBefore = world.requests;
  world.invoke({
    name: followName(key, player),
    secondsMax,
    async handle(services) {
      await followPlayer(services, key, player, copy);
      // On other boards it would only look at the board.
      if (world.plan.privateGroups) await followInPrivateGroups(services, key, player, copy);
    },
    end(ending) {
      if (ending.how !== "done") world.events.push(event);
      else {
        if (!isOwn) world.followedAt.set(followName(key, player), world.database.store.now());
        world.delivered.push(event);
        if (world.delivered.length > deliveredKept) world.delivered.shift();
      }
      insist(
        !isOwn || world.requests === requestsBefore,
        () => `events: that of a commit of ours reads or writes: ${JSON.stringify(event)}`,
      );
    },
  });
}

/** The schedule, which the platform starts every minute. */
export function schedule(world: World): void {
  world.invoke({ name: "the schedule", secondsMax, handle: enqueueDue });
}

/** A ranking run by hand. */
export function run(world: World, key: SeasonKey, options: { includeOpenSlot?: boolean } = {}): void {
  world.invoke({
    name: `run of ${key.season}`,
    secondsMax: taskSecondsMax,
    handle: (services) => publishRanking(services, key, options),
  });
}

/** A ranking run that the schedule has requested. Its board may be gone by now. */
export function runTask(world: World, request: World["runs"][number]): void {
  world.invoke({
    name: `run of ${request.season}`,
    secondsMax: taskSecondsMax,
    handle: (services) => stepJob(services, request),
  });
}

/** A refresh of a top, or of a group; a failed one is retried. */
export function refresh(world: World, request: TopRefreshRequest, once: boolean): void {
  if (once) world.refreshes.splice(world.refreshes.indexOf(request), 1);
  world.invoke({
    name: `refresh of ${request.season}`,
    secondsMax: topRefreshTaskSecondsMax,
    handle: (services) => refreshWhenDue(services, request),
    end(ending) {
      if (ending.how === "done" || !once) return;
      // After its last attempt a queue gives up.
      const isLost = request.follows === "private_group" && world.random() < 0.3;
      if (isLost) world.privateGroups.missed();
      else world.refreshes.push(request);
    },
  });
}

/** The second look of an erasure, the first that is due. It erases the player, unless an admin lets the player back. */
export function look(world: World): void {
  const at = world.looks.findIndex(({ dueMs }) => dueMs <= world.now());
  const [found] = at === -1 ? [] : world.looks.splice(at, 1);
  if (found === undefined) return;
  const { request } = found;
  const player = world.database.store.get(`${erasuresPath}/${request.note}`)?.data["player"];
  if (typeof player !== "string") return;
  const asked = world.statuses.asked(player, "removed");
  const ofTemplates = templates.map((template) => world.boardPlayers.asked(template, "removed", player));
  world.invoke({
    name: `look again for ${player}`,
    work: { kind: "status", asked },
    secondsMax: taskSecondsMax,
    clear: ["season_not_found"],
    handle: (services) => stepPlayer(services, request),
    end() {
      world.statuses.answered(asked, "unknown");
      for (const one of ofTemplates) world.boardPlayers.ended(one, "unknown");
    },
  });
}

/** A closing step; the queue retries one that fails or dies. */
export function step(world: World, request: World["steps"][number]["request"], retryCount = 0): void {
  const { stepBudgetMs: budgetMs, documentsPerRead, rangePlayers } = world.plan;
  const retries = retryCount < stepAttempts - 1;
  world.invoke({
    name: `step of ${request.season}`,
    work: { kind: "step" },
    secondsMax: taskSecondsMax,
    handle: (services) => stepEnd(services, request, { budgetMs, documentsPerRead, rangePlayers, retries }),
    end(ending) {
      if (ending.how !== "done" && retries) world.steps.push({ request, retryCount: retryCount + 1 });
    },
  });
}

/** A task that steps share; the queue retries one that fails or dies. */
export function shared(world: World, { steps, retryCount }: World["shared"][number]): void {
  const isFirst = retryCount === 0 || world.mutant.tellsNoAttempts === true;
  world.invoke({
    name: `steps of ${steps.length} seasons`,
    work: { kind: "step" },
    secondsMax: sharedTaskSecondsMax,
    handle: (services) => (isFirst ? stepTogether : askAlone)(services, steps),
    end(ending) {
      if (ending.how !== "done" && retryCount < stepAttempts - 1)
        world.shared.push({ steps, retryCount: retryCount + 1 });
    },
  });
}

/** A season may end or be deleted first, and an instance may remember the board without it. */
const clear = ["season_not_found", "season_closed", "invalid_request"] as const;

const stepOptions = ({ plan: { documentsPerRead } }: World) => {
  return { budgetMs: -1, documentsPerRead: Math.min(documentsPerRead, 7), retries: true };
};

/** An owner requests an audit or a repair of some season, at once or in steps. */
export function repair(world: World): void {
  const known = someSeason(world);
  if (known === undefined) return;
  const kind = oneOf(world, ["audit", "repair", "repair"] as const);
  const full = world.random() < 0.5;
  const options =
    world.random() < 0.5 ? { documentsPerRead: 3 } : { ...stepOptions(world), inlinePlayersMax: 0 };
  world.invoke({
    name: `${kind} ${known.id}`,
    secondsMax: taskSecondsMax,
    clear,
    handle: (services) => startRepair(services, keyIn(known.id), { kind, full }, options),
  });
}

/** A step of an audit or a repair, as the queue does it: one of a board that is gone ends without an error. */
export function repairStep(world: World, request: RepairRequest): void {
  world.invoke({
    name: `step of the ${request.job} of ${request.season}`,
    secondsMax: taskSecondsMax,
    clear,
    handle: (services) => stepJob(services, request, stepOptions(world)),
  });
}

/** A repair of a whole season. Nothing else is running, so it must succeed. */
export function repairNow(world: World, season: string): void {
  world.invoke({
    name: `repair ${season} at rest`,
    secondsMax: taskSecondsMax,
    async handle(services) {
      const key = { leaderboard, season };
      const { outcome } = await startRepair(services, key, { kind: "repair", full: true });
      insist(outcome === "done", () => `a repair of ${season} ended ${outcome}`);
    },
    end(ending) {
      if (ending.how === "failed") throw ending.error;
    },
  });
}
