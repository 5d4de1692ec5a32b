import { expect, test } from "vitest";
import { createJudge } from "./judge.ts";
import { createLiveTruth, type LiveTruth } from "./truth.ts";

function board(scores: Record<string, number>): LiveTruth {
  const truth = createLiveTruth();
  for (const [player, score] of Object.entries(scores)) truth.set(player, score);
  return truth;
}

test("an exact rank is right after each change", () => {
  const truth = board({ ann: 9, ben: 7, cem: 7 });
  const judge = createJudge({ rank: "exact" }, truth, false);
  expect(judge.rank("cem", 2)).toBeUndefined();
  expect(judge.rank("cem", 3)).toBe("it is 3, and should be 2");
  expect(judge.rank("cem", null)).toBe("it is null, and should be 2");
});

test("a rank of the last run is of the score now or then, among the players of then", () => {
  const truth = board({ ann: 9, ben: 7, cem: 5, dan: 3 });
  const judge = createJudge({ rank: "exact at the last run" }, truth, true);
  judge.ran();
  expect(judge.rank("dan", 4)).toBeUndefined();
  expect(judge.rank("dan", 3)).toBe("it is 3, and should be 4");
  truth.set("dan", 8);
  truth.set("eve", 10);
  judge.changed();
  expect(judge.rank("dan", 2)).toBeUndefined();
  expect(judge.rank("dan", 4)).toBeUndefined();
  // Eve came after the run.
  expect(judge.rank("dan", 3)).toBe("it is 3, and should be 2 or 4");
  expect(judge.rank("eve", null)).toBeUndefined();
  expect(judge.rank("dan", null)).toBe("it is null, and should be 2 or 4");
  judge.ran();
  expect(judge.rank("dan", 3)).toBeUndefined();
  expect(judge.rank("eve", null)).toBe("it is null, and should be 1");
});

test("who fell below everybody may be without a rank until the next run", () => {
  const truth = board({ ann: 9, ben: 7 });
  const judge = createJudge({ rank: "exact at the last run" }, truth, true);
  judge.ran();
  truth.set("ann", 1);
  judge.changed();
  expect(judge.rank("ann", null)).toBeUndefined();
  expect(judge.rank("ann", 3)).toBeUndefined();
});

test("an estimate is what its formula says of the players of the last run", () => {
  const truth = board({ ann: 9, ben: 7, cem: 5 });
  const estimate = (rising: Float64Array) => () => rising.length;
  const judge = createJudge({ rank: "estimate", estimate }, truth, true);
  judge.ran();
  truth.set("dan", 1);
  judge.changed();
  expect(judge.rank("ann", 3)).toBeUndefined();
  expect(judge.rank("ann", 4)).toBe("it is 4, and its formula says 3");
});

test("an estimate that depends on more is bounded, and never worse for a better score", () => {
  const truth = board({ ann: 9, ben: 7, cem: 5 });
  const judge = createJudge({ rank: "estimate", estimateDependsOn: "chance" }, truth, true);
  judge.ran();
  expect(judge.rank("ben", 2)).toBeUndefined();
  expect(judge.rank("cem", 2)).toBeUndefined();
  expect(judge.rank("ann", 5)).toBe("it is 5, and there were 3 players");
  expect(judge.rank("ann", 3)).toBe("it is 3, and the score 7 has rank 2");
});

test("lists are live unless the system says that they are of the last run", () => {
  const truth = board({ ann: 9, ben: 7 });
  const judge = createJudge({ rank: "exact at the last run", asOfRun: ["page"] }, truth, true);
  const old = [
    { player: "ann", score: 9 },
    { player: "ben", score: 7 },
  ];
  judge.ran();
  expect(judge.list("page", old, 0, 2)).toBeUndefined();
  truth.set("cem", 8);
  judge.changed();
  expect(judge.list("page", old, 0, 3)).toBeUndefined();
  expect(judge.list("page", [...old, ...old], 0, 3)).toBe("it names a player twice");
  expect(judge.list("top", old, 0, 3)).toBe("it has 2 players, and should have 3");
});

test("equals come in any order, but in the same one on all lists", () => {
  const truth = board({ ann: 7, ben: 7, cem: 7 });
  const judge = createJudge({ rank: "exact" }, truth, false);
  const list = (...players: string[]) => players.map((player) => ({ player, score: 7 }));
  expect(judge.list("top", list("cem", "ann"), 0, 2)).toBeUndefined();
  expect(judge.list("page", list("cem", "ben"), 0, 2)).toBe("at 1 it has ben, and another list ann");
  expect(judge.around(list("cem", "ben", "ann"), "ben", { before: 1, after: 1 })).toEqual(expect.any(String));
  expect(judge.around(list("cem", "ann", "ben"), "ann", { before: 1, after: 1 })).toBe(1);
  judge.changed();
  expect(judge.list("page", list("ben", "cem"), 0, 2)).toBeUndefined();
});

test("nobody has no rank", () => {
  const judge = createJudge({ rank: "exact" }, board({ ann: 7 }), false);
  expect(judge.rank("zoe", null)).toBeUndefined();
  expect(judge.rank("zoe", 2)).toBe("nobody has this name");
});
