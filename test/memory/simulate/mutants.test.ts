/** Each mistake of simulate/mutants.ts has its place in the source. That it is found is in test/all. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutants } from "../../../simulate/mutants.ts";

test.each(Object.entries(mutants))("%s can be made", (_name, { file, from }) => {
  const source = readFileSync(new URL(`../../../functions/src/${file}`, import.meta.url), "utf8");
  expect(source.split(from)).toHaveLength(2);
});
