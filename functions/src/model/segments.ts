/**
 * Segments: parts of the players that have a ranking of their own, such as those of a country. What is counted for a player
 * is a mark: the score with the segments that it counts in. Pure.
 */
import { idCharactersMax, segmentsMax, segmentValueCharactersMax, valuesRankedMax } from "./limits.ts";
import { fieldToScore, scoreToField } from "./score.ts";

/** The name of a segment or of a column. */
export const segmentNamePattern = new RegExp(`^[A-Za-z][A-Za-z0-9_]{0,${idCharactersMax - 1}}$`);

/** A value, such as `AT`; `mine` is that of whoever asks. */
export const segmentValuePattern = new RegExp(`^(?!mine$)[A-Za-z0-9_-]{1,${segmentValueCharactersMax}}$`);

/** What to say about a value that is none. */
export const segmentValueSaid = `must be 1 to ${segmentValueCharactersMax} letters, digits, "_" or "-", and not "mine"`;

/** What to say about a name that none of a board's segments has. @param named stands before it where the path doesn't name it. */
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

/** The name of a segment with its value. */
export function segmentName(text: string): string {
  return text.slice(0, text.indexOf("="));
}

/** In place of a name: all segments that a board does not have, as it had them before, or a server misspelt them. */
export const otherSegments = "*";

/** What owners are told of values that are not ranked. @param left players in them, by segment. */
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

/** The values of texts: the inverse of {@link segmentText}. */
export function segmentValues(texts: readonly string[]): SegmentValues {
  return Object.fromEntries(
    texts.map((text): [string, string] => {
      const [name = "", value = ""] = text.split("=");
      return [name, value];
    }),
  );
}

/** Whether a text is a segment with its value. */
export function isSegmentText(text: unknown): text is string {
  if (typeof text !== "string") return false;
  const [name = "", value = "", ...rest] = text.split("=");
  return rest.length === 0 && segmentNamePattern.test(name) && segmentValuePattern.test(value);
}

/**
 * The segments that the field `segments` of a document asks for: in order, at most 4. Those of `names` have a place first:
 * a document may have values of others, which the board had before or never. What is malformed is none.
 */
export function segmentsIn(field: unknown, names: readonly string[]): string[] {
  const texts = textsIn(field);
  const isFirst = (text: string) => names.includes(segmentName(text));
  const [first, others] = [texts.filter(isFirst), texts.filter((text) => !isFirst(text))];
  return [...first, ...others].slice(0, segmentsMax).sort();
}

/** Whether the field asks for more segments than are counted, so that {@link segmentsIn} depends on the names. */
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
