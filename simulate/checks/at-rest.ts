/**
 * What must hold once every event is delivered and a last run has folded everything: everything equals a plain sort.
 */
import { isDeepStrictEqual } from "node:util";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { countedIn, isMarkRight } from "../../functions/src/documents/mark.ts";
import { playersPath, type SeasonKey, shardsPath, topPath } from "../../functions/src/documents/paths.ts";
import { readTop, type Top } from "../../functions/src/documents/top.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { markToField } from "../../functions/src/model/segments.ts";
import type { Data, Documents, Found, Store } from "../memory/store.ts";
import { type FinalLine, lineIn } from "./finals.ts";
import { scoreIn, segmentsOf, statusIn } from "./player.ts";
import { checkEntries, type Line, type Ordering, recount, segmentsIn } from "./recount.ts";
import { insist } from "./violation.ts";

/**
 * Marks equal the sorted players' documents, and nothing is pending. That the rows are the marks then, conservation.ts holds.
 * @throws a violation
 */
export function checkPublished(store: Documents, key: SeasonKey, definition: Definition): void {
  checkConverged(store, key, definition);
  insist(
    store.list(shardsPath(key)).length === 0,
    () => "at rest: changes wait in shards, and nobody will fold them",
  );
}

/** The active players with a score that lists find, in the total order, by plain sorting. */
export function listedPlayers(
  store: Documents,
  key: SeasonKey,
  definition: Ordering,
  at?: Timestamp,
): Line[] {
  return rankedPlayers(
    store.list(playersPath(key), at).filter(({ data }) => isListed(data)),
    definition,
  );
}

/** The active players with a score, in the total order, by plain sorting. */
function rankedPlayers(players: readonly Found[], definition: Ordering): Line[] {
  const lines = new Map<string, FinalLine>();
  for (const { id, data } of players) {
    const line = lineIn(data, segmentsOf(data));
    const isRanked = scoreIn(data) !== undefined && statusIn(data) === "active";
    insist(!isRanked || line !== undefined, () => `at rest: nobody completed the document of ${id}`);
    if (line !== undefined) lines.set(id, line);
  }
  return recount(lines, definition);
}

/** Convergence: the marks count the active players' scores, and those that cannot be ranked. @throws a violation */
export function checkConverged(store: Documents, key: SeasonKey, definition: Definition): void {
  const players = store.list(playersPath(key));
  const ranked = rankedPlayers(players, definition);
  const marks = new Map(ranked.map((line) => [line.player, markToField(line.score, segmentsIn(line))]));
  for (const { id, data } of players) {
    const isScored = data["score"] !== undefined && data["score"] !== null;
    const should = marks.get(id) ?? (statusIn(data) !== "active" || !isScored ? undefined : "unusable");
    const is = countedIn(data);
    insist(is === should, () => `convergence: ${id} should be counted as ${should}, and is as ${is}`);
  }
}

/**
 * The top list equals the sorted players, once every requested refresh has happened.
 * @throws a violation
 */
export function checkTopAtRest(store: Documents, key: SeasonKey, definition: Definition): void {
  const top = store.get(topPath(key));
  if (top !== undefined)
    checkEntries(readTop(top.data), listedPlayers(store, key, definition), definition.top_size);
}

/**
 * A stale read can never overwrite a newer top: the top's moment does not go back. A publication may keep the top of a
 * moment, with the same entries, if it shows all scores that are counted; which is checked where nothing is pending.
 * @throws a violation
 */
