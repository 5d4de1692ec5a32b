/** What the database itself says: its boards, their alerts and their bill, and collections of the same names. */
import { z, ZodError } from "zod";
import type { Firestore, QueryDocumentSnapshot } from "../../../functions/src/documents/firestore.ts";
import { leaderboardsPath } from "../../../functions/src/documents/paths.ts";
import { byId, openSeasons, rankedSeasons, runsSince } from "../../../functions/src/documents/queries.ts";
import { inChunks } from "../../../functions/src/documents/reads.ts";
import { runsToldBy } from "../../../functions/src/documents/recent-runs.ts";
import { readSeasonIfValid, storedRunningSeasons } from "../../../functions/src/documents/season.ts";
import { type Alert, alertCodes, newerPackage } from "../../../functions/src/jobs/alerts.ts";
import { zoneProblem } from "../../../functions/src/model/calendar.ts";
import {
  type Definition,
  readDefinition,
  storedDefinition,
} from "../../../functions/src/model/definition.ts";
import { FirerankError, firstProblem } from "../../../functions/src/model/errors.ts";
import { isoTime } from "../../../functions/src/model/instant.ts";
import { listAlertsSpec } from "../../../functions/src/operations/list-alerts.ts";
import { createServices } from "../../../functions/src/operations/shared/services.ts";
import { type Calendars, spanSeasonAt } from "../../../functions/src/seasons/span-season.ts";
import { ownProcess } from "../../../functions/src/world/own-process.ts";
import { silent } from "../../../functions/src/world/services.ts";
import { call } from "../../call.ts";
import { ownIndexes } from "../../init/package.ts";
import { cost, isLeast, type PricedRegion, pricesAsOf } from "../../prices.ts";
import { count } from "../../progress.ts";
import { variablesOf } from "../deployment.ts";
import {
  danger,
  fault,
  type Finding,
  listed,
  NotChecked,
  note,
  orUnchecked,
  type Unchecked,
} from "../finding.ts";
import { type Check, commandOn, type Patient } from "../patient.ts";
import { outsideLeaderboards } from "../queries.ts";

const boardsMost = 5_000;
const boardsPerQuery = 500;
const notTheirs = "Firerank cannot use this database: deploy with another DATABASE.";

/** Whether each board's definition can be read, and its seasons are those of this computer's rules of time zones. */
export const boards: Check = {
  name: "boards",
  byHand: "look at the collection leaderboards in the Firebase console, Firestore",
  known: `The documents of the collection ${leaderboardsPath}, and this computer's settings.`,
  async *look(patient) {
    const { db, database, timeZone } = patient;
    const all: QueryDocumentSnapshot[] = [];
    for await (const docs of inChunks(byId(db, leaderboardsPath, boardsPerQuery), boardsPerQuery)) {
      all.push(...docs);
      if (all.length >= boardsMost) break;
    }
    const byDefault: string[] = [];
    const differing: string[] = [];
    const templates: [id: string, Definition][] = [];
    for (const document of all) {
      const { id } = document;
      const data = document.data();
      if (isForeign(data)) {
        yield fault(
          "board-unreadable",
          `${leaderboardsPath}/${id} has no field of a board's definition, so Firerank did not write it. It passes for a board with all defaults.`,
          `If the collection is yours, ${notTheirs} If it was a board, save it again in the dashboard, with the order and columns it had.`,
        );
        continue;
      }
      try {
        const definition = readDefinition(data);
        const { spans, time_zone: zone } = definition;
        if (definition.template !== undefined) templates.push([id, definition]);
        if (zone === "UTC" && spans.some((span) => span !== "all_time")) byDefault.push(id);
        const running = storedRunningSeasons.parse(data["running_seasons"]);
        if (zoneProblem(zone) === undefined)
          differing.push(...(await otherDays(db, id, { definition, running })));
      } catch (error) {
        yield unreadable(id, error);
      }
    }
    if (all.length === 0)
      yield note(
        "board-none",
        `The database ${database} has no board.`,
        `Create one in the dashboard, or with ${commandOn(patient, "save <board> <file>")}. If there should be some, name another database with --database.`,
      );
    if (timeZone !== "UTC" && byDefault.length > 0)
      yield note(
        "time-zone-default",
        `The days, weeks or months of ${listed(byDefault)} begin at midnight UTC. Your computer's time zone is ${timeZone}.`,
        "If you mean another midnight, set the board's time_zone in the dashboard; it holds from the next season on.",
      );
    if (differing.length > 0)
      yield danger(
        "time-zone-rules",
        `By the rules of this computer's Node ${process.versions.node} (tz ${process.versions["tz"] ?? "none"}) the functions' seasons begin or end at other times:\n${differing.join("\n")}`,
        "See docs/seasons.md, Rules of time zones. If the functions' times are wrong, deploy them again: that brings the newest rules. If this computer's are, run commands that import or repair on a newer Node.",
        "Open seasons in the database, as the functions have stored them.",
      );
    yield* refusing(patient, templates);
    if (all.length >= boardsMost)
      yield { why: `Only the first ${boardsMost} boards were looked at.`, isAbsent: false };
    return `${all.length}${all.length === 0 ? "" : `: ${listed(all.map(({ id }) => id))}`}`;
  },
};

