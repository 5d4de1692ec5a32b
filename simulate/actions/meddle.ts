/** Actions of trusted servers and owners on players: write their documents, hide, ban, readmit and erase them. */
import { leaderboardPath, playerPath, seasonPath } from "../../functions/src/documents/paths.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import { removePlayerSpec } from "../../functions/src/operations/remove-player.ts";
import { saveLeaderboardSpec } from "../../functions/src/operations/save-leaderboard.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import { startRepair } from "../../functions/src/repair/repair.ts";
import { setPlayerStatusSpec } from "../../functions/src/operations/set-player-status.ts";
import { grpc, grpcCode } from "../../functions/src/world/retryable.ts";
import { expectPassing, oneOf, someInstance, somePlayer, someScore } from "../actors.ts";
import type { Answer, Request } from "../checks/players-twin.ts";
import { sourceOf } from "../checks/source.ts";
import type { Ending } from "../machine.ts";
import type { World } from "../world.ts";
import { overlapMax } from "./submit.ts";

const unusable = ["12", NaN, Infinity, null, 2 ** 60, [1]];

/** A trusted server writes only a score, keeping the other fields; now and then one that cannot be ranked. */
export function setScore(world: World): void {
  const written = world.random() < 0.2 ? oneOf(world, unusable) : someScore(world);
  const score = typeof written === "number" && Math.abs(written) < 2 ** 53 ? written : undefined;
  meddle(world, { kind: "set score", score }, ({ db }, player) =>
    db.doc(playerPath(world.key, player)).set({ score: written }, { merge: true }),
  );
}

/** An owner hides, bans or readmits a player, by the callable or by a bare write. */
export function setStatus(world: World): void {
  const status = oneOf(world, ["active", "active", "hidden", "banned"] as const);
  const { leaderboard } = world.key;
  const isBare = !hasSeason(world) || world.random() < 0.5;
  meddle(world, { kind: "set status", status }, (services, player) =>
    isBare
      ? services.db.doc(playerPath(world.key, player)).update({ status })
      : setPlayerStatusSpec.handle(services, { leaderboard, player, status }, undefined),
  );
}

/** A player is erased, by the callable or by a bare delete. */
export function remove(world: World): void {
  const { leaderboard } = world.key;
  const isBare = !hasSeason(world) || world.random() < 0.5;
  meddle(world, { kind: "remove" }, (services, player) =>
    isBare
      ? services.db.doc(playerPath(world.key, player)).delete()
      : removePlayerSpec.handle(services, { leaderboard, player }, undefined),
  );
}

/** The longest interval, a day. */
export const intervalMinutesMax = 24 * 60;

/** An owner changes the ranking interval. */
export function changeInterval(world: World): void {
  const minutes = oneOf(world, [1, 2, 5, 60, intervalMinutesMax]);
  save(world, `interval of ${minutes} minutes`, { ranking_interval_minutes: minutes });
}

/**
 * The callables go by seasons: a document that a trusted server wrote before the first season was opened is not found.
 */
function hasSeason({ database, key }: World): boolean {
  return database.store.get(seasonPath(key)) !== undefined;
}

/**
 * An owner switches a board from its index to counting or back, whatever has been published since the last time, or
 * rebuilds it, in full or not. For a minute after a switch some instances continue as before. A rebuild that comes too
 * early, or from an index that was left to counts, is refused.
 */
export function changeSource(world: World): void {
  const isIndexed = sourceOf(world.database.store, world.key) === "index";
  const chance = world.random();
  // A rebuild of a counted board counts a trusted server's bare documents too, which the next run counts when complete.
  if (isIndexed && chance < 0.5 && hasSeason(world)) requestRebuild(world, chance < 0.25);
  else saveSource(world, isIndexed ? "count" : "index");
}

/** An owner requests a rebuild, which may be refused. */
export function requestRebuild(world: World, full: boolean): void {
  world.begin(
    full ? "full rebuild" : "rebuild",
    someInstance(world),
    async (services) => {
      await (world.mutant?.repair ?? startRepair)(services, world.key, { kind: "rebuild", full });
    },
    (ending) => {
      if (ending.how !== "done") world.mayMissFollower = true;
      // The instance may remember the board without its season.
      if (!hasCode(ending, "season_not_found")) expectPassing(world, ending);
    },
  );
}

function hasCode(ending: Ending, code: string): boolean {
  return ending.how === "failed" && ending.error instanceof FirerankError && ending.error.code === code;
}

/** Saves the board with another source. */
export function saveSource(world: World, source: "index" | "count"): void {
  save(world, `source ${source}`, { source });
}

/** Saves the definition with some changed fields; one save at a time, as each writes the whole definition. */
function save(world: World, name: string, fields: Partial<Definition>): void {
  if (world.isSaving) return;
  world.isSaving = true;
  const { leaderboard } = world.key;
  const stored = world.database.store.get(leaderboardPath(leaderboard))?.data as Partial<Definition>;
  const { ranking_interval_minutes, source } = { ...world.definition, ...stored };
  const definition = { ...world.definition, ranking_interval_minutes, source, ...fields };
  world.begin(
    name,
    someInstance(world),
    async (services) => {
      await saveLeaderboardSpec.handle(services, { leaderboard, definition }, undefined);
    },
    (ending) => {
      world.isSaving = false;
      expectPassing(world, ending);
    },
  );
}

function meddle(
  world: World,
  request: Request,
  change: (services: Services, player: string) => Promise<unknown>,
): void {
  const player = somePlayer(world);
  if (world.twin.overlapping(player) >= overlapMax) return;
  const open = world.twin.begin(player, request);
  world.begin(
    `${request.kind} of ${player}`,
    someInstance(world),
    async (services) => {
      await change(services, player);
    },
    (ending) => {
      if (ending.how !== "done") world.mayMissFollower = true;
      const answer = answerOf(ending);
      if (answer === "unknown") expectPassing(world, ending);
      try {
        world.twin.end(player, open, answer);
      } catch (error) {
        world.violation ??= error as Error;
      }
    },
  );
}

/** `refused` if there is no such player. */
function answerOf(ending: Ending): Answer {
  if (ending.how !== "failed") return ending.how === "done" ? "done" : "unknown";
  const { error } = ending;
  const isMissing = error instanceof FirerankError && error.code === "player_not_ranked";
  return isMissing || grpcCode(error) === grpc.notFound ? "refused" : "unknown";
}
