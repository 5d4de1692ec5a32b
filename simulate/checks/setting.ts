/** What checks look at. */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { SeasonKey } from "../../functions/src/documents/paths.ts";
import { isOfTemplate } from "../../functions/src/model/template.ts";
import type { Order } from "../../functions/src/model/score.ts";
import type { Machine } from "../machine.ts";
import { microsOf, type Store } from "../memory/store.ts";
import type { Plan } from "../plan.ts";

export type Setting = Pick<Machine, "database" | "now"> & { plan: Plan };

/** The database's time in microseconds, each time a later one. */
export const tickOf = ({ database }: Setting) => microsOf(database.store.now());

/** A check of a world, which names the others that it asks, so that imports go one way. */
export class WorldCheck<Others = unknown> {
  protected readonly world: Setting & Others;

  constructor(world: Setting & Others) {
    this.world = world;
  }
}

/** A check of one season. */
export class SeasonCheck {
  protected readonly store: Store;
  protected readonly key: SeasonKey;
  protected readonly order: Order;

  constructor(store: Store, key: SeasonKey, order: Order) {
    this.store = store;
    this.key = key;
    this.order = order;
  }
}

/** The name of an event's invocation. */
export const followName = (key: SeasonKey, player: string) => `follow ${player} in ${nameOf(key)}`;

/** A season's id, with the board's for one of a template. */
const nameOf = ({ leaderboard, season }: SeasonKey) =>
  isOfTemplate(leaderboard) ? `${leaderboard}/${season}` : season;

/** The events of players' documents that are on their way, who works, and when those of servers' writes were handled. */
export type OnItsWay = Pick<Machine, "working"> & {
  events: readonly { player: string; key: SeasonKey }[];
  followedAt: ReadonlyMap<string, Timestamp>;
};

/** Whether an event of a player's document in a season is on its way or being handled. */
export function followedIn(world: OnItsWay, key: SeasonKey): (player: string) => boolean {
  const handled = new Set([...world.working.keys()].map(({ name }) => name.split(" on ")[0]));
  return (player) =>
    world.events.some((event) => event.player === player && nameOf(event.key) === nameOf(key)) ||
    handled.has(followName(key, player));
}
