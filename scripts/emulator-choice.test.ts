import { expect, test } from "vitest";
import { chooseEmulator, javaMajor, ways, type Attempts, type Way } from "./emulator-choice.ts";

/** A machine that has an emulator only in the given ways; records which ways were tried. */
function machineWith(...available: Way[]): { attempts: Attempts; asked: Way[] } {
  const asked: Way[] = [];
  const attempt = (way: Way) => async () => {
    asked.push(way);
    const kind = way.startsWith("hidane") ? ("hidane" as const) : ("official" as const);
    return available.includes(way) ? { kind, name: way, why: "", wrapper: [], env: {} } : `${way}: not here`;
  };
  const attempts = Object.fromEntries(ways.map((way) => [way, attempt(way)])) as Attempts;
  return { attempts, asked };
}

test("the first way that works is taken, and nothing after it is tried", async () => {
  const { attempts, asked } = machineWith("component", "hidane");
  await expect(chooseEmulator(undefined, attempts)).resolves.toMatchObject({ name: "component" });
  expect(asked).toEqual(["given", "downloaded", "download", "component"]);
});

test("an empty FIRERANK_EMULATOR takes any emulator", async () => {
  await expect(chooseEmulator("", machineWith("hidane").attempts)).resolves.toMatchObject({ name: "hidane" });
});

test("a wish for hidane does not take Java's emulator, although that would come first", async () => {
  const { attempts, asked } = machineWith("given", "downloaded", "hidane_install");
  await expect(chooseEmulator("hidane", attempts)).resolves.toMatchObject({ name: "hidane_install" });
  expect(asked).toEqual(["hidane", "hidane_install"]);
});

test("a wish for the official emulator does not take hidane, and says what was tried and what helps", async () => {
  const choice = chooseEmulator("official", machineWith("hidane").attempts);
  await expect(choice).rejects.toThrow("(FIRERANK_EMULATOR=official)");
  await expect(choice).rejects.toThrow("component: not here");
  await expect(choice).rejects.toThrow("install Java 21 or newer");
});

test("a misspelt wish is refused by name", async () => {
  await expect(chooseEmulator("hidne", machineWith("hidane").attempts)).rejects.toThrow('"hidne"');
});

test.for([
  ['openjdk version "17.0.15" 2025-04-15', 17],
  ['java version "1.8.0_292"', 8],
  ['openjdk version "25-ea" 2025-09-16', 25],
  ['openjdk version "21" 2023-09-19', 21],
  ["java: command not found", undefined],
] as const)("%s is Java %s", ([output, major]) => {
  expect(javaMajor(output)).toBe(major);
});
