import { expect, test } from "vitest";
import { chooseEmulator, type Emulator, javaMajor } from "./emulator.ts";

/** Chooses on a machine that has an emulator only in the given ways; with the ways that were tried. */
async function choose(wish: string | undefined, ...available: string[]) {
  const tried: string[] = [];
  const ways = (kind: Emulator["kind"], names: string[]) =>
    names.map((name) => async () => {
      tried.push(name);
      return available.includes(name) ? { kind, name, why: "", wrapper: [], env: {} } : `${name}: not here`;
    });
  const all = {
    official: ways("official", ["jar", "component"]),
    hidane: ways("hidane", ["hidane", "cargo"]),
  };
  const { name } = await chooseEmulator(wish, all);
  return { name, tried };
}

test.each([
  [undefined, ["component", "hidane"], "component", ["jar", "component"]],
  ["", ["hidane"], "hidane", ["jar", "component", "hidane"]],
  ["hidane", ["jar", "component", "cargo"], "cargo", ["hidane", "cargo"]],
])("with the wish %j and %j, %s is taken, and nothing after it is tried", async (wish, has, name, tried) => {
  expect(await choose(wish, ...has)).toEqual({ name, tried });
});

test.each([
  ["official", /\(FIRERANK_EMULATOR=official\).*component: not here.*install Java 21 or newer/s],
  ["hidne", /"hidne"/],
])("a wish for %s does not take hidane, and says what was tried and what helps", async (wish, said) => {
  await expect(choose(wish, "hidane")).rejects.toThrow(said);
});

test.for([
  ['openjdk version "17.0.15" 2025-04-15', 17],
  ['java version "1.8.0_292"', 8],
  ['openjdk version "25-ea" 2025-09-16', 25],
  ["java: command not found", undefined],
] as const)("%s is Java %s", ([output, major]) => {
  expect(javaMajor(output)).toBe(major);
});