/** Templates that open no board. Cost: 1 read for each that names a collection. */
async function* refusing(
  patient: Patient,
  templates: readonly [id: string, Definition][],
): AsyncGenerator<Finding | Unchecked> {
  for (const [id, { template }] of templates) {
    const { ids } = template ?? {};
    if (ids === undefined || ids === "any" || !(await byId(patient.db, ids.collection, 1).get()).empty)
      continue;
    yield note(
      "template-names",
      `The template ${id} takes its boards' names from the collection ${ids.collection}, which has no document, so no board is opened.`,
      "Check the collection's name in the template's settings. If the game's levels are still to come, nothing has to be done.",
      `The first document of ${ids.collection}.`,
    );
  }
  const open = templates.filter(([, { template, submit }]) => template?.ids === "any" && submit === "client");
  // App Check has no emulator.
  if (open.length === 0 || patient.emulators !== undefined) return;
  const { answer, unchecked } = await orUnchecked(patient.deployment());
  if (unchecked !== undefined) yield unchecked;
  if (answer === undefined) return;
  const isOff = variablesOf(answer.own, "ENFORCE_APP_CHECK").some(({ value }) => value === "false");
  if (isOff)
    yield fault(
      "template-refuses",
      `New boards of ${listed(open.map(([id]) => id))} are refused: players may open boards of any name, and App Check is not enforced, so any program could.`,
      'Set App Check up, and deploy with ENFORCE_APP_CHECK=true. Or save the template with submit: "server", or with a collection whose documents name the boards.',
      "The templates' definitions, and ENFORCE_APP_CHECK of the functions.",
    );
}

/** Open seasons of spans whose times are not those of this computer's calendar, in words. Cost: 1 read for each, at least 1. */
async function otherDays(db: Firestore, leaderboard: string, calendars: Calendars): Promise<string[]> {
  const { time_zone: zone, spans } = calendars.definition;
  if (spans.every((span) => span === "all_time")) return [];
  const { docs } = await openSeasons(db, leaderboard).get();
  return docs.flatMap((document) => {
    const { span, opens_at: opens, closes_at: closes } = readSeasonIfValid(document.data()).data ?? {};
    if (span === undefined || span === "custom" || span === "all_time" || opens === undefined) return [];
    // Its middle is within it by any rules.
    const middleMs = (opens.toMillis() + (closes ?? opens).toMillis()) / 2;
    const here = spanSeasonAt(leaderboard, calendars, span, middleMs);
    const times = [here.opensAtMs, here.closesAtMs].map((ms) => new Date(ms ?? NaN).toISOString());
    const stored = [opens, closes ?? opens].map(isoTime);
    if (times.join() === stored.join()) return [];
    return `${leaderboard}/${document.id}, in ${zone}: ${stored.join(" to ")} stored, ${times.join(" to ")} here.`;
  });
}

/** Whether a document is no board's: it has fields, and none of a definition's, which all have defaults. */
function isForeign(data: Record<string, unknown>): boolean {
  const names = Object.keys(data);
  return (
    names.length > 0 && !names.some((name) => name === "schema_version" || name in storedDefinition.shape)
  );
}

