/** A player in a file: the fields of a record, checked by the board's rules. Pure. */
import { z } from "zod";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { Metadata } from "../../functions/src/documents/player.ts";
import { type PlayerStatus, playerStatuses } from "../../functions/src/model/player-status.ts";
import type { ColumnValues } from "../../functions/src/model/columns.ts";
import { defined } from "../../functions/src/model/defined.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import { scorerId } from "../../functions/src/model/ids.ts";
import { scoreProblem } from "../../functions/src/model/score.ts";
import type { SegmentValues } from "../../functions/src/model/segments.ts";
import { applySubmission } from "../../functions/src/submit/apply.ts";
import { segmentsSaid } from "../../functions/src/submit/segments.ts";
import { submissionFields } from "../../functions/src/submit/schema.ts";

/** A player as read from a file. The import fills in missing `achieved_at`, `attempts` and `status`. */
export interface PlayerRecord {
  player: string;
  score: number;
  columns?: ColumnValues | undefined;
  display_name?: string | undefined;
  segments?: SegmentValues | undefined;
  metadata?: Metadata | undefined;
  achieved_at?: Timestamp | undefined;
  attempts?: number | undefined;
  status?: PlayerStatus | undefined;
}

/**
 * Reads a record of a file by a board's rules: its columns, or `min_score` and `max_score`, and its segments.
 *
 * Limits of single submissions (`max_change`, `max_attempts`, `min_seconds_between`) do not apply here.
 * @returns the record, or its problem.
 */
export function readRecord(definition: Definition, value: unknown): PlayerRecord | { problem: string } {
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) return { problem: problemOf(parsed.error) };
  const { player, achieved_at: achieved, attempts, status, ...submission } = parsed.data;
  const time = achieved === undefined ? undefined : parseTime(achieved);
  try {
    const segments = segmentsSaid(definition, { segments: submission.segments, isTrusted: true });
    const applied = applySubmission(freeOf(definition), undefined, submission, Timestamp.fromMillis(0));
    const { score = NaN, columns, display_name, metadata } = applied.player;
    const profile = { display_name, segments, metadata };
    return defined({ player, score, columns, ...profile, achieved_at: time, attempts, status });
  } catch (error) {
    if (error instanceof FirerankError) return { problem: error.message };
    throw error;
  }
}

/** The board without limits of submissions: a record is a player's state, not another submission. */
function freeOf(definition: Definition): Definition {
  return { ...definition, aggregation: "latest", max_change: undefined };
}

const number = z.number({ error: ({ input }) => scoreProblem(input) ?? "is not a number" });

/** As in a submission, but with line breaks and tabs, which a trusted server's document may contain. */
const displayName = z.string().superRefine((name, context) => {
  const { error } = submissionFields.display_name.safeParse(name.replaceAll(/[\r\n\t]/g, " "));
  for (const { message } of error?.issues ?? []) context.addIssue({ code: "custom", message });
});

const recordSchema = z.strictObject({
  player: scorerId,
  score: optional(number),
  columns: optional(z.record(z.string(), number)),
  display_name: optional(displayName),
  segments: optional(
    z.record(
      z.string(),
      z.string(),
      'must be values by segment, such as {"country":"AT"}, or country=AT in a CSV',
    ),
  ),
  metadata: optional(submissionFields.metadata),
  achieved_at: optional(
    z.iso.datetime({
      offset: true,
      error: "must be an ISO 8601 time with its zone, such as 2026-11-21T12:00:00Z",
    }),
  ),
  attempts: optional(z.int("must be a whole number").min(0, "must not be negative")),
  status: optional(z.enum(playerStatuses, { error: `must be one of ${playerStatuses.join(", ")}` })),
});

/** JSON from other programs often has `null` for a missing field. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

function problemOf({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}

/** The time in a valid text such as `2026-11-21T12:00:00.123456Z`; digits beyond the microsecond are dropped. */
export function parseTime(text: string): Timestamp {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const seconds = Date.parse(text.replace(/\.\d+/, "")) / 1_000;
  return new Timestamp(seconds, Number(fraction.slice(0, 6).padEnd(6, "0")) * 1_000);
}
