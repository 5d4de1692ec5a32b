/** Whether each board's definition can be read, and its time zone exists. */
import { newerPackage } from "../../../functions/src/jobs/alerts.ts";
import { type QueryDocumentSnapshot } from "../../../functions/src/documents/firestore.ts";
import { leaderboardsPath } from "../../../functions/src/documents/paths.ts";
import { leaderboards } from "../../../functions/src/documents/queries.ts";
import { ZodError } from "zod";
import { FirerankError, firstProblem } from "../../../functions/src/model/errors.ts";
import {
  type Definition,
  readDefinition,
  storedDefinition,
} from "../../../functions/src/model/definition.ts";
import { type Finding, listed } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";

const boardsMost = 5_000;
const boardsPerQuery = 500;

export const boards: Check = {
  name: "boards",
  byHand: "look at the collection leaderboards in the Firebase console, Firestore",
  async look(patient) {
    const documents = await allBoards(patient);
    const findings: Finding[] = [];
    const definitions = new Map<string, Definition>();
    for (const { id, data } of documents) {
      if (isForeign(data)) {
        findings.push(foreign(id));
        continue;
      }
      try {
        definitions.set(id, readDefinition(data));
      } catch (error) {
        findings.push(unreadable(id, data, error));
      }
    }
    if (documents.length === 0) {
      const what = `The database ${patient.database} has no board.`;
      const todo =
        "Create one in the dashboard, or with saveLeaderboard. If there should be some, name another database with --database.";
      findings.push({ id: "board-none", what, known: `The collection ${leaderboardsPath}.`, todo });
    }
    findings.push(...byDefaultZone(definitions, patient.timeZone));
    const why = `Only the first ${boardsMost} boards were looked at.`;
    return {
      seen: `${documents.length}${documents.length === 0 ? "" : `: ${listed(documents.map(({ id }) => id))}`}`,
      findings,
      unchecked: documents.length < boardsMost ? [] : [{ why, isAbsent: false }],
    };
  },
};

/** Cost: one read a board. */
async function allBoards({ db }: Patient): Promise<{ id: string; data: Record<string, unknown> }[]> {
  const found: QueryDocumentSnapshot[] = [];
  for (let after: string | undefined; found.length < boardsMost;) {
    const { docs } = await leaderboards(db, { after, publicOnly: false }, boardsPerQuery).get();
    found.push(...docs);
    if (docs.length < boardsPerQuery) break;
    after = docs.at(-1)?.id;
  }
  return found.map((document) => ({ id: document.id, data: document.data() }));
}

/** Whether a document is no board's: it has fields, and none of a definition's, which all have defaults. */
function isForeign(data: Record<string, unknown>): boolean {
  const names = Object.keys(data);
  return (
    names.length > 0 && !names.some((name) => name === "schema_version" || name in storedDefinition.shape)
  );
}

function foreign(id: string): Finding {
  const path = `${leaderboardsPath}/${id}`;
  return {
    id: "board-unreadable",
    what: `${path} has no field of a board's definition, so Firerank did not write it. It passes for a board with all defaults.`,
    known: `The document ${path}.`,
    todo: "If the collection is yours, Firerank cannot use this database: deploy with another DATABASE. If it was a board, save it again in the dashboard, with the order and columns it had.",
  };
}

/** @throws what is no error of reading */
function unreadable(id: string, data: Record<string, unknown>, error: unknown): Finding {
  const known = `The document ${leaderboardsPath}/${id}.`;
  if (error instanceof FirerankError) {
    return { id: "schema-unknown", what: `The board ${id}: ${error.message}`, known, todo: newerPackage };
  }
  if (!(error instanceof ZodError)) throw error;
  if (error.issues[0]?.path[0] === "time_zone" && typeof data["time_zone"] === "string") {
    return {
      id: "time-zone-invalid",
      what: `The time zone of the board ${id}, ${JSON.stringify(data["time_zone"])}, does not exist, so the board cannot be read.`,
      known,
      todo: 'Save the board again in the dashboard, with an IANA time zone such as "Europe/Vienna".',
    };
  }
  return {
    id: "board-unreadable",
    what: `The definition of the board ${id} cannot be read: ${firstProblem(error)}.`,
    known,
    todo: "Save the board again in the dashboard, with the order and columns it had. If the document is not Firerank's, Firerank cannot use this database: deploy with another DATABASE.",
  };
}

function byDefaultZone(definitions: ReadonlyMap<string, Definition>, own: string): Finding[] {
  if (own === "UTC") return [];
  const calendar = Array.from(definitions).filter(
    ([, { spans, time_zone: zone }]) => zone === "UTC" && spans.some((span) => span !== "all_time"),
  );
  if (calendar.length === 0) return [];
  const what = `The days, weeks or months of ${listed(calendar.map(([id]) => id))} begin at midnight UTC. Your computer's time zone is ${own}.`;
  const todo =
    "If you mean another midnight, set the board's time_zone in the dashboard; it holds from the next season on.";
  return [{ id: "time-zone-default", what, known: "The definitions, and this computer's settings.", todo }];
}
