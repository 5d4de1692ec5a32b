/**
 * The outbox of a board: `events/{id}`, for the owner's triggers. An event is written in the same commit as the change
 * that it announces. Its id follows from what happened, so a trigger that remembers ids handles each event once. Events
 * lie beside the seasons, so that one trigger hears the events of all seasons, and an event stays when its season is
 * deleted. Firerank reads an event only to take an erased player out of it. A TTL policy deletes events after 30 days, and
 * the end of a board deletes the rest.
 */
import { z } from "zod";
import type { Definition } from "../model/definition.ts";
import type { EventKind } from "../model/event-kinds.ts";
import { hashOf } from "../model/hash.ts";
import { type Firestore, Timestamp, type Writer } from "./firestore.ts";
import { eventPath, type SeasonKey } from "./paths.ts";
import { eventsWith } from "./queries.ts";
import { type Season, seasonSpans } from "./season.ts";
import { topEntry } from "./top.ts";

const time = z.instanceof(Timestamp);
const count = z.int().min(0);

/** A line of the top, as events show it. */
const listed = topEntry
  .pick({ player: true, rank: true, position: true, score: true })
  .extend({ display_name: z.string().exactOptional() });
export type ListedInEvent = z.infer<typeof listed>;

/** The players whom an event names, so that erasing a player finds the event; see {@link nameInEvents}. */
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
  /** A season exists now; a custom season may begin to take scores later, at `opens_at`. */
  z.object({ kind: z.literal("season_opened"), ...common, opens_at: time, closes_at: time.nullable() }),
  /** A season takes no more scores since `closes_at`, and its last scores are being ranked. */
  z.object({ kind: z.literal("season_closing"), ...common, closes_at: time }),
  z.object({ kind: z.literal("season_closed"), ...common, closed_at: time, player_count: count }),
  /**
   * An admin removed a player from a closed season, brought a player back or merged two. The event does not say who.
   */
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
    /** Best first, as many as fit; without players who were erased later. */
    entrants: z.array(listed),
    entrant_count: count,
    players,
  }),
  z.object({
    kind: z.literal("lead_changed"),
    ...common,
    /** Null after the player was erased. */
    leader: listed.nullable(),
    /** The leader before, with the score and rank of then; null if there was none, or after the player was erased. */
    before: listed.nullable(),
    /** `withdrawn`: the former leader has a worse score now, or was hidden, banned or removed. */
    reason: z.enum(["overtaken", "withdrawn"]),
    players,
  }),
  /** A group of the week's league is settled: who went up, stayed and went down, best first. */
  z.object({
    kind: z.literal("league_settled"),
    ...common,
    group: z.string(),
    tier: z.string(),
    /** Players, without those who have left the league, or were erased later. */
    up: z.array(z.string()),
    stayed: z.array(z.string()),
    down: z.array(z.string()),
    players,
  }),
  /** A private group has ended: its members with a score, best first, without those who were erased later. */
  z.object({
    kind: z.literal("group_ended"),
    ...common,
    group: z.string(),
    places: z.array(z.string()),
    players,
  }),
]);
export type BoardEvent = z.infer<typeof boardEvent>;

type EventOfKind<Kind extends EventKind> = Extract<BoardEvent, { kind: Kind }>;

/** An event and its path. */
export interface EventToWrite {
  path: string;
  event: BoardEvent;
}

/** Something that happened on a board. It becomes an event if the board sends events of this kind. */
export interface Happening<Kind extends EventKind> {
  kind: Kind;
  key: SeasonKey;
  span: Season["span"];
  atMs: number;
  /** Makes the event's id unique among the events of the same season and kind. */
  once: string | number;
  fields: Omit<EventOfKind<Kind>, keyof typeof common | "kind">;
}

/** How long an event is kept: the `board_event_expires_at` of a TTL policy. A trigger is retried for a day. */
const eventKeepDays = 30;

/** The event for something that happened; empty if the board does not send events of this kind. Pure. */
export function eventsOf<Kind extends EventKind>(
  { events }: Pick<Definition, "events">,
  { kind, key, span, atMs, once, fields }: Happening<Kind>,
): EventToWrite[] {
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

/** Adds events to the commit of the changes that they announce. Cost: 1 write each. */
export function writeEvents(db: Firestore, writer: Pick<Writer, "set">, events: readonly EventToWrite[]) {
  for (const { path, event } of events) writer.set(db.doc(path), event);
}

/**
 * Adds the event for something that happened to the same commit. Cost: 1 write; none if the board does not send this
 * kind.
 */
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

/** A player's name in an event's `players`: the id, or the SHA-256 of an id that is too long for a query. */
export function nameInEvents(player: string): string {
  return Buffer.byteLength(player) <= nameBytesMax ? player : hashOf(player).toString("hex");
}

/** An event without some of the players whom it names. Pure. @param isKept gets a player's {@link nameInEvents}. */
export function eventNaming(event: BoardEvent, isKept: (name: string) => boolean): BoardEvent {
  if (!("players" in event)) return event;
  const players = event.players.filter(isKept);
  const kept = (all: string[]) => all.filter((player) => isKept(nameInEvents(player)));
  if (event.kind === "group_ended") return { ...event, players, places: kept(event.places) };
  if (event.kind === "league_settled")
    return { ...event, players, up: kept(event.up), stayed: kept(event.stayed), down: kept(event.down) };
  const isShown = (other: ListedInEvent) => isKept(nameInEvents(other.player));
  if (event.kind === "top_entered") return { ...event, players, entrants: event.entrants.filter(isShown) };
  const shown = (other: ListedInEvent | null) => (other !== null && isShown(other) ? other : null);
  return { ...event, players, leader: shown(event.leader), before: shown(event.before) };
}

/** Events redacted by one transaction: they fit a request even if each event is as large as possible. */
const eventsPerRedaction = 10;

/**
 * Removes an erased player from all events of a board. Call this after the player was taken out of the tops: then no
 * run can write a top, or an event, with this player any more. Cost: 1 read and 1 write for each event that names the
 * player; at least 1 read.
 */
export async function redactEvents(db: Firestore, leaderboard: string, player: string): Promise<void> {
  const own = nameInEvents(player);
  const all = eventsWith(db, leaderboard, own).limit(eventsPerRedaction);
  const redact = (after: string | undefined) =>
    db.runTransaction(async (transaction) => {
      const { docs } = await transaction.get(after === undefined ? all : all.startAfter(after));
      for (const found of docs) {
        const { data: event } = boardEvent.safeParse(found.data());
        // A document that is no event of Firerank stays as it is.
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
