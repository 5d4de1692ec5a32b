/**
 * Plays a world from its seed, step by step and from rest to rest, until a promise is broken; and draws its random
 * choices.
 */

/** The result of a simulation. */
export interface Report {
  seed: number;
  steps: number;
  rests: number;
  generations: number;
  /** Undefined if every promise held. */
  violation?: { error: Error; step: number; lastActions: string[] };
}

/** Counts a step, and checks the promises after it. @throws the violation */
export type Took = (what: string) => void;

/** The world to play. */
export interface Game {
  world: { readonly violation: Error | undefined };
  /** Steps from one rest to the next. */
  stepsBetweenRests: number;
  /** Takes a step, or a few. */
  step(took: Took): Promise<void>;
  comeToRest(took: Took): Promise<void>;
  /** Recounts everything; called now and then. */
  recount(): void;
  /** Called after each step. */
  afterStep?(): void;
  /** A prefix for actions when the last ones are shown. */
  stamp?(): string;
}

export interface PlayOptions {
  seed: number;
  steps: number;
  /** Called for each step. */
  watch?: ((action: string) => void) | undefined;
}

/** The number of actions that a violation shows. */
const actionsShown = 40;

/** Steps from one count of everything to the next. */
const stepsBetweenRecounts = 5_000;

/** Plays some steps, and then to the next rest; stops at the first violation. */
export async function play(
  game: Game,
  { seed, steps, watch }: PlayOptions,
): Promise<Omit<Report, "generations">> {
  const lastActions: string[] = [];
  const report: Omit<Report, "generations"> = { seed, steps: 0, rests: 0 };

  function took(what: string): void {
    report.steps += 1;
    watch?.(what);
    lastActions.push(`${report.steps} ${game.stamp?.() ?? ""}${what}`);
    if (lastActions.length > 2 * actionsShown) lastActions.splice(0, actionsShown);
    if (report.steps % stepsBetweenRecounts === 0) game.recount();
    game.afterStep?.();
    if (game.world.violation !== undefined) throw game.world.violation;
  }

  try {
    while (report.steps < steps) {
      const until = Math.min(steps, report.steps + game.stepsBetweenRests);
      while (report.steps < until) await game.step(took);
      await game.comeToRest(took);
      report.rests += 1;
    }
  } catch (error) {
    report.violation = {
      error: error as Error,
      step: report.steps,
      lastActions: lastActions.slice(-actionsShown),
    };
  }
  return report;
}

/** Draws an action by its weight. */
export function drawAction<Action extends string>(
  actions: readonly [Action, ...Action[]],
  weights: Readonly<Record<Action, number>>,
  random: () => number,
): Action {
  const sum = actions.reduce((total, action) => total + weights[action], 0);
  let left = random() * sum;
  return actions.find((action) => (left -= weights[action]) < 0) ?? actions[0];
}

/** Takes an event under way: mostly a random one, otherwise the newest or the oldest. */
export function takeEvent<Event>(world: {
  events: Event[];
  random: () => number;
  index(length: number): number;
}): Event | undefined {
  const { events } = world;
  const choice = world.random();
  const at = choice < 0.6 ? world.index(events.length) : choice < 0.8 ? events.length - 1 : 0;
  return events.splice(Math.max(0, at), 1)[0];
}
