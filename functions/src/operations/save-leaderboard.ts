/** `saveLeaderboard`: creates a board or changes its definition. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
  type DocumentSnapshot,
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
  Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import {
  isSeasonPath,
  leaderboardPath,
  type SeasonKey,
  seasonOfPath,
  seasonsPath,
} from "../documents/paths.ts";
import { byId, openSeasons, parkedSeasons, seasonsOfTemplate } from "../documents/queries.ts";
import { inChunks, readTogether } from "../documents/reads.ts";
import {
  changedDefinition,
  type Definition,
  definitionChanges,
  type DefinitionChanges,
  definitionSchema,
  frozenDifferences,
  frozenFields,
  frozenOfTemplate,
  segmentSources,
  storedDefinition,
} from "../model/definition.ts";
import { zoneProblem } from "../model/calendar.ts";
import { anyPrivateGroup } from "../documents/private-group-queries.ts";
import { FirerankError, invalidField } from "../model/errors.ts";
import { definedId } from "../model/ids.ts";
import { documentsPerReadMax, readConcurrencyMax } from "../model/limits.ts";
import { requireKnownSchema, schemaVersion } from "../model/schema-version.ts";
import { type Had, hadWith, readHad } from "../model/season-definition.ts";
import { intervalEnd, intervalMs } from "../model/slot.ts";
import { definitionId, isOfTemplate } from "../model/template.ts";
import {
  type RunningSeasons,
  storedRunningSeasons,
  type Season,
  readSeasonIfValid,
} from "../documents/season.ts";
import { runningSeasons } from "../seasons/span-season.ts";
import { followDefinition } from "../top/keep-live.ts";
import { inPool } from "../world/pool.ts";
import type { Services } from "../world/services.ts";
import { type OperationSpec, parse } from "./shared/spec.ts";
import { boardCacheOf, changeSeason } from "../seasons/board.ts";
import { countEarlier } from "./shared/count-earlier.ts";

const request = z.strictObject({ leaderboard: definedId, definition: definitionChanges });

/**
 * Creates a board, where a field that is left out gets its default; or changes the fields that are named. `null` takes
 * a field out that may be missing. Functions see it within a minute.
 *
 * A changed `ties` or `top_size` shows in the top a minute later, even on an idle board. A changed `time_zone` or
 * `week_starts_on` applies from the next season on: the current season of each span runs until the first boundary of
 * the new calendar after its end. A new span begins at once; a removed one takes no more scores, and its season closes
 * at its time.
 *
 * Cost: 1 read, 1 more for each open season, 2 if none is open, 3 of a new board, 1 for each span while the board has no
 * season, and 1 write; 1 more write for each season that a new interval, calendar or segment changes; for each season a
 * refresh of the top (top X + 2 reads, 1 write) if the top changes. Of a template {@link wakeParked}.
 *
 * A definition with a `template` is that of many boards. Nothing is written to these: their limits, visibility and the
 * like apply within a minute, a new interval with a board's next run, `ties` and `top_size` with the next refresh of
 * its top.
 * @throws `invalid_request` for a template with any ids to which players submit, where App Check is not enforced.
 * @throws `definition_frozen` for a changed `order`, `aggregation`, `columns` or `decimals`, or `from` of a segment, once a
 * season is open: the first valid submission opens one. Seasons keep both, so it is also thrown where the stored definition
 * is gone or was changed by hand; and while the board is being deleted. Of a template with a board, also for changed
 * `spans`, `time_zone`, `week_starts_on`, `movement` and `segments`; and where a board with a season would become a
 * template, or the other way round; where private groups would be switched off that there are.
 */
export const saveLeaderboardSpec: OperationSpec<typeof request, Definition> = {
  name: "saveLeaderboard",
  request,
  async handle(services, { leaderboard, definition: changes }) {
    const { before, definition, open, saved, isNew } = await save(services, leaderboard, changes);
    boardCacheOf(services).forget(leaderboard);
    if (definition.template !== undefined) await wakeParked(services, leaderboard, saved);
    else if (isNew) await countEarlier(services, leaderboard, definition);
    const showsOtherTop =
      before !== undefined && (before.ties !== definition.ties || before.top_size !== definition.top_size);
    if (showsOtherTop) for (const season of open) await followDefinition(services, { leaderboard, season });
    return definition;
  },
};

/**
 * What `saveLeaderboard` would make of a definition, with all of its checks; nothing is written. Cost: the reads of
 * {@link saveLeaderboardSpec}. @throws as it does
 */
