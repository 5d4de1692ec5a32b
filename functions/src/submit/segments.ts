/** Which values of segments a submission gives its player: what it says, and what the player's token claims. Pure. */
import type { Player } from "../documents/player.ts";
import type { Definition } from "../model/definition.ts";
import type { Board } from "../seasons/read-board.ts";
import { type FieldProblem, invalidRequest } from "../model/errors.ts";
import { noSuchSegment, segmentValuePattern, segmentValueSaid } from "../model/segments.ts";

interface Said {
  segments?: SegmentsSaid | undefined;
  /** The custom claims of the player's own token. */
  claims?: Readonly<Record<string, unknown>> | undefined;
  isTrusted: boolean;
}

/** What a submission says of segments: a value, or null where the player leaves the segment. */
export type SegmentsSaid = Record<string, string | null>;

/**
 * What is said of a player by segment; `values` is undefined if nothing is. What the board does not have is `passedOver`: an
 * app that was installed before a change of the board would lose its scores. A claim that is no value counts as none.
 * @throws `invalid_request` about each value that is not for the caller to choose
 */
export function segmentsSaid(
  { segments: list = [] }: Pick<Definition, "segments">,
  { segments = {}, claims = {}, isTrusted }: Said,
): { values: SegmentsSaid | undefined; passedOver: (FieldProblem & { name: string })[] } {
  const about = (problem: typeof whyRefused) =>
    Object.entries(segments).flatMap(([name, value]) => {
      const message = problem(list, name, value, isTrusted);
      return message === undefined ? [] : [{ name, path: `segments.${name.slice(0, 40)}`, message }];
    });
  const refused = about(whyRefused).map(({ path, message }) => ({ path, message }));
  if (refused.length > 0) throw invalidRequest(refused);
  const passedOver = about(unknownIn);
  const known = Object.entries(segments).filter(([name]) => !passedOver.some((one) => one.name === name));
  const claimed = list.flatMap(({ name, from }) => {
    const value = from === "claim" && Object.hasOwn(claims, name) ? claims[name] : undefined;
    return typeof value === "string" && segmentValuePattern.test(value) ? [[name, value] as const] : [];
  });
  const all = { ...Object.fromEntries(claimed), ...Object.fromEntries(known) };
  return { values: Object.keys(all).length === 0 ? undefined : all, passedOver };
}

/** Why a value is passed over: the board does not have it. */
function unknownIn(list: NonNullable<Definition["segments"]>, name: string, value: string | null) {
  const segment = list.find((one) => one.name === name);
  if (segment === undefined) return noSuchSegment(list);
  return value === null || segment.values?.includes(value) !== false
    ? undefined
    : `"${value}" is not a value of this segment; its definition lists them`;
}

/** Why a value is refused: it is not for the caller to say, or no value at all. */
function whyRefused(
  list: NonNullable<Definition["segments"]>,
  name: string,
  value: string | null,
  isTrusted: boolean,
): string | undefined {
  const segment = list.find((one) => one.name === name);
  if (segment === undefined) return undefined;
  const { from, values } = segment;
  if (from === "claim" && !isTrusted) return "comes from the custom claim of this name in the player's token";
  if (from === "server" && !isTrusted) return "comes from the game's server: it calls submitScores";
  return value === null || values !== undefined || segmentValuePattern.test(value)
    ? undefined
    : segmentValueSaid;
}

/** A player's values with what is said of them. */
export function withSaid(before: Player["segments"], said: SegmentsSaid): Player["segments"] {
  const after = Object.entries({ ...before, ...said }).filter(([, value]) => value !== null);
  return before === undefined && after.length === 0 ? undefined : Object.fromEntries(after);
}

/** The field of a document that is written, without segments that the board has no more; it goes where none is left. */
export function withoutGone(
  { segmentsGone: gone }: Pick<Board, "segmentsGone">,
  segments: Player["segments"],
): { segments?: Player["segments"] } {
  if (segments === undefined) return {};
  const kept = Object.entries(segments).filter(([name]) => !gone.includes(name));
  return { segments: kept.length === 0 ? undefined : Object.fromEntries(kept) };
}
