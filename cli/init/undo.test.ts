import { expect, test } from "vitest";
import { patchesBack, undone } from "./undo.ts";

const path = "firebase.json";

test.each([
  ["lines", "a\nb\nc\n", "a\nours\nb\nc\n"],
  ["Windows' lines", "a\r\nb\r\n", "a\r\nours\r\nb\r\n"],
  ["no line end at the end", "a\nb", "a\nb\nours\n"],
  ["a byte order mark", "\uFEFF{}", '\uFEFF{"ours": 1}'],
  ["an empty file", "", "ours\n"],
])("a file with %s is as it was", (_, before, after) => {
  const patches = patchesBack([{ path, before, after }], undefined);
  expect(undone(patches, path, after)).toEqual({ text: before });
});

test("a file that was not there is gone", () => {
  const patches = patchesBack([{ path, before: undefined, after: "ours\n" }], undefined);
  expect(undone(patches, path, "ours\n")).toEqual({ text: undefined });
  expect(undone(patches, path, "theirs\nours\n")).toEqual({ text: "theirs\n" });
  expect(undone(patches, "firestore.rules", "ours\n")).toBeUndefined();
});

test("what else has changed stays, and what has changed at the same place is left alone", () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}\n`);
  const [before, after] = [lines.join(""), [...lines, "ours\n"].join("")];
  const patches = patchesBack([{ path, before, after }], undefined);
  expect(undone(patches, path, `theirs\n${after}`)).toEqual({ text: `theirs\n${before}` });
  expect(undone(patches, path, after.replace("ours", "mine"))).toBeUndefined();
});

test("after a second init it is the state before the first one", () => {
  const first = patchesBack(
    [
      { path, before: "a\n", after: "a\nours 1\n" },
      { path: "b", before: undefined, after: "b\n" },
    ],
    undefined,
  );
  const second = patchesBack([{ path, before: "a\nours 1\n", after: "a\nours 2\n" }], first);
  expect(undone(second, path, "a\nours 2\n")).toEqual({ text: "a\n" });
  expect(undone(second, "b", "b\n")).toEqual({ text: undefined });
  // Changed by hand in between, so that nobody knows any more.
  const third = patchesBack([{ path, before: "a\nmine\n", after: "a\nours 3\n" }], first);
  expect(undone(third, path, "a\nours 3\n")).toBeUndefined();
});
