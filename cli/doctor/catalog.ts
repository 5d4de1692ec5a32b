import type { AlertCode } from "../../functions/src/jobs/alerts.ts";

/**
 * Every finding that there is, in the order of the checks; docs/doctor.md has the same list.
 *
 * `fault`: something does not work now. `danger`: it works, and will harm or cost something. `note`: worth knowing;
 * nothing has to be done.
 */
export const gravities = ["fault", "danger", "note"] as const;
export type Gravity = (typeof gravities)[number];

export const catalog = {
  "database-missing": ["fault", "the project has no database of this name"],
  "database-mode": ["fault", "the database is in Datastore mode, which has no triggers and no rules"],
  "functions-none": ["fault", "none of Firerank's functions is deployed"],
  "functions-missing": ["fault", "some of Firerank's functions are not deployed"],
  "functions-failed": ["fault", "a function is not active, as after a deployment that failed"],
  "prefix-differs": ["fault", "the functions have another prefix than the one you named"],
  "region-differs": ["fault", "the functions are in another region than the one you named"],
  "regions-several": [
    "fault",
    "Firerank's functions are in more than one region, and enqueue tasks in their own only",
  ],
  "version-differs": ["danger", "the functions are of another version than this command, or of several"],
  "function-foreign": ["fault", "a function has the name of one of Firerank's, and is not Firerank's"],
  "trigger-database": ["fault", "the functions use another database, so no score of this one is ranked"],
  "functions-database": [
    "fault",
    "`indexPlayer` listens to another database than the one other functions use, as after a deployment of only some",
  ],
  "trigger-no-retry": [
    "danger",
    "`indexPlayer` is not retried: a direct write whose event fails once is not counted until a repair",
  ],
  "trigger-unneeded": [
    "danger",
    "`indexPlayer` is deployed although `DIRECT_WRITES` is false: each score costs a call of it",
  ],
  "trigger-left-out": [
    "note",
    "`DIRECT_WRITES` is false: what servers write by themselves is not counted; after the change, repair",
  ],
  "trigger-later": [
    "note",
    "`indexPlayer` came later than other functions: direct writes before it are counted by a repair",
  ],
  "runtime-old": ["fault", "functions run on a version of Node that Firerank does not load on"],
  "codebase-unfit": ["danger", "the codebase in this folder would not load where it is deployed"],
  "tasks-emulator-missing": ["fault", "no Tasks emulator runs, so nothing is ranked there"],
  "queue-missing": ["fault", "a task function has no queue of its name"],
  "queue-stopped": ["fault", "a queue is paused or disabled"],
  "queue-limits": ["danger", "a queue allows less than Firerank asks for"],
  "tasks-waiting": ["danger", "tasks have been due for more than a quarter of an hour"],
  "tasks-failing": ["danger", "the last attempts of tasks that are being retried failed"],
  "schedule-missing": ["fault", "a scheduled function has no job in Cloud Scheduler"],
  "schedule-stopped": ["fault", "a schedule is paused or disabled"],
  "schedule-silent": ["fault", "a schedule has not fired for too long"],
  "schedule-failing": ["danger", "the last start of a schedule failed"],
  "role-missing": ["danger", "the functions' service account lacks a role"],
  "callers-refused": ["fault", "a function that apps call lets nobody in without a role"],
  "app-check-unset": [
    "danger",
    "App Check is enforced, for the calls or for Firestore, and an app has no provider for it, so its calls or reads are refused",
  ],
  "app-check-dashboard": [
    "fault",
    "App Check is enforced for Firestore, and the dashboard was built without a key, so it is refused everything",
  ],
  "app-check-off": ["note", "calls need no App Check token: scores can come from outside your apps"],
  "region-far": [
    "danger",
    "functions and database are on different continents: each call takes longer, and costs traffic",
  ],
  "region-apart": ["note", "functions and database are in different regions"],
  "index-missing": [
    "fault",
    "an index is not deployed; queries that need it fail, or read a whole collection on the Enterprise edition",
  ],
  "index-broken": ["fault", "Firestore could not build an index"],
  "index-building": ["fault", "Firestore is still building an index; queries that need it fail until then"],
  "index-unused": ["note", "an index of Firerank that no board uses costs writes on the Enterprise edition"],
  "exemption-missing": [
    "fault",
    "a field is indexed that must not be: a busy document hits the limit of 40,000 index entries",
  ],
  "exemption-lacks": ["fault", "a field has an exemption that lacks an index of Firerank's queries"],
  "exemption-building": ["note", "Firestore is still building an exemption"],
  "exemption-wider": ["note", "a field that Firerank exempts keeps an index of yours"],
  "ttl-missing": ["danger", "documents that should expire stay forever, as there is no TTL policy"],
  "ttl-other": ["danger", "a collection expires by another field than Firerank's"],
  "rules-missing": [
    "fault",
    "the rules in force have no part for Firerank: apps may read nothing, or anything",
  ],
  "rules-differ": ["danger", "the rules in force for Firerank are not those of this package"],
  "rules-open": [
    "danger",
    "rules let clients write or read Firerank's documents, so they can forge scores or see hidden players",
  ],
  "rules-refuse": ["fault", "the rules refuse what apps read, such as pages and tops"],
  "admin-none": ["danger", "nobody has the role of an admin, so nobody can create a board"],
  "role-claims-wrong": [
    "danger",
    "the claims of a user are of another form, so they give no role, or none for any board",
  ],
  "admin-unverified": ["note", "the address of an admin is not verified"],
  "board-none": ["note", "there is no board yet"],
  "board-unreadable": ["fault", "the definition of a board is damaged, or the document is not Firerank's"],
  "schema-unknown": ["fault", "a board is stored in a form that this version does not know"],
  "time-zone-invalid": ["fault", "a board names a time zone that does not exist"],
  "time-zone-default": [
    "note",
    "the days of a board begin by UTC, and your computer is in another time zone",
  ],
  "collection-fields": [
    "danger",
    "a collection of yours has the name of one of Firerank's, and fields that lost their index by that",
  ],
  "collection-shared": [
    "note",
    "a collection of yours has the name of one of Firerank's, whose exemptions hold for it too",
  ],
  "season-unreadable": ["fault", "the document of a season is damaged, or of another release"],
  "season-parked": ["fault", "a season is parked: the definition of its board was deleted"],
  "run-failed": ["fault", "the last ranking run of a season failed, and changes wait"],
  "season-late": ["fault", "changes wait for a run that is overdue: schedule or queue stand still"],
  "not-ranked": ["fault", "changes have waited for two intervals, though no run is overdue"],
  "players-uncounted": [
    "fault",
    "players are missing in the ranking, or too many in it, as when `indexPlayer` hears no events",
  ],
  "audit-differs": ["danger", "an audit found a season wrong, and nothing has repaired it since"],
  "closing-failing": ["fault", "a step of the end of a season fails again and again"],
  "closing-stuck": ["fault", "the end of a season does not go on, or takes more than six hours"],
  "repair-dead": ["danger", "an audit or a repair has stopped before its end"],
} as const satisfies Record<AlertFinding, readonly [Gravity, string]> &
  Record<string, readonly [Gravity, string]>;

export type FindingId = keyof typeof catalog;

type Kebab<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}-${Kebab<Rest>}`
  : Name;
/** The finding of an alert of a season. */
export type AlertFinding = Kebab<AlertCode>;

export const gravityOf = (id: FindingId): Gravity => catalog[id][0];
