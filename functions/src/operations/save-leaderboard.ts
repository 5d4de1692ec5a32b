/** `saveLeaderboard`: creates a board or changes its definition. */
import { z } from "zod";
import { type Firestore, Timestamp, type Transaction } from "../documents/firestore.ts";
import { leaderboardPath, pagePath, type SeasonKey } from "../documents/paths.ts";
import { anySeason } from "../documents/queries.ts";
import {
  type Definition,
  definitionSchema,
  frozenDifferences,
  storedDefinition,
} from "../model/definition.ts";
import { FirerankError } from "../model/errors.ts";
import { leaderboardId } from "../model/ids.ts";
import { bestPossible } from "../model/score.ts";
import { intervalEnd, intervalMs } from "../model/slot.ts";
import { currentSeasons } from "../seasons/current.ts";
import { followDefinition } from "../top/ask-refresh.ts";
import type { Services } from "./services.ts";
import type { OperationSpec } from "./spec.ts";

const requestFor = ({ intervalMinutesMin }: Services) =>
  z.strictObject({ leaderboard: leaderboardId, definition: definitionSchema(intervalMinutesMin) });

/**
 * Stores a definition, whole: a field that is left out gets its default. Functions see it within a minute.
 *
 * A board with scores can change its `source` at any time. From `index` to `count` the next run counts. From `count`
 * to `index` the players have to be indexed: a minute later, when every instance knows, `rebuildSeason` with
 * `full: true` does it; until then the counted ranking stays.
 *
 * Another `ties` or `top_size` shows in the top when every instance knows, a minute later, on an idle board too.
 *
 * Cost: 2 reads, 1 write; 1 write more where a season has to follow a new interval; a refresh of the top (top X + 2
 * reads, 1 write) where that has to follow.
 * @throws `definition_frozen` for another `order`, `aggregation` or `columns` once a season is open, which the first
 * valid submission does.
 */
export const saveLeaderboardSpec: OperationSpec<ReturnType<typeof requestFor>, Definition> = {
  name: "saveLeaderboard",
  access: "admin",
  request: requestFor,
  async handle(services, { leaderboard, definition }) {
    const before = await save(services, leaderboard, definition);
    services.boards.forget(leaderboard);
    if (before !== undefined && showsOtherTop(before, definition)) {
      for (const key of currentSeasons(leaderboard)) await followDefinition(services, key);
    }
    return definition;
  },
};

/** @returns the definition before, if the board has a season. */
async function save(
  { db, now }: Services,
  leaderboard: string,
  definition: Definition,
): Promise<Definition | undefined> {
  const ref = db.doc(leaderboardPath(leaderboard));
  return db.runTransaction(async (transaction) => {
    const stored = await transaction.get(ref);
    const season = (await transaction.get(anySeason(db, leaderboard))).docs[0];
    const before = stored.exists && season !== undefined ? storedDefinition.parse(stored.data()) : undefined;
    if (before !== undefined) {
      const differences = frozenDifferences(before, definition);
      if (differences.length > 0) throw frozen(leaderboard, differences);
    }
    if (before === undefined && season !== undefined)
      await refuseOtherOrder(db, transaction, { leaderboard, season: season.id }, definition);
    const nowMs = now();
    const changed = Timestamp.fromMillis(nowMs);
    // Before the first score there is nothing that could be indexed or counted by another source.
    const isSame = season === undefined || before?.source === definition.source;
    const sourceSince: unknown = isSame ? (stored.get("source_since") ?? null) : changed;
    transaction.set(ref, { ...definition, updated_at: changed, source_since: sourceSince });
    const lengthMs = intervalMs(definition.ranking_interval_minutes);
    if (season === undefined) return before;
    const isParked = season.get("parked") != null;
    if (season.get("interval_ms") !== lengthMs || isParked) {
      transaction.update(season.ref, {
        interval_ms: lengthMs,
        next_run_at: Timestamp.fromMillis(intervalEnd(nowMs, lengthMs)),
        ...(isParked ? { parked: null, dormant_at: null } : {}),
      });
    }
    return before;
  });
}

/**
 * A board whose definition was deleted comes back with the order that its ranking has; nothing tells about columns.
 * @throws `definition_frozen`
 */
async function refuseOtherOrder(
  db: Firestore,
  transaction: Transaction,
  key: SeasonKey,
  { order }: Definition,
): Promise<void> {
  const page = await transaction.get(db.doc(pagePath(key, 0)));
  if (!page.exists || page.get("from_score") === bestPossible(order)) return;
  throw new FirerankError(
    "definition_frozen",
    `Leaderboard "${key.leaderboard}" has a ranking of the other order. Save it with ` +
      `order "${order === "descending" ? "ascending" : "descending"}", or create another leaderboard.`,
    { fields: [{ path: "definition.order", message: "cannot change any more" }] },
  );
}

function showsOtherTop(before: Definition, { ties, top_size: size }: Definition): boolean {
  return before.ties !== ties || before.top_size !== size;
}

function frozen(leaderboard: string, differences: string[]): FirerankError {
  return new FirerankError(
    "definition_frozen",
    `Leaderboard "${leaderboard}" has scores, so its ${differences.join(" and ")} cannot change any more. ` +
      "Create another leaderboard, or send the definition with these fields as they are.",
    {
      fields: differences.map((path) => ({ path: `definition.${path}`, message: "cannot change any more" })),
    },
  );
}
