/**
 * Empties the database of the suite before a file of test/turns: who had boards in it has ended, the schedules act on
 * every board that is left, and Google's emulator goes through all documents in each query, deleted ones too.
 */
import { setTimeout } from "node:timers/promises";
import { projectId } from "../../../scripts/project.ts";
import "./suite.ts";

if (process.env["FIRERANK_SUITE_FILE"] !== undefined) {
  const host = process.env["FIRESTORE_EMULATOR_HOST"] ?? "";
  const documents = `projects/${projectId}/databases/(default)/documents`;
  const empty = () => fetch(`http://${host}/emulator/v1/${documents}`, { method: "DELETE" });
  // A transaction whose process was killed holds its locks until it expires, after 270 s at most: status 409 until then.
  const until = Date.now() + 300_000;
  let { ok, status } = await empty();
  while (status === 409 && Date.now() < until) {
    await setTimeout(2_000);
    ({ ok, status } = await empty());
  }
  if (!ok) throw new Error(`The emulator's database could not be emptied: status ${status}.`);
}