export function checkTopIsNewer(
  store: Store,
  key: SeasonKey,
  definition: Definition,
  { before, after }: { before: Data | undefined; after: Data | undefined },
  isUnseen: IsUnseen,
): void {
  if (before === undefined || after === undefined) return;
  const [was, is] = [readTop(before), readTop(after)];
  const isKept = was.as_of.isEqual(is.as_of) && was.generation < is.generation;
  insist(
    isKept ? isDeepStrictEqual(was.entries, is.entries) : was.as_of.valueOf() < is.as_of.valueOf(),
    () => `top: as of ${is.as_of.valueOf()} it replaced one of ${was.as_of.valueOf()}`,
  );
  if (!isKept || store.list(shardsPath(key)).length > 0) return;
  const players = store.list(playersPath(key));
  const wholeAt = is.whole_at ?? is.as_of;
  const areSeen = [...players.map(({ id }) => id), ...is.entries.map(({ player }) => player)].every(
    (player) => !isUnseen(player, wholeAt),
  );
  if (!areSeen || !players.every(({ data }) => isMarkRight(data, definition))) return;
  const scores = listedPlayers(store, key, definition).map(({ score }) => score);
  insist(
    isDeepStrictEqual(
      is.entries.map(({ score }) => score),
      scores.slice(0, definition.top_size),
    ),
    () => `top: a publication kept the top of ${is.as_of.valueOf()}, which lacks a score that counts`,
  );
}

/** Whether the event of a server's write of a player may have been on its way at a moment, or later. */
type IsUnseen = (player: string, moment: Timestamp) => boolean;

/**
 * The top list equals the sorted players at the moment that it names, but for players whose events are on their way.
 * (Not at rest: a change that the index never saw, such as hidden and active again, publishes nothing.) A top whose
 * moment is too old is skipped.
 * @throws a violation
 */
export function checkTop(store: Store, key: SeasonKey, definition: Definition, isUnseen: IsUnseen): void {
  const top = readTop(store.get(topPath(key))?.data);
  if (!store.isKept(top.as_of)) return;
  const table = listedPlayers(store, key, definition, top.as_of);
  if (top.whole_at?.isEqual(top.as_of) !== false) checkEntries(top, table, definition.top_size);
  else checkChanged(store, key, definition, { top, table, isUnseen });
}

/**
 * A top with what has changed since all of its players were read. Names, times, and what a server has written whose event
 * had not come then, are those of earlier. So scores are compared, and who has each, but for these players and for those
 * who have the score of the last.
 */
function checkChanged(
  store: Store,
  key: SeasonKey,
  definition: Definition,
  { top, table, isUnseen }: { top: Top; table: readonly Line[]; isUnseen: IsUnseen },
): void {
  const documents = store.list(playersPath(key), top.as_of);
  const wholeAt = top.whole_at ?? top.as_of;
  const right = documents.filter(({ id, data }) => isMarkRight(data, definition) && !isUnseen(id, wholeAt));
  const isSeen = new Set(right.map(({ id }) => id));
  const seen = <Of extends { player: string }>(list: readonly Of[]) =>
    list.filter(({ player }) => isSeen.has(player));
  const [shown, all] = [seen(top.entries), seen(table)];
  const unseen = documents.length - isSeen.size + top.entries.length - shown.length;
  const size = Math.min(definition.top_size, table.length);
  const told = () => `top: as of ${top.as_of.valueOf()} ${toldOf(top.entries)} and not ${toldOf(table)}`;
  insist(shown.length <= definition.top_size && shown.length >= size - unseen, told);
  const expected = all.slice(0, shown.length);
  insist(isDeepStrictEqual(shown.map(scoreOf), expected.map(scoreOf)), told);
  const last = shown.at(-1)?.score;
  const namesOf = (list: readonly { player: string; score: number }[]) =>
    new Set(list.filter(({ score }) => score !== last).map(({ player }) => player));
  insist(isDeepStrictEqual(namesOf(shown), namesOf(expected)), told);
}

const scoreOf = ({ score }: { score: number }) => score;

/** Whether a query finds a document: one with only a trusted server's score, only once the trigger has completed it. */
function isListed({ status, achieved_at: at }: Data): boolean {
  return status === "active" && at instanceof Timestamp;
}

const toldOf = (list: readonly { player: string; score: number }[]) =>
  list.map(({ player, score }) => `${player} ${score}`).join();
