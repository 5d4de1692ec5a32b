import { expect, test } from "vitest";
import { circlesOf, type FileImport } from "./folder-circles.ts";

const imports = (...lines: string[]): FileImport[] =>
  lines.map((line) => {
    const [from = "", to = ""] = line.split(" → ");
    return { from, to };
  });

test("folders that import only downwards make no circle, and neither do the files of one", () => {
  expect(circlesOf(imports("a/x → b/x", "a/y → c/x", "b/x → c/x"))).toEqual([]);
  expect(circlesOf(imports("a/x → a/y", "a/y → a/x"))).toEqual([]);
});

test("two folders whose files import each other make one, though no file is in a circle", () => {
  const circle = imports("a/x → b/x", "b/y → a/y");
  expect(circlesOf([...circle, ...imports("a/x → c/x")])).toEqual([circle]);
});

test("a folder and its own subfolder are two folders", () => {
  const circle = imports("a/x → a/b/x", "a/b/y → a/y");
  expect(circlesOf(circle)).toEqual([circle]);
});

test("a circle of three is found, and circles that do not touch are told apart", () => {
  const three = imports("a/x → b/x", "b/y → c/x", "c/y → a/y");
  const two = imports("d/x → e/x", "e/y → d/y");
  expect(circlesOf([...three, ...imports("a/x → d/x"), ...two])).toEqual([three, two]);
});
