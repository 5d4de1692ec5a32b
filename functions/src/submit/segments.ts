/** Which values of segments a submission gives its player: what it says, and what the player's token claims. Pure. */
import type { Player } from "../documents/player.ts";
import type { Definition } from "../model/definition.ts";
import type { Board } from "../seasons/read-board.ts";
import { type FieldProblem, invalidRequest } from "../model/errors.ts";
import { noSuchSegment, segmentValuePattern, segmentValueSaid, unlistedSaid } from "../model/segments.ts";

/** Who says it, and on which board. */
interface Sayer {
  definition: Pick<Definition, "segments">;
  /** Whether it may choose values that only servers may choose. */
  isTrusted: boolean;
  /** The custom claims of the player's own token. */
  claims?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What a submission says of segments: a value, or null where the player leaves the segment. An empty text is null there,
 * as in a document: Gson, Moshi, and Jackson with NON_NULL leave a null out of a map, so their programs could not say it.
 */
type SegmentsSaid = Record<string, string | null>;

/**
 * What is said of a player by segment; `values` is undefined if nothing is. What the board does not have is `passedOver`: an
 * app that was installed before a change of the board would lose its scores. A claim that is no value counts as none.
 * @throws `invalid_request` about each value that is not for the caller to choose
 */
export function segmentsSaid(
  { definition: { segments: list = [] }, isTrusted, claims = {} }: Sayer,
  segments: SegmentsSaid = {},
): { values: SegmentsSaid | undefined; passedOver: (FieldProblem & { name: string })[] } {
  const values: SegmentsSaid = {};
  for (const { name, from } of list) {
    const value = from === "claim" && Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (typeof value === "string" && segmentValuePattern.test(value)) values[name] = value;
  }
  const refused: FieldProblem[] = [];
  const passedOver: (FieldProblem & { name: string })[] = [];
  for (const [name, said] of Object.entries(segments)) {
    const value = said === "" ? null : said;
    const path = `segments.${name.slice(0, 40)}`;
    const segment = list.find((one) => one.name === name);
    const refusal = segment && whyRefused(segment, value, isTrusted);
    const unknown = segment === undefined ? noSuchSegment(list) : whyUnknown(segment, value);
    if (refusal !== undefined) refused.push({ path, message: refusal });
    else if (unknown !== undefined) passedOver.push({ name, path, message: unknown });
    else values[name] = value;
  }
  if (refused.length > 0) throw invalidRequest(refused);
  return { values: Object.keys(values).length === 0 ? undefined : values, passedOver };
}

type Segment = NonNullable<Definition["segments"]>[number];

/** Why a value is refused: it is not for the caller to say, or no value at all. */
function whyRefused({ from, values }: Segment, value: string | null, isTrusted: boolean): string | undefined {
  if (from === "claim" && !isTrusted) return "comes from the custom claim of this name in the player's token";
  if (from === "server" && !isTrusted) return "comes from the game's server: it calls submitScores";
  return value === null || values !== undefined || segmentValuePattern.test(value)
    ? undefined
    : segmentValueSaid;
}

/** Why a value is passed over: it is none of those that the definition lists. */
function whyUnknown({ values }: Segment, value: string | null): string | undefined {
  return value === null || values?.includes(value) !== false ? undefined : unlistedSaid(value);
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
  const kept = Object.entries(segments).filter(([name]) => !gone.some((segment) => segment.name === name));
  return { segments: kept.length === 0 ? undefined : Object.fromEntries(kept) };
}
