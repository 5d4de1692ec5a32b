import { expect, test } from "vitest";
import { isVisible, keptName, shownName, keptNameBytesMax } from "./display-name.ts";

const visible = [
  "a",
  " Ann ",
  "Ζωή",
  "李小龍",
  "محمد",
  "👩‍🚀",
  "❤️",
  "1️⃣",
  "🇦🇹",
  "🏴󠁧󠁢󠁷󠁬󠁳󠁿",
  "_",
  "…",
  "ก็",
  "\u200fא",
  "⠁",
];
test.each(visible)("%j can be seen", (name) => {
  expect(isVisible(name)).toBe(true);
});

/** Readers see nothing in these, whatever Unicode calls them. */
const blanks = {
  nothing: "",
  spaces: " \u00a0\u3000\u2003\u202f",
  "zero width": "\u200b\u200c\u200d\u2060\ufeff\u00ad",
  directions: "\u200e\u202e\u2066\u061c",
  "combining marks": "\u0301\u20dd\u093f",
  "variation selectors": "\ufe0f\u{e0100}",
  "tag characters": "\u{e0041}\u{e007f}",
  "Hangul fillers": "\u3164\u115f\u1160\uffa0",
  "the empty Braille pattern": "\u2800",
  "an object's placeholder": "\ufffc",
  "Khmer inherent vowels": "\u17b4\u17b5",
  "Egyptian blanks": "\u{13441}\u{13442}",
  "a musical null notehead": "\u{1d159}",
  "unassigned and private": "\u0378\ue000",
};

test.each(Object.entries(blanks))("nobody sees %s", (_, name) => {
  for (const text of [name, ...Array.from(name)]) expect(isVisible(text)).toBe(false);
  expect(isVisible(`${name}x${name}`)).toBe(true);
});

test("a player without a visible name is called by the id", () => {
  expect(shownName({ player: "p1", display_name: "Ann" })).toBe("Ann");
  for (const name of [undefined, "", " ", "\u3164"]) {
    expect(shownName({ player: "p1", display_name: name })).toBe("p1");
  }
});

test("a name is kept as it is, unless it takes more bytes than standings and events hold", () => {
  // The size of a text is its bytes and one more.
  const most = keptNameBytesMax - 1;
  for (const name of ["", "Ann", "n".repeat(most), "ü".repeat(most >> 1), " ".repeat(most)])
    expect(keptName(name)).toBe(name);
  expect(keptName("n".repeat(most + 1))).toBe("n".repeat(most));
  // It ends with a whole character, and is none if nothing of it is left to see.
  expect(keptName("👩".repeat(1_000))).toBe("👩".repeat(Math.floor(most / 4)));
  expect(keptName(`${" ".repeat(2_000)}Ann`)).toBe("");
});