export const checkLeaderboardSpec: OperationSpec<typeof request, Definition> = {
  name: "saveLeaderboard",
  request,
  async handle(services, { leaderboard, definition: changes }) {
    const check = (transaction: Transaction) => checked(services, transaction, leaderboard, changes);
    return (await readTogether(services.db, check)).definition;
  },
};

/** The definition as it will be. @throws `invalid_request`, also for a stored time zone that the functions do not know */
function definitionAfter(stored: DocumentSnapshot, changes: DefinitionChanges, intervalMinutesMin: number) {
  const definition = definitionSchema(intervalMinutesMin).superRefine(({ time_zone: zone }, context) => {
    const message = zoneProblem(zone);
    if (message !== undefined) context.addIssue({ code: "custom", path: ["time_zone"], message });
  });
  const schema = z.object({ definition });
  return parse(schema, { definition: changedDefinition(stored.data(), changes) }).definition;
}

/**
 * Wakes the seasons of a template's boards that were parked while the template had no definition, as a board's own
 * seasons are woken in the commit that saves it. They are few beside all others. Cost: 1 read for each parked season of
 * any board, at least 1; 1 read and 1 write for each that wakes.
 */
async function wakeParked(services: Services, template: string, saved: Saved): Promise<void> {
  for await (const parked of inChunks(parkedSeasons(services.db), documentsPerReadMax)) {
    const paths = parked.map(({ ref }) => ref.path).filter(isSeasonPath);
    const own = paths.map(seasonOfPath).filter(({ leaderboard }) => isBoardOf(template, leaderboard));
    const wake = (key: SeasonKey) =>
      changeSeason(services, key, (season) =>
        season.status === "open" && season.parked !== null ? changesOf(season, key.season, saved) : undefined,
      );
    await inPool(own, readConcurrencyMax, wake);
  }
}

const isBoardOf = (template: string, leaderboard: string) =>
  isOfTemplate(leaderboard) && definitionId(leaderboard) === template;

/** @returns the definition, the one before if the board has a season, the seasons that are open, and what was saved. */
async function save(services: Services, leaderboard: string, changes: DefinitionChanges) {
  const { db, now } = services;
  return db.runTransaction(async (transaction) => {
    const { stored, definition, before, open, had, sources, isNew, firstBoardAt } = await checked(
      services,
      transaction,
      leaderboard,
      changes,
    );
    const nowMs = now();
    const running = runningAfter(stored, before, definition, nowMs);
    transaction.set(stored.ref, {
      ...definition,
      schema_version: schemaVersion,
      updated_at: Timestamp.fromMillis(nowMs),
      ...(Object.keys(running).length === 0 ? {} : { running_seasons: running }),
      ...allTimeLate(stored, isNew, before, definition),
      ...(hadAny(had) && { had }),
      ...movementSince(stored, definition, nowMs),
      ...(firstBoardAt !== undefined &&
        definition.template !== undefined && { first_board_at: firstBoardAt }),
    });
    const saved = { definition, sources, running, nowMs };
    for (const one of open) changeSeasonIn(transaction, one, saved);
    return { before, definition, open: open.map(({ id }) => id), saved, isNew };
  });
}

/**
 * Makes the definition, and checks it against the stored one and what was counted by it.
 * @returns the definition as it will be, and what is stored: also the one before if the board has a season, its open
 *   seasons, the segments it has had, and when a template got its first board, if it has one.
 */