/** @throws what is no error of reading */
function unreadable(id: string, error: unknown): Finding {
  if (error instanceof FirerankError)
    return fault("schema-unknown", `The board ${id}: ${error.message}`, newerPackage);
  if (!(error instanceof ZodError)) throw error;
  return fault(
    "board-unreadable",
    `The definition of the board ${id} cannot be read: ${firstProblem(error)}.`,
    `Save the board again in the dashboard, with the order and columns it had. If the document is not Firerank's, ${notTheirs}`,
  );
}

/** Whether the owner has collections of the names that Firerank's exemptions and TTL policies hold for. */
export const collections: Check = {
  name: "collections",
  byHand:
    "look whether you have collections named players, scores, top, events, runs or standings of your own",
  known: "The first documents of such collections.",
  async *look({ db, isEnterprise }) {
    if (await isEnterprise())
      throw new NotChecked(
        "On the Enterprise edition there are no exemptions: nothing is indexed by itself.",
        { isAbsent: true },
      );
    const { fieldOverrides } = ownIndexes();
    // Roles, and what erasures leave, lie beside the boards, and are Firerank's too.
    const losing = Map.groupBy(
      fieldOverrides.filter(
        ({ indexes, collectionGroup }) => indexes.length === 0 && !collectionGroup.startsWith("leaderboard_"),
      ),
      ({ collectionGroup }) => collectionGroup,
    );
    for (const [name, overrides] of losing) {
      const both = await Promise.all(outsideLeaderboards(db, name).map((query) => query.get()));
      const document = both.flatMap(({ docs }) => docs).at(0);
      if (document === undefined) continue;
      const fields = overrides.map(({ fieldPath }) => fieldPath);
      const used = fields.filter((field) => document.get(field) !== undefined);
      const what = `Your collection ${document.ref.parent.path} has`;
      const todo =
        "If you query by one of them alone, add its index to the exemption in firestore.indexes.json, and npx firebase deploy --only firestore:indexes";
      const known = `The document ${document.ref.path}.`;
      yield used.length > 0
        ? danger(
            "collection-fields",
            `${what} ${used.join(", ")}, which lost the automatic index as Firerank's ${name} has the same name.`,
            todo,
            known,
          )
        : note(
            "collection-shared",
            `${what} the name of one of Firerank's, so these fields have no index in it: ${fields.join(", ")}.`,
            todo,
            known,
          );
    }
    return `${losing.size} names looked for`;
  },
};

/** Of as many seasons with the same alert each is told in full. */
const toldMost = 5;
const commands = { runRanking: "rank", auditSeason: "audit", repairSeason: "repair" } as const;
/** The others are faults. */
export const dangers: readonly string[] = ["audit_differs", "repair_dead", "values_left_out"];

/** Whether seasons are ranked, closed, audited and repaired: the alerts of all boards, in the words of `listAlerts`. */
export const alerts: Check = {
  name: "alerts",
  byHand: "look at the seasons in the dashboard: each shows its alerts",
  known: "The seasons and their runs, as listAlerts reads them.",
  async *look(patient) {
    const services = createServices({
      ...ownProcess(patient.db, patient.emulators !== undefined),
      now: patient.now,
      log: silent,
    });
    const { alerts: all, is_complete: isComplete } = await call(listAlertsSpec, services, {});
    for (const code of alertCodes) {
      const some = all.filter((alert) => alert.code === code);
      if (some.length > 0) yield findingOf(patient, some as [Alert, ...Alert[]]);
    }
    const why =
      "There is more than one look reads: the first 1,000 boards, the newest runs, and 50 million players of idle seasons. Audit the largest ones.";
    if (!isComplete) yield { why, isAbsent: false };
    return `${all.length}`;
  },
};

