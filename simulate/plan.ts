/**
 * The parameters of a simulation, drawn from its seed: the board, the number of players and instances, how far their
 * clocks disagree, how often things go wrong and how often each action happens. Every seed is different ("swarm
 * testing", Groce et al., 2012): a history in which everything is about equally likely never finds what takes a hundred
 * of the same action.
 */
import type { z } from "zod";
import { type Definition, definitionSchema } from "../functions/src/model/definition.ts";
import { defined } from "../functions/src/model/defined.ts";
import type { TeamSettings } from "../functions/src/model/team-settings.ts";
import { seededRandom } from "../test/support/arbitraries.ts";
import { drawLeague } from "./draw-league.ts";
import type { Faults } from "./scheduler.ts";

/** The actions of the outside world, and the relative frequency of each before a seed varies it. */
const usualWeights = {
  submit: 12,
  "submit to a cup": 4,
  flood: 0.3,
  deliver: 14,
  redeliver: 3,
  run: 3,
  task: 3,
  "shared task": 4,
  schedule: 1.5,
  refresh: 3,
  read: 4,
  "write directly": 3,
  "write late": 1,
  "set status": 1.5,
  remove: 0.7,
  merge: 0.8,
  "merge a guest": 0.6,
  "set a profile": 1.5,
  repair: 0.25,
  "repair step": 2,
  step: 5,
  "repeat a step": 1,
  "open a cup": 0.5,
  "close a cup": 0.6,
  "change the interval": 0.3,
  "change the calendar": 0.1,
  pay: 2,
  "pay again": 0.5,
  damage: 0.15,
  switch: 0.1,
  kill: 1,
  restart: 0.1,
  jump: 0.6,
};

/** How often boards of templates are played, where they are. */
const templatesWeight = 10;

/** How often players look at their league, leave it and take part again, where there is one. */
const leagueWeight = 4;

/** How often players make, join, look at and leave private groups, where the board has them. */
const groupsWeight = 14;

type UsualAction = keyof typeof usualWeights;
export type Action = UsualAction | "play templates" | "play the league" | "play in groups";

/** No seed is without these. */
const always: readonly Action[] = ["submit", "deliver", "schedule", "step", "jump"];

/** What a board of tournaments alone cannot do without. */
const ofCups: readonly UsualAction[] = ["open a cup", "submit to a cup"];

/** What happens often where midnights count: time leaps to several of them in 3,000 steps. */
const ofMovement: readonly UsualAction[] = ["jump", "read", "run", "task", "shared task", "schedule"];

/** What happens often where weeks count: time leaps to some of their ends in 2,000 steps. */
const ofLeague: readonly UsualAction[] = ["jump", "step", "shared task", "schedule"];

/** The share of leagues among the boards that have weeks. */
const leaguesAmongWeeks = 0.7;

/** The share of boards with private groups, whatever else they have. */
const groupsAmongBoards = 0.3;

/** What only happens where seasons end. */
const ofEnds: readonly Action[] = [
  "submit to a cup",
  "open a cup",
  "close a cup",
  "step",
  "repeat a step",
  "write late",
  "change the calendar",
];

export interface Plan {
  /** Whether seasons end. If not, `all_time` is the only one. */
  ends: boolean;
  /** Whether the board keeps movement. Then time leaps to midnights, too. */
  movement: boolean;
  /** Whether the board has segments. */
  segments: boolean;
  /** Whether boards of templates are played beside the board. */
  templates: boolean;
  /** Whether the board has weeks with a league. */
  league: boolean;
  /** Whether the board has private groups. */
  privateGroups: boolean;
  definition: Definition;
  /** When it begins. */
  startMs: number;
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
  /** The share of events of direct writes that never come. */
  lostEvents: number;
  /** What a commit does when it meets a lock: the shares of waiting and of giving up; otherwise it breaks the lock. */
  conflict: { wait: number; abort: number };
  /** The time budget of closing steps, and the documents of their queries. */
  stepBudgetMs: number;
  documentsPerRead: number;
  /** Players of one range of the standings. */
  rangePlayers: number;
}

/** Replaces parts of the plan that a seed draws. */
export type Changed = Partial<Omit<Plan, "weights">> & { weights?: Partial<Plan["weights"]> };

/** No commit waits for a lock: the first one stands, and a transaction that has read what it changed is aborted, as on Enterprise. */
const optimistic = { wait: 0, abort: 0 };

/** The largest error of a clock. */
export const skewMsMax = 150_000;

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

/** How teams may be ranked; of some segments they are not. */
const waysOfTeams: (TeamSettings | undefined)[] = [
  { by: "sum" },
  { by: "mean" },
  { by: "best", best: 2 },
  undefined,
  { by: "mean", min_players: 2 },
  { by: "best", best: 3, min_players: 2 },
];

/** A country is submitted, and a guild claimed. @param drawn a number that says how teams are ranked. */
function segmentsOfBoard(drawn: number): Definition["segments"] {
  const way = (from: number) => ({ teams: waysOfTeams[from % waysOfTeams.length] });
  return [
    defined({ name: "country", from: "submission" as const, values: ["AT", "CH", "DE"], ...way(drawn) }),
    defined({ name: "guild", from: "claim" as const, ...way(Math.floor(drawn / waysOfTeams.length)) }),
  ];
}

