/** Emulators on which firebase-tools has switched the rules off. */
import { expect, onTestFinished, test } from "vitest";
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { ownFile } from "../init/package.ts";
import { projectOf } from "../testing/project.ts";
import { serve } from "../testing/serve.ts";
import { createApi } from "./api.ts";
import { rules } from "./checks/rules.ts";
import { ofEmulators } from "./doctor.ts";
import { examine } from "./examine.ts";
import { createPatient } from "./patient.ts";

const project = "demo-farm";
/** What an emulator without a file of rules has loaded. */
const allowAll =
  "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n    match /{all=**} { allow read, write; }\n  }\n}\n";
const games = { database: "games", rules: "games.rules" };
const several = { firestore: [{ database: "(default)", rules: "firestore.rules" }, games] };

/** The findings of an emulator with these rules, which allows every request. */
async function found(config: object, content: string | undefined) {
  const files = content === undefined ? [] : [{ content }];
  const emulator = await serve(({ path }) =>
    path.endsWith(":ruleCoverage") ? { rules: { files } } : { status: 404, body: {} },
  );
  onTestFinished(emulator.close);
  const emulators = { firestore: emulator.host };
  const patient = createPatient({
    ...{ project, database: "games", emulators, now: Date.now, timeZone: "Europe/Vienna" },
    api: createApi({ project, ...ofEmulators(emulators) }),
    db: new Firestore({ projectId: project }),
    folder: projectOf({ "firebase.json": JSON.stringify(config) }),
  });
  const { findings, unchecked, isWell } = await examine(patient, { which: [rules] });
  expect(unchecked).toEqual([]);
  return { ids: findings.map(({ id }) => id), isWell };
}

test("with several databases a note says why emulators apply no rules", async () => {
  expect(await found(several, allowAll)).toEqual({ ids: ["rules-off"], isWell: true });
  expect(await found(several, undefined)).toEqual({ ids: ["rules-off"], isWell: true });
});

test("with one database, or with rules in force, open rules are a danger", async () => {
  expect(await found({ firestore: games }, allowAll)).toEqual({
    ids: ["rules-missing", "rules-open"],
    isWell: false,
  });
  expect(await found(several, ownFile("firestore.rules"))).toEqual({ ids: ["rules-open"], isWell: false });
});
