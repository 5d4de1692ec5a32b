/**
 * The parameters of a simulation, drawn from its seed: the board, the number of players and instances, how far their
 * clocks disagree, how often things go wrong and how often each action happens. Every seed is different ("swarm
 * testing", Groce et al., 2012): a history in which everything is about equally likely never finds what takes a hundred
 * of the same action.
 */
import type { z } from "zod";
import { type Definition, definitionSchema } from "../functions/src/model/definition.ts";
import type { Faults } from "./scheduler.ts";

/** The actions of the outside world. */
export const actions = [
  "submit",
  "deliver",
  "redeliver",
  "run",
  "schedule",
  "task",
  "refresh",
  "read",
  "kill",
  "restart",
  "change interval",
  "write directly",
  "set status",
  "remove",
  "repair",
  "repair step",
  "flood",
  "damage",
  "switch",
] as const;

export type Action = (typeof actions)[number];

export interface Plan {
  definition: Definition;
  players: number;
  instances: number;
  /** The number of different scores submitted. */
  scores: number;
  /** The largest error of an instance's clock, either way. */
  skewMsMax: number;
  /** The longest time that passes in a step. */
  stepMsMax: number;
  /** With this many waiting operations, new actions begin less often. */
  crowd: number;
  /** The number of steps between two rests. */
  stepsBetweenRests: number;
  faults: Faults;
  weights: Record<Action, number>;
  /** The share of rests at which a foreign hand adds a shard to an old slot, and the season is rebuilt. */
  strays: number;
  /** Whether the trigger is deployed all the time, never, or now and then. */
  trigger: "on" | "off" | "switched";
  /** The share of events of foreign writes that never come. */
  lostEvents: number;
  /** What a commit does when it meets a lock: the shares of waiting and of giving up; otherwise it breaks the lock. */
  conflict: { wait: number; abort: number };
}

/** No commit waits for a lock: the first one stands, and a transaction that has read what it changed is aborted, as on Enterprise. */
export const optimistic = { wait: 0, abort: 0 };

/** The largest error of a clock. */
export const skewMsMax = 150_000;

/** The relative frequency of each action, before a seed varies it. */
const usualWeights: Record<Action, number> = {
  submit: 12,
  deliver: 14,
  redeliver: 3,
  run: 3,
  schedule: 1,
  task: 2,
  refresh: 3,
  read: 3,
  kill: 1,
  restart: 0.1,
  "change interval": 0.3,
  "write directly": 4,
  "set status": 1.5,
  remove: 1,
  repair: 0.15,
  "repair step": 2,
  flood: 0.3,
  damage: 0.15,
  switch: 0.1,
};

/** A plan drawn at random. */
export function drawPlan(random: () => number): Plan {
  const oneOf = <Item>(...items: Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const rate = (most: number) => (random() < 0.3 ? 0 : most * random() ** 2);
  const definition: z.input<ReturnType<typeof definitionSchema>> = {
    order: oneOf("descending", "ascending"),
    aggregation: oneOf("best", "latest", "sum"),
    ties: oneOf("first", "last"),
    ranking_interval_minutes: 1,
    top_size: oneOf(1, 3, 10, 100),
  };
  return {
    definition: definitionSchema(0).parse(definition),
    players: oneOf(2, 4, 8, 8, 16, 16, 40, 120),
    instances: oneOf(1, 2, 3, 5),
    scores: oneOf(2, 5, 12, 60, 1_000),
    skewMsMax: oneOf(0, 1_000, 30_000, skewMsMax),
    stepMsMax: oneOf(20, 100, 500, 2_000),
    crowd: oneOf(2, 6, 12, 25),
    stepsBetweenRests: oneOf(100, 400, 1_000, 3_000),
    faults: { refused: rate(0.1), answerLost: rate(0.1), answerLate: rate(0.4) },
    weights: bent(random),
    strays: 0,
    trigger: oneOf("on", "on", "on", "off", "switched"),
    lostEvents: oneOf(0, 0, 0, 0.1),
    conflict: oneOf(optimistic, { wait: 0.6, abort: 0.2 }, { wait: 0.2, abort: 0.6 }),
  };
}

/** The usual weights, each up to four times larger or smaller, some of them zero. */
function bent(random: () => number): Record<Action, number> {
  const weights = { ...usualWeights };
  for (const action of actions) {
    const rare = action !== "submit" && action !== "deliver" && random() < 0.15;
    weights[action] *= rare ? 0 : 4 ** (2 * random() - 1);
  }
  return weights;
}
