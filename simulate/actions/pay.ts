/** An owner's trigger that pays winners, as the example does it. */
import { payRewards } from "../../examples/events/rewards.ts";
import type { BoardEvent } from "../../functions/src/documents/event.ts";
import type { World } from "../world.ts";

const secondsMax = 60;

/** Delivers an event to the payer; one that fails comes again. @param isFirst whether it has not been handled before */
export function pay(world: World, event: BoardEvent, isFirst: boolean): void {
  world.invoke({
    name: `pay ${event.season}`,
    work: { kind: "pay" },
    secondsMax,
    async handle({ db }) {
      // The example pays weekly seasons and tournaments. Here every season is one.
      await payRewards(db, { ...event, span: "weekly" });
    },
    end(ending) {
      if (ending.how !== "done" && isFirst) world.outbox.push(event);
    },
  });
}
