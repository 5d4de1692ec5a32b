/** Whether rules of an owner's compile, as the Firestore emulator says it to `firerank init`. */
import { expect, test } from "vitest";
import { brokenRules } from "../../../cli/init/broken-rules.ts";
import { ownFile } from "../../../cli/init/package.ts";

const notesOf = (text: string) => brokenRules({ path: "my.rules", text }, process.env);

test("rules that do not compile are told with the place, and those that do are not", async () => {
  expect(await notesOf(ownFile("firestore.rules"))).toEqual([]);
  const broken =
    "rules_version = '2';\nservice cloud.firestore {\n  match /photos/{p} { allow read: if (; }\n}\n";
  const [note = ""] = await notesOf(broken);
  expect(note).toContain("so neither the emulators nor a deploy takes my.rules: line 3: ");
});
