/** Whether there is the database, and whether it has the indexes, exemptions and TTL policies that it needs. */
import { z } from "zod";
import { editionOf, wantedIndexes } from "../../init/edition.ts";
import {
  type Edition,
  field,
  type Index,
  indexKey,
  isSameField,
  type Override,
  parseIndexFile,
} from "../../init/index-file.ts";
import { configIn } from "../../init/merge-firebase-json.ts";
import { readIn } from "../../init/project-folder.ts";
import { danger, fault, listed, note } from "../finding.ts";
import { type Check, configOf, type Patient } from "../patient.ts";

export const database: Check = {
  name: "database",
  byHand: "Firebase console, Firestore: the list of databases is above the data",
  known: "Firestore's list of databases.",
  async *look({ storedDatabase, project, database: name }) {
    const { locationId, type, databaseEdition = "STANDARD" } = (await storedDatabase()) ?? {};
    if (locationId === undefined)
      yield fault(
        "database-missing",
        `Project ${project} has no database ${name}.`,
        `gcloud firestore databases list --project ${project}; then name one with --database, or create it in the Firebase console, Firestore`,
      );
    else if (type === "DATASTORE_MODE")
      yield fault(
        "database-mode",
        `The database ${name} is in Datastore mode, which has no triggers and no rules.`,
        "Create another database in the Firebase console, Firestore, and deploy with DATABASE set to it.",
      );
    else return `${name} in ${locationId}, ${databaseEdition.toLowerCase()} edition`;
    return "";
  },
};

const stored = z.object({
  name: z.string().default(""),
  queryScope: z.string().default("COLLECTION"),
  fields: z.array(field).default([]),
  density: z.string().exactOptional(),
  state: z.string().optional(),
});
const storedIndex = stored.transform(({ name, ...one }) => ({ ...one, collectionGroup: groupOf(name) }));
const storedField = z.looseObject({
  name: z.string(),
  indexConfig: z
    .looseObject({
      indexes: z.array(stored).default([]),
      usesAncestorConfig: z.boolean().default(false),
    })
    .optional(),
  ttlConfig: z.looseObject({ state: z.string().default("ACTIVE") }).optional(),
});

/** What a database has, or an index file. */
interface Stored {
  indexes: (Index & { state?: string | undefined })[];
  fields: StoredField[];
  edition: Edition;
}

interface StoredField extends Pick<Override, "collectionGroup" | "fieldPath"> {
  /** Its indexes in place of the automatic ones; undefined without an exemption. */
  indexes: (Override["indexes"][number] & { state?: string | undefined })[] | undefined;
  /** The state of its TTL policy, if it has one. */
  ttl: string | undefined;
}

/** Cost: on the Enterprise edition one read a board. */
export const indexes: Check = {
  name: "indexes",
  byHand:
    "npx firebase firestore:indexes, and compare with the package's lib/firestore/firestore.indexes.json; on the Enterprise edition with what npx --no-install firerank indexes writes",
  known: "The list of indexes and fields, of Firestore or of the index file in this folder.",
  async *look(patient) {
    // The emulator answers every query without an index, and shows none: there it is the file that a deploy takes.
    const isFile = patient.emulators !== undefined;
    const { edition, ...there } = isFile ? ofFile(patient) : await ofProject(patient);
    const { project } = patient;
    const kinds = edition === "enterprise" ? await patient.boardKinds() : undefined;
    const { wanted, unwanted } = wantedIndexes(edition, kinds);
    const keyOf = (one: Index) => indexKey(one, edition);
    const known = new Map(there.indexes.map(({ state, ...one }) => [keyOf(one), state ?? "READY"]));
    const needed = new Set(wanted.indexes.map(keyOf));
    const unused = kinds === undefined ? [] : unwanted.indexes.filter((one) => !needed.has(keyOf(one)));
    const said = Map.groupBy(
      [
        ...wanted.indexes.map((one) => [known.get(keyOf(one)) ?? "missing", inWords(one)] as const),
        // Nothing is indexed by itself on the Enterprise edition, so there is nothing to exempt.
        ...(edition === "standard" ? wanted.fieldOverrides : []).flatMap((one) =>
          exemption(one, there.fields),
        ),
        ...wanted.fieldOverrides.flatMap((one) => (one.ttl === true ? expiry(one, there.fields) : [])),
        ...unused.filter((one) => known.has(keyOf(one))).map((one) => ["unused", inWords(one)] as const),
      ],
      ([how]) => how,
    );
    const all = function* (of: typeof fault, id: string, what: string, how: string, todo: string) {
      const names = said.get(how)?.map(([, name]) => name);
      if (names !== undefined) yield of(id, `${what}: ${listed(names, 8)}.`, todo);
    };

    const deploy = `npx firebase deploy --only firestore:indexes --project ${project}`;
    const merge =
      edition === "standard"
        ? "npx --no-install firerank init, which merges firestore.indexes.json"
        : `npx --no-install firerank indexes --edition enterprise --project ${project}, which writes those of your boards into firestore.indexes.json`;
    const mend = isFile ? merge : `${merge}; then ${deploy}`;
    const wait = "Wait. Building takes minutes, on a large database hours.";
    yield* all(fault, "index-missing", isFile ? "Not in the file" : "Not deployed", "missing", mend);
    const anew = `Delete it in the Firebase console, Firestore, Indexes; then ${deploy}`;
    yield* all(fault, "index-broken", "Firestore could not build", "NEEDS_REPAIR", anew);
    yield* all(fault, "index-building", "Still being built", "CREATING", wait);
    yield* all(note, "index-unused", "Not used by any board", "unused", mend);
    yield* all(fault, "exemption-missing", "Without an exemption", "unexempted", mend);
    yield* all(fault, "exemption-lacks", "Exempted without an index that is needed", "lacking", mend);
    yield* all(note, "exemption-building", "Still being built", "exempting", wait);
    const keep =
      "Keep it if you query by it. It holds for Firerank's documents too, and an index on a rising time keeps a collection to about 500 writes a second.";
    yield* all(note, "exemption-wider", "Exempted, with more indexes than Firerank's", "wider", keep);
    yield* all(danger, "ttl-missing", "Without a TTL policy", "lasting", mend);
    const one =
      "A collection group has one TTL policy. If it is not yours, delete it in the Google Cloud console, Firestore, Time-to-live, and deploy the indexes. If it is, keep it: Firerank's documents then stay, and cost their storage.";
    yield* all(danger, "ttl-other", "With a TTL policy on another field", "otherwise", one);
    return `${wanted.indexes.length} indexes and ${wanted.fieldOverrides.length} exemptions or TTL policies looked for, of the ${edition} edition`;
  },
};

