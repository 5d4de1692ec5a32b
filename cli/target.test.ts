import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { authTargetOf, confirmWriting, connectionAdvice, describeTarget, targetOf } from "./target.ts";

const real = { project: "game", database: "(default)", emulator: undefined };
const emulated = { project: "game", database: "(default)", emulator: "127.0.0.1:8080" };
const noTerminal = typed("", false);

function typed(text: string, isTTY: boolean) {
  return Object.assign(Readable.from([text]), { isTTY });
}

test("running emulators are the target, with the project that they or the user name", () => {
  const environment = { FIRESTORE_EMULATOR_HOST: "127.0.0.1:8080" };
  expect(targetOf("game", environment)).toEqual(emulated);
  expect(targetOf(undefined, { ...environment, GCLOUD_PROJECT: "demo-x" }).project).toBe("demo-x");
  expect(() => targetOf(undefined, environment)).toThrow("no hub knows the emulator at 127.0.0.1:8080");
});

test("a real project has to be named", () => {
  expect(targetOf("game", {})).toEqual(real);
  expect(() => targetOf(undefined, { GCLOUD_PROJECT: "game" })).toThrow("--project");
});

test("one emulator named and the other not is refused, and the message names what is missing", () => {
  const firestore = { FIRESTORE_EMULATOR_HOST: "127.0.0.1:8080" };
  const auth = { FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099" };
  for (const project of [undefined, "game", "demo-game"]) {
    expect(() => targetOf(project, auth)).toThrow("FIRESTORE_EMULATOR_HOST=127.0.0.1:8080");
    expect(() => targetOf(project, { ...auth, FIRESTORE_EMULATOR_HOST: "" })).toThrow("is not");
    expect(() => authTargetOf(targetOf(project ?? "game", firestore), firestore)).toThrow(
      "FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:9099",
    );
  }
  const both = { ...firestore, ...auth };
  const emulatedAuth = { ...emulated, emulator: "127.0.0.1:9099" };
  expect(authTargetOf(targetOf("game", both), both)).toEqual(emulatedAuth);
  expect(authTargetOf(real, {})).toEqual(real);
});

test("a named database is part of what is written to", async () => {
  const named = targetOf("game", {}, "ranks");
  expect(named).toEqual({ ...real, database: "ranks" });
  await expect(confirmWriting(named, "The import", false, noTerminal)).rejects.toThrow(
    "The import writes to database ranks of project game; confirm with --yes.",
  );
});

test("a demo project exists only in the emulators", () => {
  const target = () => targetOf("demo-game", { FIRESTORE_EMULATOR_HOST: "" });
  expect(target).toThrow("exists only on emulators");
});

test("a real project is written to only after confirmation, an emulator at once", async () => {
  await confirmWriting(emulated, "The import", false, noTerminal);
  await confirmWriting(real, "The import", true, noTerminal);
  await expect(confirmWriting(real, "The import", false, noTerminal)).rejects.toThrow(
    "The import writes to project game; confirm with --yes.",
  );
  await confirmWriting(real, "The import", false, typed("game\n", true));
  const other = confirmWriting(real, "The import", false, typed("y\n", true));
  await expect(other).rejects.toThrow("Nothing was written.");
});

test("connection errors come with advice", () => {
  const refused = new Error("14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED");
  expect(connectionAdvice(refused, emulated)).toBe("No Firestore emulator answers at 127.0.0.1:8080.");
  expect(connectionAdvice(new Error("7 PERMISSION_DENIED: Missing permissions"), real)).toContain(
    `may not use ${describeTarget(real)}`,
  );
  const named = { ...real, database: "default" };
  const missing = new Error("5 NOT_FOUND: The database default does not exist for project game");
  expect(connectionAdvice(missing, named)).toBe(
    `${missing.message}\nDid you mean (default), with the parentheses?`,
  );
  expect(connectionAdvice(missing, { ...real, database: "games" })).toBeUndefined();
  expect(connectionAdvice(new Error("anything else"), real)).toBeUndefined();
});
