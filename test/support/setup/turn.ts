/**
 * Empties the database of the suite before a file of test/turns: who had boards in it has ended, the schedules act on
 * every board that is left, and Google's emulator goes through all documents in each query, deleted ones too.
 */
import { projectId } from "../../../scripts/project.ts";
import "./suite.ts";

if (process.env["FIRERANK_SUITE_FILE"] !== undefined) {
  const host = process.env["FIRESTORE_EMULATOR_HOST"] ?? "";
  const documents = `projects/${projectId}/databases/(default)/documents`;
  const { ok, status } = await fetch(`http://${host}/emulator/v1/${documents}`, { method: "DELETE" });
  if (!ok) throw new Error(`The emulator's database could not be emptied: status ${status}.`);
}
