/** Which values of segments a submission gives its player: what it says, and what the player's token claims. Pure. */
import type { Player } from "../documents/player.ts";
import type { Definition } from "../model/definition.ts";
import type { Board } from "../seasons/board.ts";
import { type FieldProblem, invalidRequest } from "../model/errors.ts";
import {
  noSuchSegment,
  segmentValuePattern,
  segmentValueSaid,
  type SegmentValues,
} from "../model/segments.ts";

interface Said {
  segments?: SegmentValues | undefined;
  /** The custom claims of the player's own token. */
  claims?: Readonly<Record<string, unknown>> | undefined;
  isTrusted: boolean;
}

/**
 * The values for a player by segment; undefined if there are none. A claim that is no value counts as none.
 * @throws `invalid_request` about each value that the board does not have, or that is not for the caller to choose
 */
export function segmentsSaid(
  { segments: list = [] }: Pick<Definition, "segments">,
  { segments = {}, claims = {}, isTrusted }: Said,
): SegmentValues | undefined {
  const problems = Object.entries(segments).flatMap(([name, value]): FieldProblem[] => {
    const message = problemOf(list, name, value, isTrusted);
    return message === undefined ? [] : [{ path: `segments.${name.slice(0, 40)}`, message }];
  });
  if (problems.length > 0) throw invalidRequest(problems);
  const claimed = list.flatMap(({ name, from }) => {
    const value = from === "claim" && Object.hasOwn(claims, name) ? claims[name] : undefined;
    return typeof value === "string" && segmentValuePattern.test(value) ? [[name, value] as const] : [];
  });
  const all = { ...Object.fromEntries(claimed), ...segments };
  return Object.keys(all).length === 0 ? undefined : all;
}

function problemOf(
  list: NonNullable<Definition["segments"]>,
  name: string,
  value: string,
  isTrusted: boolean,
): string | undefined {
  const segment = list.find((one) => one.name === name);
  if (segment === undefined) return noSuchSegment(list);
  const { from, values } = segment;
  if (from === "claim" && !isTrusted) return "comes from the custom claim of this name in the player's token";
  if (from === "server" && !isTrusted) return "comes from the game's server: it calls submitScores";
  if (!segmentValuePattern.test(value)) return segmentValueSaid;
  if (values?.includes(value) === false)
    return `"${value}" is not a value of this segment; its definition lists them`;
  return undefined;
}

/** The field of a document that is written, without segments that the board has no more; nothing where it has none of them. */
export function withoutGone(
  { segmentsGone: gone }: Pick<Board, "segmentsGone">,
  segments: Player["segments"] = {},
): { segments?: Player["segments"] } {
  const kept = Object.entries(segments).filter(([name]) => !gone.includes(name));
  if (kept.length === Object.keys(segments).length) return {};
  return { segments: kept.length === 0 ? undefined : Object.fromEntries(kept) };
}
