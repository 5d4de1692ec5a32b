/** The parameters of a world of seasons, drawn from its seed; like plan.ts for a world of one season. */
import type { z } from "zod";
import { type Definition, definitionSchema } from "../../functions/src/model/definition.ts";
import type { Plan } from "../plan.ts";

/** The actions of the outside world. */
export const actions = [
  "submit",
  "submit to a cup",
  "deliver",
  "redeliver",
  "read",
  "set status",
  "remove",
  "set score",
  "schedule",
  "run",
  "refresh",
  "step",
  "repeat a step",
  "repair",
  "open a cup",
  "close a cup",
  "change the calendar",
  "repair step",
  "pay",
  "pay again",
  "kill",
  "restart",
  "jump",
  "merge",
] as const;

export type Action = (typeof actions)[number];

export interface SeasonsPlan extends Omit<Plan, "strays" | "weights" | "trigger"> {
  definition: Definition;
  /** When it begins. */
  startMs: number;
  /** The time budget of closing steps, and the documents of their queries. */
  stepBudgetMs: number;
  documentsPerRead: number;
  /** Players of one range of the standings. */
  rangePlayers: number;
  weights: Record<Action, number>;
}

/** The relative frequency of each action, before a seed varies it. */
const usualWeights: Record<Action, number> = {
  submit: 12,
  "submit to a cup": 4,
  deliver: 14,
  redeliver: 2,
  read: 5,
  "set status": 1.5,
  remove: 0.5,
  "set score": 1.5,
  schedule: 2,
  run: 4,
  refresh: 3,
  step: 5,
  "repeat a step": 1,
  repair: 0.4,
  "open a cup": 0.5,
  "close a cup": 0.6,
  "change the calendar": 0.1,
  "repair step": 1,
  pay: 2,
  "pay again": 0.5,
  kill: 0.8,
  restart: 0.1,
  jump: 0.6,
  // Only some worlds have merges; see mergingPlan.
  merge: 0,
};

/** How often players are merged, in the worlds that have it. */
const mergeWeight = 0.8;

/** A plan in which players are merged, in two thirds of the worlds. @param random a stream of its own */
export function mergingPlan(plan: SeasonsPlan, random: () => number): SeasonsPlan {
  const merge = random() < 1 / 3 ? 0 : mergeWeight * 4 ** (2 * random() - 1);
  return { ...plan, weights: { ...plan.weights, merge } };
}

/** Time zones that differ by more than a day, by half hours, and in when clocks change. */
export const zones = [
  "UTC",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Africa/Cairo",
] as const;

/** Noon of days shortly before clocks change somewhere, before a year or a month ends, or of ordinary days. */
const beginnings = ["2026-03-07", "2026-03-28", "2026-04-23", "2026-10-30", "2026-11-20", "2026-12-30"];

/** Every relevant mixture of spans: with and without `all_time`, one and several that end, none. */
const mixtures: Definition["spans"][] = [
  ["all_time", "daily"],
  ["all_time", "daily"],
  ["daily"],
  ["daily", "weekly"],
  ["daily", "monthly", "weekly"],
  ["weekly", "all_time", "daily"],
  ["all_time"],
  [],
];

/** A plan drawn at random. */
export function drawSeasonsPlan(random: () => number): SeasonsPlan {
  const oneOf = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const rate = (most: number) => (random() < 0.3 ? 0 : most * random() ** 2);
  const keep = oneOf(undefined, 1, 1, 2);
  const definition: z.input<ReturnType<typeof definitionSchema>> = {
    order: oneOf("descending", "ascending"),
    aggregation: oneOf("best", "latest", "sum"),
    ties: oneOf("first", "last"),
    spans: oneOf(...mixtures),
    time_zone: oneOf(...zones),
    week_starts_on: oneOf("monday", "sunday", "saturday"),
    ranking_interval_minutes: oneOf(1, 1, 5, 60),
    top_size: oneOf(1, 3, 10, 100),
    ...(keep === undefined ? {} : { keep_seasons: keep }),
  };
  return {
    definition: definitionSchema(0).parse(definition),
    startMs: Date.parse(`${oneOf(...beginnings)}T12:00:00Z`),
    players: oneOf(2, 4, 8, 8, 16, 30),
    instances: oneOf(1, 2, 3, 5),
    scores: oneOf(2, 5, 12, 60, 1_000),
    skewMsMax: oneOf(0, 200, 2_000, 5_000),
    stepMsMax: oneOf(20, 100, 300, 1_000),
    crowd: oneOf(2, 6, 12),
    stepsBetweenRests: oneOf(400, 1_000, 3_000),
    faults: { refused: rate(0.08), answerLost: rate(0.1), answerLate: rate(0.3) },
    lostEvents: oneOf(0, 0, 0.05, 0.3),
    stepBudgetMs: oneOf(-1, 2_000, 300_000),
    documentsPerRead: oneOf(2, 3, 7, 500),
    rangePlayers: oneOf(2, 3, 8, 1_000),
    weights: bent(random),
    conflict: oneOf({ wait: 0, abort: 0 }, { wait: 0.6, abort: 0.2 }, { wait: 0.2, abort: 0.6 }),
  };
}

const always: readonly Action[] = ["submit", "deliver", "schedule", "step", "jump"];

/** The usual weights, each up to four times larger or smaller, some of them zero. */
function bent(random: () => number): Record<Action, number> {
  const weights = { ...usualWeights };
  for (const action of actions) {
    // mergingPlan decides about merges.
    if (action === "merge") continue;
    const rare = !always.includes(action) && random() < 0.15;
    weights[action] *= rare ? 0 : 4 ** (2 * random() - 1);
  }
  return weights;
}
