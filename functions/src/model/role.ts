/** Roles: what somebody may do beyond playing, on all boards or on some. */
import { definitionId } from "./template.ts";

/** Each role may also do what the roles before it may. */
export const roles = ["submitter", "moderator", "admin"] as const;

export type Role = (typeof roles)[number];

export interface Grant {
  role: Role;
  /** The ids of the boards and templates on which the role holds; absent for all. */
  boards?: readonly string[];
}

const roleClaim = "leaderboard_role";
const boardsClaim = "leaderboard_boards";

/** The role in custom claims. If `leaderboard_boards` is no list, the role holds on no board. Pure. */
export function grantIn(claims: Readonly<Record<string, unknown>>): Grant | undefined {
  const role = roles.find((one) => one === claims[roleClaim]);
  if (role === undefined) return undefined;
  const boards = claims[boardsClaim];
  if (boards === undefined) return { role };
  return { role, boards: Array.isArray(boards) ? boards.filter((one) => typeof one === "string") : [] };
}

/**
 * The claims of an account that name no role, or no list of boards, as JSON; undefined if both are right or absent.
 * Pure.
 */
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

/** An account's claims with another role, or with none. All other claims stay. Pure. */
export function claimsWith(
  { [roleClaim]: _, [boardsClaim]: __, ...others }: Readonly<Record<string, unknown>>,
  grant: Grant | undefined,
): Record<string, unknown> {
  if (grant === undefined) return others;
  const boards = grant.boards === undefined ? {} : { [boardsClaim]: grant.boards };
  return { ...others, [roleClaim]: grant.role, ...boards };
}

/** Whether a grant allows what needs the role `needed` on a board; without a board, on all boards. Pure. */
export function suffices(grant: Partial<Grant>, needed: Role, leaderboard: unknown): boolean {
  const { role, boards } = grant;
  if (roles.findIndex((one) => one === role) < roles.indexOf(needed)) return false;
  if (boards === undefined) return true;
  return typeof leaderboard === "string" && boards.includes(definitionId(leaderboard));
}
