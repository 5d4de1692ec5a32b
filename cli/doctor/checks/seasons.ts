/** Whether seasons are ranked and closed when they are due. */
import type { Query, QueryDocumentSnapshot, Timestamp } from "../../../functions/src/documents/firestore.ts";
import { leaderboardsPath, seasonOfPath } from "../../../functions/src/documents/paths.ts";
import { dueSeasons } from "../../../functions/src/documents/queries.ts";
import { formOfSeason } from "../../../functions/src/documents/season.ts";
import type { Check } from "../check.ts";
import { type Finding, listed, type Seen } from "../finding.ts";
import { newerPackage } from "./boards.ts";
import { commandOn, type Patient } from "../patient.ts";
import { parkedSeasons } from "../queries.ts";

const seasonsMost = 100;
/** The schedule comes each minute, and a failed run is asked for again after two. */
const lateMinutesMax = 5;
/** A step takes five minutes, and one that failed is tried again after ten. */
const stuckMinutesMax = 20;

/** Cost: one read for each season that is late or parked, at least three. */
export const seasons: Check = {
  name: "seasons",
  byHand: "look at the seasons in the dashboard: each shows its alerts",
  async look(patient): Promise<Seen> {
    const { db, now } = patient;
    const [late, ends, parked] = await Promise.all([
      own(dueSeasons(db, "next_run_at", now() - lateMinutesMax * 60_000)),
      own(dueSeasons(db, "end_due_at", now() - stuckMinutesMax * 60_000)),
      own(parkedSeasons(db, seasonsMost)),
    ]);
    const all = [late, ends, parked].flatMap(({ some }) => some);
    const readable = ({ some }: Found) => some.filter((one) => formOf(one) === "known");
    const findings = [
      ...unreadable(
        patient,
        all.filter((one) => formOf(one) === "damaged"),
      ),
      ...unknown(all.filter((one) => formOf(one) === "unknown")),
      ...overdue(patient, readable(late)),
      ...stuck(patient, readable(ends)),
      ...withoutBoard(readable(parked)),
    ];
    const isCut = late.isCut || ends.isCut || parked.isCut;
    const why = `Of overdue, stuck and parked seasons, only ${seasonsMost} each were looked at.`;
    return {
      seen: `${late.some.length} overdue, ${ends.some.length} stuck, ${parked.some.length} parked`,
      findings,
      unchecked: isCut ? [{ why, isAbsent: false }] : [],
    };
  },
};

interface Found {
  /** Documents of Firerank's, and not those of a collection `seasons` of the owner's. */
  some: QueryDocumentSnapshot[];
  /** Whether there may be more. */
  isCut: boolean;
}

async function own(query: Query): Promise<Found> {
  const { docs } = await query.limit(seasonsMost).get();
  const some = docs.filter(
    ({ ref }) =>
      /^[^/]+\/[^/]+\/seasons\/[^/]+$/.test(ref.path) && ref.path.startsWith(`${leaderboardsPath}/`),
  );
  return { some, isCut: docs.length === seasonsMost };
}

const formOf = (document: QueryDocumentSnapshot) => formOfSeason(document.data());

function unreadable(patient: Patient, damaged: readonly QueryDocumentSnapshot[]): Finding[] {
  const [first] = damaged;
  if (first === undefined) return [];
  const { leaderboard, season } = seasonOfPath(first.ref.path);
  const todo = `Look at the document in the Firebase console. Delete what Firerank did not write; then ${commandOn(patient, `audit ${leaderboard} --season ${season}`)}`;
  const what = `Damaged: ${listed(pathsOf(damaged))}.`;
  return [{ id: "season-unreadable", what, known: "Their documents.", todo }];
}

function unknown(some: readonly QueryDocumentSnapshot[]): Finding[] {
  if (some.length === 0) return [];
  const what = `Another version stored these seasons, in a form that this one does not know: ${listed(pathsOf(some))}.`;
  return [{ id: "schema-unknown", what, known: "Their schema_version.", todo: newerPackage }];
}

const pathsOf = (some: readonly QueryDocumentSnapshot[]) => [...new Set(some.map(({ ref }) => ref.path))];

function overdue(patient: Patient, late: readonly QueryDocumentSnapshot[]): Finding[] {
  const { now, emulators, project } = patient;
  const [first] = late;
  if (first === undefined) return [];
  const { leaderboard, season } = seasonOfPath(first.ref.path);
  const what = `Ranking runs are overdue: ${listed(late.map((one) => `${nameOf(one)} by ${since(one, "next_run_at", now())}`))}.`;
  const how =
    emulators === undefined
      ? `npx firebase functions:log --only rankSeasons,stepSeason --project ${project}. At once: `
      : "The functions' clock runs from the first call or event on, unless FIRERANK_EMULATOR_CLOCK is off. At once: ";
  const todo = `${how}${commandOn(patient, `rank ${leaderboard} --season ${season}`)}`;
  return [{ id: "season-late", what, known: "The seasons' next_run_at.", todo }];
}

function stuck({ now, emulators, project }: Patient, ends: readonly QueryDocumentSnapshot[]): Finding[] {
  if (ends.length === 0) return [];
  const what = `The ends of seasons do not go on: ${listed(ends.map((one) => `${nameOf(one)} (${String(one.get("status"))}) for ${since(one, "end_due_at", now())}`))}.`;
  const how =
    emulators === undefined
      ? `npx firebase functions:log --only rankSeasons,stepSeason --project ${project}`
      : "Look at the output of the emulators";
  return [
    {
      id: "closing-stuck",
      what,
      known: "The seasons' end_due_at.",
      todo: `${how}; the season's run of the kind "closing" says what it waits for.`,
    },
  ];
}

function withoutBoard(parked: readonly QueryDocumentSnapshot[]): Finding[] {
  if (parked.length === 0) return [];
  const what = `Nothing is ranked in ${listed(parked.map(nameOf))}, as the definition of the board was deleted.`;
  const todo =
    "Save the board again under the same id, in the dashboard, with the order and columns it had. Nothing is lost.";
  return [{ id: "season-parked", what, known: 'The seasons\' field "parked".', todo }];
}

function nameOf({ ref }: QueryDocumentSnapshot): string {
  const { leaderboard, season } = seasonOfPath(ref.path);
  return `${leaderboard}/${season}`;
}

function since(document: QueryDocumentSnapshot, field: string, nowMs: number): string {
  return minutes(nowMs - (document.get(field) as Timestamp).toMillis());
}

/** `7 minutes`, `3 hours`, `2 days`. */
function minutes(ms: number): string {
  const all = Math.round(ms / 60_000);
  if (all < 120) return `${all} minutes`;
  return all < 48 * 60 ? `${Math.round(all / 60)} hours` : `${Math.round(all / 1_440)} days`;
}
