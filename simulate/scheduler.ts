/**
 * The one place where anything happens. Actors hand in their operations; each step performs one of them, chosen at
 * random, and lets its actor run up to its next operation. Nothing else in the simulation waits for anything, so that
 * a seed decides the whole history.
 */
import { waiting } from "./memory/locks.ts";
import type { Port } from "./memory/client.ts";
import { grpcError } from "./memory/store.ts";

/** One invocation of a function, or whoever else takes steps. */
export interface Actor {
  name: string;
  alive: boolean;
  /** In (0, 1]: how readily it is chosen. Slow actors are how runs come late and events stay under way. */
  pace: number;
}

/** How often operations go wrong, as probabilities. */
export interface Faults {
  /** Nothing is done and an error is answered. */
  refused: number;
  /** A commit stands and its answer is lost. */
  answerLost: number;
  /** The answer comes in a later step. */
  answerLate: number;
}

export const noFaults: Faults = { refused: 0, answerLost: 0, answerLate: 0 };

export interface Scheduler {
  /** Operations that wait to be performed. */
  size(): number;
  /** Performs one operation and runs whatever that lets run. Returns who took it and what it was. */
  step(faults: Faults): Promise<string>;
  /** The way in for an actor's operations. */
  portOf(actor: Actor): Port;
  /** Ends an actor between two steps. A commit it had sent may still arrive. */
  kill(actor: Actor): void;
}

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

/** Draws before a slow actor is taken after all. */
const drawsMax = 8;

export function createScheduler(random: () => number): Scheduler {
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

  /** Performs an operation and says how its actor hears of it. */
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
    size: () => pending.length,
    async step(faults) {
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
    portOf: (actor) => ({
      request: <Result>(kind: Pending["kind"], what: string, perform: () => Result | typeof waiting) =>
        new Promise<Result>((resolve, reject) => {
          // A dead process asks for nothing, and never hears of anything.
          if (!actor.alive) return;
          pending.push({ actor, kind, what, perform, resolve: resolve as (value: unknown) => void, reject });
        }),
    }),
    kill(actor) {
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

/** Waits until every actor has run up to its next operation. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
