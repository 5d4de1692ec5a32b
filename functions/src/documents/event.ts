/**
 * The outbox of a board: `events/{id}`, for triggers of the owner's own. An event is written in the commit of what it tells
 * of, so that there is one if and only if it happened. Its id follows from what happened: whoever remembers the ids that
 * were handled, handles each event once, however often it is delivered.
 *
 * Events lie below the board and beside its seasons, so that one trigger hears all of them, and a season that is deleted
 * does not take them along.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Definition } from "../model/definition.ts";
import type { EventKind } from "../model/event-kinds.ts";
import { eventKeepDays } from "../model/limits.ts";
import { type DocumentData, type DocumentReference, type Firestore, Timestamp } from "./firestore.ts";
import { eventPath, type SeasonKey } from "./paths.ts";
import { type Season, seasonSpans } from "./season.ts";

const time = z.instanceof(Timestamp);
const count = z.int().min(0);

const common = {
  leaderboard: z.string(),
  season: z.string(),
  span: z.enum(seasonSpans),
  /** When it happened, by the server's clock. */
  at: time,
  /** For a TTL policy. */
  board_event_expires_at: time,
};

/** A season is there; a custom one may begin to take scores later, at `opens_at`. */
const seasonOpened = z.object({
  kind: z.literal("season_opened"),
  ...common,
  opens_at: time,
  closes_at: time.nullable(),
});

/** A season takes no more scores since `closes_at`, and its last ones are being ranked. */
const seasonClosing = z.object({ kind: z.literal("season_closing"), ...common, closes_at: time });

/** A season's standings are final. */
const seasonClosed = z.object({
  kind: z.literal("season_closed"),
  ...common,
  closed_at: time,
  player_count: count,
});

/** An admin has taken a player out of a closed season, or brought one back; who it was is not said. */
const seasonRevised = z.object({
  kind: z.literal("season_revised"),
  ...common,
  reason: z.enum(["removed", "hidden", "banned", "active"]),
  /** Revisions of the season with this one, and players in its standings after it. */
  revisions: count,
  player_count: count,
});

/** A player as the top has them. */
const listed = z.object({
  player: z.string(),
  rank: z.int(),
  position: z.int(),
  score: z.number(),
  display_name: z.string().exactOptional(),
});

/** Who is named, to be found when somebody is erased; see {@link nameInEvents}. */
const players = z.array(z.string());

/** Players whose scores have brought them into the top, `at` the moment of which the top is. */
const topEntered = z.object({
  kind: z.literal("top_entered"),
  ...common,
  /** The best first, as many as fit; without those who were erased since. */
  entrants: z.array(listed),
  entrant_count: count,
  players,
});

/** Another player leads: position 1 of the top. */
const leadChanged = z.object({
  kind: z.literal("lead_changed"),
  ...common,
  /** Null once the player was erased. */
  leader: listed.nullable(),
  /** Who led before, as they stood then; null where nobody did, or once the player was erased. */
  before: listed.nullable(),
  /** `withdrawn`: who led before has a worse score now, or was hidden, banned or removed. */
  reason: z.enum(["overtaken", "withdrawn"]),
  players,
});

const boardEvent = z.discriminatedUnion("kind", [
  seasonOpened,
  seasonClosing,
  seasonClosed,
  seasonRevised,
  topEntered,
  leadChanged,
]);

/** A player as an event names them. */
export type ListedInEvent = z.infer<typeof listed>;

/** What happened on a board: `events/{id}`. */
export type BoardEvent = z.infer<typeof boardEvent>;

type Event<Kind extends EventKind> = Extract<BoardEvent, { kind: Kind }>;

/** An event with where it is kept. */
export interface PlacedEvent {
  path: string;
  event: BoardEvent;
}

/** Reads an event. @throws ZodError if it is none. */
export function readEvent(data: Record<string, unknown> | undefined): BoardEvent {
  return boardEvent.parse(data);
}

/** Something to be told of, if the board tells of its kind. */
export interface Happening<Kind extends EventKind> {
  kind: Kind;
  key: SeasonKey;
  span: Season["span"];
  atMs: number;
  /** What makes the id one of a kind among those of its season and kind. */
  once: string | number;
  fields: Omit<Event<Kind>, keyof typeof common | "kind">;
}

/** The event that tells of something: one, or none where the board does not tell of its kind. Pure. */
export function eventsOf<Kind extends EventKind>(
  { events }: Pick<Definition, "events">,
  { kind, key, span, atMs, once, fields }: Happening<Kind>,
): PlacedEvent[] {
  if (!events.includes(kind)) return [];
  const event = boardEvent.parse({
    kind,
    ...key,
    span,
    at: Timestamp.fromMillis(atMs),
    board_event_expires_at: Timestamp.fromMillis(atMs + eventKeepDays * 86_400_000),
    ...fields,
  });
  return [{ path: eventPath(key.leaderboard, `${key.season}-${kind}-${once}`), event }];
}

/** What a transaction and a batch have in common. */
interface Writer {
  set(ref: DocumentReference, data: DocumentData): unknown;
}

/** Adds events to the commit of what they tell of. Cost: 1 write each. */
export function writeEvents(db: Firestore, writer: Writer, events: readonly PlacedEvent[]): void {
  for (const { path, event } of events) writer.set(db.doc(path), event);
}

/** Adds to a commit that it is told of. Cost: 1 write, or none where the board does not tell of the kind. */
export function tell<Kind extends EventKind>(
  db: Firestore,
  writer: Writer,
  definition: Pick<Definition, "events">,
  happening: Happening<Kind>,
): void {
  writeEvents(db, writer, eventsOf(definition, happening));
}

/** Bytes of an id that a query can look for: Firestore looks at 1,500 of an indexed value, itself included. */
const nameBytesMax = 1_000;

/** What a player is called in `players`: the id, or the SHA-256 of one too long for a query, as a trusted server may give. */
export function nameInEvents(player: string): string {
  if (Buffer.byteLength(player) <= nameBytesMax) return player;
  return createHash("sha256").update(player).digest("hex");
}

/** An event as it is without a player who was erased. Pure. */
export function eventWithout(event: BoardEvent, player: string): BoardEvent {
  if (!("players" in event)) return event;
  const players = event.players.filter((name) => name !== nameInEvents(player));
  if (event.kind === "top_entered")
    return { ...event, players, entrants: event.entrants.filter((other) => other.player !== player) };
  const { leader, before } = event;
  return {
    ...event,
    players,
    leader: leader?.player === player ? null : leader,
    before: before?.player === player ? null : before,
  };
}