async function checked(
  { db, intervalMinutesMin, opener }: Services,
  transaction: Transaction,
  leaderboard: string,
  changes: DefinitionChanges,
) {
  const stored = await transaction.get(db.doc(leaderboardPath(leaderboard)));
  // Also where there is no season: what a newer release has written is not replaced by less.
  requireKnownSchema("leaderboard", stored.data());
  const definition = definitionAfter(stored, changes, intervalMinutesMin);
  if (opener === "anybody") refuseOpenToAnybody(definition);
  const { open, first } = await seasonsOf(db, transaction, stored, definition);
  const boardAt: unknown = stored.get("first_board_at") ?? first?.createTime;
  const firstBoardAt = stored.exists || definition.template !== undefined ? boardAt : undefined;
  const isNew = first === undefined && firstBoardAt === undefined;
  const before = isNew ? undefined : storedDefinition.safeParse(stored.data()).data;
  if (!isNew && stored.exists) refuseOtherKind(leaderboard, before, definition);
  if (before?.template !== undefined) refuseChanged(leaderboard, before, definition, frozenOfTemplate);
  // What was counted, whatever the stored definition says, or where it is gone.
  const counted = first === undefined || open.includes(first) ? open : [...open, first];
  const seasons = counted.flatMap((one) => readSeasonIfValid(one.data()).data ?? []);
  const orderings = [before, ...seasons.map(({ ordering }) => ordering)];
  for (const one of orderings)
    if (one !== undefined) refuseChanged(leaderboard, one, definition, frozenFields);
  const had = hadBy(stored, seasons, before);
  const sources = sourcesIn(had, definition);
  if (stored.get("private_groups") === true && !definition.private_groups) {
    const groups = await transaction.get(anyPrivateGroup(db, leaderboard));
    if (!groups.empty)
      throw frozen(`Leaderboard "${leaderboard}" has private groups: delete them first.`, ["private_groups"]);
  }
  return { stored, definition, before, open, had, sources, isNew, firstBoardAt };
}

/**
 * The open seasons of a board, and one of its seasons, open or not; of a template whose definition is gone, one of its
 * boards.
 * @throws `definition_frozen` while it is being deleted: that begins with the first season, and may have been cut off
 * after it; and for a board in place of a template whose definition is gone.
 */
async function seasonsOf(
  db: Firestore,
  transaction: Transaction,
  stored: DocumentSnapshot,
  { template }: Definition,
) {
  const { id } = stored;
  const open = (await transaction.get(openSeasons(db, id))).docs;
  const [known] = stored.exists ? open : [];
  const one = (query: Query) => transaction.get(query).then(({ docs }) => docs[0]);
  const own = known ?? (await one(byId(db, seasonsPath(id), 1)));
  const mayHaveBoards = !stored.exists && own === undefined;
  const first = mayHaveBoards ? await one(seasonsOfTemplate(db, id).limit(1)) : own;
  if (!stored.exists && first?.get("status") === "deleting")
    throw new FirerankError(
      "definition_frozen",
      `Leaderboard "${id}" is being deleted. Create another, or this one when it is gone: in a quarter of an hour, or later if it was large.`,
    );
  if (mayHaveBoards && first !== undefined && template === undefined) throw staysTemplate(id);
  return { open, first };
}

function staysTemplate(leaderboard: string): FirerankError {
  const message = `Template "${leaderboard}" has boards, so it stays a template. Create another leaderboard.`;
  return frozen(message, ["template"]);
}

/** @throws `invalid_request` for boards that any program could open. */
function refuseOpenToAnybody({ template, submit }: Definition): void {
  if (template?.ids !== "any" || submit !== "client") return;
  throw invalidField(
    "definition.template.ids",
    'must name a collection, as in {"collection":"levels"}: App Check is not enforced, so any program could open boards',
  );
}

/** The seasons that run on after this save. */
function runningAfter(
  stored: DocumentSnapshot,
  before: Definition | undefined,
  definition: Definition,
  nowMs: number,
): RunningSeasons {
  const running = storedRunningSeasons.parse(stored.get("running_seasons"));
  return before === undefined ? running : runningSeasons({ definition: before, running }, definition, nowMs);
}

function changeSeasonIn(transaction: Transaction, document: QueryDocumentSnapshot, saved: Saved): void {
  const { data: season } = readSeasonIfValid(document.data());
  // A damaged one is for the alerts to tell of, or somebody else's.
  if (season === undefined) return;
  const change = changesOf(season, document.id, saved);
  if (Object.keys(change).length > 0) transaction.update(document.ref, change);
}

/** Whether the board got `all_time` after it had other seasons: an earlier ban is not among its players, and is looked up elsewhere. */
function allTimeLate(
  stored: DocumentSnapshot,
  isNew: boolean,
  before: Definition | undefined,
  { spans }: Definition,
): object {
  const isAdded = !isNew && spans.includes("all_time") && before?.spans.includes("all_time") !== true;
  return isAdded || stored.get("got_all_time_late") === true ? { got_all_time_late: true } : {};
}

/** Since when marks keep what they were at midnights: it stays, as they do so without a gap even where movement is off for a while. */
function movementSince(stored: DocumentSnapshot, { movement }: Definition, nowMs: number): object {
  const since: unknown = stored.get("movement_since") ?? (movement ? Timestamp.fromMillis(nowMs) : undefined);
  return since === undefined ? {} : { movement_since: since };
}

