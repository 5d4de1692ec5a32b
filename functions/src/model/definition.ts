/** A leaderboard's definition: what `saveLeaderboard` stores and answers, and the changes of it that it takes. */
import { z } from "zod";
import { toStep } from "./arithmetic.ts";
import { columnsRange } from "./columns.ts";
import { defined } from "./defined.ts";
import { eventKinds } from "./event-kinds.ts";
import { leagueSchema, misplacedLeague } from "./league.ts";
import { calendarSpans } from "./season-id.ts";
import { template } from "./new-boards.ts";
import { teamSettings } from "./team-settings.ts";
import { requireKnownSchema } from "./schema-version.ts";
import { segmentNamePattern, segmentValuePattern, segmentValueSaid } from "./segments.ts";
import {
  columnsMax,
  columnsRangeMax,
  decimalsMax,
  idCharactersMax,
  scoreSizeMax,
  segmentsMax,
  segmentValuesMax,
  tiersMax,
  topRefreshSecondsDefault,
  topSizeMax,
  topWindowMsMax,
} from "./limits.ts";

/** The days of the week, in the order of ISO 8601. */
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

const order = z.enum(["descending", "ascending"]);

const above0 = z.number().positive("must be above 0");
const positive = z.int().min(1, "must be at least 1");

const columnName = z
  .string()
  .regex(
    segmentNamePattern,
    `must be 1 to ${idCharactersMax} letters, digits or "_", beginning with a letter`,
  );

const integer = z.int("must be a whole number, at most 2^53 - 1 in size");

const column = z
  .strictObject({ name: columnName, min: integer, max: integer, order: order.default("descending") })
  .refine(({ min, max }) => min < max, { path: ["max"], message: "must be greater than min" });

const columns = z
  .array(column)
  .min(1, "must name at least one column, or be left out for a single score")
  .max(columnsMax, `must name at most ${columnsMax} columns`)
  .refine((list) => unique(list.map(({ name }) => name)), "must not name a column twice")
  .refine(
    (list) => columnsRange(list) <= columnsRangeMax,
    "the product of the columns' ranges (max - min + 1) must be at most 2^53; narrow a range or drop a column",
  );

const tiers = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(idCharactersMax),
      top_percent: above0.max(100, "must be at most 100"),
    }),
  )
  .min(1)
  .max(tiersMax, `must name at most ${tiersMax} tiers`)
  .refine((list) => unique(list.map(({ name }) => name)), "must not name a tier twice")
  .refine(
    (list) => list.every((tier, i) => tier.top_percent > (list[i - 1]?.top_percent ?? -Infinity)),
    "must be in order of top_percent, the smallest first",
  );

const segmentValue = z.string().regex(segmentValuePattern, segmentValueSaid);

const segment = z
  .strictObject({
    name: columnName,
    /**
     * Who says a player's value: the app with a score, a custom claim of this name in the player's token, or a server.
     */
    from: z.enum(["submission", "claim", "server"]),
    values: z
      .array(segmentValue)
      .min(1, "must list at least one value")
      .max(segmentValuesMax, `must list at most ${segmentValuesMax} values; take \`from: "server"\` for more`)
      .refine(unique, "must not list a value twice")
      .optional(),
    /** Who may see a player's value: whoever may read the board, or with `self` the player alone, and moderators. */
    visible: z.enum(["everybody", "self"]).optional(),
    teams: teamSettings.optional(),
  })
  .refine(({ visible, teams: ranked }) => visible !== "self" || ranked === undefined, {
    path: ["teams"],
    message: 'are shown to everybody, and would tell the values of a segment with `visible: "self"`',
  })
  .refine(({ from, values }) => (from === "submission") === (values !== undefined), {
    path: ["values"],
    message: 'must be listed if `from` is "submission", and only then',
  })
  .refine(({ from, name }) => from !== "claim" || !ownClaims.includes(name), {
    path: ["name"],
    message: "is a claim of every token, or of Firerank's roles, and no custom claim of the game",
  });

/** Claims that Firebase or Firerank writes: https://firebase.google.com/docs/auth/admin/verify-id-tokens. */
const ownClaims = (
  "acr amr at_hash aud auth_time azp c_hash cnf email email_verified exp firebase iat iss jti " +
  "leaderboard_boards leaderboard_role name nbf nonce phone_number picture sub uid user_id"
).split(" ");

const segments = z
  .array(segment)
  .min(1, "must name at least one segment, or be left out")
  .max(segmentsMax, `must name at most ${segmentsMax} segments`)
  .refine((list) => unique(list.map(({ name }) => name)), "must not name a segment twice");

const tooLarge = {
  error: ({ input }: { input?: unknown }) => `must be at most 2^53 - 1 in size; this is ${String(input)}`,
};
/** A score as a caller sends it. */
export const scoreValue = z.number().min(-scoreSizeMax, tooLarge).max(scoreSizeMax, tooLarge);

