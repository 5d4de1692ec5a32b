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

test("a submission to a sum that came without an id is given one for the call", () => {
  const once = countOnce([sum], [{ score: 1 }, { score: 2, submission_id: "own" }, { score: 3 }], ids());
  expect(once.submissions.map(({ submission_id: id }) => id)).toEqual(["made-1", "own", "made-2"]);
});

test.for([{ max_attempts: 3 }, { min_seconds_between: 5 }])(
  "a submission to a board with %o is given an id, as its second time would be refused",
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

test("a transaction that runs again after its commit went through counts once and answers as the first time", () => {
  const sent: Submission[] = [{ score: 5 }];
  const once = countOnce([sum], sent, ids());
  const [submission = {}] = once.submissions;
  const first = applySubmission(sum, undefined, submission, at(0));
  expect(once.answerOf(0, [first])).toEqual([first]);
  const again = applySubmission(sum, first.player, submission, at(0));
  expect(again).toMatchObject({ changed: false, repeated: true, player: { score: 5, attempts: 1 } });
  expect(once.answerOf(0, [again])).toEqual([first]);
});

test("a transaction that runs again after its commit failed answers with what it found the second time", () => {
  const once = countOnce([sum], [{ score: 5 }], ids());
  const [submission = {}] = once.submissions;
  const first = applySubmission(sum, undefined, submission, at(0));
  once.answerOf(0, [first]);
  const other = applySubmission(sum, undefined, { score: 100 }, at(1)).player;
  const again = applySubmission(sum, other, submission, at(2));
  expect(once.answerOf(0, [again])).toEqual([again]);
  expect(again).toMatchObject({ repeated: false, player: { score: 105 } });
});

test("a caller's own repetition is answered as one", () => {
  const sent = { score: 5, submission_id: "own" };
  const once = countOnce([sum], [sent], ids());
  const { player } = applySubmission(sum, undefined, sent, at(0));
  const repeated = applySubmission(sum, player, sent, at(1));
  expect(once.answerOf(0, [repeated])[0]?.repeated).toBe(true);
});
