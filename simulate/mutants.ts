/**
 * Mistakes that break one rule each, to show that the simulation finds such mistakes. A mistake is made where the functions
 * meet the database: a write that gets lost, is unguarded or another one, a query that asks for something else, a read as
 * of another moment. So it stays the same mistake however the functions are written:
 * `npm run simulate -- --mutant "an unguarded publication"` plays one.
 */
import { Timestamp } from "../functions/src/documents/firestore.ts";
import { groupMutants } from "./group-mutants.ts";
import { leagueMutants } from "./league-mutants.ts";
import type { Data } from "./memory/store.ts";
import { changed, kept, lost, minutesBefore, type Mutant, unguarded, without } from "./mistakes.ts";
import type { Changed } from "./plan.ts";

const players = /\/players\/[^/]+$/;
const shards = /\/scores\/[^/]+$/;
const firstPage = /\/scores_ranking\/0$/;
const otherPages = /\/scores_ranking\/[1-9]\d*$/;
const segmentPages = /\/segments_ranking\/[^/]+$/;
const tops = /\/top\/current$/;
const teams = /\/top\/teams-[^/]+$/;
const seasons = /^leaderboards\/[^/]+\/seasons\/[^/]+$/;
const notes = /\/closing_notes\/[^/]+$/;
const statuses = /\/player_statuses\/[^/]+$/;
const events = /^leaderboards\/[^/]+\/events\/[^/]+$/;
const templates = /^leaderboards\/(level|track)$/;
const receipts = /\/receipts\/[^/]+$/;

/** Instances commit submissions together. */
const instance = /^instance /;
const trigger = /^follow /;

const markOf = ({ counted }: Data) => (counted ?? {}) as Data;
/** Minutes pass between two scores, so that the season dozes and sleeps between them. */
const rarelyPlayed: Changed = {
  skewMsMax: 0,
  stepMsMax: 10_000,
  weights: { submit: 4, schedule: 40, task: 10, "shared task": 40 },
};