/** The spans that a board may have side by side. Each span has one season at a time. */
export const spanNames = ["all_time", ...calendarSpans] as const;

const spans = z.array(z.enum(spanNames)).refine(unique, "must not name a span twice");

const attemptsSaid = 'must be a whole number, or several by span, such as {"daily":3}';

/** How many attempts a player has in each season of a span; `custom` stands for every tournament. */
const attemptsBySpan = z
  .strictObject(
    {
      all_time: positive.optional(),
      daily: positive.optional(),
      weekly: positive.optional(),
      monthly: positive.optional(),
      custom: positive.optional(),
    },
    attemptsSaid,
  )
  .refine((attempts) => Object.keys(attempts).length > 0, "must name a span");

const events = z
  .array(z.enum(eventKinds, `must be ${eventKinds.map((kind) => `"${kind}"`).join(", ")}`))
  .refine(unique, "must not name a kind twice");

const fields = z.strictObject({
  order: order.default("descending"),
  aggregation: z.enum(["best", "latest", "sum"]).default("best"),
  columns: columns.optional(),
  decimals: z
    .int()
    .min(0, "must be at least 0")
    .max(decimalsMax, `must be at most ${decimalsMax}`)
    .optional(),
  spans: spans.default(["all_time"]),
  // Any text: a save asks zoneProblem in calendar.ts whether the zone is known. A stored zone that is not known here
  // must be readable, so that another zone can be saved.
  time_zone: z.string().default("UTC"),
  week_starts_on: z.enum(weekdays).default("monday"),
  ties: z.enum(["first", "last"]).default("first"),
  ranking_interval_minutes: above0.max(1_440, "must be at most 1440").default(5),
  visibility: z.enum(["signed_in", "public"]).default("signed_in"),
  top_size: positive.max(topSizeMax, `must be at most ${topSizeMax}`).default(100),
  // At least 1: Firestore takes about one write a second to a document.
  top_refresh_seconds: positive
    .max(topWindowMsMax / 1_000, `must be at most ${topWindowMsMax / 1_000}`)
    .default(topRefreshSecondsDefault),
  min_score: scoreValue.optional(),
  max_score: scoreValue.optional(),
  max_change: above0.max(2 * scoreSizeMax).optional(),
  min_seconds_between: above0.max(31_536_000).optional(),
  max_attempts: attemptsBySpan.optional(),
  submit: z.enum(["client", "server"]).default("client"),
  tiers: tiers.optional(),
  segments: segments.optional(),
  movement: z.boolean().default(false),
  keep_seasons: positive.optional(),
  template: template.optional(),
  league: leagueSchema.optional(),
  private_groups: z.boolean().default(false),
  events: events.default([...eventKinds]),
});

/** A stored definition with all defaults filled in. Fields of a newer release are ignored. */
export const storedDefinition = z.object(fields.shape);

/** Reads a stored definition. @throws `unknown_schema_version` for the form of another release; ZodError */
export function readDefinition(data: Record<string, unknown> | undefined): Definition {
  requireKnownSchema("leaderboard", data);
  return storedDefinition.parse(data);
}

/** A board's definition, with defaults filled in. */
export type Definition = z.infer<typeof fields>;

export function segmentNames({ segments = [] }: Pick<Definition, "segments">): string[] {
  return segments.map(({ name }) => name);
}

const never = () => false;

/** Whether a field limits one account, so that a player with several accounts gets round it by merging them. */
const goneRound: Record<keyof Definition, (definition: Definition) => boolean> = {
  order: never,
  aggregation: ({ aggregation }) => aggregation === "sum",
  columns: never,
  decimals: never,
  spans: never,
  time_zone: never,
  week_starts_on: never,
  ties: never,
  ranking_interval_minutes: never,
  visibility: never,
  top_size: never,
  top_refresh_seconds: never,
  // These limit one submission, unless scores are summed.
  min_score: never,
  max_score: never,
  // The first score of an account is no change.
  max_change: ({ max_change: most }) => most !== undefined,
  min_seconds_between: ({ min_seconds_between: wait }) => wait !== undefined,
  max_attempts: ({ max_attempts: most }) => most !== undefined,
  submit: ({ submit }) => submit === "server",
  tiers: never,
  segments: never,
  movement: never,
  keep_seasons: never,
  template: never,
  league: never,
  private_groups: never,
  events: never,
};

/**
 * The fields of a board whose limits a player could get round by merging free accounts. Each new field needs a
 * decision.
 */
export function limitsGoneRound(definition: Definition): string[] {
  return Object.entries(goneRound).flatMap(([name, isLimit]) => (isLimit(definition) ? [name] : []));
}

/** What a board orders scores by; it never changes once a season is open. */
export type Ordering = Pick<Definition, (typeof frozenFields)[number]>;
export const frozenFields = ["order", "aggregation", "columns", "decimals"] as const;

