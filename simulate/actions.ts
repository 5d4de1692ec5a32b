/** The table of actions: what may begin in a world, if it is possible now. */
import { playerPath } from "../functions/src/documents/paths.ts";
import { mergeGuest, setProfile } from "./actions/account.ts";
import { changeCalendar, changeInterval, closeCup, merge, openCup, setStatus } from "./actions/admin.ts";
import { writeDirectly, writeLate } from "./actions/direct.ts";
import {
  deliver,
  look,
  refresh,
  repair,
  repairStep,
  run,
  runTask,
  schedule,
  shared,
  step,
} from "./actions/functions.ts";
import { playInGroups } from "./actions/groups.ts";
import { playLeague } from "./actions/league.ts";
import { pay } from "./actions/pay.ts";
import { read } from "./actions/read.ts";
import { flood, submit } from "./actions/submit.ts";
import { playTemplates } from "./actions/templates.ts";
import { oneOf, someCup, someOf, somePlayer, someSeason, takeEvent, takeOne } from "./actors.ts";
import { keyIn, leaderboard } from "./board.ts";
import type { Action } from "./plan.ts";
import type { World } from "./world.ts";

/** Takes a task. Now and then a queue delivers it twice. */
const takeTask = <Task>(world: World, tasks: Task[]): Task | undefined =>
  world.random() < 0.8 ? takeOne(world, tasks) : someOf(world, tasks);

/** Begins an action. Time leaps in simulation.ts. */
export const begin: Record<Exclude<Action, "jump">, (world: World) => void> = {
  submit: (world) => {
    submit(world, undefined);
  },
  "submit to a cup": (world) => {
    submit(world, someCup(world));
  },
  flood,
  deliver: (world) => {
    const event = takeEvent(world);
    if (event !== undefined) deliver(world, event);
  },
  redeliver: (world) => {
    const event = someOf(world, world.random() < 0.5 ? world.events : world.delivered);
    if (event !== undefined) deliver(world, event);
  },
  run: (world) => {
    const { id = "all_time" } = someSeason(world) ?? {};
    run(world, keyIn(id), { includeOpenSlot: world.random() < 0.3 });
  },
  task: (world) => {
    const request = takeTask(world, world.runs);
    if (request !== undefined) runTask(world, request);
  },
  schedule,
  "shared task": (world) => {
    const task = takeTask(world, world.shared);
    if (task !== undefined) shared(world, task);
  },
  refresh: (world) => {
    const due = world.refreshes.filter(({ due_at: at }) => Date.parse(at) <= world.now());
    const request = someOf(world, due);
    if (request !== undefined) refresh(world, request, world.random() < 0.8);
  },
  read,
  "write directly": writeDirectly,
  "write late": writeLate,
  "set status": (world) => {
    setStatus(world, oneOf(world, ["active", "active", "hidden", "banned"] as const));
  },
  remove: (world) => {
    setStatus(world, "removed");
  },
  merge,
  "merge a guest": mergeGuest,
  "set a profile": setProfile,
  "play templates": playTemplates,
  "play the league": playLeague,
  "play in groups": playInGroups,
  repair,
  "repair step": (world) => {
    const request = takeTask(world, world.repairs);
    if (request !== undefined) repairStep(world, request);
  },
  step: (world) => {
    const found = takeTask(world, world.steps);
    if (found !== undefined) step(world, found.request, found.retryCount);
    else look(world);
  },
  "repeat a step": (world) => {
    const known = someSeason(world);
    if (known !== undefined) step(world, { leaderboard, season: known.id, step: 0 });
  },
  "open a cup": openCup,
  "close a cup": closeCup,
  "change the interval": changeInterval,
  "change the calendar": changeCalendar,
  pay: (world) => {
    const event = takeOne(world, world.outbox);
    if (event === undefined) return;
    pay(world, event, true);
    // An event may come twice at the same time.
    if (world.random() < 0.2) pay(world, event, false);
  },
  "pay again": (world) => {
    const closed = world.told.all().filter(({ kind }) => kind === "season_closed");
    const event = someOf(world, closed);
    if (event !== undefined) pay(world, event, false);
  },
  damage: (world) => {
    const known = someSeason(world);
    if (known === undefined) return;
    const path = playerPath(keyIn(known.id), somePlayer(world));
    if (!world.damaged.delete(path)) world.damaged.add(path);
  },
  switch: (world) => {
    if (world.plan.trigger !== "switched") return;
    world.hasTrigger = !world.hasTrigger;
    for (const { id } of world.life.all()) world.needsRepair.add(id);
  },
  kill: (world) => {
    const actor = someOf(world, [...world.working.keys()]);
    if (actor !== undefined) world.kill(actor);
  },
  restart: (world) => {
    world.restart(world.index(world.instances.length));
    world.mayMissFollower = true;
  },
};
