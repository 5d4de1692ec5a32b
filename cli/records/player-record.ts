/** A player in a file: the fields of a record, checked by the board's rules, or made of a document. Pure. */
import { z } from "zod";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { plainJson } from "../../functions/src/documents/plain-json.ts";
import { readPlayer } from "../../functions/src/documents/player.ts";
import { rankedScoreOf } from "../../functions/src/documents/ranked-score.ts";
import { playerStatuses, statusSaid } from "../../functions/src/model/player-status.ts";
import { unpackColumns } from "../../functions/src/model/columns.ts";
import { defined } from "../../functions/src/model/defined.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { isVisible } from "../../functions/src/model/display-name.ts";
import { fieldsSize } from "../../functions/src/model/document-size.ts";
import { type FieldProblem, FirerankError } from "../../functions/src/model/errors.ts";
import { exactTime } from "../../functions/src/model/instant.ts";
import { timeText } from "../../functions/src/model/stored-time.ts";
import { documentId, leaderboardId } from "../../functions/src/model/ids.ts";
import { documentBytesMax, documentDepthMax } from "../../functions/src/model/limits.ts";
import { definitionId, isOfTemplate } from "../../functions/src/model/template.ts";
import { describeValue, isScore, scoreProblem } from "../../functions/src/model/score.ts";
import type { SavedDefinition } from "../../functions/src/model/season-definition.ts";
import {
  noSuchSegment,
  segmentName,
  segmentsIn,
  segmentValues,
  unrankedSegments,
} from "../../functions/src/model/segments.ts";
import { readValue } from "../../functions/src/submit/apply.ts";
import { segmentsSaid } from "../../functions/src/submit/segments.ts";
import { metadataWithin } from "../../functions/src/submit/schema.ts";
import { insteadOfFinalTable } from "./found-record.ts";
import { namedValuesSaid, numberAdvice, numberSaid, timestampSaid } from "./said-in-text.ts";

/**
 * Reads a record of a file by a board's rules: its columns and its segments.
 *
 * A record of somebody hidden or banned may have no score: it says the status alone.
 *
 * With `template`, a record names its board, which is one of the template's.
 *
 * A record is a player's state and no submission, so the limits of submissions do not apply here. A score may be there from
 * before `max_score` was saved, or from a server: an import only warns of it ({@link limitBroken}). Nor do those of calls: an
 * id, a name and metadata may be as large as Firestore stores them, as a server may have written them.
 * @returns the record, or its problem.
 */
export function readRecord(
  definition: Definition,
  value: unknown,
  template?: string,
): PlayerRecord | { problem: string } {
  const schema =
    template === undefined ? recordSchema : recordSchema.extend({ leaderboard: boardOf(template) });
  const parsed: z.ZodSafeParseResult<z.output<typeof recordSchema> & { leaderboard?: string | undefined }> =
    schema.safeParse(value);
  if (!parsed.success) return { problem: problemsText(problemsOf(definition, value, parsed.error)) };
  const { leaderboard, ...said } = parsed.data;
  const { player, achieved_at, attempts, status, ...submission } = said;
  const { segments } = submission;
  const wrong = segmentProblems(definition, segments);
  if (isStatusAlone(said) && wrong.length === 0) return defined({ leaderboard, player, status });
  const made = scoreOf(definition, submission);
  if ("problems" in made || wrong.length > 0)
    return { problem: problemsText([...wrong, ...("problems" in made ? made.problems : [])]) };
  const { display_name, metadata } = submission;
  const profile = { display_name, segments, metadata, achieved_at };
  const record = defined({ player, ...made, ...profile, attempts, status });
  const bytes = fieldsSize(record);
  const most = documentBytesMax - ownBytesMax;
  if (bytes > most)
    return { problem: `is ${bytes} bytes in Firestore, of which a document may have ${most}` };
  return defined({ leaderboard, ...record });
}

/** Bytes of a player's document besides what a record has: the board and the season in its name, and the mark. */
const ownBytesMax = 1_024;