/** @throws `definition_frozen` where a template would become a board, or a board a template. */
function refuseOtherKind(
  leaderboard: string,
  before: Definition | undefined,
  { template }: Definition,
): void {
  const wasTemplate = before?.template !== undefined;
  if (before === undefined || wasTemplate === (template !== undefined)) return;
  if (wasTemplate) throw staysTemplate(leaderboard);
  const what = `Leaderboard "${leaderboard}" has scores, so it becomes no template. `;
  throw frozen(`${what}Create another leaderboard.`, ["template"]);
}

/** @throws `definition_frozen` where one of these fields was otherwise when scores were counted. */
function refuseChanged<Name extends keyof Definition>(
  leaderboard: string,
  before: Pick<Definition, Name>,
  definition: Pick<Definition, Name>,
  fields: readonly Name[],
): void {
  const names = frozenDifferences(before, definition, fields);
  if (names.length === 0) return;
  const what = `Leaderboard "${leaderboard}" has scores, so its ${names.join(" and ")} cannot change any more. `;
  const own = JSON.stringify(Object.fromEntries(names.map((name) => [name, before[name] ?? null])));
  throw frozen(
    `${what}Create another leaderboard, or send the definition with these fields as they are: ${own}.`,
    names,
  );
}

const hadAny = ({ segments, ties }: Had) => ties.length > 0 || Object.keys(segments).length > 0;

/** What the board's definitions had since its first season. Where these were lost by hand, seasons say it, as far as they do. */
function hadBy(stored: DocumentSnapshot, seasons: readonly Season[], before: Definition | undefined): Had {
  const ofSeasons = seasons.flatMap(({ segment_sources: said = {} }) =>
    Object.entries(said).map(([name, from]) => [name, { from }] as const),
  );
  const known = readHad(stored.data());
  const had = { ...known, segments: { ...Object.fromEntries(ofSeasons), ...known.segments } };
  return before === undefined ? had : hadWith(had, before);
}

/**
 * Who says the values of each segment that the board has had since its first season: documents keep what was said.
 * @throws `definition_frozen` where it would be somebody else: players could have chosen theirs.
 */
function sourcesIn({ segments: had }: Had, { segments = [] }: Definition): Record<string, string> {
  const known = Object.fromEntries(Object.entries(had).map(([name, { from }]) => [name, from]));
  for (const [i, { name, from }] of segments.entries())
    if (Object.hasOwn(known, name) && known[name] !== from)
      throw frozen(
        `Segment "${name}" has its values from "${known[name] ?? ""}", which cannot change: add another.`,
        [`segments.${i}.from`],
      );
  return known;
}

interface Saved {
  definition: Definition;
  /** Who said the values of segments before. */
  sources: Record<string, string>;
  running: RunningSeasons;
  nowMs: number;
}

function changesOf(
  {
    interval_ms: before,
    parked,
    opens_at: opens,
    closes_at: closesBefore,
    segment_sources: saidBefore = {},
  }: Season,
  id: string,
  { definition, sources, running, nowMs }: Saved,
): Partial<Season> {
  const lengthMs = intervalMs(definition.ranking_interval_minutes);
  const isParked = parked !== null;
  // A tournament needs no run before it opens.
  const dueMs = intervalEnd(Math.max(nowMs, opens.toMillis()), lengthMs);
  const all = [...(running.daily ?? []), ...(running.weekly ?? []), ...(running.monthly ?? [])];
  const closes = all.find(({ season }) => season === id)?.closes_at;
  const isKept = closes === undefined || closesBefore?.isEqual(closes) === true;
  const isSame = before === lengthMs && !isParked;
  const said = { ...sources, ...segmentSources(definition) };
  return {
    ...(isDeepStrictEqual(said, saidBefore) ? {} : { segment_sources: said }),
    ...(isSame ? {} : { interval_ms: lengthMs, next_run_at: Timestamp.fromMillis(dueMs) }),
    ...(isParked ? { parked: null, dormant_at: null } : {}),
    ...(isKept ? {} : { closes_at: closes, end_due_at: closes }),
  };
}

function frozen(message: string, names: readonly string[]): FirerankError {
  const fields = names.map((name) => ({ path: `definition.${name}`, message: "cannot change any more" }));
  return new FirerankError("definition_frozen", message, { fields });
}
