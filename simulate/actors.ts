/** Actors, their targets, and which failures are expected. */
import { FirerankError, type ErrorCode } from "../functions/src/model/errors.ts";
import { grpcCode } from "../functions/src/world/retryable.ts";
import type { Known, Life } from "./checks/life.ts";
import { Violation } from "./checks/violation.ts";
import type { Ending, Instance, Machine } from "./machine.ts";
import type { Plan } from "./plan.ts";

/** Records an actor's error as a violation, unless it is an expected one. */
export function expectPassing(world: Pick<Machine, "violation">, ending: Ending): void {
  if (ending.how !== "failed") return;
  if (ending.error instanceof Violation) world.violation ??= ending.error;
  else if (!passes(ending.error)) {
    world.violation ??= new Error(`an error that no fault explains: ${String(ending.error)}`, {
      cause: ending.error,
    });
  }
}

function passes(error: unknown): boolean {
  // A repair that was overtaken by other runs each time.
  if (error instanceof Error && error.constructor.name === "MustStartOver") return true;
  if (error instanceof Error && error.message.startsWith("too many events")) return true;
  if (error instanceof Error && error.message.startsWith("Not one of")) return passes(error.cause);
  return grpcCode(error) !== undefined || (error instanceof FirerankError && error.code === "contention");
}

/** Whether work failed with an error that tells its caller this. */
export function hasCode(ending: Ending, ...codes: readonly ErrorCode[]): boolean {
  return (
    ending.how === "failed" && ending.error instanceof FirerankError && codes.includes(ending.error.code)
  );
}

type Drawing = Pick<Machine, "index">;

/** A world, as far as players, scores and seasons are drawn from it. */
type World = Machine & { plan: Plan; life: Life; cups: number };

/** One of some items, if there are any. */
export function someOf<Item>(world: Drawing, items: readonly Item[]): Item | undefined {
  return items[world.index(items.length)];
}

/** One of some items. @throws if there is none */
export function oneOf<Item>(world: Drawing, items: readonly Item[]): Item {
  const item = someOf(world, items);
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

/** Takes one of some items out, if there are any. */
export function takeOne<Item>(world: Drawing, items: Item[]): Item | undefined {
  return items.splice(world.index(items.length), 1)[0];
}

/** Takes an event under way: mostly a random one, otherwise the newest or the oldest. */
export function takeEvent<Event>(world: Drawing & { random: () => number; events: Event[] }) {
  const { events } = world;
  const choice = world.random();
  const at = choice < 0.6 ? world.index(events.length) : choice < 0.8 ? events.length - 1 : 0;
  return events.splice(Math.max(0, at), 1)[0];
}

export function someInstance(world: Pick<Machine, "index" | "instances">): Instance {
  return oneOf(world, world.instances);
}

export function somePlayer(world: World): string {
  return `p${world.index(world.plan.players)}`;
}

/** Some different players. */
export function somePlayers(world: World, most: number): string[] {
  return [...new Set(Array.from({ length: 1 + world.index(most) }, () => somePlayer(world)))];
}

/** A random score: few enough values that players tie, not all whole, of either sign. */
export function someScore(world: World): number {
  const { scores } = world.plan;
  const score = world.index(scores) - Math.floor(scores / 3);
  return scores === 12 ? score / 4 : score;
}

/** More than can be ranked beside the countries. */
export const guilds = Array.from({ length: 7 }, (_, i) => `g${i}`);

/** A guild: some have many players. */
export const someGuild = (world: Drawing) => oneOf(world, guilds.slice(0, 1 + world.index(guilds.length)));

/** A segment of the board with a value. */
export const someSegment = (world: Drawing) =>
  world.index(2) === 0 ? { country: oneOf(world, ["AT", "CH", "DE"]) } : { guild: someGuild(world) };

/** An existing season that meets a condition, if there is one. */
export function someSeason(world: World, holds: (known: Known) => boolean = () => true): Known | undefined {
  return someOf(world, world.life.all().filter(holds));
}

/** A tournament: mostly one that takes scores, or the one that was opened last; now and then one that was never opened. */
export function someCup(world: World): string {
  const cups = world.life.all().filter(({ season }) => season.span === "custom");
  const open = cups.filter(({ opensMs, closesMs }) => opensMs <= world.now() && world.now() < closesMs);
  const choice = world.random();
  if (open.length > 0 && choice < 0.6) return oneOf(world, open).id;
  const ended = cups
    .filter(({ closesMs }) => closesMs <= world.now())
    .sort((a, b) => b.closesMs - a.closesMs);
  if (ended[0] !== undefined && choice < 0.85) return ended[0].id;
  return cups.length > 0 && choice < 0.95 ? oneOf(world, cups).id : `cup${world.cups + 1}`;
}
