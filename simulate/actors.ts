/** Actors, their targets, and which failures are expected. */
import { FirerankError } from "../functions/src/model/errors.ts";
import { grpcCode } from "../functions/src/world/retryable.ts";
import type { Ending, Instance, Machine } from "./machine.ts";
import type { World } from "./world.ts";

/** Records an actor's error as a violation, unless it is an expected one. */
export function expectPassing(world: Pick<Machine, "violation">, ending: Ending): void {
  if (ending.how === "failed" && !passes(ending.error)) {
    world.violation ??= new Error(`an error that no fault explains: ${String(ending.error)}`, {
      cause: ending.error,
    });
  }
}

function passes(error: unknown): boolean {
  // A repair that was overtaken by other runs each time.
  if (error instanceof Error && error.constructor.name === "PublishedMeanwhile") return true;
  if (error instanceof Error && error.message.startsWith("too many events")) return true;
  if (error instanceof Error && error.message.startsWith("Not one of")) return passes(error.cause);
  return grpcCode(error) !== undefined || (error instanceof FirerankError && error.code === "contention");
}

/** One of some items. @throws if there is none */
export function oneOf<Item>(world: Pick<Machine, "index">, items: readonly Item[]): Item {
  const item = items[world.index(items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
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
