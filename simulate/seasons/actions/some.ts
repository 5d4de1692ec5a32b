/** Players, scores and seasons of a world of seasons, drawn at random. */
import { oneOf } from "../../actors.ts";
import type { Known } from "../checks/life.ts";
import type { SeasonsWorld } from "../world.ts";

export function somePlayer(world: SeasonsWorld): string {
  return `p${world.index(world.plan.players)}`;
}

/** A random score: few enough values that players tie, not all whole, of either sign. */
export function someScore(world: SeasonsWorld): number {
  const { scores } = world.plan;
  const score = world.index(scores) - Math.floor(scores / 3);
  return scores === 12 ? score / 4 : score;
}

/** An existing season that meets a condition, if there is one. */
export function someSeason(world: SeasonsWorld, holds: (known: Known) => boolean): Known | undefined {
  const found = world.life.all().filter(holds);
  return found.length === 0 ? undefined : oneOf(world, found);
}

/** A tournament: mostly one that takes scores, or the one that was opened last; now and then one that was never opened. */
export function someCup(world: SeasonsWorld): string {
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
