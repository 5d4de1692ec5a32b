import { expect, test } from "vitest";
import { claimsWith, grantIn, roleProblem, roles, suffices } from "./role.ts";

test.each<[Record<string, unknown>, role?: string, boards?: string[]]>([
  [{}],
  [{ leaderboard_role: "submitter", leaderboard_boards: ["a"] }, "submitter", ["a"]],
  [{ leaderboard_role: "moderator" }, "moderator"],
  [{ leaderboard_role: "owner" }],
  [{ leaderboard_role: ["admin"] }],
  [{ leaderboard_role: "admin", leaderboard_boards: ["a", "b"] }, "admin", ["a", "b"]],
  [{ leaderboard_boards: ["a"] }],
  // Whoever wrote them wanted a limit.
  [{ leaderboard_role: "admin", leaderboard_boards: "a" }, "admin", []],
  [{ leaderboard_role: "admin", leaderboard_boards: null }, "admin", []],
  [{ leaderboard_role: "admin", leaderboard_boards: ["a", 1] }, "admin", ["a"]],
])("the claims %j are the role %s for the boards %j", (claims, role, boards) => {
  expect(grantIn(claims)).toEqual(role && { role, boards });
});

test("claims get a role in place of the one before, and keep what is not ours", () => {
  const before = { team: "red", leaderboard_role: "moderator", leaderboard_boards: ["b"] };
  const after = { team: "red", leaderboard_role: "submitter" };
  expect(claimsWith(before, { role: "submitter" })).toStrictEqual(after);
  expect(claimsWith(before, undefined)).toEqual({ team: "red" });
  expect(claimsWith(before, { role: "moderator", boards: ["b"] })).toEqual(before);
});

test.each([
  [{ leaderboard_role: "owner", leaderboard_boards: ["a"] }, '"leaderboard_role":"owner"'],
  [{ leaderboard_role: "admin", leaderboard_boards: "a" }, '"leaderboard_boards":"a"'],
  [{ leaderboard_role: "admin", leaderboard_boards: ["a", 1] }, '"leaderboard_boards":["a",1]'],
  [{ leaderboard_boards: [1], leaderboard_role: 1 }, '"leaderboard_role":1,"leaderboard_boards":[1]'],
  [{ leaderboard_role: null, leaderboard_boards: ["a"], team: 1 }, undefined],
  [{ leaderboard_role: "moderator" }, undefined],
  [{}, undefined],
])("the claims %j have the problem %s", (claims, problem) => {
  expect(roleProblem(claims)).toBe(problem);
});

test("a role may do what those before it may, and nothing else", () => {
  const may = roles.map((role) => roles.filter((needed) => suffices({ role }, needed, undefined)));
  expect(may).toEqual([["submitter"], ["submitter", "moderator"], ["submitter", "moderator", "admin"]]);
  expect(suffices({}, "submitter", "cup")).toBe(false);
});

test("a role for some boards suffices on these, and not in the whole project", () => {
  const grant = { role: "admin", boards: ["cup", "league"] } as const;
  const asked = ["cup", "league", "other", undefined, ["cup"], { cup: true }];
  expect(asked.filter((board) => suffices(grant, "admin", board))).toEqual(["cup", "league"]);
  expect(suffices({ role: "admin", boards: [] }, "submitter", "cup")).toBe(false);
});

test("a role for a template suffices on its boards, and on no neighbour whose id begins alike", () => {
  const grant = { role: "admin", boards: ["level", "cup:7"] } as const;
  const asked = ["level", "level:7", "level:a_-", "level-a_-", "level2:7", "cup:7", "cup"];
  expect(asked.filter((board) => suffices(grant, "admin", board))).toEqual(["level", "level:7", "level:a_-"]);
});
