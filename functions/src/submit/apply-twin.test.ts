/** Random submissions to random boards, against a twin that keeps every submission and recalculates everything. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import type { Metadata, Player } from "../documents/player.ts";
import type { PlayerStatus } from "../model/player-status.ts";
import { packColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { type ErrorCode, FirerankError } from "../model/errors.ts";
import { anyOrder } from "../../../test/support/arbitraries.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import { type Applied, applySubmission, type Submission } from "./apply.ts";

const columns = [
  { name: "points", min: -2, max: 6 },
  { name: "seconds", min: 0, max: 4, order: "ascending" as const },
];
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });
const anyAggregation = fc.constantFrom("best" as const, "latest" as const, "sum" as const);
const anyLimits = fc.record({
  min_score: sometimes(fc.integer({ min: -4, max: 0 })),
  max_score: sometimes(fc.integer({ min: 3, max: 9 })),
  max_change: sometimes(fc.integer({ min: 1, max: 6 })),
});
const anyAttemptLimits = fc.record({
  min_seconds_between: sometimes(fc.constantFrom(1, 2.5)),
  max_attempts: sometimes(fc.integer({ min: 1, max: 12 })),
});
const anyBoard = fc
  .record({
    order: anyOrder,
    aggregation: anyAggregation,
    own: fc.oneof(anyLimits, fc.constant({ columns })),
  })
  .chain(({ own, ...board }) =>
    anyAttemptLimits.map((limits) => definitionOf({ ...board, ...own, ...limits })),
  );

const anyNumber = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -5, max: 10 }) },
  { weight: 1, arbitrary: fc.constantFrom(-0, 0.5, 2 ** 53 - 1, 1 - 2 ** 53) },
);
const anyValue = fc.record({
  points: fc.integer({ min: -3, max: 7 }),
  seconds: fc.integer({ min: -1, max: 5 }),
});
/** A submission with both kinds of value; {@link addressed} leaves one. */
interface AnySubmission extends Submission {
  wrongField: boolean;
}

const anySubmission: fc.Arbitrary<AnySubmission> = fc.record({
  score: anyNumber,
  columns: anyValue,
  wrongField: fc.nat(15).map((chance) => chance === 0),
  submission_id: fc.option(fc.nat(25).map(String), { nil: undefined }),
  display_name: sometimes(fc.constantFrom("Ann", "Bo")),
  metadata: sometimes(fc.record({ level: fc.nat(2) })),
});
const anyStep = fc.record({
  submission: anySubmission,
  waitMs: fc.constantFrom(0, 1, 999, 1_000, 1_001, 2_500, 5_000),
  status: fc.nat(40).map((chance) => (["active", "hidden", "banned"] as const)[chance]),
});

/** The submission as a caller of this board would send it, or as one of the other kind of board would. */
function addressed(
  definition: Definition,
  { wrongField, score, columns, ...rest }: AnySubmission,
): Submission {
  return (definition.columns === undefined) === wrongField ? { ...rest, columns } : { ...rest, score };
}

interface Twin {
  submitted: { values: number[]; atMs: number }[];
  attempts: number;
  lastMs: number;
  status: PlayerStatus;
  name: string | undefined;
  metadata: Metadata | undefined;
  ids: string[];
}

const namesOf = ({ columns }: Definition) => columns?.map(({ name }) => name) ?? ["score"];

function isBetterTuple({ columns, order }: Definition, a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((value, i) => value !== b[i]);
  const [one = NaN, other = NaN] = [a[index], b[index]];
  return (columns?.[index]?.order ?? order) === "descending" ? one > other : one < other;
}

/** The total of the first submissions. */
function totalOf(definition: Definition, submitted: Twin["submitted"]): number[] | undefined {
  const all = submitted.map(({ values }) => values);
  if (definition.aggregation === "latest") return all.at(-1);
  const [first, ...others] = all;
  if (first === undefined) return undefined;
  if (definition.aggregation === "sum")
    return others.reduce((sum, next) => sum.map((value, i) => value + (next[i] ?? NaN)), first);
  return others.reduce((best, next) => (isBetterTuple(definition, next, best) ? next : best), first);
}

function achievedAt(definition: Definition, { submitted }: Twin): number {
  const totals = submitted.map((_, i) => totalOf(definition, submitted.slice(0, i + 1)));
  const index = totals.findLastIndex((total, i) => i === 0 || !isDeepStrictEqual(total, totals[i - 1]));
  return submitted[index]?.atMs ?? NaN;
}