/** A plan drawn at random. @param changed parts that are not drawn */
export function drawPlan(random: () => number, changed: Changed = {}): Plan {
  const oneOf = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const rate = (most: number) => (random() < 0.3 ? 0 : most * random() ** 2);
  const chance = random();
  // The lower digits of the same number, so that seeds without movement or segments play what they played before.
  const {
    ends = chance < 0.5 || changed.league === true,
    movement = Math.floor(chance * 2 ** 20) % 3 === 0,
  } = changed;
  const { segments = Math.floor(chance * 2 ** 24) % 3 === 1 } = changed;
  const { templates = Math.floor(chance * 2 ** 28) % 4 === 2 } = changed;
  const leagueRandom = seededRandom(Math.floor(chance * 2 ** 32));
  // A stream of its own, so that seeds without groups play what they played before.
  const groupsRandom = seededRandom(~Math.floor(chance * 2 ** 32));
  const { privateGroups = groupsRandom() < groupsAmongBoards } = changed;
  const keep = oneOf(undefined, 1, 1, 2);
  const definition: z.input<ReturnType<typeof definitionSchema>> = {
    order: oneOf("descending", "ascending"),
    aggregation: oneOf("best", "latest", "sum"),
    ties: oneOf("first", "last"),
    spans: spansOf(ends ? oneOf(...mixtures) : ["all_time"], changed.league),
    time_zone: oneOf(...zones),
    week_starts_on: oneOf("monday", "sunday", "saturday"),
    ranking_interval_minutes: oneOf(1, 1, 1, 5, 60),
    top_size: oneOf(1, 3, 10, 100),
    movement,
    private_groups: privateGroups,
    ...(segments ? { segments: segmentsOfBoard(Math.floor(chance * 2 ** 32)) } : {}),
    ...(keep === undefined ? {} : { keep_seasons: keep }),
  };
  const hasWeeks = definition.spans?.includes("weekly") === true;
  const { league = hasWeeks && leagueRandom() < leaguesAmongWeeks } = changed;
  if (league) definition.league = drawLeague(leagueRandom);
  const weights = {
    ...bent(random),
    "play templates": templates ? templatesWeight : 0,
    "play the league": league ? leagueWeight : 0,
    "play in groups": privateGroups ? groupsWeight : 0,
  };
  if (!ends) for (const action of ofEnds) weights[action] = 0;
  // A board of tournaments alone, without any, plays nothing.
  else if (definition.spans?.length === 0)
    for (const action of ofCups) weights[action] = Math.max(weights[action], usualWeights[action]);
  if (movement)
    for (const action of ofMovement) weights[action] = Math.max(weights[action], 4 * usualWeights[action]);
  if (league)
    for (const action of ofLeague) weights[action] = Math.max(weights[action], 2 * usualWeights[action]);
  return {
    ends,
    movement,
    segments,
    templates,
    league,
    privateGroups,
    definition: definitionSchema(0).parse(definition),
    startMs: Date.parse(`${oneOf(...beginnings)}T12:00:00Z`),
    players: oneOf(2, 4, 8, 8, 16, ...(ends ? [30] : [16, 40, 120])),
    instances: oneOf(1, 2, 3, 5),
    scores: oneOf(2, 5, 12, 60, 1_000),
    // A clock that is wrong by minutes sends scores to the season before, for so long, and asks for the wrong midnight.
    skewMsMax:
      ends || movement || privateGroups ? oneOf(0, 200, 2_000, 5_000) : oneOf(0, 1_000, 30_000, skewMsMax),
    stepMsMax: oneOf(20, 100, ...(ends ? [300, 1_000] : [500, 2_000])),
    crowd: oneOf(2, 6, 12, ...(ends ? [] : [25])),
    stepsBetweenRests: oneOf(400, 1_000, 3_000, ...(ends ? [] : [100])),
    faults: { refused: rate(0.1), answerLost: rate(0.1), answerLate: rate(0.4) },
    strays: random() < 0.1 ? 0.5 : 0,
    trigger: oneOf("on", "on", "on", "off", "switched"),
    lostEvents: oneOf(0, 0, 0, 0.1, 0.3),
    conflict: oneOf(optimistic, { wait: 0.6, abort: 0.2 }, { wait: 0.2, abort: 0.6 }),
    stepBudgetMs: oneOf(-1, 2_000, 300_000),
    documentsPerRead: oneOf(2, 3, 7, 500),
    rangePlayers: oneOf(2, 3, 8, 1_000),
    ...changed,
    weights: { ...weights, ...changed.weights },
  };
}

/** A league needs weeks. */
const spansOf = (drawn: Definition["spans"], league: boolean | undefined): Definition["spans"] =>
  league === true && !drawn.includes("weekly") ? ["daily", "weekly"] : drawn;

/** The usual weights, each up to four times larger or smaller, some of them zero. */
function bent(random: () => number): typeof usualWeights {
  const weights = { ...usualWeights };
  for (const action of Object.keys(weights) as UsualAction[]) {
    const rare = !always.includes(action) && random() < (action === "merge" ? 1 / 3 : 0.15);
    weights[action] *= rare ? 0 : 4 ** (2 * random() - 1);
  }
  return weights;
}

/** Draws an action by its weight. */
export function drawAction(weights: Plan["weights"], random: () => number): Action {
  const all = Object.entries(weights) as [Action, number][];
  let left = random() * all.reduce((total, [, weight]) => total + weight, 0);
  return all.find(([, weight]) => (left -= weight) < 0)?.[0] ?? "submit";
}
