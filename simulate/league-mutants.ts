/** Mistakes of leagues, about one for each behaviour that one can break where the functions meet the database. */
import { Timestamp } from "../functions/src/documents/firestore.ts";
import type { Seat } from "../functions/src/documents/group.ts";
import type { QuerySpec } from "./memory/query.ts";
import type { Data } from "./memory/store.ts";
import { changed, lost, minutesBefore, type Mutant } from "./mistakes.ts";
import type { Changed } from "./plan.ts";

const groups = /\/league_groups\/[^/]+$/;
const playersOfWeeks = /\/weekly-[^/]+\/players\/[^/]+$/;
const statuses = /\/player_statuses\/[^/]+$/;
const anybody = /(?:)/;
const refreshes = /^refresh /;
/** Closing steps, alone or together. */
const steps = /^steps? of /;

/** More players than a group has seats, in clocks that agree, and nothing that takes them away. */
const weeks: Changed = {
  league: true,
  players: 16,
  skewMsMax: 0,
  weights: { submit: 40, refresh: 20, jump: 2 },
};

/** Ends of weeks, and who closes them. */
const ends: Changed = {
  ...weeks,
  weights: { ...weeks.weights, "shared task": 30, step: 30, schedule: 10, jump: 4 },
};

const isSettling = (after: Data, before: Data | undefined) =>
  after["settled_at"] !== undefined && before?.["settled_at"] === undefined;

/** Each seat of a group is changed. */
const seatsWith =
  (change: (seat: Seat) => Partial<Record<keyof Seat, unknown>>) =>
  (after: Data): Data => ({
    ...after,
    seats: Object.fromEntries(
      Object.entries(after["seats"] as Record<string, Seat>).map(([name, seat]) => {
        const fields = Object.entries({ ...seat, ...change(seat) });
        return [name, Object.fromEntries(fields.filter(([, value]) => value !== undefined))];
      }),
    ),
  });

/** A query on some field finds nothing. */
const finding =
  (field: string, who: RegExp, found: Partial<QuerySpec> = { limit: 0 }): NonNullable<Mutant["query"]> =>
  (spec, by) =>
    who.test(by) && spec.filters.some((filter) => filter.field === field) ? { ...spec, ...found } : spec;

const standing = (after: Data) => (after["league"] ?? {}) as Data;

