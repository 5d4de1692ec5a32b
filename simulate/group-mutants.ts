/** Mistakes of private groups, about one for each promise that one can break where the functions meet the database. */
import { Timestamp } from "../functions/src/documents/firestore.ts";
import type { Seat } from "../functions/src/documents/group.ts";
import { definitionPath } from "../functions/src/documents/paths.ts";
import { leaderboard } from "./board.ts";
import type { QuerySpec } from "./memory/query.ts";
import type { Data } from "./memory/store.ts";
import { changed, kept, lost, minutesBefore, type Mutant } from "./mistakes.ts";
import type { Changed } from "./plan.ts";

const groups = /\/private_groups\/[^/]+$/;
const codes = /\/group_codes\/[^/]+$/;
const definition = definitionPath(leaderboard);
const anybody = /(?:)/;

/** Few players who do much in groups, with clocks that agree. */
const friends: Changed = {
  privateGroups: true,
  players: 8,
  skewMsMax: 0,
  weights: { "play in groups": 60, submit: 20, "set status": 6 },
};

/** The same with more of some actions. */
const more = (weights: NonNullable<Changed["weights"]>, plan: Changed = {}): Changed => ({
  ...friends,
  ...plan,
  weights: { ...friends.weights, ...weights },
});

const isEnding = (after: Data, before: Data | undefined) =>
  after["settled_at"] !== undefined && before?.["settled_at"] === undefined;

/** Each seat of a group is changed. */
const seatsWith = (after: Data, change: (seat: Seat) => Partial<Record<keyof Seat, unknown>>): Data => ({
  ...after,
  seats: Object.fromEntries(
    Object.entries(after["seats"] as Record<string, Seat>).map(([name, seat]) => {
      const fields = Object.entries({ ...seat, ...change(seat) });
      return [name, Object.fromEntries(fields.filter(([, value]) => value !== undefined))];
    }),
  ),
});

/** A query for groups finds less. */
const finding =
  (who: RegExp, found: Partial<QuerySpec> = { limit: 0 }): NonNullable<Mutant["query"]> =>
  (spec, by) =>
    who.test(by) && spec.collection.endsWith("private_groups") ? { ...spec, ...found } : spec;

export const groupMutants: Readonly<Record<string, Mutant>> = {
  // Members and codes.
  "a code that whoever was taken out still has": { write: kept(codes, /^remove group /), plan: friends },
  "a code that leads in as it did minutes ago": {
    readAt: (path, at, by, now) =>
      by.startsWith("join group ") && codes.test(path) ? minutesBefore(now, 5) : at,
    plan: friends,
  },
  "a deleted group that leaves its code": { write: kept(codes, /^(delete|leave) group /), plan: friends },
  "a member who is told to have joined": { write: lost(groups, /^join group /), plan: friends },
  "a member who leaves and stays": { write: lost(groups, /^leave group /), plan: friends },
  "a group that grows with its members": {
    write: changed(groups, /^join group /, (after) => ({ ...after, size: Number(after["size"]) + 1 })),
    plan: friends,
  },
  "a player who is in as many groups as there are": {
    query: finding(/^(create|join) group /),
    plan: friends,
  },
  "an owner who has left": {
    write: changed(groups, /^leave group /, (after, before) => ({ ...after, owner: before?.["owner"] })),
    plan: friends,
  },
  // Scores and seasons.
  "a change that comes into no private group": {
    write: changed(groups, /^(submit|refresh|look|name|follow) /, (after, before) =>
      isEnding(after, before) ? after : (before ?? after),
    ),
    plan: friends,
  },
  "a last score in time that gets lost": {
    write: lost(groups, /^submit /),
    plan: more(
      { submit: 60, jump: 6, "write directly": 0, merge: 0, "set status": 0 },
      {
        faults: { refused: 0, answerLost: 0, answerLate: 0.2 },
        instances: 2,
      },
    ),
  },
  "a group that stays in a season": {
    write: changed(groups, anybody, (after, before) => ({
      ...after,
      season: before?.["season"] ?? after["season"],
    })),
    plan: more({ jump: 4 }, { ends: true }),
  },
  "a group that goes by the calendar of before": {
    readAt: (path, at, by, now) =>
      by.startsWith("look at group ") && path === definition ? minutesBefore(now, 1) : at,
    plan: more(
      { "change the calendar": 6, submit: 0.5, "write directly": 0, "submit to a cup": 0 },
      { ends: true, instances: 5 },
    ),
  },
  "a member's score without its time": {
    write: changed(groups, anybody, (after) => seatsWith(after, () => ({ achieved_at: undefined }))),
    plan: friends,
  },
  // Ends.
  "a group that ends at once": {
    write: changed(groups, /^create group /, (after) => {
      const due = after["end_due_at"];
      return due instanceof Timestamp ? { ...after, end_due_at: minutesBefore(due, 6) } : after;
    }),
    plan: friends,
  },
  "a group that is to end again": {
    write: changed(groups, anybody, (after, before) =>
      isEnding(after, before) ? { ...after, unsettled: true } : after,
    ),
    plan: friends,
  },
  "a group that ends with two first places": {
    write: changed(groups, anybody, (after, before) =>
      isEnding(after, before) ? seatsWith(after, ({ place }) => ({ place: place && 1 })) : after,
    ),
    plan: friends,
  },
  "a final place that a ban takes": {
    write: changed(groups, /^make /, (after) => seatsWith(after, () => ({ place: undefined }))),
    plan: more({ "set status": 15, jump: 3 }),
  },
  "an end that tells nobody": {
    write: (write) => (write.path.includes("group_ended") ? undefined : write),
    plan: friends,
  },
  // Players who are hidden, or go.
  "a ban that private groups do not hear of": { write: lost(groups, /^make /), plan: friends },
  "an erasure that private groups do not hear of": {
    write: lost(groups, /^(remove p|look again )/),
    plan: more({ remove: 8 }),
  },
  "a merge that leaves a member": { write: lost(groups, /^merge /), plan: more({ merge: 8 }) },
  "an export without private groups": { query: finding(/^export /), plan: friends },
  "a deleted board that leaves its groups": {
    write: kept(groups, /^(delete the board|steps? of) /),
    plan: friends,
  },
  // Answers.
  "a group as it was five minutes ago": {
    readAt: (path, at, by, now) =>
      by.startsWith("look at group ") && groups.test(path) ? minutesBefore(now, 5) : at,
    plan: friends,
  },
  "a list of own groups without its last": {
    query: finding(/^groups of /, { limit: 1 }),
    plan: friends,
  },
};
