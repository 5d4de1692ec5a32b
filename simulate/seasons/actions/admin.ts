/** Actions of admins and trusted servers: hide, ban and erase players, open and close tournaments, change calendars. */
import { playerPath } from "../../../functions/src/documents/paths.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import { closeSeasonSpec } from "../../../functions/src/operations/close-season.ts";
import { mergePlayersSpec } from "../../../functions/src/operations/merge-players.ts";
import { openSeasonSpec } from "../../../functions/src/operations/open-season.ts";
import { removePlayerSpec } from "../../../functions/src/operations/remove-player.ts";
import { saveLeaderboardSpec } from "../../../functions/src/operations/save-leaderboard.ts";
import type { Services } from "../../../functions/src/operations/services.ts";
import { setPlayerStatusSpec } from "../../../functions/src/operations/set-player-status.ts";
import { startRepair, stepRepair } from "../../../functions/src/jobs/repair/repair.ts";
import type { RepairRequest } from "../../../functions/src/world/tasks.ts";
import { grpc, grpcCode } from "../../../functions/src/world/retryable.ts";
import { expectPassing, oneOf, someInstance } from "../../actors.ts";
import type { Ending } from "../../machine.ts";
import type { StatusAsked } from "../checks/statuses.ts";
import { zones } from "../plan.ts";
import { leaderboard } from "../board.ts";
import type { SeasonsWorld } from "../world.ts";
import { someCup, somePlayer, someScore, someSeason } from "./some.ts";

const secondsMax = 60;
const longSecondsMax = 540;

/** An admin hides, bans or readmits a player, or erases one, in all seasons. */
export function setStatus(world: SeasonsWorld, status: StatusAsked["status"]): void {
  const player = somePlayer(world);
  const asked = world.ledger.statusAsked(player, status);
  const removal = world.erased.begun(player);
  world.invoke({
    name: `${status === "removed" ? "remove" : `make ${status}`} ${player}`,
    instance: someInstance(world),
    work: { kind: "status", asked },
    secondsMax: status === "removed" ? longSecondsMax : secondsMax,
    async handle(services) {
      if (status === "removed") await removePlayerSpec.handle(services, { leaderboard, player }, undefined);
      else await setPlayerStatusSpec.handle(services, { leaderboard, player, status }, undefined);
    },
    end(ending) {
      world.mayMissFollower ||= ending.how !== "done";
      const isRefused = hasCode(ending, "player_not_ranked");
      // A season that is retired meanwhile counts as missing.
      if (!isRefused && !hasCode(ending, "season_not_found")) expectPassing(world, ending);
      try {
        world.ledger.statusAnswered(
          asked,
          isRefused ? "refused" : ending.how === "done" ? "done" : "unknown",
        );
        if (status === "removed" && ending.how === "done") world.erased.done(removal);
      } catch (error) {
        world.violation ??= error as Error;
      }
    },
  });
}

/** An admin merges a player into another, on the whole board; now and then one who is nowhere. */
export function merge(world: SeasonsWorld): void {
  const [from, to] = [somePlayer(world), somePlayer(world)];
  if (from === to) return;
  const asked = world.ledger.mergeAsked(from, to);
  const removal = world.erased.begun(from, true);
  world.invoke({
    name: `merge ${from} into ${to}`,
    instance: someInstance(world),
    work: { kind: "merge", asked },
    secondsMax: longSecondsMax,
    async handle(services) {
      await mergePlayersSpec.handle(services, { leaderboard, from, to }, undefined);
    },
    end(ending) {
      world.mayMissFollower ||= ending.how !== "done";
      const isClear = hasCode(ending, "player_not_ranked") || hasCode(ending, "season_not_found");
      if (!isClear) expectPassing(world, ending);
      try {
        world.ledger.mergeAnswered(asked);
        if (ending.how === "done") world.erased.done(removal);
      } catch (error) {
        world.violation ??= error as Error;
      }
    },
  });
}

const hasCode = (ending: Ending, code: string) =>
  ending.how === "failed" && ending.error instanceof FirerankError && ending.error.code === code;

const unusable = ["12", NaN, null, 2 ** 60];

