/** What boards are billed: operations of Firestore, calls of functions, and operations of the task queue. Pure. */
import {
  cost,
  functionTime,
  type FunctionTime,
  instances,
  queueOperation,
  totalOf,
} from "../../cli/prices.ts";
import { jobSeconds } from "../load/bill.ts";

/** What something is billed, beside the calls that the app itself makes. */
export interface Spent extends FunctionTime {
  /** How often it happened. */
  times: number;
  reads: number;
  writes: number;
  /** Also of what a TTL policy deletes weeks later. */
  deletes: number;
  /** Operations of Cloud Tasks: to request a task is one, also where the task is there already; to deliver it another. */
  queued: number;
}

export const nothing: Spent = {
  times: 0,
  reads: 0,
  writes: 0,
  deletes: 0,
  queued: 0,
  invocations: 0,
  processorSeconds: 0,
  memorySeconds: 0,
};

const names = Object.keys(nothing) as (keyof Spent)[];

export function sumOf(...parts: readonly Partial<Spent>[]): Spent {
  const sum = { ...nothing };
  for (const part of parts) for (const name of names) sum[name] += part[name] ?? 0;
  return sum;
}

/** So much of it, such as twice or a tenth. */
export function times(factor: number, part: Partial<Spent>): Spent {
  const product = { ...nothing };
  for (const name of names) product[name] = factor * (part[name] ?? 0);
  return product;
}

/** A call of the schedule or of a task reads, writes and deletes a few documents in the time that each call is billed. */
const documentsInCall = 10;

/** What functions are billed for calls of the schedule or of tasks that work on so many documents each, one at a time. */
export function calledFor(documents: number, calls = 1): FunctionTime {
  return functionTime(calls, jobSeconds(Math.max(0, documents - documentsInCall)), instances.usual);
}

/** Dollars of three kinds, in us-central1. */
export interface Dollars {
  firestore: number;
  functions: number;
  queue: number;
}

export function dollarsOf({ reads, writes, deletes, queued, ...called }: Spent): Dollars {
  return {
    firestore: cost({ reads, writes, deletes }, "us-central1"),
    functions: cost(totalOf([called]), "us-central1"),
    queue: queued * queueOperation,
  };
}

export function inAll({ firestore, functions, queue }: Dollars): number {
  return firestore + functions + queue;
}
