import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../testing/serve.ts";
import { brokenRules } from "./broken-rules.ts";
import { takenPorts } from "./taken-ports.ts";

const rules = { path: "my.rules", text: "service cloud.firestore {" };
const fault = { severity: "ERROR", description: "Missing '}'.", sourcePosition: { line: 1, column: 5 } };
const warning = { severity: "WARNING", description: "Unused function.", sourcePosition: { line: 7 } };

/** A Firestore emulator as far as it compiles rules. */
async function emulatorThatSays(answer: object) {
  const served = await serve(() => answer);
  onTestFinished(served.close);
  return served;
}

test("rules of the owner's that do not compile are told, with what the emulator says", async () => {
  const { host, asked } = await emulatorThatSays({ issues: [warning, fault] });
  const notes = await brokenRules(rules, { FIRESTORE_EMULATOR_HOST: host });
  expect(notes.join()).toMatch(/takes my\.rules: line 1: Missing '}'\.$/);
  // No project that anybody has gets these rules.
  expect(asked.map(({ method, path }) => [method, path])).toEqual([
    ["PUT", "emulator/v1/projects/demo-firerank-init:securityRules"],
  ]);
  const files = [{ name: "my.rules", content: rules.text }];
  expect(asked[0]?.body).toEqual({ ignore_errors: true, rules: { files } });
});

test("rules that compile, no rules, no emulator and one that is gone are no reason for a note", async () => {
  const { host } = await emulatorThatSays({ issues: [warning] });
  expect(await brokenRules(rules, { FIRESTORE_EMULATOR_HOST: host })).toEqual([]);
  expect(await brokenRules(undefined, { FIRESTORE_EMULATOR_HOST: host })).toEqual([]);
  expect(await brokenRules(rules, { FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" })).toEqual([]);
  expect(await brokenRules(rules, {}, () => Promise.resolve([]))).toEqual([]);
});

test("ports that something listens to are taken", async () => {
  const server: Server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await takenPorts([port])).toContain(port);
});
