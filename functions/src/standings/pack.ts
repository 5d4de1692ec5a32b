/** Packs players in the total order into documents of the standings, and sums them up for the summary. Pure. */
import { z } from "zod";
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { markedIn } from "../documents/mark.ts";
import { plainJson } from "../documents/plain-json.ts";
import { type Metadata, readPlayer } from "../documents/player.ts";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import {
  type OrderedPlayer,
  type Standings,
  type StandingsMetadata,
  type StandingsSummary,
  storedStandings,
  storedStandingsMetadata,
} from "../documents/standings.ts";
import type { Steps } from "../model/arithmetic.ts";
import { segmentValues } from "../model/segments.ts";
import { keptName } from "../model/display-name.ts";
import { depthOf, documentSize, textSize } from "../model/document-size.ts";
import {
  documentBytesMax,
  documentDepthMax,
  standingsBytesMax,
  standingsMetadataBytesMax,
  standingsPerDocument,
} from "../model/limits.ts";
import { ranksIn, type StandingsStretch } from "./lookup.ts";

/** A player in the standings: the place, the name, segments, and metadata as JSON; texts are empty where there are none. */
export interface Standing extends OrderedPlayer {
  name: string;
  /** As in `country=AT platform=ios`. */
  segments: string;
  metadata: string;
}

/** The fields of a player's document that a table is written from: the others may be large. */
export const standingFields = [
  "status",
  "score",
  "achieved_at",
  "display_name",
  "metadata",
  "segments",
  "counted",
];

/**
 * What the standings show of a player's document, cut to what fits; undefined for a player who is not ranked.
 * @param steps of the board, to whose nearest step the score is rounded; `{}` leaves it as lists find it.
 * @param segments by default the segments of the mark, by which lists find the player; others if the commit changes the mark.
 */
export function standingOf(
  player: string,
  data: Record<string, unknown> | undefined,
  steps: Steps,
  segments: readonly string[] = markedIn(data)?.segments ?? [],
): Standing | undefined {
  const ranked = rankedScoreOf(data, steps);
  const achievedAt = data?.["achieved_at"];
  if (ranked === undefined || "unusable" in ranked || !(achievedAt instanceof Timestamp)) return undefined;
  const { display_name: name = "", metadata } = readPlayer(data) ?? {};
  const plain = metadata && plainJson(metadata);
  const json = plain === undefined ? "" : JSON.stringify(plain);
  // Metadata that does not fit a document on its own is left out, as in a top that is full: a merge writes it into one.
  const fits = textSize(json) <= standingsMetadataBytesMax && depthOf(plain) <= documentDepthMax;
  return {
    player,
    score: ranked.score,
    achievedAt,
    name: keptName(name),
    segments: segments.join(" "),
    metadata: fits ? json : "",
  };
}

/**
 * A line as the document of a player who was taken out keeps it: `held_line`. A trusted server's own fields may leave no
 * room for the metadata, or for anything: then it is kept without, or not at all. Pure.
 * @param fields the fields that the document gets together with the line.
 */
export function holdLine(
  document: DocumentSnapshot,
  fields: Record<string, unknown>,
  { score, achievedAt, name, segments, metadata }: Standing,
): Record<string, unknown> | undefined {
  const texts = { display_name: name, ...(segments === "" ? {} : { segments }), metadata };
  const line = { score, achieved_at: achievedAt, ...texts };
  return [line, { ...line, metadata: "" }].find((held) => {
    const data = { ...document.data(), ...fields, held_line: held };
    return documentSize(document.ref.path, data) + markBytesMax <= documentBytesMax;
  });
}

/** Bytes of a mark, which the same commit may add. */
const markBytesMax = 2_048;

/** The line that a player's document keeps; undefined where there is none. Pure. */
export function heldLine(player: string, data: Record<string, unknown> | undefined): Standing | undefined {
  const held = storedLine.safeParse(data?.["held_line"]).data;
  if (held === undefined) return undefined;
  const { score, achieved_at: achievedAt, display_name: name, segments, metadata } = held;
  return { player, score, achievedAt, name, segments, metadata };
}

const storedLine = z.object({
  score: z.number(),
  achieved_at: z.instanceof(Timestamp),
  display_name: z.string(),
  segments: z.string().default(""),
  metadata: z.string(),
});

/** Whether the standings show less of a player than the document, which only a trusted server can have written. */
export function isCut({ name, metadata }: Standing, data: Record<string, unknown> | undefined): boolean {
  const { display_name: fullName = "", metadata: fullMetadata } = readPlayer(data) ?? {};
  return name !== fullName || (metadata === "" && fullMetadata !== undefined);
}

/** A document of the standings, with the document of metadata beside it if a player has some. */
export interface Packed {
  standings: Standings;
  metadata: StandingsMetadata | undefined;
}

/** The next document: the first of players in the total order, 1,000 or as many as fit, at least one. */
export function packStandings(players: readonly Standing[]): Packed {
  let bytes = 0;
  let metadataBytes = 0;
  let count = 0;
  for (const player of players) {
    // The texts, a score and a time.
    bytes += textSize(player.player) + textSize(player.name) + player.segments.length + 16;
    metadataBytes += textSize(player.metadata);
    const isTooLarge = bytes > standingsBytesMax || metadataBytes > standingsMetadataBytesMax;
    if (count === standingsPerDocument || (isTooLarge && count > 0)) break;
    count += 1;
  }
  return documentsOf(players.slice(0, count));
}

