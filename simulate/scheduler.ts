/**
 * The only place where anything happens. Actors submit their operations; each step performs one of them, chosen at
 * random, and lets its actor run to its next operation. Nothing else in the simulation waits, so a seed decides the
 * whole history.
 */
import { setImmediate } from "node:timers/promises";
import { waiting } from "./memory/locks.ts";
import type { Port } from "./memory/wire/server.ts";
import { grpcError } from "./memory/store.ts";

/** An invocation of a function, or anything else that takes steps. */
export interface Actor {
  name: string;
  alive: boolean;
  /** In (0, 1]: how likely it is chosen. Slow actors make runs late and keep events under way. */
  pace: number;
}

/** How often operations go wrong, as probabilities. */
export interface Faults {
  /** The operation is not performed, and the answer is an error. */
  refused: number;
  /** A commit succeeds but its answer is lost. */
  answerLost: number;
  /** The answer comes in a later step. */
  answerLate: number;
}

export const noFaults: Faults = { refused: 0, answerLost: 0, answerLate: 0 };

interface Pending {
  actor: Actor;
  kind: "read" | "commit" | "pause" | "answer";
  what: string;
  perform: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

const refusals = ["aborted", "unavailable", "deadlineExceeded", "resourceExhausted"] as const;
const losses = ["unavailable", "deadlineExceeded"] as const;

/** The number of draws before a slow actor is taken anyway. */
const drawsMax = 8;

/** Nothing to do yet. It is one function, as all of it draws from the same waiting operations. */
export function createScheduler(random: () => number) {
  const pending: Pending[] = [];
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

  function draw(): number {
    let index = 0;
    for (let draws = 0; draws < drawsMax; draws++) {
      index = Math.floor(random() * pending.length);
      if (random() < (pending[index]?.actor.pace ?? 1)) break;
    }
    return index;
  }

  function take(index: number): Pending {
    const taken = pending[index];
    const last = pending.pop();
    if (taken === undefined || last === undefined) throw new Error("there is no operation to perform");
    if (taken !== last) pending[index] = last;
    return taken;
  }

  /** Performs an operation and returns how to tell its actor. */
  function perform(operation: Pending, faults: Faults): () => void {
    const { kind, resolve, reject } = operation;
    const goesWrong = kind === "read" || kind === "commit";
    try {
      if (goesWrong && random() < faults.refused) throw grpcError(oneOf(refusals), "simulated");
      const result = operation.perform();
      if (result === waiting) {
        pending.push(operation);
        return () => undefined;
      }
      if (kind === "commit" && random() < faults.answerLost) throw grpcError(oneOf(losses), "simulated");
      return () => {
        resolve(result);
      };
    } catch (error) {
      return () => {
        reject(error);
      };
    }
  }

  return {
    /** The number of waiting operations. */
    size: () => pending.length,
    /** Performs one operation and runs everything that was waiting for it. Returns the actor and the operation. */
    async step(faults: Faults): Promise<string> {
      const operation = take(draw());
      const { actor, kind, what } = operation;
      const answer = perform(operation, faults);
      const isLate = kind === "read" && random() < faults.answerLate;
      if (isLate)
        pending.push({
          ...operation,
          kind: "answer",
          what: "answer late",
          perform: () => undefined,
          resolve: answer,
        });
      else answer();
      await settled();
      return `${actor.name}: ${what}`;
    },
    /** The port for an actor's operations. */
    portOf: (actor: Actor): Port => ({
      request: <Result>(kind: Pending["kind"], what: string, perform: () => Result | typeof waiting) =>
        new Promise<Result>((resolve, reject) => {
          // A dead process sends nothing and receives nothing.
          if (!actor.alive) return;
          pending.push({ actor, kind, what, perform, resolve: resolve as (value: unknown) => void, reject });
        }),
    }),
    /** Ends an actor between two steps. A commit it had sent may still arrive. */
    kill(actor: Actor): void {
      actor.alive = false;
      for (let i = pending.length - 1; i >= 0; i--) {
        const operation = pending[i];
        if (operation?.actor !== actor) continue;
        take(i);
        if (operation.kind === "commit" && random() < 0.5)
          perform({ ...operation, resolve: () => undefined, reject: () => undefined }, noFaults);
      }
      pending.splice(0, pending.length, ...pending.filter((operation) => operation.actor !== actor));
    },
  };
}

/** Waits until every actor has run to its next operation. The client library pauses before it tries again. */
export async function settled(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
