import { expect, test } from "vitest";
import { definitionOf } from "../testing/definitions.ts";
import { at } from "../testing/submissions.ts";
import { applySubmission, type Submission } from "./apply.ts";
import { countOnce } from "./once.ts";

const sum = definitionOf({ aggregation: "sum" });
const ids = () => {
  let id = 0;
  return () => `made-${(id += 1)}`;
};

test("a submission without an id to a board of sums gets one for the call", () => {
  const once = countOnce([sum], [{ score: 1 }, { score: 2, submission_id: "own" }, { score: 3 }], ids());
  expect(once.submissions.map(({ submission_id: id }) => id)).toEqual(["made-1", "own", "made-2"]);
});

test.for([{ max_attempts: 3 }, { min_seconds_between: 5 }])(
  "a submission to a board with %o gets an id, as it would be refused the second time",
  (limit) => {
    const once = countOnce([definitionOf(limit)], [{ score: 1 }], ids());
    expect(once.submissions).toEqual([{ score: 1, submission_id: "made-1" }]);
  },
);

test.for(["best", "latest"] as const)(
  "a submission to a board of %s scores stays as it is",
  (aggregation) => {
    const once = countOnce([definitionOf({ aggregation })], [{ score: 1 }], ids());
    expect(once.submissions).toEqual([{ score: 1 }]);
  },
);

test("a transaction that runs again after its commit succeeded counts once and answers as the first time", () => {
  const once = countOnce([sum], [{ score: 5 }], ids());
  const [submission = {}] = once.submissions;
  expect(once.recorded(0, [undefined])).toBeUndefined();
  const first = applySubmission(sum, undefined, submission, at(0));
  once.remember(0, [first]);
  expect(once.recorded(0, [first.player])).toEqual([first]);
  expect(once.recorded(0, [{ ...first.player, status: "banned" }])).toEqual([first]);
});

test("a transaction that runs again after its commit failed starts from the beginning", () => {
  const once = countOnce([sum], [{ score: 5 }], ids());
  const [submission = {}] = once.submissions;
  once.remember(0, [applySubmission(sum, undefined, submission, at(0))]);
  const other = applySubmission(sum, undefined, { score: 100, submission_id: "other" }, at(1)).player;
  expect(once.recorded(0, [other])).toBeUndefined();
});

test("a repetition by the caller is still answered as one", () => {
  const sent: Submission = { score: 5, submission_id: "own" };
  const once = countOnce([sum], [sent], ids());
  const first = applySubmission(sum, undefined, sent, at(0));
  once.remember(0, [first]);
  expect(once.recorded(0, [first.player])).toBeUndefined();
});

test("one of several boards that counts repetitions is enough for an id, and one of the players for its record", () => {
  const once = countOnce([definitionOf({}), sum], [{ score: 1 }], ids());
  expect(once.submissions).toEqual([{ score: 1, submission_id: "made-1" }]);
  once.remember(0, []);
  const remembering = { attempts: 1, status: "active" as const, submission_ids: ["made-1"] };
  const other = { attempts: 1, status: "active" as const };
  expect(once.recorded(0, [undefined, other, remembering])).toEqual([]);
  expect(once.recorded(0, [undefined, other])).toBeUndefined();
});
