/**
 * The outbox of a board: `events/{id}`, for the owner's triggers. An event is written in the same commit as what it
 * announces. Its id follows from what happened, so a trigger that remembers the ids handles each event once. Events lie
 * beside the seasons, so that one trigger hears all of them, and a season that is deleted does not take them along.
 */
import { z } from "zod";
import type { Definition, EventKind } from "../model/definition.ts";
import { hashOf } from "../model/hash.ts";
import { type Firestore, Timestamp, type Writer } from "./firestore.ts";
import { eventPath, type SeasonKey } from "./paths.ts";
import { eventsWith } from "./queries.ts";
import { type Season, seasonSpans } from "./season.ts";
import { topEntry } from "./top.ts";

const time = z.instanceof(Timestamp);
const count = z.int().min(0);

/** What an event says of a line of the top. */
const listed = topEntry
  .pick({ player: true, rank: true, position: true, score: true })
  .extend({ display_name: z.string().exactOptional() });
export type ListedInEvent = z.infer<typeof listed>;

/** The players named, so that the event is found when one of them is erased; see {@link nameInEvents}. */
const players = z.array(z.string());

const common = {
  leaderboard: z.string(),
  season: z.string(),
  span: z.enum(seasonSpans),
  /** When it happened, by the server's clock. */
  at: time,
  board_event_expires_at: time,
};

/** What happened on a board: `events/{id}`. */
export const boardEvent = z.discriminatedUnion("kind", [
  /** A season exists now; a custom one may begin to take scores later, at `opens_at`. */
  z.object({ kind: z.literal("season_opened"), ...common, opens_at: time, closes_at: time.nullable() }),
  /** A season takes no more scores since `closes_at`, and the last ones are being ranked. */
  z.object({ kind: z.literal("season_closing"), ...common, closes_at: time }),
  z.object({ kind: z.literal("season_closed"), ...common, closed_at: time, player_count: count }),
  /** An admin has taken a player out of a closed season, brought one back or merged two. The event does not say who. */
  z.object({
    kind: z.literal("season_revised"),
    ...common,
    reason: z.enum(["removed", "hidden", "banned", "active", "merged"]),
    /** Revisions of the season, including this one, and players in its standings after it. */
    revisions: count,
    player_count: count,
  }),
  /** Players whose scores brought them into the top; `at` is the `as_of` of that top. */
  z.object({
    kind: z.literal("top_entered"),
    ...common,
    /** Best first, as many as fit; without those erased since. */
    entrants: z.array(listed),
    entrant_count: count,
    players,
  }),
  z.object({
    kind: z.literal("lead_changed"),
    ...common,
    /** Null once the player is erased. */
    leader: listed.nullable(),
    /** The leader before, as they stood then; null where there was none, or once the player is erased. */
    before: listed.nullable(),
    /** `withdrawn`: the leader before has a worse score now, or was hidden, banned or removed. */
    reason: z.enum(["overtaken", "withdrawn"]),
    players,
  }),
]);
export type BoardEvent = z.infer<typeof boardEvent>;

type Event<Kind extends EventKind> = Extract<BoardEvent, { kind: Kind }>;

/** An event and its path. */
export interface PlacedEvent {
  path: string;
  event: BoardEvent;
}

/** Something that happened. It becomes an event if the board sends events of its kind. */
export interface Happening<Kind extends EventKind> {
  kind: Kind;
  key: SeasonKey;
  span: Season["span"];
  atMs: number;
  /** Makes the id unique among those of the same season and kind. */
  once: string | number;
  fields: Omit<Event<Kind>, keyof typeof common | "kind">;
}

/** How long an event is kept: the `board_event_expires_at` of a TTL policy. A trigger is retried for a day. */
const eventKeepDays = 30;

/** The event for something that happened: one, or none where the board does not send this kind. Pure. */
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

/** Adds events to the commit of what they announce. Cost: 1 write each. */
export function writeEvents(db: Firestore, writer: Pick<Writer, "set">, events: readonly PlacedEvent[]) {
  for (const { path, event } of events) writer.set(db.doc(path), event);
}

/** Adds the event of what happened to its commit. Cost: 1 write; none where the board does not send the kind. */
export function addEvent<Kind extends EventKind>(
  db: Firestore,
  writer: Pick<Writer, "set">,
  definition: Pick<Definition, "events">,
  happening: Happening<Kind>,
): void {
  writeEvents(db, writer, eventsOf(definition, happening));
}

/** Bytes of an id that a query can look for: Firestore indexes 1,500 bytes of a value, its own overhead included. */
const nameBytesMax = 1_000;

/** The name of a player in `players`: the id, or its SHA-256 if a trusted server gave one that is too long for a query. */
export function nameInEvents(player: string): string {
  return Buffer.byteLength(player) <= nameBytesMax ? player : hashOf(player).toString("hex");
}

/** An event that keeps only some of the players whom it names. Pure. @param isKept gets their {@link nameInEvents}. */
export function eventNaming(event: BoardEvent, isKept: (name: string) => boolean): BoardEvent {
  if (!("players" in event)) return event;
  const players = event.players.filter(isKept);
  const isShown = (other: ListedInEvent) => isKept(nameInEvents(other.player));
  if (event.kind === "top_entered") return { ...event, players, entrants: event.entrants.filter(isShown) };
  const shown = (other: ListedInEvent | null) => (other !== null && isShown(other) ? other : null);
  return { ...event, players, leader: shown(event.leader), before: shown(event.before) };
}

/** Events of one transaction: they fit a request even where each is as large as possible. */
const eventsPerRedaction = 10;

/**
 * Removes an erased player from all events of a board. Call it after the player was taken out of the tops: by then no run
 * can write a top, or its events, with this player. Cost: 1 read and 1 write for each event that names the player; at
 * least 1 read.
 */
export async function redactEvents(db: Firestore, leaderboard: string, player: string): Promise<void> {
  const own = nameInEvents(player);
  const all = eventsWith(db, leaderboard, own).limit(eventsPerRedaction);
  const redact = (after: string | undefined) =>
    db.runTransaction(async (transaction) => {
      const { docs } = await transaction.get(after === undefined ? all : all.startAfter(after));
      for (const found of docs) {
        const { data: event } = boardEvent.safeParse(found.data());
        // What is no event of Firerank's stays as it is.
        if (event !== undefined)
          transaction.set(
            found.ref,
            eventNaming(event, (name) => name !== own),
          );
      }
      return docs.length < eventsPerRedaction ? undefined : docs.at(-1)?.id;
    });
  let after = await redact(undefined);
  while (after !== undefined) after = await redact(after);
}
