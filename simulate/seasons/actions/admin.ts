/** Actions of admins and trusted servers: hide, ban and erase players, open and close tournaments, change calendars. */
import { playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
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
import type { DirectWrite } from "../checks/work.ts";
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

/** A trusted server writes only a score, to a season that takes scores; or anything, to one that takes none any more. */
export function setScore(world: SeasonsWorld): void {
  if (world.random() < 0.6) {
    writeLate(world);
    return;
  }
  const now = world.now();
  const known = someSeason(world, ({ opensMs, closesMs }) => opensMs <= now && now < closesMs);
  if (known?.season.status !== "open") return;
  const key = { leaderboard, season: known.id };
  const player = somePlayer(world);
  const score = writtenScore(world);
  world.invoke({
    name: `set ${player} in ${known.id}`,
    instance: someInstance(world),
    work: scoreAlone(known.id, player, score),
    secondsMax,
    async handle({ db }) {
      await db.doc(playerPath(key, player)).set({ score }, { merge: true });
    },
    end: (ending) => {
      expectPassing(world, ending);
    },
  });
}

const writtenScore = (world: SeasonsWorld) =>
  world.random() < 0.15 ? oneOf(world, unusable) : someScore(world);

const scoreAlone = (season: string, player: string, score: unknown): DirectWrite => {
  return { kind: "direct", season, player, after: (before) => ({ ...before, score }), isWhole: false };
};

/** Mostly a score alone; or nothing any more, a bare score in place of everything, or an older version. */
function lateWrite(world: SeasonsWorld, season: string, player: string): DirectWrite {
  const choice = world.random();
  const score = writtenScore(world);
  if (choice < 0.5) return scoreAlone(season, player, score);
  const older = world.older.get(playerPath({ leaderboard, season }, player)) ?? [];
  const data =
    choice < 0.65 ? undefined : choice < 0.8 || older.length === 0 ? { score } : oneOf(world, older);
  return { kind: "direct", season, player, after: () => data, isWhole: true };
}

/** A trusted server writes to a season that is closing or closed, and not yet being deleted. */
function writeLate(world: SeasonsWorld): void {
  const known =
    (world.random() < 0.8 ? someSeason(world, ({ season }) => season.status === "closing") : undefined) ??
    someSeason(world, ({ season }) => season.status === "closed");
  if (known === undefined) return;
  const key = { leaderboard, season: known.id };
  const players = [...world.ledger.players(known.id).keys()];
  const player = players.length === 0 || world.random() < 0.2 ? somePlayer(world) : oneOf(world, players);
  const work = lateWrite(world, known.id, player);
  world.invoke({
    name: `write ${player} in ${known.id}, which is ${known.season.status}`,
    instance: someInstance(world),
    work,
    secondsMax,
    async handle({ db }) {
      await db.runTransaction(async (transaction) => {
        const ref = db.doc(playerPath(key, player));
        const [season, document] = await transaction.getAll(db.doc(seasonPath(key)), ref);
        if (season?.exists !== true || season.get("status") === "deleting") return;
        const data = work.after(document?.data());
        if (data === undefined) transaction.delete(ref);
        else transaction.set(ref, data);
      });
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
