/** Who may call what: one table. docs/calls.md has the same, held to it by a test. */
import { FirerankError } from "../../model/errors.ts";
import { definedId } from "../../model/ids.ts";
import { type Grant, type Role, roles, suffices } from "../../model/role.ts";
import { definitionId } from "../../model/template.ts";

/** Whoever calls, as far as it is known: a user, or a server by its service account. */
export interface Caller extends Partial<Grant> {
  /** Of a server, its service account's e-mail address. */
  uid: string;
  isService?: true;
  /** Of a user, all claims of the token. */
  claims?: Readonly<Record<string, unknown>>;
}

/**
 * - `anyone`: the operation decides, by the board's `visibility`
 * - `player`: any signed-in user
 * - a role: whoever has it, or one that may do more; one for some boards where the request names one of them as
 * `leaderboard`
 *
 * `anyone` and `player` are behind App Check, for callers without a role.
 */
export type Access = "anyone" | "player" | Role;

export const access = {
  getAround: "anyone",
  getHistory: "anyone",
  getHistogram: "anyone",
  getPage: "anyone",
  getPlayers: "anyone",
  getRank: "anyone",
  getRankOfScore: "anyone",
  getTeams: "anyone",
  getThreshold: "anyone",
  getTop: "anyone",
  listLeaderboards: "anyone",
  listSeasons: "anyone",
  createGroup: "player",
  deleteGroup: "player",
  getGroup: "player",
  getLeague: "player",
  getMyGroups: "player",
  joinGroup: "player",
  leaveGroup: "player",
  removeMember: "player",
  renameGroup: "player",
  getMyBoards: "player",
  getResults: "player",
  mergeGuest: "player",
  setProfile: "player",
  submitScore: "player",
  submitScores: "submitter",
  setPlayerStatus: "moderator",
  auditSeason: "admin",
  closeSeason: "admin",
  deleteLeaderboard: "admin",
  exportPlayer: "admin",
  getRoles: "admin",
  listAlerts: "moderator",
  mergePlayers: "admin",
  openSeason: "admin",
  removePlayer: "admin",
  repairSeason: "admin",
  runRanking: "admin",
  saveLeaderboard: "admin",
  setRole: "admin",
} as const satisfies Record<string, Access>;

export type OperationName = keyof typeof access;

/** The role that a call needs, if it needs one. */
export function roleFor(operation: OperationName): Role | undefined {
  return roles.find((role) => role === access[operation]);
}

/**
 * @param what is done, for the message.
 * @param leaderboard the board that the request names, as it came; a role for some boards needs one.
 * @throws `not_allowed` unless the caller has the role, and has it there
 */
export function requireRole(caller: Caller, role: Role, what: string, leaderboard: unknown): void {
  if (suffices(caller, role, leaderboard)) return;
  const { role: own, boards, uid, isService } = caller;
  const only = boards === undefined ? "" : ` for ${boards.join(", ") || "no board"} only`;
  throw new FirerankError(
    "not_allowed",
    `${what} needs the role ${role}${own === undefined ? "" : `; yours is ${own}${only}`}. An owner of the project grants it: ` +
      `npx --no-install firerank grant ${uid} ${grantNeeded(caller, role, leaderboard)}. ` +
      (isService === true
        ? "If that was done, it counts within a minute."
        : "If that was done, sign out and in again: a role comes with the next ID token."),
  );
}

/**
 * The role to grant, as the command takes it. It replaces the one before, so a role for some boards is widened by the
 * board that was asked for, and is never less than before.
 */
function grantNeeded({ role: own, boards }: Caller, needed: Role, leaderboard: unknown): string {
  if (own === undefined || boards === undefined || leaderboard === undefined) return needed;
  const asked = typeof leaderboard === "string" ? [definitionId(leaderboard)] : [];
  const named = [...boards, ...asked].filter((board) => definedId.safeParse(board).success);
  const wider = roles.indexOf(own) > roles.indexOf(needed) ? own : needed;
  return `${wider} --boards ${[...new Set(named)].join(",") || "<board>"}`;
}
