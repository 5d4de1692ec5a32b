import { expect, test } from "vitest";
import { declaredIn, repeatedNames } from "./repeated-names.ts";

const repeatedIn = (files: Record<string, string>) =>
  Object.fromEntries(repeatedNames(Object.entries(files).flatMap(([file, text]) => declaredIn(file, text))));

test("a type that two files declare is found, whether or not one exports it", () => {
  const files = { a: "interface Parts { x: 1 }", b: "export const x = 1;\ntype Parts = string;" };
  expect(repeatedIn(files)).toEqual({ Parts: ["a", "b"] });
});

test("a function is found that has the name of an exported one, and not where none is exported", () => {
  const local = "function readCursor() {}";
  expect(repeatedIn({ a: local, b: local })).toEqual({});
  expect(repeatedIn({ a: local, b: `export async ${local}` })).toEqual({ readCursor: ["a", "b"] });
});

test("overloads in one file, imports and what is inside of a function are no repetition", () => {
  const read =
    "export function read(a: string): void;\nexport function read(a: unknown): void { type Parts = 1; }";
  const other = 'import { read } from "./a.ts";\nexport { read };\ntype Parts = 2;';
  expect(repeatedIn({ a: read, b: other })).toEqual({});
});