function findingOf(patient: Patient, some: readonly [Alert, ...Alert[]]): Finding {
  const [{ code, what_to_do: todo }] = some;
  const named = ({ leaderboard, season }: Alert) => `${leaderboard}/${season}`;
  const told = some.slice(0, toldMost);
  const what = told.map((one) => `${named(one)}, ${ageOf(patient, one)}: ${one.message}`);
  if (some.length > toldMost) what.push(`And ${listed(some.slice(toldMost).map(named))}.`);
  const todos = [todo];
  if (patient.emulators !== undefined && code === "season_late")
    todos.push(
      "The functions' clock runs from the first call or event on, unless FIRERANK_EMULATOR_CLOCK is off.",
    );
  for (const { call: way, leaderboard, season } of told)
    if (way !== undefined)
      todos.push(commandOn(patient, `${commands[way]} ${leaderboard} --season ${season}`));
  const of = dangers.includes(code) ? danger : fault;
  return of(code.replaceAll("_", "-"), what.join("\n"), todos.join("\n"));
}

/** `for 7 minutes`, `for 3 hours`, `for 2 days`. */
function ageOf({ now }: Patient, { since }: Alert): string {
  const minutes = Math.round((now() - Date.parse(since)) / 60_000);
  if (minutes < 120) return `for ${count(minutes, "minute")}`;
  return minutes < 48 * 60
    ? `for ${count(Math.round(minutes / 60), "hour")}`
    : `for ${count(Math.round(minutes / 1_440), "day")}`;
}

const record = z.looseObject({
  billed: z
    .object({
      reads: z.number().default(0),
      writes: z.number().default(0),
      deletes: z.number().default(0),
    })
    .default({ reads: 0, writes: 0, deletes: 0 }),
  found: z
    .looseObject({
      changed_players: z.number().default(0),
    })
    .nullish(),
});
const dayMs = 86_400_000;
const runsMost = 2_000;

/**
 * What Firestore billed in the last day, by what runs have left: a record each, or numbers in the season's document
 * (functions/src/documents/recent-runs.ts). Cost: 1 read for each record and each season that published since, at most
 * 10,000.
 */
export const bill: Check = {
  name: "bill",
  byHand: "Firebase console, Usage and billing",
  known: "The records of the last day's runs.",
  async *look(patient) {
    const { db, now } = patient;
    const total = { reads: 0, writes: 0, deletes: 0 };
    const sinceMs = now() - dayMs;
    const outcomes = ["published", "failed", "done", "running"] as const;
    const queries = outcomes.map((outcome) => runsSince(db, outcome, { sinceMs }, runsMost));
    const found = await Promise.all(
      [...queries, rankedSeasons(db, sinceMs).limit(runsMost)].map((query) => query.get()),
    );
    const isCut = found.some(({ docs }) => docs.length === runsMost);
    const documents = found
      .flatMap(({ docs }) => docs)
      .filter(({ ref }) => ref.path.startsWith(`${leaderboardsPath}/`))
      .map((document) => ({ path: document.ref.path, data: document.data() }));
    const runs = runsToldBy(documents, sinceMs).flatMap(({ data }) => record.safeParse(data).data ?? []);
    for (const { found: changed, billed } of runs) {
      // The commits of the changes that a run published are not in its own bill: at most 1 read and 2 writes each.
      const changes = changed?.changed_players ?? 0;
      total.reads += billed.reads + changes;
      total.writes += billed.writes + 2 * changes;
      total.deletes += billed.deletes;
    }
    if (isCut)
      yield {
        why: `The bill is of the newest ${runsMost.toLocaleString("en")} records of each outcome, and of as many seasons, only.`,
        isAbsent: true,
      };
    const region = await pricedRegion(patient);
    const numbers = Object.entries(total).map(([name, one]) => count(one, name.slice(0, -1)));
    const dollars = `${isLeast(region) ? "at least " : ""}$${cost(total, region).toFixed(4)}`;
    return `${dollars} in the last day for ${count(runs.length, "run")} and at most for the changes that they published: ${numbers.join(", ")}, at the list prices of ${region} as of ${pricesAsOf}`;
  },
};

/** The database's place and edition if their prices are known, and us-central1's otherwise. */
async function pricedRegion({ knownDatabase, isEnterprise }: Patient): Promise<PricedRegion> {
  if (await isEnterprise()) return "us-central1, Enterprise";
  return (await knownDatabase())?.locationId === "nam5" ? "nam5" : "us-central1";
}