export function documentsOf(players: readonly Standing[]): Packed {
  const hasMetadata = players.some(({ metadata }) => metadata !== "");
  return {
    standings: {
      players: players.map(({ player }) => player),
      scores: players.map(({ score }) => score),
      achieved_at: players.map(({ achievedAt }) => achievedAt),
      display_names: players.map(({ name }) => name),
      ...(players.some(({ segments }) => segments !== "") && {
        segments: players.map(({ segments }) => segments),
      }),
      has_metadata: hasMetadata,
    },
    metadata: hasMetadata ? { metadata: players.map(({ metadata }) => metadata) } : undefined,
  };
}

/** What is stored, the metadata only where it is wanted and there. @throws ZodError if it is no document of the standings */
export function unpack(standings: unknown, metadata?: unknown): Packed {
  return {
    standings: storedStandings.parse(standings),
    metadata: metadata === undefined ? undefined : storedStandingsMetadata.parse(metadata),
  };
}

/**
 * The players of a document, all or from an index to before another: the inverse of {@link documentsOf}.
 * @throws if its lists have different lengths.
 */
export function playersOf({ standings, metadata }: Packed, from = 0, until?: number): Standing[] {
  return standings.players.slice(from, until).map((player, i) => {
    const at = from + i;
    const [score, achievedAt] = [standings.scores[at], standings.achieved_at[at]];
    if (score === undefined || achievedAt === undefined)
      throw new Error(`the document of the standings with "${player}" has lists of different lengths`);
    const [name = "", segments = ""] = [standings.display_names[at], standings.segments?.[at]];
    return { player, score, achievedAt, name, segments, metadata: metadata?.metadata[at] ?? "" };
  });
}

export interface Placed extends Standing {
  rank: number;
  position: number;
}

/** The players of a stretch with their ranks and positions. */
export function placedIn(stretch: StandingsStretch, packed: Packed): Placed[] {
  const { part, from, until } = stretch;
  const ranks = ranksIn(stretch, packed.standings);
  return playersOf(packed, from, until).map((standing, i) => {
    return { ...standing, rank: ranks[i] ?? NaN, position: part.before + from + i + 1 };
  });
}

/** The fields of a player's document that the standings have. */
export function fieldsOf({ score, achievedAt, name, segments, metadata }: Standing) {
  return {
    status: "active" as const,
    score,
    achieved_at: achievedAt,
    ...(name === "" ? {} : { display_name: name }),
    ...(segments === "" ? {} : { segments: segmentValues(segments.split(" ")) }),
    ...(metadata === "" ? {} : { metadata: JSON.parse(metadata) as Metadata }),
  };
}

export type Sums = Omit<StandingsSummary, "ranges" | "as_of" | "revisions">;

/** Sums up documents of the standings, added one after the other. Memory: four numbers a document. */
export function createSums(): { add(scores: readonly number[]): void; finish(): Sums } {
  const sums: Sums = { players: 0, counts: [], first_scores: [], ties_before: [], dense_before: [] };
  let last: number | undefined;
  let equals = 0;
  let distinct = 0;
  return {
    add(scores) {
      const [first = last ?? 0] = scores;
      const goesOn = first === last;
      sums.counts.push(scores.length);
      sums.first_scores.push(first);
      sums.ties_before.push(goesOn ? equals : 0);
      sums.dense_before.push(goesOn ? distinct - 1 : distinct);
      sums.players += scores.length;
      for (const score of scores) {
        if (score !== last) distinct += 1;
        equals = score === last ? equals + 1 : 1;
        last = score;
      }
    },
    finish: () => sums,
  };
}

/**
 * The sums after a player has left the document `n`, or entered it where the total order says.
 * @param before its scores, and those `after` it: one less, or one more.
 */
export function sumsAfter(sums: Sums, n: number, before: readonly number[], after: readonly number[]): Sums {
  const delta = after.length - before.length;
  const firsts = sums.first_scores;
  const wasFirst = firsts[n] ?? NaN;
  // An emptied document keeps the score that it had last, so that the documents stay in order.
  const isFirst = after[0] ?? wasFirst;
  const ties = [...sums.ties_before];
  const dense = [...sums.dense_before];

  const sharesFirst = (ties[n] ?? 0) > 0;
  if (isFirst !== wasFirst) {
    // Nobody before the document has its new first score. If somebody has the old one, that is one better score more.
    ties[n] = 0;
    if (sharesFirst) dense[n] = (dense[n] ?? 0) + 1;
  }

  const [longer, shorter] = delta > 0 ? [after, before] : [before, after];
  const score = longer.find((one, i) => one !== shorter[i]) ?? NaN;
  const next = sums.counts.findIndex((count, m) => m > n && count > 0);
  // Whether somebody else has the player's score: before the document, in it or after it.
  const isHeld = (sharesFirst && score === wasFirst) || shorter.includes(score) || score === firsts[next];
  for (let m = n + 1; m < firsts.length; m++) {
    if (firsts[m] === score) ties[m] = (ties[m] ?? 0) + delta;
    else if (!isHeld) dense[m] = (dense[m] ?? 0) + delta;
  }
  return {
    players: sums.players + delta,
    counts: sums.counts.with(n, after.length),
    first_scores: firsts.with(n, isFirst),
    ties_before: ties,
    dense_before: dense,
  };
}