/** The number of each is that of the behaviour in the tests of leagues that it breaks. */
export const leagueMutants: Readonly<Record<string, Mutant>> = {
  // 1
  "a seat for somebody who has one": {
    query: finding("owners", /^(refresh|steps?) /),
    plan: { ...weeks, weights: { ...weeks.weights, "write directly": 20, "play the league": 10 } },
  },
  // 2
  "a group that forgets how many seats it has given": {
    write: changed(groups, refreshes, (after) => ({ ...after, seated: Number(after["seated"]) - 1 })),
    plan: weeks,
  },
  // 3
  "seats before the week before is settled": { query: finding("league", refreshes), plan: ends },
  // 4
  "a group settled with the scores that it showed before": {
    write: changed(groups, steps, (after, before) => {
      const was = (before?.["seats"] ?? {}) as Record<string, Seat>;
      const seats = Object.entries(after["seats"] as Record<string, Seat>);
      const asShown = seats.map(([name, seat]) => {
        const score = seat.score === undefined ? undefined : (was[name]?.score ?? seat.score);
        return [name, score === undefined ? seat : { ...seat, score }];
      });
      return isSettling(after, before) ? { ...after, seats: Object.fromEntries(asShown) } : after;
    }),
    plan: { ...ends, weights: { ...ends.weights, "write late": 20, "write directly": 30 } },
  },
  // 5
  "a group that is to be settled again": {
    write: changed(groups, steps, (after, before) =>
      isSettling(after, before) ? { ...after, unsettled: true } : after,
    ),
    plan: ends,
  },
  "a settled group that tells nobody": {
    write: (write, by) => (steps.test(by) && write.path.includes("league_settled") ? undefined : write),
    plan: ends,
  },
  // 6
  "a week that is settled in no order": {
    query: finding("league", steps),
    plan: {
      ...weeks,
      weights: { ...weeks.weights, jump: 12, schedule: 4, step: 4, "shared task": 4, run: 0 },
    },
  },
  // 7
  "places that are shared": {
    write: changed(groups, steps, (after, before) =>
      isSettling(after, before) ? seatsWith(({ place }) => ({ place: place && 1 }))(after) : after,
    ),
    plan: ends,
  },
  // 8
  "an outcome before the end": {
    write: changed(
      groups,
      refreshes,
      seatsWith(({ score }) => (score === undefined ? {} : { move: "up" })),
    ),
    plan: weeks,
  },
  // 9
  "a seat without its time": {
    write: changed(
      groups,
      refreshes,
      seatsWith(() => ({ achieved_at: undefined })),
    ),
    plan: weeks,
  },
  // 10
  "a guest's score that counts": {
    write: changed(
      groups,
      anybody,
      seatsWith(() => ({ is_guests: undefined })),
    ),
    plan: { ...weeks, weights: { ...weeks.weights, "merge a guest": 15, "play the league": 10 } },
  },
  // 11
  "a standing as of the week before": {
    write: changed(statuses, steps, (after) => {
      const { until, ...others } = standing(after);
      return until instanceof Timestamp
        ? { ...after, league: { ...others, until: minutesBefore(until, 7 * 24 * 60) } }
        : after;
    }),
    plan: ends,
  },
  // 12
  "a standing that forgets its height": {
    write: changed(statuses, steps, (after) => ({ ...after, league: { ...standing(after), step: 7 } })),
    plan: ends,
  },
  // 13
  "a group that changes its rules": {
    write: changed(groups, refreshes, (after, before) =>
      before === undefined ? after : { ...after, league: { ...(after["league"] as Data), min_size: 4 } },
    ),
    plan: weeks,
  },
  // 14
  "a ban that groups do not hear of": {
    write: lost(groups, /^make /),
    plan: { ...weeks, weights: { ...weeks.weights, "set status": 15 } },
  },
  "an erasure that groups do not hear of": {
    write: lost(groups, /^(remove|look again) /),
    plan: { ...weeks, weights: { ...weeks.weights, remove: 10 } },
  },
  // 15
  "a merge that leaves a seat": {
    write: lost(groups, /^merge /),
    plan: { ...weeks, weights: { ...weeks.weights, merge: 10 } },
  },
  "a merge that leaves where somebody stood": {
    write: (write, by) => (by.startsWith("merge ") && statuses.test(write.path) ? undefined : write),
    plan: { ...weeks, weights: { ...weeks.weights, merge: 10, "play the league": 15 } },
  },
  // 16
  "a first score that asks for a seat whenever it comes": {
    write: changed(playersOfWeeks, /^instance /, (after, before) =>
      before === undefined && after["score"] !== undefined
        ? { ...after, league_seat: { waits: true } }
        : after,
    ),
    plan: { ...weeks, weights: { ...weeks.weights, jump: 8 } },
  },
  // 17
  "a group that stays the newest": {
    write: (write, by) =>
      by.startsWith("refresh ") && groups.test(write.path)
        ? {
            ...write,
            apply: (before) => {
              const after = write.apply(before);
              return after && before?.["newest_of"] ? { ...after, newest_of: before["newest_of"] } : after;
            },
          }
        : write,
    plan: weeks,
  },
  // 18
  "outcomes that go with the week": { write: lost(statuses, steps), plan: ends },
  // 19
  "a member who leaves and is still shown": {
    write: lost(groups, /^leave the league /),
    plan: { ...weeks, weights: { ...weeks.weights, "play the league": 15 } },
  },
  "a wish that is not kept": {
    write: lost(statuses, /^leave the league /),
    plan: { ...weeks, weights: { ...weeks.weights, "play the league": 15 } },
  },
  // 20
  "a change that comes into no group": {
    write: changed(groups, /^(submit|refresh|league|name|follow) /, (after, before) =>
      before !== undefined && before["seated"] === after["seated"] ? before : after,
    ),
    plan: weeks,
  },
  "an answer of five minutes ago": {
    readAt: (path, at, by, now) =>
      by.startsWith("league of ") && groups.test(path) ? minutesBefore(now, 5) : at,
    plan: { ...weeks, weights: { ...weeks.weights, "play the league": 20 } },
  },
};
