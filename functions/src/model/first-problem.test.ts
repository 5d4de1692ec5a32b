import { expect, test } from "vitest";
import { z } from "zod";
import { firstProblem } from "./errors.ts";

const page = z.object({ rows: z.array(z.number()), players: z.int() });

test("the first problem says where it is", () => {
  const { error } = page.safeParse({ rows: [1, "2"], players: 0.5 });
  expect(error && firstProblem(error)).toBe("rows.1: Invalid input: expected number, received string");
});

test("a problem of the whole has no place", () => {
  const { error } = page.safeParse("text");
  expect(error && firstProblem(error)).toBe("Invalid input: expected object, received string");
});