/** All that is wrong with a record whose form is wrong: also what the board does not take of the fields that are right. */
function problemsOf(definition: Definition, value: unknown, error: z.ZodError): FieldProblem[] {
  const ofForm = error.issues.map((issue) => {
    const isFinal =
      issue.code === "unrecognized_keys" && ["position", "rank"].every((name) => issue.keys.includes(name));
    const advice = isFinal ? `; this is a line of a final table: ${insteadOfFinalTable}` : "";
    return { path: issue.path.join("."), message: `${issue.message}${advice}` };
  });
  const fieldsOfForm = new Set(error.issues.map(({ path: [field] }) => field));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return ofForm;
  const { score, columns, segments } = recordSchema.shape;
  const said = value as Record<string, unknown>;
  const isOfSegments = fieldsOfForm.has("segments");
  const isOfScore = fieldsOfForm.has("score") || fieldsOfForm.has("columns");
  const submission = {
    score: score.safeParse(said["score"]).data,
    columns: columns.safeParse(said["columns"]).data,
  };
  const made = isOfScore ? undefined : scoreOf(definition, submission);
  const ofScore = made !== undefined && "problems" in made ? made.problems : [];
  const ofSegments = isOfSegments
    ? []
    : segmentProblems(definition, segments.safeParse(said["segments"]).data);
  return [...ofForm, ...ofSegments, ...ofScore];
}

/** Values of segments that the board does not have; nobody would see that a file's values are passed over. */
function segmentProblems(
  definition: Definition,
  segments: Record<string, string> | undefined,
): FieldProblem[] {
  try {
    return segmentsSaid({ definition, isTrusted: true }, segments).passedOver;
  } catch (error) {
    return fieldsIn(error);
  }
}

/** The score that a record says, or what is wrong with it. It is the player's whole score, also where scores add up. */
function scoreOf(
  definition: Definition,
  said: Parameters<typeof readValue>[1],
): ReturnType<typeof readValue> | { problems: FieldProblem[] } {
  try {
    return readValue({ ...definition, aggregation: "latest" }, said);
  } catch (error) {
    return { problems: fieldsIn(error) };
  }
}

/** @throws what is no refusal */
function fieldsIn(error: unknown): FieldProblem[] {
  if (!(error instanceof FirerankError)) throw error;
  return error.details.fields ?? [{ path: "", message: error.message }];
}

/** Whether a record has nothing but the status of somebody who is hidden or banned. */
function isStatusAlone({ player: _, attempts, status = "active", ...rest }: z.output<typeof recordSchema>) {
  return status !== "active" && (attempts ?? 0) === 0 && Object.keys(defined(rest)).length === 0;
}

const scoreError = ({ input }: { input?: unknown }) =>
  `${scoreProblem(input) ?? "is not a number"}${numberAdvice(input)}`;
/** Larger numbers are refused, as a file's 2^53 + 1 would be stored as its neighbour, and neither would be ranked. */
const number = z.preprocess(
  numberSaid,
  z.number({ error: scoreError }).refine(isScore, { error: scoreError }),
);

/**
 * A name as a trusted server may have stored it: of any length, with line breaks. Answers leave out a name of which nobody
 * sees anything, and so does an export.
 */
const storedName = z
  .string()
  .refine((name) => name.isWellFormed(), "must hold well-formed Unicode only")
  .refine(isVisible, "must have a visible character");

const recordSchema = z.strictObject({
  player: documentId,
  score: optional(number),
  columns: optional(named(z.record(z.string(), number))),
  display_name: optional(storedName),
  segments: optional(
    named(
      z.record(
        z.string(),
        z.string(),
        'must be values by segment, such as {"country":"AT"}, or country=AT in a CSV',
      ),
    ),
  ),
  metadata: optional(z.preprocess(namedValuesSaid, named(metadataWithin(documentDepthMax)))),
  achieved_at: optional(
    z.preprocess(
      timestampSaid,
      timeText("must be an ISO 8601 time with its zone, such as 2026-11-21T12:00:00Z").transform(parseTime),
    ),
  ),
  attempts: optional(z.preprocess(numberSaid, z.int().min(0, "must not be negative"))),
  status: optional(z.enum(playerStatuses)),
});