/** A trusted server writes only a score, to a season that takes scores. */
export function setScore(world: SeasonsWorld): void {
  const now = world.now();
  const known = someSeason(world, ({ opensMs, closesMs }) => opensMs <= now && now < closesMs);
  if (known?.season.status !== "open") return;
  const key = { leaderboard, season: known.id };
  const player = somePlayer(world);
  const written = world.random() < 0.15 ? oneOf(world, unusable) : someScore(world);
  const score = typeof written === "number" && Math.abs(written) < 2 ** 53 ? written : undefined;
  world.invoke({
    name: `set ${player} in ${known.id}`,
    instance: someInstance(world),
    work: { kind: "set score", season: known.id, player, score },
    secondsMax,
    async handle({ db }) {
      await db.doc(playerPath(key, player)).set({ score: written }, { merge: true });
    },
    end: (ending) => {
      expectPassing(world, ending);
    },
  });
}

/** The most tournaments at a time that are not closed. */
const cupsOpenMax = 3;

/** An admin opens a tournament: now or soon, with an end or without. */
export function openCup(world: SeasonsWorld): void {
  const open = world.life.all().filter(({ season }) => season.span === "custom" && season.status === "open");
  if (open.length >= cupsOpenMax) return;
  const season = `cup${(world.cups += 1)}`;
  const opensMs = world.now() + (world.random() < 0.5 ? 0 : world.random() * 300_000);
  const lengthMs = 120_000 + world.random() * oneOf(world, [300_000, 3_600_000, 86_400_000]);
  const times = {
    ...(world.random() < 0.5 ? {} : { opens_at: new Date(opensMs).toISOString() }),
    ...(world.random() < 0.3 ? {} : { closes_at: new Date(opensMs + lengthMs).toISOString() }),
  };
  administer(
    world,
    `open ${season}`,
    async (services) => {
      await openSeasonSpec.handle(services, { leaderboard, season, ...times }, undefined);
    },
    { kind: "open" },
  );
}

/** An admin ends a tournament; now and then one that has already ended. */
export function closeCup(world: SeasonsWorld): void {
  const season = someCup(world);
  administer(world, `close ${season}`, async (services) => {
    await closeSeasonSpec.handle(services, { leaderboard, season }, undefined);
  });
}

/**
 * The owner changes the time zone, or the first day of the week; one save at a time, as each writes the whole
 * definition.
 */
export function changeCalendar(world: SeasonsWorld): void {
  if (world.isSaving) return;
  world.isSaving = true;
  const definition: Definition = {
    ...world.plan.definition,
    time_zone: oneOf(world, zones),
    week_starts_on: oneOf(world, ["monday", "sunday", "wednesday"] as const),
  };
  administer(
    world,
    `move to ${definition.time_zone}`,
    async (services) => {
      await saveLeaderboardSpec.handle(services, { leaderboard, definition }, undefined);
    },
    { kind: "other" },
    () => (world.isSaving = false),
  );
}

/** An owner requests an audit or a repair of some season, at once or in steps. */
export function repair(world: SeasonsWorld): void {
  const known = someSeason(world, () => true);
  if (known === undefined) return;
  const kind = oneOf(world, ["audit", "repair", "repair"] as const);
  const full = world.random() < 0.5;
  const options = world.random() < 0.5 ? {} : { ...stepOptions(world), inlinePlayersMax: 0 };
  administer(world, `${kind} ${known.id}`, async (services) => {
    await startRepair(services, { leaderboard, season: known.id }, { kind, full }, options);
  });
}

const stepOptions = ({ plan: { documentsPerRead } }: SeasonsWorld) => {
  return { budgetMs: -1, documentsPerRead, retries: true };
};

/** A step of a repair. */
export function repairStep(world: SeasonsWorld, request: RepairRequest): void {
  administer(world, `step of the ${request.job} of ${request.season}`, async (services) => {
    await stepRepair(services, request, stepOptions(world));
  });
}

/** Errors that tell an admin clearly what is wrong with a season. */
const clear = ["invalid_request", "season_not_found", "season_closed", "contention"];

function administer(
  world: SeasonsWorld,
  name: string,
  handle: (services: Services) => Promise<void>,
  work: { kind: "open" } | { kind: "other" } = { kind: "other" },
  after: () => void = () => undefined,
): void {
  world.invoke({
    name,
    instance: someInstance(world),
    work,
    secondsMax: name.startsWith("close ") ? secondsMax : longSecondsMax,
    handle,
    end(ending) {
      after();
      world.mayMissFollower ||= ending.how !== "done";
      const isClear = clear.some((code) => hasCode(ending, code));
      const isBusy = ending.how === "failed" && grpcCode(ending.error) === grpc.notFound;
      if (!isClear && !isBusy) expectPassing(world, ending);
    },
  });
}
