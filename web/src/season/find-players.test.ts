import fc from "fast-check";
import { expect, test } from "vitest";
import { beginsWith, findOtherwise, nextStart, type Suggestion } from "./find-players.ts";

/** As Firestore sorts texts; JavaScript does the same with the letters that are here. */
const inOrder = (names: readonly string[]) =>
  [...new Set(names)].sort((one, other) => (one < other ? -1 : 1));

/** Reads from a sorted list, and counts looks and names. */
function indexOf(names: readonly string[]) {
  const sorted: Suggestion[] = inOrder(names).map((name) => ({ id: `id of ${name}`, name }));
  const cost = { looks: 0, reads: 0 };
  const read = (from: string, limit: number) => {
    const first = sorted.findIndex(({ name = "" }) => name >= from);
    const found = first < 0 ? [] : sorted.slice(first, first + limit);
    cost.looks += 1;
    cost.reads += Math.max(1, found.length);
    return Promise.resolve(found);
  };
  return { read, cost };
}

const found = async (names: readonly string[], text: string) => foundIn(indexOf(names), text);
async function foundIn({ read, cost }: ReturnType<typeof indexOf>, text: string) {
  const before = { ...cost };
  const all = await findOtherwise(read, text, 8);
  const [looks, reads] = [cost.looks - before.looks, cost.reads - before.reads];
  return { names: all.map(({ name }) => name), looks, reads };
}

test("a name is found in any case, and what is written as typed is left to the query for it", async () => {
  const names = ["ANNA", "Anna", "anna", "annabel", "aNNe", "Bob", "Zoë", "an", "ZOË"];
  expect((await found(names, "ann")).names).toEqual(["ANNA", "Anna", "aNNe"]);
  expect((await found(names, "zoë")).names).toEqual(["ZOË", "Zoë"]);
  expect((await found(names, "x")).names).toEqual([]);
});

test("players of one name are found one and all", async () => {
  const same = Array.from({ length: 6 }, (_, i) => ({ id: `${i}`, name: "Ann" }));
  const all = [...same, { id: "later", name: "Annabel" }, { id: "none", name: "Bob" }];
  const read = (from: string, limit: number) =>
    Promise.resolve(all.filter(({ name }) => name >= from).slice(0, limit));
  expect((await findOtherwise(read, "ann", 8)).map(({ id }) => id)).toEqual([
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "later",
  ]);
});

test("the next way of writing a text comes before no name that begins so", () => {
  expect(nextStart("ann", "")).toBe("ANN");
  expect(nextStart("ann", "ANNA")).toBe("ANNA");
  expect(nextStart("ann", "AQUA")).toBe("AnN");
  expect(nextStart("ann", "Anton")).toBe("aNN");
  expect(nextStart("ann", "bob")).toBeUndefined();
  expect(nextStart("7x", "6")).toBe("7X");
});

const letters = fc.constantFrom(..."a A b B c C ß ẞ 1 😀 _".split(" "));
const word = fc.array(letters, { minLength: 1, maxLength: 5 }).map((all) => all.join(""));

test("it finds exactly what a look at every name finds, as long as its looks suffice", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 40 }),
      fc.array(letters, { minLength: 1, maxLength: 2 }),
      async (names, typed) => {
        const text = typed.join("");
        const wanted = inOrder(names).filter((name) => beginsWith(name, text) && !name.startsWith(text));
        const { names: got, looks } = await found(names, text);
        if (looks < 24) expect(got).toEqual(wanted.slice(0, 8));
        else expect(wanted.slice(0, got.length)).toEqual(got);
      },
    ),
  );
});

test("among many names a text costs few reads, whether it is there or not", async () => {
  const syllables = "Dra go Ma ri Lu na Ka to Vex or Ni ko Sha do Ze ph Bo rin".split(" ");
  const ways = [
    (name: string) => name,
    (name: string) => name.toUpperCase(),
    (name: string) => name.toLowerCase(),
  ];
  let state = 1;
  const any = <One>(list: readonly One[]) => {
    state = (state * 48_271) % 2_147_483_647;
    return list[state % list.length] as One;
  };
  const names = Array.from({ length: 50_000 }, (_, i) =>
    any(ways)(`${any(syllables)}${any(syllables)}${any(syllables)}${i % 997}`),
  );
  const index = indexOf(names);
  const costs: { looks: number; reads: number }[] = [];
  for (const text of ["dragoma", "lunavex", "DRAMARIKA", "vexor1", "nobody", "x"])
    costs.push(await foundIn(index, text));
  expect(Math.max(...costs.map(({ reads }) => reads))).toBeLessThanOrEqual(40);
  expect(Math.max(...costs.map(({ looks }) => looks))).toBeLessThan(24);
});
