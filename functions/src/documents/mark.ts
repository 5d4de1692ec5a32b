/**
 * The mark: the field `counted` of a player's document, which says what the index counts for this player. The mark is
 * written in the same commit as the shard, so at any read time the index is the histogram of the marks.
 *
 * A mark also names the version of the document that it replaced (`of`). Firerank's commits read a document before they
 * write it, so their marks name the version that was there. A trusted server that overwrites or copies a document
 * cannot guess that name. So each write shows whether Firerank made it (counting/follow-player.ts).
 */
import { z } from "zod";
import type { Steps } from "../model/arithmetic.ts";
import { type Definition, segmentNames } from "../model/definition.ts";
import { hashOf } from "../model/hash.ts";
import { segmentsMax } from "../model/limits.ts";
import { isScore } from "../model/score.ts";
import {
  fieldToMark,
  isSegmentText,
  type MarkCounted,
  markToField,
  segmentName,
  segmentsIn,
} from "../model/segments.ts";
import { type Instant, isInstant } from "../model/instant.ts";
import type { Timestamp } from "./firestore.ts";
import { type History, historyAfter, lostHistory, storedHistory, type Was, wasAt } from "./history.ts";
import type { Calendar } from "../model/calendar.ts";
import { rankedScoreOf } from "./ranked-score.ts";

export const storedMark = z.object({
  /** The score that is counted; null if none is counted (hidden, banned, unusable). */
  score: z.number().refine(isScore).nullable(),
  /** The segments in which the score is counted, in order; absent if there are none. */
  segments: z.array(z.string().refine(isSegmentText)).max(segmentsMax).optional().catch(undefined),
  /** Whether the document is counted among the documents that cannot be ranked. */
  unusable: z.literal(true).optional().catch(undefined),
  /**
   * The {@link versionName} of the version that the mark replaced; for a new document, `new:` and a name made from its
   * path.
   */
  of: z.string().catch(""),
  /** For a new document, the read time of the transaction that found no document. */
  at: z.custom<Instant>(isInstant).optional().catch(undefined),
  /** What was counted at midnights, on a board that keeps movement; absent if the mark never changed since then. */
  before: storedHistory,
});

/**
 * What the index counts for a player: the key of a mark such as `50 country=AT`, or `unusable` for a document that
 * cannot be ranked, or nothing.
 */
export type Counted = string | undefined;

/** A time of any copy of the Firestore library: times in events have the classes of the host's copy. */
type Moment = Pick<Timestamp, "seconds" | "nanoseconds" | "toMillis">;

/** A version of a player's document, as an event shows it. */
export interface Version {
  data: Record<string, unknown>;
  updateTime: Moment;
  createTime: Moment;
}

type Mark = z.infer<typeof storedMark>;

function markIn(data: Record<string, unknown> | undefined): Mark | undefined {
  const counted = data?.["counted"];
  return counted === undefined ? undefined : storedMark.safeParse(counted).data;
}

/** Whether a document has a valid mark, which may be copied from another document. */
export const hasMark = (data: Record<string, unknown>): boolean => markIn(data) !== undefined;

/** What the index counts for a document, by its mark; nothing without a valid mark. */
export function countedIn(data: Record<string, unknown> | undefined): Counted {
  return countedBy(markIn(data));
}

function countedBy(mark: Mark | undefined): Counted {
  if (mark?.unusable === true) return "unusable";
  return mark?.score == null ? undefined : markToField(mark.score, mark.segments);
}

/** The score that is counted for a document, with the segments in which it is counted; undefined if none is counted. */
export function markedIn(data: Record<string, unknown> | undefined): MarkCounted | undefined {
  return markedBy(markIn(data));
}

function markedBy(mark: Mark | undefined): MarkCounted | undefined {
  const { score = null, segments = [], unusable = false } = mark ?? {};
  return score === null || unusable ? undefined : { score: 0 + score, segments };
}

/** The parts of a board's definition that decide what is counted for a document. */
export type CountsBy = Steps & Pick<Definition, "segments">;

