import { describe, expect, test } from "vitest";
import { claimsWith, grantIn, roleProblem, roles, suffices } from "./role.ts";

describe("the claims of an account", () => {
  test.each([
    [{}, undefined],
    [{ leaderboard_admin: true }, { role: "admin" }],
    [
      { leaderboard_admin: true, leaderboard_role: "submitter", leaderboard_boards: ["a"] },
      { role: "admin" },
    ],
    [{ leaderboard_admin: "true" }, undefined],
    [{ leaderboard_admin: false, leaderboard_role: "moderator" }, { role: "moderator" }],
    [{ leaderboard_role: "submitter" }, { role: "submitter" }],
    [{ leaderboard_role: "owner" }, undefined],
    [{ leaderboard_role: ["admin"] }, undefined],
    [
      { leaderboard_role: "admin", leaderboard_boards: ["a", "b"] },
      { role: "admin", boards: ["a", "b"] },
    ],
    [{ leaderboard_boards: ["a"] }, undefined],
    // Whoever wrote them wanted a limit.
    [
      { leaderboard_role: "admin", leaderboard_boards: "a" },
      { role: "admin", boards: [] },
    ],
    [
      { leaderboard_role: "admin", leaderboard_boards: null },
      { role: "admin", boards: [] },
    ],
    [
      { leaderboard_role: "admin", leaderboard_boards: ["a", 1] },
      { role: "admin", boards: ["a"] },
    ],
  ])("%j are the role %j", (claims, grant) => {
    expect(grantIn(claims)).toEqual(grant);
  });

  test("get a role in place of the one before, and keep what is not ours", () => {
    const before = {
      team: "red",
      leaderboard_admin: true,
      leaderboard_role: "admin",
      leaderboard_boards: ["a"],
    };
    expect(claimsWith(before, { role: "submitter" })).toStrictEqual({
      team: "red",
      leaderboard_role: "submitter",
    });
    expect(claimsWith(before, undefined)).toEqual({ team: "red" });
    const limited = { role: "moderator", boards: ["b"] } as const;
    expect(claimsWith(before, limited)).toEqual({
      team: "red",
      leaderboard_role: "moderator",
      leaderboard_boards: ["b"],
    });
    expect(grantIn(claimsWith(before, limited))).toEqual(limited);
  });
});

test.each([
  [{ leaderboard_admin: "true" }, '"leaderboard_admin":"true"'],
  [{ leaderboard_role: "owner", leaderboard_boards: ["a"] }, '"leaderboard_role":"owner"'],
  [{ leaderboard_role: "admin", leaderboard_boards: "a" }, '"leaderboard_boards":"a"'],
  [
    { leaderboard_boards: ["a", 1], leaderboard_admin: 1 },
    '"leaderboard_admin":1,"leaderboard_boards":["a",1]',
  ],
  [{ leaderboard_admin: false, leaderboard_role: null, leaderboard_boards: ["a"], team: 1 }, undefined],
  [{ leaderboard_admin: true, leaderboard_role: "moderator" }, undefined],
  [{ leaderboard_admin: null }, undefined],
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