function refusalOf(
  definition: Definition,
  twin: Twin | undefined,
  { score, columns: sent }: Submission,
  nowMs: number,
): ErrorCode | undefined {
  const {
    max_attempts = Infinity,
    min_seconds_between = 0,
    min_score = 1 - 2 ** 53,
    max_score = 2 ** 53 - 1,
  } = definition;
  if (twin !== undefined && twin.attempts >= max_attempts) return "too_many_attempts";
  if (twin !== undefined && nowMs - twin.lastMs < min_seconds_between * 1_000) return "too_frequent";
  if ((definition.columns === undefined) !== (sent === undefined)) return "invalid_request";
  const values = namesOf(definition).map((name) => (sent === undefined ? score : sent[name]) ?? NaN);
  const before = totalOf(definition, twin?.submitted ?? []);
  const after = totalOf(definition, [...(twin?.submitted ?? []), { values, atMs: nowMs }]) ?? [];
  const judged = definition.aggregation === "sum" ? after : values;
  if (definition.columns !== undefined) {
    const fits = definition.columns.every(
      ({ min, max }, i) => min <= (judged[i] ?? NaN) && (judged[i] ?? NaN) <= max,
    );
    return fits ? undefined : "score_out_of_range";
  }
  const [value = NaN] = judged;
  if (!(value >= Math.max(min_score, 1 - 2 ** 53) && value <= Math.min(max_score, 2 ** 53 - 1)))
    return "score_out_of_range";
  const from = before?.[0] ?? (definition.aggregation === "sum" ? 0 : undefined);
  const change = Math.abs((after[0] ?? NaN) - (from ?? after[0] ?? NaN));
  return change > (definition.max_change ?? Infinity) ? "score_out_of_range" : undefined;
}

/** Submits to the twin. */
function submitPlainly(
  definition: Definition,
  twin: Twin,
  submission: Submission,
  nowMs: number,
): Omit<Applied, "player"> {
  const {
    columns: sent,
    score,
    submission_id: id,
    display_name: name = twin.name,
    metadata: given,
  } = submission;
  if (id !== undefined && twin.ids.includes(id)) return { changed: false, improved: false, repeated: true };
  const before = totalOf(definition, twin.submitted);
  const values = namesOf(definition).map(
    (column) => 0 + ((sent === undefined ? score : sent[column]) ?? NaN),
  );
  twin.submitted.push({ values, atMs: nowMs });
  const after = totalOf(definition, twin.submitted) ?? [];
  const moved = !isDeepStrictEqual(before, after);
  const metadata =
    moved && definition.aggregation !== "sum"
      ? given
      : definition.aggregation === "best"
        ? twin.metadata
        : (given ?? twin.metadata);
  const isLimited = definition.max_attempts !== undefined || definition.min_seconds_between !== undefined;
  const mustRemember = id !== undefined && definition.aggregation !== "best";
  const changed =
    moved || isLimited || mustRemember || name !== twin.name || !isDeepStrictEqual(metadata, twin.metadata);
  Object.assign(twin, { name, metadata });
  if (changed) {
    twin.attempts += 1;
    twin.lastMs = nowMs;
    if (id !== undefined) twin.ids = [...twin.ids, id].slice(-20);
  }
  return {
    changed,
    improved: before === undefined || (moved && isBetterTuple(definition, after, before)),
    repeated: false,
  };
}

/** The document that follows from the twin. */
function documentOf(definition: Definition, twin: Twin): Player {
  const total = totalOf(definition, twin.submitted) ?? [];
  const values = Object.fromEntries(namesOf(definition).map((name, i) => [name, total[i] ?? NaN]));
  return {
    ...(definition.columns === undefined
      ? { score: total[0] ?? NaN }
      : { score: packColumns(definition.order, definition.columns, values), columns: values }),
    achieved_at: Timestamp.fromMillis(achievedAt(definition, twin)),
    last_submission_at: Timestamp.fromMillis(twin.lastMs),
    attempts: twin.attempts,
    status: twin.status,
    ...(twin.name === undefined ? {} : { display_name: twin.name }),
    ...(twin.metadata === undefined ? {} : { metadata: twin.metadata }),
    ...(twin.ids.length === 0 ? {} : { submission_ids: twin.ids }),
  };
}

function codeOf(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error instanceof FirerankError ? error.code : String(error);
  }
}

test("any submissions to any board lead to the same player as in a twin that remembers all of them", () => {
  fc.assert(
    fc.property(anyBoard, fc.array(anyStep, { maxLength: 60, size: "max" }), (definition, steps) => {
      let player: Player | undefined;
      let twin: Twin | undefined;
      let nowMs = 1_700_000_000_000;
      for (const { submission: any, waitMs, status } of steps) {
        const submission = addressed(definition, any);
        nowMs += waitMs;
        if (status !== undefined && player !== undefined && twin !== undefined) {
          player = { ...player, status };
          twin.status = status;
        }
        const isRepeat = twin?.ids.includes(submission.submission_id ?? "") === true;
        const refusal =
          twin?.status === "banned"
            ? "player_banned"
            : isRepeat
              ? undefined
              : refusalOf(definition, twin, submission, nowMs);
        const apply = () => applySubmission(definition, player, submission, Timestamp.fromMillis(nowMs));
        expect(codeOf(apply)).toBe(refusal);
        if (refusal !== undefined) continue;

        Object.freeze(player);
        const { player: next, ...outcome } = apply();
        twin ??= {
          submitted: [],
          attempts: 0,
          lastMs: 0,
          status: "active",
          name: undefined,
          metadata: undefined,
          ids: [],
        };
        expect(outcome).toEqual(submitPlainly(definition, twin, submission, nowMs));
        expect(next).toStrictEqual(documentOf(definition, twin));
        player = next;
      }
    }),
    { numRuns: 400 },
  );
});
