/** An owner's trigger that pays winners, as the example does it. */
import { FieldValue as FieldValueOfExample } from "firebase-admin/firestore";
import { payRewards } from "../../examples/events/rewards.ts";
import {
  type DocumentReference,
  FieldValue,
  type Firestore,
  type Transaction,
} from "../../functions/src/documents/firestore.ts";
import type { BoardEvent } from "../../functions/src/documents/event.ts";
import { isMap } from "../memory/values.ts";
import type { World } from "../world.ts";

const secondsMax = 60;

/** Delivers an event to the payer; one that fails comes again. @param isFirst whether it has not been handled before */
export function pay(world: World, event: BoardEvent, isFirst: boolean): void {
  world.invoke({
    name: `pay ${event.season}`,
    work: { kind: "pay" },
    secondsMax,
    async handle(given) {
      const { db } = given;
      // The example pays weekly seasons and tournaments. Here every season is one.
      await payRewards(withOwnValues(db), { ...event, span: "weekly" });
    },
    end(ending) {
      if (ending.how !== "done" && isFirst) world.outbox.push(event);
    },
  });
}

/** A database for code that has another copy of the client library, and so other classes of `FieldValue`. */
function withOwnValues(db: Firestore): Firestore {
  const runTransaction: Firestore["runTransaction"] = (update, options) =>
    db.runTransaction((transaction) => {
      const own = (name: "set" | "create") => {
        const write = transaction[name].bind(transaction) as (...args: unknown[]) => unknown;
        return (ref: DocumentReference, data: object, ...others: unknown[]) =>
          write(ref, ownOf(data), ...others);
      };
      const methods = { set: own("set"), create: own("create") };
      return update(Object.assign(Object.create(transaction) as Transaction, transaction, methods));
    }, options);
  return Object.assign(Object.create(db) as Firestore, db, { runTransaction });
}

function ownOf(value: unknown): unknown {
  if (!(value instanceof FieldValueOfExample))
    return isMap(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, ownOf(one)]))
      : value;
  if (value.isEqual(FieldValueOfExample.serverTimestamp())) return FieldValue.serverTimestamp();
  return FieldValue.increment((value as unknown as { operand: number }).operand);
}