/**
 * What the index should count for a document.
 * @param board its definition. If it is left out, the score counts as it is written, in those segments of the mark that
 * the document still has: an earlier commit that knew the board chose the mark's segments.
 */
export function shouldCount(data: Record<string, unknown> | undefined, board?: CountsBy): Counted {
  const ranked = rankedScoreOf(data, board);
  if (ranked === undefined) return undefined;
  if ("unusable" in ranked) return "unusable";
  const names = board === undefined ? (markIn(data)?.segments ?? []).map(segmentName) : segmentNames(board);
  return markToField(ranked.score, segmentsIn(data?.["segments"], names));
}

export function isMarkRight(data: Record<string, unknown> | undefined, board?: CountsBy): boolean {
  return countedIn(data) === shouldCount(data, board);
}

/**
 * A name that no other version of any document has: 96 bits of a hash of the path and the update time. The path is part
 * of the hash, as a commit may write a copy of another player's document at the same time.
 */
export function versionName(path: string, { seconds, nanoseconds }: Moment): string {
  return nameOf(`${path}@${seconds}.${nanoseconds}`);
}

function nameOf(text: string): string {
  return hashOf(text).toString("base64url").slice(0, 16);
}

/** What the index counted for a document, or why nothing was counted; `unknown` if a direct write removed the mark. */
function wasCounted(data: Record<string, unknown> | undefined, mark: Mark | undefined): Was {
  const score = markedBy(mark)?.score;
  if (score !== undefined) return score;
  if (data?.["score"] == null) return "new";
  return mark === undefined ? "unknown" : "hidden_then";
}

export function historyIn(data: Record<string, unknown> | undefined): History | undefined {
  return markIn(data)?.before;
}

/** What was counted for a player at a midnight of a calendar, by the player's present document. */
export function countedAt(data: Record<string, unknown>, midnightMs: number, calendar: Calendar): Was {
  const mark = markIn(data);
  const now = mark === undefined ? "unknown" : wasCounted(data, mark);
  return wasAt(mark?.before, now, midnightMs, calendar);
}

/**
 * The history for a mark that counts `counted` from now on.
 * @param data the document before, with its mark.
 * @param day when the mark changes, on a board that keeps movement; `unknown` without the board's definition; false on
 *   a board that keeps no movement.
 */
export function nextHistory(
  data: Record<string, unknown> | undefined,
  counted: Counted,
  day: { atMs: number; calendar: Calendar } | "unknown" | false,
): History | undefined {
  const mark = markIn(data);
  const was = wasCounted(data, mark);
  const history = mark?.before;
  const isSame = was !== "unknown" && countedBy(mark) === counted;
  if (day === false || isSame) return history;
  return day === "unknown" ? lostHistory() : historyAfter(history, was, day);
}

/** The mark for a document that is written now, in place of the version that the transaction read. */
export function markOf(
  path: string,
  counted: Counted,
  { updateTime, readTime }: { updateTime?: Timestamp | undefined; readTime: Timestamp },
  history?: History,
) {
  const { score = null, segments = [] } = fieldToMark(counted ?? "") ?? {};
  return {
    score,
    ...(segments.length > 0 ? { segments } : {}),
    ...(counted === "unusable" ? { unusable: true as const } : {}),
    ...(history && { before: history }),
    ...(updateTime === undefined
      ? { of: `new:${nameOf(path)}`, at: readTime }
      : { of: versionName(path, updateTime) }),
  };
}

/**
 * Whether Firerank made a write: its mark names the version before. A new document is Firerank's if it was created
 * within `createdMsMax` of the read that found no document, which is as long as a transaction can take.
 */
export function isOurs(
  path: string,
  before: Version | undefined,
  after: Version | undefined,
  createdMsMax: number,
): boolean {
  if (after === undefined) return false;
  const mark = markIn(after.data);
  if (mark === undefined) return false;
  if (before !== undefined) return mark.of === versionName(path, before.updateTime);
  if (mark.of !== `new:${nameOf(path)}` || mark.at === undefined) return false;
  const sinceMs = after.createTime.toMillis() - mark.at.toMillis();
  return sinceMs >= 0 && sinceMs <= createdMsMax;
}
