import { expect, test } from "vitest";
import { createJudge } from "./judge.ts";
import { createLiveTruth, type Truth } from "./truth.ts";

/** A judge of a system with these claims, on a board; `set` changes a score. */
function judgeOf(
  claims: Parameters<typeof createJudge>[0],
  scores: Record<string, number>,
  isPeriodic = claims.rank !== "exact",
) {
  const truth = createLiveTruth(claims.ties);
  const judge = createJudge(claims, truth, isPeriodic);
  const set = (changes: Record<string, number>) => {
    for (const [player, score] of Object.entries(changes)) truth.set(player, score);
    judge.changed();
  };
  set(scores);
  judge.ran();
  return { ...judge, set };
}

test("an exact rank is right after each change, and nobody has none", () => {
  const judge = judgeOf({ rank: "exact" }, { ann: 9, ben: 7, cem: 7 });
  expect(judge.rank("cem", 2)).toBeUndefined();
  expect(judge.rank("cem", 3)).toBe("it is 3, and should be 2");
  expect(judge.rank("cem", null)).toBe("it is null, and should be 2");
  expect(judge.rank("zoe", null)).toBeUndefined();
  expect(judge.rank("zoe", 2)).toBe("nobody has this name");
});

test("a rank of the last run is of the score now or then, among the players of then", () => {
  const judge = judgeOf({ rank: "exact at the last run" }, { ann: 9, ben: 7, cem: 5, dan: 3 });
  expect(judge.rank("dan", 4)).toBeUndefined();
  expect(judge.rank("dan", 3)).toBe("it is 3, and should be 4");
  judge.set({ dan: 8, eve: 10 });
  expect(judge.rank("dan", 2)).toBeUndefined();
  expect(judge.rank("dan", 4)).toBeUndefined();
  // Eve came after the run.
  expect(judge.rank("dan", 3)).toBe("it is 3, and should be 2 or 4");
  expect(judge.rank("eve", null)).toBeUndefined();
  expect(judge.rank("dan", null)).toBe("it is null, and should be 2 or 4");
  judge.ran();
  expect(judge.rank("dan", 3)).toBeUndefined();
  expect(judge.rank("eve", null)).toBe("it is null, and should be 1");
  // Who fell below everybody may be without a rank until the next run.
  judge.set({ ann: 1 });
  expect(judge.rank("ann", null)).toBeUndefined();
  expect(judge.rank("ann", 6)).toBeUndefined();
});

test("an estimate is what its formula says of the players of the last run, and of the runs before", () => {
  const estimates = () => {
    let runs = 0;
    return ({ players }: Truth) => {
      runs += 1;
      return () => 10 * runs + players;
    };
  };
  const judge = judgeOf({ rank: "estimate", estimates }, { ann: 9, ben: 7, cem: 5 });
  judge.set({ dan: 1 });
  expect(judge.rank("ann", 13)).toBeUndefined();
  expect(judge.rank("ann", 14)).toBe("it is 14, and should be 13");
  judge.ran();
  expect(judge.rank("dan", 24)).toBeUndefined();
});

test("lists are live unless the system says that they are of the last run", () => {
  const judge = judgeOf({ rank: "exact at the last run", asOfRun: ["page"] }, { ann: 9, ben: 7 });
  const old = [
    { player: "ann", score: 9 },
    { player: "ben", score: 7 },
  ];
  expect(judge.list("page", old, 0, 2)).toBeUndefined();
  judge.set({ cem: 8 });
  expect(judge.list("page", old, 0, 3)).toBeUndefined();
  expect(judge.list("page", [...old, ...old], 0, 3)).toBe("it names a player twice");
  expect(judge.list("top", old, 0, 3)).toMatch(/^it is .* and should be /);
});

test("equals come in the order that the system says", () => {
  const list = (...players: string[]) => players.map((player) => ({ player, score: 7 }));
  const scores = { cem: 7, ann: 7, ben: 7 };
  const byTime = judgeOf({ rank: "exact", ties: "first to reach it" }, scores);
  expect(byTime.list("top", list("cem", "ann"), 0, 2)).toBeUndefined();
  expect(byTime.list("page", list("cem", "ben"), 1, 2)).toEqual(expect.any(String));
  expect(byTime.around(list("cem", "ann", "ben"), "ann", { before: 1, after: 1 })).toBeUndefined();
  byTime.set({ cem: 7 });
  expect(byTime.around(list("ben", "cem"), "cem", { before: 1, after: 1 })).toBeUndefined();
  const byId = judgeOf({ rank: "exact" }, scores);
  expect(byId.list("top", list("cem", "ben", "ann"), 0, 3)).toBeUndefined();
});
