/** Who is billed for what: the calls, ticks and tasks of a play, and the parts of their bill. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Change } from "../../simulate/memory/store.ts";
import type { Remembered } from "./requests.ts";
import { calledFor, nothing, type Spent, sumOf } from "./spent.ts";

/**
 * What calls do. `looks` are runs that find nothing to publish, also those with which a season falls asleep; `shared
 * tasks` are the calls and tasks in which steps of small seasons are done, whose documents are billed to the steps; `daily look`
 * is the schedule in the minute of audits, and `audits` are their tasks.
 */
export const kinds = [
  "scores",
  "ranks",
  "schedule",
  "runs",
  "looks",
  "shared tasks",
  "refreshes",
  "audits",
  "daily look",
  "season ends",
] as const;
export type Kind = (typeof kinds)[number];

/** Of these, what their calls read into memory is billed by itself. */
const remembering = ["scores", "ranks", "runs", "looks", "refreshes"] as const;
type Remembering = (typeof remembering)[number];

/**
 * A part of the bill: a kind; what its calls read into memory; and, of scores, what it takes to wake a season, and to
 * renew the top at once.
 */
export type Part = Kind | `${Remembering}: ${Remembered}` | "scores: wakes" | "scores: top";

export type Spendings = Partial<Record<Part, Spent>>;

/**
 * What starts a call: the app, whose functions are not billed here; the schedule; or a task. A step of a shared task is
 * part of the task's call.
 */
type Starter = "app" | "schedule" | "task" | "shared task";

interface Call {
  kind: Kind;
  starter: Starter;
  spent: Map<Part, Spent>;
  /** The steps of a shared task. */
  steps: Call[];
}

export function createLedger() {
  const underWay = new AsyncLocalStorage<Call>();
  let calls: Call[] = [];
  return {
    /** Bills all that happens in some work as one call. */
    async call(kind: Kind, starter: Starter, work: () => Promise<unknown>): Promise<void> {
      const call: Call = { kind, starter, spent: new Map(), steps: [] };
      if (starter === "shared task") underWay.getStore()?.steps.push(call);
      calls.push(call);
      await underWay.run(call, work);
    },
    /** The bill of what happens now; undefined outside of calls. */
    current(what?: Remembered | "top"): Spent | undefined {
      const call = underWay.getStore();
      if (call === undefined) return undefined;
      const kind = remembering.find((one) => one === call.kind);
      if (what === "top") return partOf(call, call.kind === "scores" ? "scores: top" : call.kind);
      return partOf(call, what === undefined || kind === undefined ? call.kind : `${kind}: ${what}`);
    },
    /** A task that publishes is a run. */
    published(): void {
      const call = underWay.getStore();
      if (call?.kind !== "looks") return;
      call.kind = "runs";
      for (const [part, spent] of [...call.spent]) {
        call.spent.delete(part);
        call.spent.set(part.replace("looks", "runs") as Part, spent);
      }
    },
    /** A document that a call has changed. */
    changed(change: Change): void {
      const call = underWay.getStore();
      if (call === undefined) return;
      // A TTL policy deletes it when its time has come.
      const renewsTop = call.kind === "scores" && isOfTop(change);
      if (expires(change)) partOf(call, renewsTop ? "scores: top" : call.kind).deletes += 1;
      if (renewsTop && change.path.endsWith("/top/current")) partOf(call, "scores: top").times += 1;
      if (call.kind === "scores" && isWake(change)) takeWakeOut(call);
    },
    /** What was billed since the last time. */
    take(): Spendings {
      const taken = spendingsOf(calls);
      calls = [];
      return taken;
    },
  };
}

function partOf({ spent }: Call, part: Part): Spent {
  const known = spent.get(part) ?? { ...nothing };
  spent.set(part, known);
  return known;
}

function expires({ before, after = {} }: Change): boolean {
  return before === undefined && Object.keys(after).some((field) => field.endsWith("_expires_at"));
}

function isWake({ path, before, after }: Change): boolean {
  const isSeason = /^leaderboards\/[^/]+\/seasons\/[^/]+$/.test(path);
  return isSeason && (before?.["dormant_at"] ?? null) !== null && after?.["dormant_at"] === null;
}

/** The top, or an event that tells who came into it. */
function isOfTop({ path, after = {} }: Change): boolean {
  return path.endsWith("/top/current") || ["top_entered", "lead_changed"].includes(String(after["kind"]));
}

/** The commit that wakes a season reads it and writes it too. The commit's writes are billed when it has ended. */
function takeWakeOut(call: Call): void {
  const [score, wake] = [partOf(call, "scores"), partOf(call, "scores: wakes")];
  for (const name of ["reads", "writes"] as const) {
    score[name] -= 1;
    wake[name] += 1;
  }
  wake.times += 1;
}

function spendingsOf(calls: readonly Call[]): Spendings {
  const parts = new Map<Part, Spent>();
  const add = (part: Part, spent: Partial<Spent>) => {
    parts.set(part, sumOf(parts.get(part) ?? {}, spent));
  };
  for (const { kind, starter, spent, steps } of calls) {
    for (const [part, one] of spent) add(part, one);
    add(kind, { times: 1, queued: starter === "task" ? 1 : 0 });
    const all = [spent, ...steps.map((step) => step.spent)];
    const { reads, writes, deletes } = sumOf(...all.flatMap((one) => [...one.values()]));
    if (starter === "schedule" || starter === "task") add(kind, calledFor(reads + writes + deletes));
  }
  return Object.fromEntries(parts);
}
