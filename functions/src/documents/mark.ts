/**
 * The mark: `counted` in a player's document, what the index counts for this player. It is written in the commit that
 * counts, so at any read time the index is the histogram of the marks.
 *
 * A mark also names the version of the document that it replaced (`of`). A commit of ours reads the document before it
 * writes it, so its mark names the version that was there. A trusted server that overwrites a document, or copies one,
 * cannot guess that name. So a write tells by itself whose it is (counting/follow-player.ts).
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
  /** The score that is counted; null where it is known that none is (hidden, banned, unusable). */
  score: z.number().refine(isScore).nullable(),
  /** The segments in which it is counted, in order; absent where there are none. */
  segments: z.array(z.string().refine(isSegmentText)).max(segmentsMax).optional().catch(undefined),
  /** Whether the document is counted as one that cannot be ranked. */
  unusable: z.literal(true).optional().catch(undefined),
  /** The version that the mark replaced, see {@link versionName}; of a new document `new:` and the name of its path. */
  of: z.string().catch(""),
  /** For a new document, the read time of the transaction that found none. */
  at: z.custom<Instant>(isInstant).optional().catch(undefined),
  /** What was counted at midnights, on a board that keeps movement; absent where nothing has changed since it does. */
  before: storedHistory,
});

/** What the index counts for a player: the key of a score with its segments, a document that cannot be ranked, or nothing. */
export type Counted = string | undefined;

/** A time of any Firestore library: those of an event are of the host's. */
type Moment = Pick<Timestamp, "seconds" | "nanoseconds" | "toMillis">;

/** A version of a player's document, as an event has it. */
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

/** Whether a document has a mark, of ours or copied from another one. */
export const hasMark = (data: Record<string, unknown>): boolean => markIn(data) !== undefined;

/** What the index counts for a document, as its mark says; nothing if it has no valid one. */
export function countedIn(data: Record<string, unknown> | undefined): Counted {
  return countedBy(markIn(data));
}

function countedBy(mark: Mark | undefined): Counted {
  if (mark?.unusable === true) return "unusable";
  return mark?.score == null ? undefined : markToField(mark.score, mark.segments);
}

/** The score that is counted for a document, and the segments in which it is; undefined where there is none. */
export function markedIn(data: Record<string, unknown> | undefined): MarkCounted | undefined {
  return markedBy(markIn(data));
}

function markedBy(mark: Mark | undefined): MarkCounted | undefined {
  const { score = null, segments = [], unusable = false } = mark ?? {};
  return score === null || unusable ? undefined : { score: 0 + score, segments };
}

/** What of a board's definition says what is counted of a document. */
export type CountsBy = Steps & Pick<Definition, "segments">;

/**
 * What the index should count for a document.
 * @param board its definition; left out, the score counts as it is written, in the segments of the mark as far as the
 * document has them: a commit that knew the board chose these.
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
 * The name of a version of a document: no other version of any document has it. 96 bits of a hash, so that a copy of
 * another player's document, perhaps written in the same commit, names a version of its own.
 */
export function versionName(path: string, { seconds, nanoseconds }: Moment): string {
  return nameOf(`${path}@${seconds}.${nanoseconds}`);
}

function nameOf(text: string): string {
  return hashOf(text).toString("base64url").slice(0, 16);
}

/** What the index counted for a document, or why nothing; `unknown` where a foreign write has taken the mark away. */
function wasCounted(data: Record<string, unknown> | undefined, mark: Mark | undefined): Was {
  const score = markedBy(mark)?.score;
  if (score !== undefined) return score;
  if (data?.["score"] == null) return "new";
  return mark === undefined ? "unknown" : "hidden_then";
}

export function historyIn(data: Record<string, unknown> | undefined): History | undefined {
  return markIn(data)?.before;
}

/** What was counted for a player at a midnight of a calendar, as the document says now. */
export function countedAt(data: Record<string, unknown>, midnightMs: number, calendar: Calendar): Was {
  const mark = markIn(data);
  const now = mark === undefined ? "unknown" : wasCounted(data, mark);
  return wasAt(mark?.before, now, midnightMs, calendar);
}

/**
 * The history for a mark that counts this from now on. @param data the document before, whose mark was the last of ours.
 * @param day when it changes, on a board that keeps movement; `unknown` where nobody knows whether it does.
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

/** The mark of a document that is written now, over the version that the transaction found. */
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
 * Whether a write is one of ours, as its mark names the version before. A creation is ours if it followed the read
 * that found nothing within `createdMsMax`, as long as a transaction can take.
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