async function ofProject({ api, project, database, isEnterprise }: Patient): Promise<Stored> {
  const parent = `v1/projects/${project}/databases/${database}/collectionGroups/-`;
  const service = "firestore.googleapis.com";
  const filter = encodeURIComponent("indexConfig.usesAncestorConfig:false OR ttlConfig:*");
  const indexes = await api.list(service, `${parent}/indexes`, "indexes", storedIndex);
  const found = await api.list(service, `${parent}/fields?filter=${filter}`, "fields", storedField);
  const fields = found.map(({ name, indexConfig, ttlConfig }) => ({
    collectionGroup: groupOf(name),
    fieldPath: (name.split("/")[7] ?? "").replaceAll("`", ""),
    ttl: ttlConfig?.state,
    indexes:
      indexConfig?.usesAncestorConfig === false
        ? indexConfig.indexes.map(({ queryScope, state, fields: [how] }) => ({ ...how, queryScope, state }))
        : undefined,
  }));
  return { indexes, fields, edition: (await isEnterprise()) ? "enterprise" : "standard" };
}

/** @throws NotChecked without a firebase.json */
function ofFile(patient: Patient): Stored {
  const { folder, config } = configOf(patient);
  const named = configIn(config).entryOf(patient.database);
  const text = readIn(folder, named?.indexes ?? "firestore.indexes.json") ?? "{}";
  const { indexes, fieldOverrides } = parseIndexFile(text);
  const fields = fieldOverrides.map((one) => ({ ...one, ttl: one.ttl === true ? "ACTIVE" : undefined }));
  return { indexes, fields, edition: editionOf(undefined, named?.edition) };
}

/** What is wrong with an exemption, each with its name. */
function exemption(
  wanted: Override,
  stored: readonly StoredField[],
): (readonly [how: string, name: string])[] {
  const { indexes } = stored.find((one) => isSameField(one, wanted)) ?? {};
  const has = indexes?.map(settingOf);
  const should = wanted.indexes.map(settingOf);
  const isIn = (state: string) => indexes?.some((one) => one.state === state) === true;
  const wrong = [
    has === undefined && "unexempted",
    has !== undefined && should.some((one) => !has.includes(one)) && "lacking",
    has?.some((one) => !should.includes(one)) === true && "wider",
    isIn("CREATING") && "exempting",
    isIn("NEEDS_REPAIR") && "NEEDS_REPAIR",
  ];
  return wrong.flatMap((how) => (how === false ? [] : [[how, nameOf(wanted)] as const]));
}

function expiry(wanted: Override, stored: readonly StoredField[]): (readonly [how: string, name: string])[] {
  const { collectionGroup, fieldPath } = wanted;
  const ttl = stored.find((one) => isSameField(one, wanted))?.ttl;
  const other = stored.find((one) => one.ttl !== undefined && one.collectionGroup === collectionGroup);
  if (ttl === "NEEDS_REPAIR") return [[ttl, `${nameOf(wanted)} (TTL)`]];
  if (other === undefined) return [["lasting", nameOf(wanted)]];
  const by = `${collectionGroup} by ${other.fieldPath} in place of ${fieldPath}`;
  return ttl === undefined ? [["otherwise", by]] : [];
}

const nameOf = ({ collectionGroup, fieldPath }: Override) => `${collectionGroup}.${fieldPath}`;

function inWords({ collectionGroup, queryScope, fields }: Index): string {
  const named = fields.filter(({ fieldPath }) => fieldPath !== "__name__");
  const keys = named.map(
    ({ fieldPath, order, arrayConfig }) => `${fieldPath} ${(order ?? arrayConfig ?? "").toLowerCase()}`,
  );
  return `${collectionGroup}${queryScope === "COLLECTION_GROUP" ? " (group)" : ""}: ${keys.join(", ")}`;
}

const settingOf = ({ order, arrayConfig, queryScope = "COLLECTION" }: Override["indexes"][number]) =>
  `${order ?? arrayConfig ?? ""} ${queryScope}`;

/** Of `projects/p/databases/d/collectionGroups/players/fields/score`. */
const groupOf = (name: string) => name.split("/")[5] ?? "";