/**
 * A player as read from a file. The import fills in missing `achieved_at`, `attempts` and `status`. Without a score it is
 * the status alone of somebody who is hidden or banned. Of a file for a template it names the board.
 */
export type PlayerRecord = Partial<z.output<typeof recordSchema>> & {
  player: string;
  leaderboard?: string | undefined;
};

/**
 * The record of a player's document, with the values that the board's segments have: {@link readRecord} gives the document
 * back.
 * A text that is no status is exported as `hidden`, as which it counts. Where the board could not rank its score, the
 * status alone of somebody hidden or banned; else undefined, as for a status that is no text ({@link leftOutReason}).
 */
export function recordOf(
  { order, columns: wanted, segments: list = [] }: Definition,
  player: string,
  data: Record<string, unknown>,
) {
  const { score, display_name, metadata: stored, achieved_at: achieved, attempts, status } = readPlayer(data);
  if (typeof statusSaid(data) !== "string") return undefined;
  const columns = score === undefined ? undefined : unpackColumns(order, wanted, score);
  if (score === undefined || (wanted !== undefined && columns === undefined))
    return status === "active" ? undefined : defined({ player, segments: undefined, status });
  const value = columns === undefined ? { score } : { columns };
  const names = list.map(({ name }) => name);
  const own = segmentValues(segmentsIn(data["segments"], names));
  const { values: segments } = segmentsSaid({ definition: { segments: list }, isTrusted: true }, own);
  const metadata = stored && plainJson(stored);
  const profile = { display_name, segments, metadata, achieved_at: achieved && exactTime(achieved) };
  return defined({ player, ...value, ...profile, attempts, status });
}

/**
 * What of a document its record leaves out, as no call would store it and an import refuses it, in words: as in
 * `segments.guild is a string ("Red Dragons!"), and must be …`.
 */
export function fieldsLeftOut(
  { definition: { segments: list = [] }, segmentsGone }: SavedDefinition,
  data: Record<string, unknown>,
): string[] {
  const player: Record<string, unknown> = readPlayer(data);
  const unread = ["achieved_at", "display_name", "metadata"].filter(
    (name) => data[name] != null && data[name] !== "" && player[name] === undefined,
  );
  // On a board that never had segments, the map is a server's own.
  const gone = list.length > 0 ? [] : segmentsGone.map(({ name }) => name);
  const ofGone = segmentsIn(data["segments"], gone).map(segmentName);
  return [
    ...unread.map((name) => `${name} is ${describeValue(data[name])}`),
    ...unrankedSegments(data["segments"], list),
    ...ofGone.filter((name) => gone.includes(name)).map((name) => `segments.${name}: ${noSuchSegment(list)}`),
  ];
}

/** Why a document has no record of its own ({@link recordOf}), as the trigger's log says it. */
export function leftOutReason(data: Record<string, unknown>): string {
  const ranked = rankedScoreOf(data);
  return ranked !== undefined && "unusable" in ranked
    ? ranked.unusable
    : "has no score that this board can rank";
}

/** A board of a template, as in `level:7`. */
const boardOf = (template: string) =>
  leaderboardId.refine(
    (id) => isOfTemplate(id) && definitionId(id) === template,
    `must be a board of the template, such as ${template}:7`,
  );

/** Named values; an empty list is none, as PHP and dkjson write an empty map. */
function named<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (Array.isArray(value) && value.length === 0 ? {} : value), schema);
}

/** JSON from other programs often has `null` or an empty text for a missing field; a CSV has an empty cell. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  const missing = (value: unknown) => (value === null || value === "" ? undefined : value);
  return z.preprocess(missing, schema.optional());
}

function problemsText(problems: readonly FieldProblem[]): string {
  return problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
}

/** The time in a valid text such as `2026-11-21T12:00:00.123456Z`; digits beyond the microsecond are dropped. */
export function parseTime(text: string): Timestamp {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const seconds = Date.parse(text.replace(/\.\d+/, "")) / 1_000;
  return new Timestamp(seconds, Number(fraction.slice(0, 6).padEnd(6, "0")) * 1_000);
}
