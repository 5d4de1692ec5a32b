/** Actions of trusted servers and owners on players: write their documents, hide, ban, readmit and erase them. */
import { leaderboardPath, playerPath, seasonPath } from "../../functions/src/documents/paths.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import { removePlayerSpec } from "../../functions/src/operations/remove-player.ts";
import { saveLeaderboardSpec } from "../../functions/src/operations/save-leaderboard.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import { setPlayerStatusSpec } from "../../functions/src/operations/set-player-status.ts";
import { grpc, grpcCode } from "../../functions/src/world/retryable.ts";
import { expectPassing, oneOf, someInstance, somePlayer, someScore } from "../actors.ts";
import { stateOf } from "../checks/at-rest.ts";
import type { Answer, PlayerState, Request } from "../checks/players-twin.ts";
import type { Ending } from "../machine.ts";
import type { Data } from "../memory/fields.ts";
import { foreignName, type World } from "../world.ts";
import { overlapMax } from "./submit.ts";

const unusable = ["12", NaN, Infinity, null, 2 ** 60, [1]];

const directWrites = ["a field", "a status", "overwrite", "copy", "delete", "delete and create"] as const;

/**
 * A trusted server writes a player's document by itself: single fields, a document without a mark, a copy of an older
 * version or of another player's document, nothing any more, or that and then something else.
 */
export function writeDirectly(world: World): void {
  const player = somePlayer(world);
  switch (oneOf(world, directWrites)) {
    case "a field": {
      const written = world.random() < 0.2 ? oneOf(world, unusable) : someScore(world);
      const score = typeof written === "number" && Math.abs(written) < 2 ** 53 ? written : undefined;
      direct(world, player, { kind: "set score", score }, (ref) =>
        ref.set({ score: written }, { merge: true }),
      );
      return;
    }
    case "a status": {
      const status = oneOf(world, ["active", "active", "hidden", "banned"] as const);
      direct(world, player, { kind: "set status", status }, (ref) => ref.update({ status }));
      return;
    }
    case "delete":
      direct(world, player, { kind: "remove" }, (ref) => ref.delete());
      return;
    case "delete and create":
      direct(
        world,
        player,
        { kind: "remove" },
        (ref) => ref.delete(),
        () => {
          put(world, player, someData(world));
        },
      );
      return;
    case "overwrite":
      put(world, player, { score: someScore(world) });
      return;
    case "copy":
      put(world, player, someData(world));
  }
}

/** A version that some player's document has had, or a bare score. */
function someData(world: World): Data {
  const { versions } = world;
  if (versions.length === 0 || world.random() < 0.3) return { score: someScore(world) };
  // Mostly a young one, whose mark still looks as if it was made just now.
  const at =
    world.random() < 0.5 ? versions.length - 1 - world.index(Math.min(3, versions.length)) : undefined;
  return oneOf(world, at === undefined ? versions : versions.slice(at, at + 1));
}

function put(world: World, player: string, data: Data): void {
  const { score, status = "active" } = stateOf(data) ?? { score: undefined };
  const state: PlayerState = {
    score,
    status,
    ids: [...((data["submission_ids"] as string[] | undefined) ?? [])].sort(),
  };
  direct(world, player, { kind: "overwrite", state }, (ref) => ref.set(data));
}

type Ref = ReturnType<Services["db"]["doc"]>;

function direct(
  world: World,
  player: string,
  request: Request,
  write: (ref: Ref) => Promise<unknown>,
  then?: () => void,
): void {
  meddle(world, player, request, ({ db }) => write(db.doc(playerPath(world.key, player))), {
    isForeign: true,
    then,
  });
}

/** An owner hides, bans or readmits a player. */
export function setStatus(world: World): void {
  if (!hasSeason(world)) return;
  const status = oneOf(world, ["active", "active", "hidden", "banned"] as const);
  const player = somePlayer(world);
  const { leaderboard } = world.key;
  meddle(world, player, { kind: "set status", status }, (services) =>
    setPlayerStatusSpec.handle(services, { leaderboard, player, status }, undefined),
  );
}

/** A player is erased. */
export function remove(world: World): void {
  if (!hasSeason(world)) return;
  const player = somePlayer(world);
  const { leaderboard } = world.key;
  meddle(world, player, { kind: "remove" }, (services) =>
    removePlayerSpec.handle(services, { leaderboard, player }, undefined),
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
export function hasSeason({ database, key }: World): boolean {
  return database.store.get(seasonPath(key)) !== undefined;
}

/** Saves the definition with some changed fields; one save at a time, as each writes the whole definition. */
function save(world: World, name: string, fields: Partial<Definition>): void {
  if (world.isSaving) return;
  world.isSaving = true;
  const { leaderboard } = world.key;
  const stored = world.database.store.get(leaderboardPath(leaderboard))?.data as Partial<Definition>;
  const { ranking_interval_minutes } = { ...world.definition, ...stored };
  const definition = { ...world.definition, ranking_interval_minutes, ...fields };
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

interface How {
  isForeign?: boolean;
  then?: (() => void) | undefined;
}

function meddle(
  world: World,
  player: string,
  request: Request,
  change: (services: Services) => Promise<unknown>,
  { isForeign = false, then }: How = {},
): void {
  if (world.twin.overlapping(player) >= overlapMax) return;
  const open = world.twin.begin(player, request);
  world.begin(
    `${isForeign ? `${foreignName} ` : ""}${request.kind} of ${player}`,
    someInstance(world),
    async (services) => {
      await change(services);
    },
    (ending) => {
      if (ending.how !== "done") world.mayMissFollower = true;
      const isDamaged = world.wasDamaged.has(playerPath(world.key, player));
      const answer =
        isDamaged && ending.how === "failed" && grpcCode(ending.error) !== undefined
          ? "unknown"
          : answerOf(ending);
      if (answer === "unknown") expectPassing(world, ending);
      try {
        world.twin.end(player, open, answer);
      } catch (error) {
        world.violation ??= error as Error;
      }
      if (ending.how === "done") then?.();
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
