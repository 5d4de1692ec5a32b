/**
 * A board is deleted while everything goes on. Nothing of it is left, also after events that come later. Then the same
 * instances, with what they remember, play another board under the same id.
 */
import { leaderboardPath } from "../functions/src/documents/paths.ts";
import { boardCacheMs, taskSecondsMax } from "../functions/src/model/limits.ts";
import { deleteLeaderboardSpec } from "../functions/src/operations/delete-leaderboard.ts";
import { saveLeaderboardSpec } from "../functions/src/operations/save-leaderboard.ts";
import { leaderboard } from "./board.ts";
import { insist } from "./checks/violation.ts";
import { drawPlan } from "./plan.ts";
import { endNext, finish, type Took } from "./rest.ts";
import { forgetBoard, type World } from "./world.ts";

/** Steps that everything goes on for. */
const stepsMax = 200;

/** The rounds of the schedule within which a board is gone. */
const roundsMax = 80;

/** Deletes the board, and creates another one under its id. @param step lets everything go on by a step */
export async function playDeletion(
  world: World,
  took: Took,
  step: (world: World, took: Took) => Promise<void>,
): Promise<void> {
  world.isDeleting = true;
  const call = { isDone: false };
  deleteBoard(world, call);
  for (let steps = world.index(stepsMax); steps > 0; steps--) await step(world, took);
  world.damaged.clear();
  // These come when everything is gone, or another board is there.
  const late = world.events.splice(0, world.index(world.events.length + 1));
  for (let rounds = 0; ; rounds++) {
    await finish(world, took);
    if (!call.isDone || isDefined(world)) deleteBoard(world, call);
    else if (world.life.all().length === 0) break;
    insist(rounds < roundsMax, () => `deleted: the board is still there after ${rounds} rounds`);
    await finish(world, took);
    await endNext(world, took, world.life.all());
  }
  checkGone(world);
  world.events.push(...late.splice(0, world.index(late.length)));
  await finish(world, took);
  checkGone(world);
  world.pass(boardCacheMs + 1_000 + 2 * world.plan.skewMsMax);
  await createAnew(world, took);
  world.events.push(...late);
}

/** The call is sent again until it succeeds, and once more if somebody has saved the board since. */
function deleteBoard(world: World, call: { isDone: boolean }): void {
  call.isDone = false;
  world.invoke({
    name: "delete the board",
    work: { kind: "delete" },
    secondsMax: taskSecondsMax,
    handle: async (services) => {
      try {
        await deleteLeaderboardSpec.handle(services, { leaderboard }, undefined);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    end: ({ how }) => void (call.isDone = how === "done"),
  });
}

const isNotFound = (error: unknown) => (error as { code?: unknown }).code === "leaderboard_not_found";

const isDefined = ({ database }: World) => database.store.get(leaderboardPath(leaderboard)) !== undefined;

function checkGone(world: World): void {
  const { store } = world.database;
  const left = store
    .collections()
    .filter((path) => path.startsWith(`${leaderboardPath(leaderboard)}/`))
    .flatMap((path) => store.list(path).map((document) => document.path));
  insist(left.length === 0 && !isDefined(world), () => `deleted: ${left.join()} is left of the board`);
}

async function createAnew(world: World, took: Took): Promise<void> {
  const { plan } = world;
  const drawn = drawPlan(world.random).definition;
  const { spans, keep_seasons: _, segments: __, league, ...definition } = drawn;
  const { league: ___, ...before } = plan.definition;
  forgetBoard(world, {
    ...before,
    ...definition,
    movement: plan.movement,
    private_groups: plan.privateGroups,
    spans: plan.ends ? spans : ["all_time"],
    ...(plan.ends && league && { league }),
  });
  const { columns: ____, ...saved } = world.plan.definition;
  world.invoke({
    name: "create the board anew",
    secondsMax: taskSecondsMax,
    handle: (services) => saveLeaderboardSpec.handle(services, { leaderboard, definition: saved }, undefined),
    end({ how }) {
      insist(how === "done", () => "deleted: the board cannot be created again");
    },
  });
  await finish(world, took);
}
