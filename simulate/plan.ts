/**
 * What a seed makes of a simulation: the board, how many players and instances, how far their clocks disagree, how often
 * things go wrong and what happens how often. Every seed is different ("swarm testing", Groce et al., 2012): a
 * history in which everything is about equally likely never sees what it takes a hundred of the same thing to meet.
 */
import type { z } from "zod";
import { type Definition, definitionSchema } from "../functions/src/model/definition.ts";
import type { Faults } from "./scheduler.ts";

/** What the outside world does in a step. */
export const actions = [
  "submit",
  "deliver",
  "redeliver",
  "sweep",
  "run",
  "schedule",
  "task",
  "refresh",
  "read",
  "kill",
  "restart",
  "resize",
  "change interval",
  "set score",
  "set status",
  "remove",
  "change source",
] as const;

export type Action = (typeof actions)[number];

export interface Plan {
  definition: Definition;
  players: number;
  instances: number;
  /** Scores submitted are one of so many. */
  scores: number;
  /** An instance's clock is wrong by up to this, either way. */
  skewMsMax: number;
  /** A step moves time on by up to this. */
  stepMsMax: number;
  /** Operations that wait before new actions begin more rarely. */
  crowd: number;
  /** Steps from one rest to the next. */
  stepsBetweenRests: number;
  faults: Faults;
  weights: Record<Action, number>;
  /** What a commit does that meets a lock: shares of waiting and of giving up; else it breaks the lock. */
  conflict: { wait: number; abort: number };
}

/** Most that a clock is wrong. */
export const skewMsMax = 150_000;

/** About how often each action happens among the others, before a seed bends it. */
const usualWeights: Record<Action, number> = {
  submit: 12,
  deliver: 14,
  redeliver: 3,
  sweep: 1,
  run: 3,
  schedule: 1,
  task: 2,
  refresh: 3,
  read: 3,
  kill: 1,
  restart: 0.1,
  resize: 0.5,
  "change interval": 0.3,
  "set score": 2,
  "set status": 2,
  remove: 1,
  "change source": 0.02,
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
    expected_writes_per_second: oneOf(0.1, 1, 3),
    source: oneOf("index", "index", "index", "count"),
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
    conflict: oneOf({ wait: 0, abort: 0 }, { wait: 0.6, abort: 0.2 }, { wait: 0.2, abort: 0.6 }),
  };
}

/** The usual weights, each up to four times as much or as little, some of them nothing. */
function bent(random: () => number): Record<Action, number> {
  const weights = { ...usualWeights };
  for (const action of actions) {
    const rare = action !== "submit" && action !== "deliver" && random() < 0.15;
    weights[action] *= rare ? 0 : 4 ** (2 * random() - 1);
  }
  return weights;
}