/** What a template keeps from its first board on, so that it need not be asked again for each of a million boards. */
export const frozenOfTemplate = [
  ...frozenFields,
  "spans",
  "time_zone",
  "week_starts_on",
  "movement",
  "segments",
] as const;

/**
 * The schema of a whole definition; a field that is left out gets its default.
 * @param intervalMinutesMin 1 in production, as the schedule runs each minute; any fraction of one on the emulators.
 */
export function definitionSchema(intervalMinutesMin: number) {
  return fields.superRefine((definition, context) => {
    const problem = (path: string, message: string) => {
      context.addIssue({ code: "custom", path: path.split("."), message });
    };
    if (definition.ranking_interval_minutes < intervalMinutesMin)
      problem("ranking_interval_minutes", `must be at least ${intervalMinutesMin}`);
    const { min_score: min = -Infinity, max_score: max = Infinity } = definition;
    if (min > max) problem("max_score", "must not be below min_score");
    const { spans, max_attempts: attempts = {} } = definition;
    for (const span of Object.keys(attempts))
      if (![...spans, "custom"].includes(span))
        problem(
          `max_attempts.${span}`,
          `is not a span of this leaderboard, which has ${[...spans, "custom"].join(", ")}`,
        );
    for (const name of scoreLimits) {
      const limit = definition[name];
      if (limit === undefined) continue;
      if (definition.columns !== undefined)
        problem(name, "has no meaning beside columns, each of which has min and max");
      else if (toStep(definition, limit) !== limit)
        problem(name, `must have at most ${definition.decimals} decimals, as the scores have`);
    }
    for (const [i, { teams: ranked }] of (definition.segments ?? []).entries())
      if (definition.columns !== undefined && ranked !== undefined)
        problem(`segments.${i}.teams`, "have no sum beside columns, of which a score has several");
    for (const [path, message] of misplacedLeague(definition)) problem(path, message);
    if (definition.private_groups && definition.template !== undefined)
      problem("private_groups", "is for a leaderboard of its own: a template's boards have none");
    if (definition.columns !== undefined && definition.decimals !== undefined)
      problem("decimals", "has no meaning beside columns, which hold whole numbers");
  });
}

/** The limits of a board without columns. */
const scoreLimits = ["min_score", "max_score", "max_change"] as const;

type Changes<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodDefault<infer Inner extends z.ZodType>
    ? z.ZodOptional<Inner>
    : Shape[Name] extends z.ZodOptional<infer Inner extends z.ZodType>
      ? z.ZodOptional<z.ZodNullable<Inner>>
      : never;
};

const changes = Object.fromEntries(
  Object.entries(fields.shape).map(([name, field]) => [
    name,
    field instanceof z.ZodDefault ? field.unwrap().optional() : field.unwrap().nullish(),
  ]),
) as Changes<typeof fields.shape>;

/**
 * The schema of what a caller sends: the fields to change, without defaults, and `null` for one to take out. What they
 * make of the stored definition is for {@link definitionSchema} to check.
 */
export const definitionChanges = z.strictObject({
  ...changes,
  max_attempts: z.union([positive, attemptsBySpan], attemptsSaid).nullish(),
});
export type DefinitionChanges = z.infer<typeof definitionChanges>;

/**
 * A stored definition, or none, with some changes. Fields that the changes do not name stay. A `max_attempts` that is
 * one number holds for the board's first span and for tournaments. The result is not checked.
 */
export function changedDefinition(
  stored: Readonly<Record<string, unknown>> | undefined,
  changes: DefinitionChanges,
): Record<string, unknown> {
  const named: Record<string, unknown> = defined(changes);
  const { max_attempts: attempts } = changes;
  if (typeof attempts === "number") {
    const [first] = changes.spans ?? fields.shape.spans.safeParse(stored?.["spans"]).data ?? [];
    named["max_attempts"] = { ...(first && { [first]: attempts }), custom: attempts };
  }
  const kept = Object.entries({ ...stored, ...named });
  return Object.fromEntries(
    kept.filter(([name]) => Object.hasOwn(fields.shape, name) && named[name] !== null),
  );
}

/** Where the values of each segment come from; undefined for a board without segments. Pure. */
export function segmentSources({
  segments,
}: Pick<Definition, "segments">): Record<string, string> | undefined {
  return segments && Object.fromEntries(segments.map(({ name, from }) => [name, from]));
}

/**
 * The names of the fields, of those named, in which two definitions differ; both are parsed, so their keys have one order.
 */
export function frozenDifferences<Name extends keyof Definition>(
  a: Pick<Definition, Name>,
  b: Pick<Definition, Name>,
  names: readonly Name[],
): Name[] {
  return names.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}

function unique(names: string[]): boolean {
  return new Set(names).size === names.length;
}
