/** `firerank ban`, `hide`, `unban`, `remove` and `merge`: calls about one player, and what they did, for people. */
import type { MergePlayersAnswer } from "../functions/src/model/admin-answers.ts";
import { FirerankError, TemplateAsked } from "../functions/src/model/errors.ts";
import { documentId } from "../functions/src/model/ids.ts";
import { seasonsListedMax } from "../functions/src/model/limits.ts";
import type { PlayerStatus } from "../functions/src/model/player-status.ts";
import { mergePlayersSpec } from "../functions/src/operations/merge-players.ts";
import { removePlayerSpec } from "../functions/src/operations/remove-player.ts";
import { setPlayerStatusSpec } from "../functions/src/operations/set-player-status.ts";
import { boardsDefined } from "../functions/src/seasons/boards-asked.ts";
import { seasonsOfPlayer } from "../functions/src/seasons/player-seasons.ts";
import type { Services } from "../functions/src/world/services.ts";
import { ZodError } from "zod";
import { call } from "./call.ts";
import { CliError } from "./cli-error.ts";
import { count } from "./progress.ts";

/** Hides, bans or readmits a player. Cost: that of {@link setPlayerStatusSpec}. @throws CliError */
export async function setStatus(
  services: Services,
  asked: { leaderboard: string; player: string; status: PlayerStatus; reason?: string | undefined },
): Promise<string> {
  const { player, status } = asked;
  const { leaderboard, seasons } = await call(setPlayerStatusSpec, services, asked).catch(
    adviseOnUid(player),
  );
  // Of a template, also where one of its boards was named; each line of its answer says which board it is.
  const isTemplate =
    leaderboard !== asked.leaderboard || seasons.some((one) => one.leaderboard !== undefined);
  const on = isTemplate ? `all boards of "${leaderboard}"` : `"${leaderboard}"`;
  const where = seasons.length === 0 ? "" : ` in ${seasonsSaid(seasons)}, and`;
  const isScored = seasons.some(({ score, columns }) => score !== undefined || columns !== undefined);
  const next = isScored ? "The next ranking has the player." : "The player has no score there.";
  const follows = status === "active" ? ` ${next}` : "";
  return `"${player}" is ${status} on ${on}:${where} in seasons to come.${follows}`;
}

/** `grant` takes an address too, but a player's id is the account's uid. */
const adviseOnUid = (player: string) => (error: unknown) => {
  if (!(error instanceof CliError) || !player.includes("@")) throw error;
  const { message, exitCode, cause } = error;
  if (!(cause instanceof FirerankError) || cause.code !== "player_not_ranked") throw error;
  throw new CliError(`${message} A player's id is the uid of the account, and no address.`, {
    cause,
    exitCode,
  });
};

/** An answer lists no more. */
const seasonsSaid = ({ length }: readonly unknown[]) =>
  `${count(length, "season")}${length < seasonsListedMax ? "" : " or more"}`;

/** Erases a player from all boards, or from one. Cost: that of {@link removePlayerSpec}. @throws CliError */
export async function removePlayer(
  services: Services,
  asked: { player: string; leaderboard: string | undefined },
): Promise<string> {
  const { player, removed } = await call(removePlayerSpec, services, asked);
  const { leaderboard } = asked;
  const [on, toCome] =
    leaderboard === undefined ? ["any board", ", also on boards to come"] : [`"${leaderboard}"`, ""];
  const keptOut = `For 25 hours no score of the player is taken on ${on}${toCome}.`;
  if (removed.length === 0)
    return `Nothing was stored about "${player}" on ${on}. Is the id right? ${keptOut}`;
  const boards = new Set(removed.map(({ leaderboard }) => leaderboard));
  return `"${player}" is erased from ${seasonsSaid(removed)} of ${count(boards.size, "board")}. ${keptOut}`;
}

/**
 * Merges a player into another, on all boards or on one. Cost: that of {@link mergePlayersSpec}.
 * @throws CliError, also where a season or a board could not be merged, after all others are
 */
export async function mergePlayers(
  services: Services,
  asked: { from: string; to: string; leaderboard: string | undefined },
): Promise<string> {
  const answer = await call(mergePlayersSpec, services, asked);
  const told = mergedText(answer);
  const problems = problemsOf(answer);
  if (problems.length === 0) return told;
  throw new CliError([told, ...problems, "The same command again merges the rest."].join("\n"));
}

/**
 * What to say before a merge into a player without a score: a mistyped id is no error, as a guest is merged into a fresh
 * account. Undefined where there is a score, or where the merge itself will refuse. Cost: {@link boardsDefined}, and 2 reads
 * for each season, until a score is found.
 */
export async function noScoreNote(
  services: Services,
  { to, leaderboard }: { to: string; leaderboard: string | undefined },
): Promise<string | undefined> {
  if (!documentId.safeParse(to).success) return undefined;
  try {
    for (const board of await boardsDefined(services, leaderboard, [to]))
      if (await hasScore(services, board, to)) return undefined;
  } catch (error) {
    if (error instanceof FirerankError || error instanceof ZodError) return undefined;
    throw error;
  }
  return `"${to}" has no score on ${leaderboard === undefined ? "any board" : `"${leaderboard}"`} yet: check the id.`;
}

async function hasScore(services: Services, board: string, player: string): Promise<boolean> {
  try {
    const seasons = await seasonsOfPlayer(services, board, player);
    return seasons.some((season) => season.player.get("score") !== undefined);
  } catch (error) {
    // Its boards are looked at by themselves.
    if (error instanceof TemplateAsked) return false;
    throw error;
  }
}

function mergedText({ from, to, seasons }: MergePlayersAnswer): string {
  const merged = seasons.filter((one) => one.merged);
  const repeated = merged.flatMap(({ leaderboard, season, repeated: ids = [] }) =>
    ids.map((id) => `\nSubmission "${id}" of both may have counted twice: "${leaderboard}", ${season}.`),
  );
  const nobody = merged.length === 0 ? ` "${from}" was in none that could be merged.` : "";
  return `"${from}" is merged into "${to}" in ${count(merged.length, "season")}.${nobody}${repeated.join("")}`;
}

function problemsOf({ seasons, failed = [] }: MergePlayersAnswer): string[] {
  const ofSeasons = seasons.flatMap(({ leaderboard, season, error }) =>
    error === undefined ? [] : [`"${leaderboard}", ${season}: ${error.message}`],
  );
  return [...ofSeasons, ...failed.map(({ leaderboard, message }) => `"${leaderboard}": ${message}`)];
}
