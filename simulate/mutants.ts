/* eslint-disable max-lines -- one list of mistakes, in the order of the rules */
/**
 * Variants of Firerank with one mistake each, to show that the simulation finds such mistakes. A mistake is a change of the
 * source: `npm run simulate -- --mutant "a mark that names no version"` plays it.
 */
import type { Changed } from "./plan.ts";

/** One mistake. */
export interface Mutant {
  /** A file below functions/src, in which the first text, which it has once, is replaced by the second. */
  file: string;
  from: string;
  to: string;
  /** Changes the plans that seeds draw, so that the mistake shows sooner. */
  plan?: Changed;
}

const commit = "counting/commit-players.ts";
const follow = "counting/follow-player.ts";

/** The mistakes, by the rules that they break. mutants.test.ts has a seed that finds each. */
export const mutants: Readonly<Record<string, Mutant>> = {
  // The mark, and the slot of its change.
  "a mark that names no version": {
    file: "documents/mark.ts",
    from: ": { of: versionName(path, updateTime) }),",
    to: ': { of: "" }),',
  },
  "a first mark without its time": { file: "documents/mark.ts", from: ", at: readTime }", to: " }" },
  "a shard document without its marks": {
    file: commit,
    from: "return [...seasons.values()].flatMap((changes)",
    to: "return [...seasons.values()].slice(1).flatMap((changes)",
  },
  "a slot by the clock of the instance": {
    file: commit,
    from: "slotEnd(databaseMs(readAt), slotMs)",
    to: "slotEnd(arguments[0].now(), slotMs)",
  },
  "a commit that wakes nobody": {
    file: commit,
    from: "if (fields !== undefined) transaction.update(season.ref, fields);",
    to: "",
    plan: { skewMsMax: 0 },
  },
  // Group commits and their shard documents.
  "a submission that has no id of its own": {
    file: "submit/record-submissions.ts",
    from: "const isOwnId = isAtRisk && submission.submission_id === undefined;",
    to: "const isOwnId = false;",
  },
  "a shared fate": {
    file: "counting/lanes.ts",
    from: "void commitEachAlone(queue, players);",
    to: 'for (const jobs of players.values()) for (const { reject } of jobs) reject(new Error("the batch failed"));',
  },
  "a submission to a season that takes nothing any more": {
    file: "submit/commit-submissions.ts",
    from: "isClosed || isInLine",
    to: "isInLine",
    plan: { ends: true, weights: { "submit to a cup": 20 } },
  },
  "a publication that does not guard the shards": {
    file: "ranking/publish.ts",
    from: "batch.delete(db.doc(path), { lastUpdateTime: updateTime });",
    to: "batch.delete(db.doc(path));",
  },
  "a publication that takes nothing back": {
    file: "ranking/publish.ts",
    from: "for (const fields of takenBack)\n",
    to: "for (const fields of takenBack.slice(1))\n",
  },
  "a run that leaves no shard document in place": {
    file: "ranking/run.ts",
    from: "return changed.has(path) || (isOpen(document) && attempts.wasBeaten);",
    to: "return false;",
    plan: { weights: { run: 20, submit: 30 } },
  },
  "a joining that does not guard what it joins": {
    file: "ranking/run.ts",
    from: "batch.delete(ref, { lastUpdateTime: updateTime });",
    to: "batch.delete(ref);",
    plan: { weights: { run: 10, submit: 40 }, crowd: 25, instances: 5 },
  },
  "a top that is not guarded": {
    file: "top/document.ts",
    from: "{ ...top, ...paced }, { lastUpdateTime: updateTime }",
    to: "{ ...top, ...paced }",
  },
  // Direct writes.
  "a trigger that looks for no receipt": {
    file: follow,
    from: "const wasCorrected = receipt?.exists !== false ||",
    to: "const wasCorrected = receipt === undefined ||",
  },
  "a removal without a receipt": {
    file: commit,
    from: "writeReceipt(services, transaction, key, `destroyed-${versionName(found.ref.path, found.updateTime)}`);",
    to: "",
  },
  "a copy that passes for a commit of ours": {
    file: "documents/mark.ts",
    from: "return mark.of === versionName(path, before.updateTime);",
    to: "return true;",
    plan: { trigger: "on", weights: { "write directly": 20 } },
  },
  "a first version that is ours for ever": {
    file: "documents/mark.ts",
    from: "sinceMs >= 0 && sinceMs <= createdMsMax",
    to: "sinceMs >= 0",
    plan: {
      ends: false,
      movement: false,
      segments: false,
      players: 4,
      stepMsMax: 2_000,
      stepsBetweenRests: 400,
      lostEvents: 0,
      trigger: "on",
      weights: { "write directly": 20, remove: 10 },
    },
  },
  "a trigger that brings nothing into line": {
    file: follow,
    from: "if (!mends) return undefined;",
    to: "return undefined;",
  },
  // Merged rows.
  "a split that compares numbers alone": {
    file: "ranking/split.ts",
    from: "return players === 0 && check === 0 ?",
    to: "return players === 0 ?",
    plan: { players: 120, weights: { "write directly": 20, run: 10 } },
  },
  "a row that goes with its last player": {
    file: "ranking/rows.ts",
    from: "players[row] !== 0 || checks[row] !== 0",
    to: "players[row] !== 0",
    plan: {
      players: 40,
      scores: 60,
      stepsBetweenRests: 3_000,
      trigger: "on",
      weights: { "write directly": 15, submit: 40, deliver: 4, run: 6 },
    },
  },
  // Live ranks.
  "sums that meet pages of another generation": {
    file: "reading/live.ts",
    from: "!isSameRanking(page, sums.first)",
    to: "page === sums.first",
    plan: { ends: false, weights: { read: 60, run: 10, submit: 30 } },
  },
  "a live count of another moment": {
    file: "reading/live.ts",
    from: "await asOf(db, at, (transaction)",
    to: "await db.runTransaction((transaction)",
    plan: { players: 120, scores: 1_000, stepMsMax: 500, weights: { read: 30, submit: 60, run: 10 } },
  },
  "sums that wait far longer than their reads cost": {
    file: "reading/live-sums.ts",
    from: "now() - beganMs < Math.min(Math.max(costMs, reads.nextMs() - now()), readTimeKeptMs);",
    to: "now() - beganMs < Math.min(60 * Math.max(costMs, reads.nextMs() - now()), readTimeKeptMs);",
    plan: { weights: { read: 30 } },
  },
  "sums that are kept for ever": {
    file: "reading/live-sums.ts",
    from: "atMs - beganMs < liveMsMax",
    to: "beganMs > 0",
    plan: { weights: { read: 30 } },
  },
  // A season's end.
  "an admin who leaves no note": {
    file: "operations/revise.ts",
    from: 'if (status === "closing") writeNote(services.db, transaction, key, player, isReplaced);',
    to: "void [player, isReplaced];",
    plan: { ends: true, weights: { "set status": 20 } },
  },
  "a closing that leaves notes": {
    file: "jobs/closing/publish-standings.ts",
    from: "if (await noteWaits(db, transaction, key)) return false;",
    to: "",
    plan: {
      ends: true,
      stepMsMax: 20,
      crowd: 12,
      weights: { "set status": 60, step: 40, schedule: 10, jump: 2, read: 1 },
    },
  },
  "a closing that completes nobody": {
    file: "jobs/closing/close.ts",
    from: "if (missing > 0 && ",
    to: "if (missing > 1e9 && ",
    plan: { ends: true, lostEvents: 1, weights: { "write directly": 20 } },
  },
  "a table that keeps its read time for ever": {
    file: "jobs/closing/close.ts",
    from: "passedMs > readTimeKeptMs",
    to: "passedMs > Infinity",
    plan: { ends: true, stepBudgetMs: -1, stepMsMax: 1_000, rangePlayers: 2, players: 16 },
  },
  "standings numbered as those before": {
    file: "jobs/closing/close.ts",
    from: "const first = pass * passNumbers + above;",
    to: "const first = above;",
    plan: {
      ends: true,
      players: 16,
      rangePlayers: 2,
      stepBudgetMs: -1,
      stepMsMax: 1_000,
      weights: { "set status": 20, remove: 5, step: 8, jump: 2, submit: 20, read: 1 },
    },
  },
  "players of a table who are read at several times": {
    file: "jobs/closing/write-range.ts",
    from: "getAt(db, readAt, some)",
    to: "some.get()",
    plan: {
      ends: true,
      players: 16,
      stepBudgetMs: -1,
      rangePlayers: 2,
      weights: { "write late": 60, step: 4, jump: 2, read: 1 },
    },
  },
  "a ban that keeps no line": {
    file: "operations/revise.ts",
    from: 'if (!isActive && shown !== undefined) fields["held_line"] = holdLine(document, fields, shown);',
    to: "",
    plan: { ends: true, players: 4, weights: { "write directly": 20, "set status": 20 } },
  },
  "a final page that does not say so": {
    file: "ranking/read.ts",
    from: "hasEnded: firstPage.final === true",
    to: "hasEnded: false",
    plan: { ends: true, stepMsMax: 100, weights: { run: 40, step: 10, "write late": 20, jump: 2, read: 1 } },
  },
  "a final top of the players as they are now": {
    file: "top/keep-live.ts",
    from: "isFinal ? finalTopsOf(services) : undefined",
    to: "undefined",
    plan: { ends: true, weights: { "write directly": 20 } },
  },
  // Repairs.
  "a correction that does not wait for a repair": {
    file: follow,
    from: "const isUnderWay = holder !== null && until !== null;",
    to: "const isUnderWay = false as boolean;",
    plan: { trigger: "on", weights: { repair: 3, "write directly": 20 } },
  },
  "a repair that does not say when it read": {
    file: "jobs/repair/rebuild.ts",
    from: "stands_until: null, repaired_at: remade.readAt }",
    to: "stands_until: null }",
    plan: { trigger: "on", weights: { repair: 3, "write directly": 20 } },
  },
  "a deletion that is always later than a repair": {
    file: follow,
    from: "return updateTime !== undefined && versionName(path, updateTime) === versionName(path, before.updateTime);",
    to: "return true;",
    plan: { trigger: "on", weights: { repair: 3, "write directly": 20 } },
  },
  "a repair that searches where the ranking before ended": {
    file: "jobs/repair/rebuild.ts",
    from: "{ includeOpenSlot, fromStart: true }",
    to: "{ includeOpenSlot }",
    plan: { strays: 0.5 },
  },
  // Movement.
  "a ranking that mixes two days": {
    file: "ranking/read.ts",
    from: "if (endMs > all.untilMs) {",
    to: "if (endMs > Infinity) {",
    plan: { movement: true },
  },
  "a copy of midnight that later rankings replace": {
    file: "ranking/baselines.ts",
    from: "mayBeOf(first, at) && !listed.some((one) => one.at === at)",
    to: "true",
    plan: { movement: true },
  },
  "a copy that is listed as that of the day before": {
    file: "ranking/baselines.ts",
    from: "...added.map((at) => ({ at, copy }))",
    to: "...added.map((at) => ({ at: at - 86_400_000, copy }))",
    plan: { movement: true },
  },
  "midnights of another time zone": {
    file: "model/midnights.ts",
    from: 'return seasonAt("daily", atMs, calendar).closesAtMs;',
    to: 'return seasonAt("daily", atMs, { ...calendar, time_zone: "UTC" }).closesAtMs;',
    plan: { movement: true },
  },
  "a note of what is counted after the change": {
    file: "documents/mark.ts",
    from: "historyAfter(history, was, day)",
    to: 'historyAfter(history, fieldToMark(counted ?? "")?.score ?? was, day)',
    plan: { movement: true },
  },
  "notes that are gone too soon": {
    file: "documents/history.ts",
    from: "days: all.filter((day) => needed.includes(day))",
    to: "days: all.slice(-1)",
    plan: { movement: true },
  },
  "an event that brings no note back": {
    file: follow,
    from: "if (isLast) return { data: before?.data };",
    to: "if (isLast) return unmarked;",
    plan: { movement: true, trigger: "on", weights: { "write directly": 20 } },
  },
  "a ranking that passes for that of a midnight while changes wait": {
    file: "reading/quiet.ts",
    from: "return Math.min(changedMs, databaseMs(first.readTime) - graceMs);",
    to: "return databaseMs(first.readTime) - graceMs;",
    plan: { movement: true },
  },
  "a repair that keeps what midnights were": {
    file: "ranking/publication.ts",
    from: "? { remadeAt }",
    to: '? { kept: (first.get("baselines") ?? []) as never[], remadeAt }',
    plan: { movement: true, weights: { repair: 3 } },
  },
  "a repair that passes for the ranking of a midnight before": {
    file: "ranking/publication.ts",
    from: "...(remadeAt && remadeAt > asOf && { remade_at: remadeAt }),",
    to: "",
    plan: { movement: true, weights: { repair: 3, "repair step": 10, run: 12 } },
  },
  // Segments.
  "a change that is counted out of the new segments": {
    file: commit,
    from: "count(key, countedIn(before), countedIn(after));",
    to: 'count(key, countedIn(before)?.split(" ").slice(0, 1).concat(countedIn(after)?.split(" ").slice(1) ?? []).join(" "), countedIn(after));',
    plan: { segments: true },
  },
  "a new name that takes a player out of the segments": {
    file: commit,
    from: "markOf(found.ref.path, countedIn(data), found, historyIn(data));",
    to: 'markOf(found.ref.path, countedIn(data)?.split(" ")[0], found, historyIn(data));',
    plan: { segments: true, weights: { "set a profile": 10 } },
  },
  "a page of segments that stays as it was": {
    file: "ranking/publish.ts",
    from: "for (const page of segmentPages) writer",
    to: "for (const page of segmentPages.slice(0, 1)) writer",
    plan: { segments: true },
  },
  "pages of segments that are left over": {
    file: "ranking/publish.ts",
    from: "page < (firstPage?.segmentPages ?? 0); page++",
    to: "page < 0; page++",
    plan: { segments: true },
  },
  "a value that comes in after it was left out": {
    file: "ranking/ranked.ts",
    from: "if (known.has(group))",
    to: "if (known.has(group) || group.values.length < most)",
    plan: { segments: true, players: 40 },
  },
  "a new season that forgets its players' segments": {
    file: "submit/read-players.ts",
    from: "const begun = { attempts: 0, status, ...(segments && { segments }) };",
    to: "const begun = { attempts: 0, status };",
    plan: { segments: true, ends: true },
  },
  "a merge that drops values": {
    file: "submit/merge.ts",
    from: "segments: from.segments ? { ...from.segments, ...to.segments } : to.segments,",
    to: "segments: to.segments,",
    plan: { segments: true, weights: { merge: 5 } },
  },
  "a segment with what is pending of all players": {
    file: "reading/live.ts",
    from: "const sums = { ...season.segment(segment), key,",
    to: "const sums = { ...season, key,",
    plan: { segments: true, weights: { read: 30 } },
  },
  "a list of a segment that has everybody": {
    file: "documents/queries.ts",
    from: 'all : all.where(markedSegments, "array-contains", key.segment);',
    to: "all : all;",
    plan: { segments: true, weights: { read: 30 } },
  },
  "ranks of segments of several generations": {
    file: "operations/get-rank.ts",
    from: "generations.every((one) => one === atLeast)",
    to: "atLeast > 0",
    plan: { segments: true, weights: { read: 60, run: 10 } },
  },
  "a closed season whose segments have everybody": {
    file: "jobs/closing/publish-standings.ts",
    from: '(segments[i] ?? "").split(" ")',
    to: '(segments[0] ?? "").split(" ")',
    plan: { segments: true, ends: true },
  },
  // Players of seasons.
  "a ban that a new season forgets": {
    file: "operations/set-player-status.ts",
    from: "transaction.set(db.doc(playerStatusPath(leaderboard, player)), { status });",
    to: "",
    plan: { ends: true },
  },
  "a merge that can count again": {
    file: "operations/merge-players.ts",
    from: "if (leftover === undefined) writer.remove(source);",
    to: "if (leftover === undefined) void source;",
    plan: { ends: true, weights: { merge: 2 } },
  },
  "a name that one season shows": {
    file: "operations/set-profile.ts",
    from: "for (const { document, fields } of changed) players",
    to: "for (const { document, fields } of changed.slice(0, 1)) players",
    plan: { ends: true, weights: { "set a profile": 10 } },
  },
  "a deleted board that leaves its events": {
    file: "jobs/closing/clear.ts",
    from: "if (held.isOfBoard && ",
    to: "if (!held && ",
  },
  "an event of a deleted board that counts in another": {
    file: follow,
    from: "return atMs < createdMs && !isThatOne",
    to: "return (false as boolean) && !isThatOne",
    plan: { trigger: "on" },
  },
  "an erased player whom events still name": {
    file: "operations/remove-player.ts",
    from: "await redactEvents(db, leaderboard, player);",
    to: "",
    plan: { ends: true },
  },
};
