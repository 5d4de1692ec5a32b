import { expect, test } from "vitest";
import { bytesInMemory } from "./bytes-in-memory.ts";

test("a value takes the bytes of all its parts", () => {
  expect(bytesInMemory(1)).toBe(0);
  expect(bytesInMemory(null)).toBe(0);
  expect(bytesInMemory("twelve chars")).toBe(40);
  expect(bytesInMemory([1, 2, 3])).toBe(32 + 3 * 8);
  expect(bytesInMemory({ a: 1, b: "twelve chars" })).toBe(32 + 2 * 8 + 40);
  expect(bytesInMemory(new Uint16Array(1_000))).toBe(350 + 2_000);
});
