/** Roles: what somebody who is more than a player may do, on all boards or on some. */

/** Each may do what those before it may. */
export const roles = ["submitter", "moderator", "admin"] as const;

export type Role = (typeof roles)[number];

export interface Grant {
  role: Role;
  /** The ids of the boards that it is for; absent for the whole project. */
  boards?: readonly string[];
}

const roleClaim = "leaderboard_role";
const boardsClaim = "leaderboard_boards";

/** The role in custom claims; a `leaderboard_boards` that is no list is a role for no board. Pure. */
export function grantIn(claims: Readonly<Record<string, unknown>>): Grant | undefined {
  const role = roles.find((one) => one === claims[roleClaim]);
  if (role === undefined) return undefined;
  const boards = claims[boardsClaim];
  if (boards === undefined) return { role };
  return { role, boards: Array.isArray(boards) ? boards.filter((one) => typeof one === "string") : [] };
}

/** What is wrong with an account's claims, if they can't mean what somebody wanted: as JSON. Pure. */
export function roleProblem(claims: Readonly<Record<string, unknown>>): string | undefined {
  const { [roleClaim]: role, [boardsClaim]: boards } = claims;
  const isRoleWrong = role != null && !roles.some((one) => one === role);
  const isBoardsWrong =
    boards !== undefined && !(Array.isArray(boards) && boards.every((one) => typeof one === "string"));
  if (!isRoleWrong && !isBoardsWrong) return undefined;
  const wrong = {
    ...(isRoleWrong && { [roleClaim]: role }),
    ...(isBoardsWrong && { [boardsClaim]: boards }),
  };
  return JSON.stringify(wrong).slice(1, -1);
}

/** An account's claims with this role, or with none, in place of the one before. The other claims stay. Pure. */
export function claimsWith(
  { [roleClaim]: _, [boardsClaim]: __, ...others }: Readonly<Record<string, unknown>>,
  grant: Grant | undefined,
): Record<string, unknown> {
  if (grant === undefined) return others;
  const boards = grant.boards === undefined ? {} : { [boardsClaim]: grant.boards };
  return { ...others, [roleClaim]: grant.role, ...boards };
}

/** Whether a role suffices where `needed` is asked for, on a board or, without one, in the whole project. Pure. */
export function suffices(grant: Partial<Grant>, needed: Role, leaderboard: unknown): boolean {
  const { role, boards } = grant;
  if (roles.findIndex((one) => one === role) < roles.indexOf(needed)) return false;
  return boards === undefined || boards.some((board) => board === leaderboard);
}