/** The mistakes, by the rules that they break. mutants.slow.test.ts has a seed that finds each. */
export const mutants: Readonly<Record<string, Mutant>> = {
  // Counting.
  "a commit without its shard document": { write: lost(shards, instance) },
  "a mark that names no version": {
    write: changed(players, instance, (after) => ({ ...after, counted: { ...markOf(after), of: "" } })),
  },
  "a commit that wakes nobody": {
    write: changed(seasons, instance, (after, before) =>
      before?.["next_run_at"] === null && after["next_run_at"] !== null ? undefined : after,
    ),
    plan: { skewMsMax: 0 },
  },
  "a season that sleeps although it was just woken": {
    write: (write, by) =>
      by.startsWith("the schedule") && seasons.test(write.path) ? { ...write, guard: {} } : write,
    plan: rarelyPlayed,
  },
  "a last look that sees no change": {
    query: (spec, by) =>
      by.startsWith("the schedule") && spec.collection.endsWith("/scores") ? { ...spec, limit: 0 } : spec,
    plan: { ...rarelyPlayed, stepMsMax: 1_500 },
  },
  "a change in a slot that has ended": {
    write: changed(shards, instance, (after) => {
      const ends = after["slot_ends_at"] as Timestamp;
      return { ...after, slot_ends_at: minutesBefore(ends, 2) };
    }),
  },
  "a submission that is not remembered": { write: changed(players, instance, without("submission_ids")) },
  "a commit that gets lost": { write: lost(/(?:)/, instance) },
  // Direct writes.
  "a trigger that brings nothing into line": { write: lost(players, trigger) },
  "a correction without a receipt": { write: lost(receipts) },
  // Publications.
  "an unguarded publication": { write: unguarded(shards) },
  "pages that are left beside the only one": { write: kept(otherPages) },
  "a refresh that sees no pending change": {
    query: (spec, by) =>
      by.startsWith("refresh ") && shards.test(`${spec.collection}/x`) ? { ...spec, limit: 0 } : spec,
  },
  "an unguarded top": { write: unguarded(tops) },
  "a top that keeps its number of players": {
    write: changed(tops, /(?:)/, (after, before) => {
      const isKept =
        before?.["as_of"] instanceof Timestamp && before["as_of"].isEqual(after["as_of"] as Timestamp);
      return isKept ? undefined : after;
    }),
  },
  "a shared task that goes on as it began": {
    tellsNoAttempts: true,
    plan: { ends: true, stepsBetweenRests: 100 },
  },
  "a run that forgets the runs before it": {
    write: changed(seasons, /(?:)/, (after) => {
      const { recent_runs: runs } = after;
      return Array.isArray(runs) ? { ...after, recent_runs: runs.slice(-3) } : after;
    }),
  },
  "a run that is always beaten": {
    write: (write) =>
      write.path.endsWith("/scores_ranking/0")
        ? { ...write, guard: { lastUpdateTime: new Timestamp(0, 0) } }
        : write,
  },
  "a daily look that leaves out seasons that are awake": {
    query: (spec, by) =>
      by.startsWith("the daily look") && spec.filters.some(({ field }) => field === "next_run_at")
        ? { ...spec, limit: 0 }
        : spec,
    plan: { ends: false, stepsBetweenRests: 100 },
  },
  // Readers.
  "a count of another moment": {
    readAt: (path, at, by) => (players.test(`${path}/x`) && by.startsWith("read ") ? undefined : at),
    plan: { players: 120, scores: 1_000, stepMsMax: 500, weights: { read: 30, submit: 60, run: 10 } },
  },
  "shards of two minutes ago": {
    readAt: (path, at, by, now) =>
      shards.test(`${path}/x`) && /^(read|instance) /.test(by) ? minutesBefore(at ?? now, 2) : at,
    plan: { weights: { read: 30 } },
  },
  "a list from its other end": {
    query: (spec, by) =>
      by.startsWith("read ") && players.test(`${spec.collection}/x`)
        ? { ...spec, orders: spec.orders.map((order) => ({ ...order, descending: !order.descending })) }
        : spec,
    plan: { weights: { read: 30 } },
  },
  // A season's end.
  "an admin who leaves no note": { write: lost(notes), plan: { ends: true, weights: { "set status": 20 } } },
  "a season as it was ten minutes ago": {
    readAt: (path, at, by, now) =>
      seasons.test(path) && by.startsWith("instance ") ? minutesBefore(now, 10) : at,
    plan: { ends: true, weights: { "submit to a cup": 20 } },
  },
  "a season that is closed at once": {
    write: changed(seasons, /(?:)/, (after) =>
      after["status"] === "closing" ? { ...after, status: "closed" } : after,
    ),
    plan: { ends: true },
  },
  "an event that is not told": { write: lost(events), plan: { ends: true } },
  // Movement.
  "a copy that is listed as that of the day before": {
    write: changed(firstPage, /(?:)/, ({ baselines, ...after }) => ({
      ...after,
      ...(Array.isArray(baselines) && {
        baselines: (baselines as { at: number }[]).map((one) => ({ ...one, at: one.at - 86_400_000 })),
      }),
    })),
    plan: { movement: true },
  },
  // Segments.
  "a page of segments that stays as it was": { write: lost(segmentPages), plan: { segments: true } },
  "teams that stay as they were": { write: lost(teams), plan: { segments: true } },
  "a list of teams without its last": {
    write: changed(teams, /(?:)/, (after) => ({
      ...after,
      entries: (after["entries"] as Data[]).slice(0, -1),
    })),
    plan: { segments: true },
  },
  "a list of a segment that has everybody": {
    query: (spec) => ({
      ...spec,
      filters: players.test(`${spec.collection}/x`)
        ? spec.filters.filter(({ operator }) => operator !== "ARRAY_CONTAINS")
        : spec.filters,
    }),
    plan: { segments: true, weights: { read: 30 } },
  },
  // Players of seasons.
  "a ban that a new season forgets": { write: lost(statuses, /^make /), plan: { ends: true } },
  "a ban that a server's first write forgets": {
    readAt: (path, at, by, now) =>
      statuses.test(path) && by.startsWith("follow ") ? minutesBefore(now, 50) : at,
    plan: { ends: true, weights: { "set status": 10, "write directly": 20 } },
  },
  "a merge that leaves who goes": { write: kept(players, /^merge /), plan: { weights: { merge: 5 } } },
  "a merge that drops values": {
    write: changed(players, /^merge /, without("segments")),
    plan: { segments: true, weights: { merge: 5 } },
  },
  "a name that one season shows": {
    write: (write, by) =>
      by.startsWith("name ") && players.test(write.path) && !write.path.includes("/all_time/")
        ? undefined
        : write,
    plan: { ends: true, weights: { "set a profile": 10 } },
  },
  "a name that a new season forgets": {
    write: changed(players, instance, (after, before) =>
      before === undefined ? without("display_name")(after) : after,
    ),
    plan: { ends: true, weights: { "set a profile": 10 } },
  },
  "an erased player whom events still name": {
    write: changed(events, /^remove /, (after, before) => before ?? after),
    plan: { ends: true },
  },
  "an export without events": {
    query: (spec, by) =>
      by.startsWith("export ") && spec.collection.endsWith("/events") ? { ...spec, limit: 0 } : spec,
    plan: { ends: true },
  },
  "a deleted board that leaves its events": { write: kept(events) },
  // Boards of templates.
  "a count of new boards of ten minutes ago": {
    readAt: (path, at, _, now) => (path.endsWith("/new_boards/today") ? minutesBefore(now, 10) : at),
    plan: { templates: true, weights: { "play templates": 40 } },
  },
  "a level that opens a board although it was deleted": {
    readAt: (path, at, _, now) => (/^(level|track)s\//.test(path) ? minutesBefore(now, 30) : at),
    plan: { templates: true, weights: { "play templates": 40 } },
  },
  "a first board that freezes nothing": {
    write: changed(templates, instance, (_, before) => before),
    plan: { templates: true, weights: { "play templates": 40 } },
  },
  "a definition under another template's name": {
    readFrom: (path) => (path === "leaderboards/track" ? "leaderboards/level" : path),
    plan: { templates: true, weights: { "play templates": 40 } },
  },
  "a ban of a template that a first score forgets": {
    readAt: (path, at, by, now) =>
      /^leaderboards\/(level|track)\/player_statuses\//.test(path) && by.startsWith("instance ")
        ? minutesBefore(now, 50)
        : at,
    plan: { templates: true, weights: { "play templates": 40 } },
  },
  "an erasure that leaves the player's other boards": {
    query: (spec, by) =>
      by.startsWith("remove ") && spec.group && spec.collection === "players" ? { ...spec, limit: 1 } : spec,
    plan: { templates: true, weights: { "play templates": 40 } },
  },
  "a page of a player's boards without its last": {
    query: (spec, by) =>
      by.startsWith("boards of ") && spec.collection === "players" ? { ...spec, limit: 1 } : spec,
    plan: { templates: true, weights: { "play templates": 40 } },
  },
  "a prize without its record": { write: lost(/^payments\//), plan: { ends: true } },
  ...leagueMutants,
  ...groupMutants,
};
