/**
 * Segments: groups of players that have a ranking of their own, such as the players of a country. A mark is what is
 * counted for a player: a score, and the segments in which it counts. Pure.
 */
import { idCharactersMax, segmentsMax, segmentValueCharactersMax, valuesRankedMax } from "./limits.ts";
import { describeValue, fieldToScore, scoreToField } from "./score.ts";

/** The name of a segment or of a column. */
export const segmentNamePattern = new RegExp(`^[A-Za-z][A-Za-z0-9_]{0,${idCharactersMax - 1}}$`);

/** A segment's value, such as `AT`. `mine` is no value: in a request it means the caller's own value. */
export const segmentValuePattern = new RegExp(`^(?!mine$)[A-Za-z0-9_-]{1,${segmentValueCharactersMax}}$`);

/** The error's text for a value that does not match {@link segmentValuePattern}. */
export const segmentValueSaid = `must be 1 to ${segmentValueCharactersMax} letters, digits, "_" or "-", and not "mine"`;

/** The error's text for a value that is none of those that its segment's definition lists. */
export const unlistedSaid = (value: string) =>
  `"${value}" is not a value of this segment; its definition lists them`;

/**
 * The error's text for a name that none of a board's segments has.
 * @param named is put first if the error's path does not name the segment.
 */
export function noSuchSegment(segments: readonly { name: string }[], named = ""): string {
  return segments.length === 0
    ? "this leaderboard has no segments"
    : `${named}is not a segment of this leaderboard, which has ${segments.map(({ name }) => name).join(", ")}`;
}

/** Values by the names of their segments, as in `{country: "AT"}`. */
export type SegmentValues = Record<string, string>;

/** A segment with its value, as marks, shards and pages have it: `country=AT`. */
export function segmentText(name: string, value: string): string {
  return `${name}=${value}`;
}

/** The name in a text such as `country=AT`. */
export function segmentName(text: string): string {
  return text.slice(0, text.indexOf("="));
}

/** Stands for the names of all segments that a board does not have: it had them before, or a server misspelt a name. */
export const otherSegments = "*";

/** What owners read about values that are not ranked. @param left how many players have such a value, by segment. */
export function leftOutSaid(left: Readonly<Record<string, number>>): string {
  const most = valuesRankedMax.toLocaleString("en");
  const each = Object.entries(left).map(([name, players]) => {
    const many = `${players.toLocaleString("en")} ${players === 1 ? "player is" : "players are"}`;
    return name === otherSegments
      ? `Segments that the board does not have name more than ${most} values: ${many} in others.`
      : `The segment ${name} has more values than the ${most} that are ranked: ${many} in others.`;
  });
  return each.join(" ");
}

/** The values in texts such as `country=AT`: the inverse of {@link segmentText}. */
export function segmentValues(texts: readonly string[]): SegmentValues {
  return Object.fromEntries(
    texts.map((text): [string, string] => {
      const [name = "", value = ""] = text.split("=");
      return [name, value];
    }),
  );
}

/** Whether a value is a text such as `country=AT`. */
export function isSegmentText(text: unknown): text is string {
  if (typeof text !== "string") return false;
  const [name = "", value = "", ...rest] = text.split("=");
  return rest.length === 0 && segmentNamePattern.test(name) && segmentValuePattern.test(value);
}

/**
 * The segments in which a player's score counts, by the field `segments` of the player's document: in order, at most 4.
 * A document may also name segments that the board no longer has or never had, so the board's own, `names`, go first.
 * Malformed values are left out.
 */
export function segmentsIn(field: unknown, names: readonly string[]): string[] {
  const texts = textsIn(field);
  const isFirst = (text: string) => names.includes(segmentName(text));
  const [first, others] = [texts.filter(isFirst), texts.filter((text) => !isFirst(text))];
  return [...first, ...others].slice(0, segmentsMax).sort();
}

/** Whether the field names more segments than are counted, so that {@link segmentsIn} depends on the board's names. */
export function isOverfull(field: unknown): boolean {
  return textsIn(field).length > segmentsMax;
}

function textsIn(field: unknown): string[] {
  if (typeof field !== "object" || field === null) return [];
  const texts = Object.entries(field as Record<string, unknown>).flatMap(([name, value]) =>
    typeof value === "string" ? [segmentText(name, value)] : [],
  );
  return texts.filter(isSegmentText).sort();
}

/**
 * What in the field `segments` of a player's document is no value of a board's segments, as no call would store it: as in
 * `segments.guild is a string ("Red Dragons!"), and must be …`. Null and an empty text say that the player has no value. On
 * a board without segments a map is a server's own.
 * @param gone segments that the board had, whose values stay with the players.
 */
export function unrankedSegments(
  field: unknown,
  segments: readonly { name: string; values?: readonly string[] | undefined }[] = [],
  gone: readonly { name: string }[] = [],
): string[] {
  if (segments.length === 0 || field == null || field === "") return [];
  if (typeof field !== "object" || Array.isArray(field))
    return [`segments is ${describeValue(field)}, and must be a map of values by segment`];
  return Object.entries(field as Record<string, unknown>).flatMap(([name, value]): string[] => {
    if (isNoValue(value) || gone.some((one) => one.name === name)) return [];
    const path = `segments.${name.slice(0, idCharactersMax)}`;
    const segment = segments.find((one) => one.name === name);
    if (segment === undefined) return [`${path} ${noSuchSegment(segments)}`];
    if (typeof value !== "string" || !segmentValuePattern.test(value))
      return [`${path} is ${describeValue(value)}, and ${segmentValueSaid}`];
    return segment.values?.includes(value) === false ? [`${path}: ${unlistedSaid(value)}`] : [];
  });
}

/** Whether a field has a value that can be none of any segment: asked before it is known which segments there are. */
export function hasNoSegmentValue(field: unknown): boolean {
  const isMap = typeof field === "object" && field !== null;
  const names = isMap ? Object.keys(field) : ["any"];
  return (
    unrankedSegments(
      field,
      names.map((name) => ({ name })),
    ).length > 0
  );
}

const isNoValue = (value: unknown) => value === null || value === "";

export interface MarkCounted {
  score: number;
  /** In order, each as {@link segmentText} has it. */
  segments: readonly string[];
}

/** The key of a mark in a shard's `player_count`: `50`, or `50 country=AT platform=ios`. */
export function markToField(score: number, segments: readonly string[] = []): string {
  return [scoreToField(score), ...segments].join(" ");
}

/** The mark of a key; undefined for one that {@link markToField} never writes. */
export function fieldToMark(field: string): MarkCounted | undefined {
  const [text = "", ...segments] = field.split(" ");
  const score = fieldToScore(text);
  return score === undefined || !segments.every(isSegmentText) ? undefined : { score, segments };
}
