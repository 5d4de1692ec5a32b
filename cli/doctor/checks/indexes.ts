/** Whether there is the database, and whether it has the indexes, exemptions and TTL policies that it needs. */
import { z } from "zod";
import { type Edition, editionOf, wantedIndexes } from "../../init/edition.ts";
import { type Index, indexKey, type Override, parseIndexFile } from "../../init/index-file.ts";
import { databaseIn } from "../../init/merge-firebase-json.ts";
import { readIn } from "../../init/project-folder.ts";
import { danger, fault, type Finding, listed, note } from "../finding.ts";
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

const key = z.looseObject({
  fieldPath: z.string(),
  order: z.string().optional(),
  arrayConfig: z.string().optional(),
});
const storedIndex = z.looseObject({
  name: z.string().default(""),
  queryScope: z.string().default("COLLECTION"),
  fields: z.array(key).default([]),
  density: z.string().optional(),
  state: z.string().optional(),
});
const storedField = z.looseObject({
  name: z.string(),
  indexConfig: z
    .looseObject({
      indexes: z.array(storedIndex).default([]),
      usesAncestorConfig: z.boolean().default(false),
    })
    .optional(),
  ttlConfig: z.looseObject({ state: z.string().optional() }).optional(),
});
type StoredIndex = z.infer<typeof storedIndex>;
type StoredField = z.infer<typeof storedField>;

/** Cost: on the Enterprise edition one read a board. */
export const indexes: Check = {
  name: "indexes",
  byHand:
    "npx firebase firestore:indexes, and compare with the package's lib/firestore/firestore.indexes.json; on the Enterprise edition with what npx --no-install firerank indexes writes",
  known: "The list of indexes and fields, of Firestore or of the index file in this folder.",
  async *look(patient) {
    // The emulator answers every query without an index, and shows none: there it is the file that a deploy takes.
    const isFile = patient.emulators !== undefined;
    const { stored, fields, edition } = isFile ? ofFile(patient) : await ofProject(patient);
    const { project } = patient;
    const kinds = edition === "enterprise" ? await patient.boardKinds() : undefined;
    const { wanted, unwanted } = wantedIndexes(edition, kinds);
    const said = new Said();
    const known = new Map(stored.map((one) => [indexKey(specOf(one), edition), one]));
    for (const one of wanted.indexes) {
      const found = known.get(indexKey(one, edition));
      known.delete(indexKey(one, edition));
      if (found === undefined) said.add("missing", inWords(one));
      else if (found.state === "CREATING") said.add("building", inWords(one));
      else if (found.state === "NEEDS_REPAIR") said.add("broken", inWords(one));
    }
    for (const one of wanted.fieldOverrides) {
      // Nothing is indexed by itself on the Enterprise edition, so there is nothing to exempt.
      if (edition === "standard") compareExemption(one, fields, said);
      if (one.ttl === true) compareExpiry(one, fields, said);
    }
    const others = kinds === undefined ? [] : unwanted.indexes;
    for (const one of others) if (known.has(indexKey(one, edition))) said.add("unused", inWords(one));

    const deploy = `npx firebase deploy --only firestore:indexes --project ${project}`;
    const merge =
      edition === "standard"
        ? "npx --no-install firerank init, which merges firestore.indexes.json"
        : `npx --no-install firerank indexes --edition enterprise --project ${project}, which writes those of your boards into firestore.indexes.json`;
    const mend = isFile ? merge : `${merge}; then ${deploy}`;
    const wait = "Wait. Building takes minutes, on a large database hours.";
    yield* said.all(fault, "index-missing", isFile ? "Not in the file" : "Not deployed", "missing", mend);
    const anew = `Delete it in the Firebase console, Firestore, Indexes; then ${deploy}`;
    yield* said.all(fault, "index-broken", "Firestore could not build", "broken", anew);
    yield* said.all(fault, "index-building", "Still being built", "building", wait);
    yield* said.all(note, "index-unused", "Not used by any board", "unused", mend);
    yield* said.all(fault, "exemption-missing", "Without an exemption", "unexempted", mend);
    const lacking = "Exempted without an index that is needed";
    yield* said.all(fault, "exemption-lacks", lacking, "lacking", mend);
    yield* said.all(note, "exemption-building", "Still being built", "exempting", wait);
    const keep =
      "Keep it if you query by it. It holds for Firerank's documents too, and an index on a rising time keeps a collection to about 500 writes a second.";
    yield* said.all(note, "exemption-wider", "Exempted, with more indexes than Firerank's", "wider", keep);
    yield* said.all(danger, "ttl-missing", "Without a TTL policy", "lasting", mend);
    const one =
      "A collection group has one TTL policy. If it is not yours, delete it in the Google Cloud console, Firestore, Time-to-live, and deploy the indexes. If it is, keep it: Firerank's documents then stay, and cost their storage.";
    yield* said.all(danger, "ttl-other", "With a TTL policy on another field", "otherwise", one);
    return `${wanted.indexes.length} indexes and ${wanted.fieldOverrides.length} exemptions or TTL policies looked for, of the ${edition} edition`;
  },
};

/** What was found, by what is wrong with it. */
class Said {
  readonly #names = new Map<string, string[]>();

  add(how: string, name: string): void {
    this.#names.set(how, [...(this.#names.get(how) ?? []), name]);
  }

  *all(of: typeof fault, id: string, what: string, how: string, todo: string): Generator<Finding> {
    const names = this.#names.get(how);
    if (names !== undefined) yield of(id, `${what}: ${listed(names, 8)}.`, todo);
  }
}

interface Stored {
  stored: StoredIndex[];
  fields: StoredField[];
  edition: Edition;
}

async function ofProject({ api, project, database, isEnterprise }: Patient): Promise<Stored> {
  const parent = `v1/projects/${project}/databases/${database}/collectionGroups/-`;
  const service = "firestore.googleapis.com";
  const filter = encodeURIComponent("indexConfig.usesAncestorConfig:false OR ttlConfig:*");
  return {
    stored: await api.list(service, `${parent}/indexes`, "indexes", storedIndex),
    fields: await api.list(service, `${parent}/fields?filter=${filter}`, "fields", storedField),
    edition: (await isEnterprise()) ? "enterprise" : "standard",
  };
}

/** A file's indexes and exemptions in the form of Firestore's lists. @throws NotChecked without a firebase.json */
function ofFile(patient: Patient): Stored {
  const { folder, config } = configOf(patient);
  const named = databaseIn(config, patient.database);
  const text = readIn(folder, named?.indexes ?? "firestore.indexes.json") ?? "{}";
  const { indexes, fieldOverrides } = parseIndexFile(text);
  const groups = `projects/p/databases/d/collectionGroups`;
  return {
    stored: indexes.map(({ collectionGroup, ...one }) =>
      storedIndex.parse({ ...one, name: `${groups}/${collectionGroup}/indexes/-` }),
    ),
    fields: fieldOverrides.map(({ collectionGroup, fieldPath, ttl, indexes: own }) =>
      storedField.parse({
        name: `${groups}/${collectionGroup}/fields/${fieldPath}`,
        indexConfig: { indexes: own.map((one) => ({ ...one, fields: [{ fieldPath, ...one }] })) },
        ...(ttl === true ? { ttlConfig: {} } : {}),
      }),
    ),
    edition: editionOf(undefined, named?.edition),
  };
}

/** An index as a file has it. What else Firestore says of it changes no query's answer. */
function specOf({ name, queryScope, fields, density }: StoredIndex): Index {
  const collectionGroup = groupOf(name);
  return { collectionGroup, queryScope, fields, ...(density === undefined ? {} : { density }) };
}

function compareExemption(wanted: Override, stored: readonly StoredField[], said: Said): void {
  const name = nameOf(wanted);
  const config = stored.find((one) => isField(one, wanted))?.indexConfig;
  if (config === undefined || config.usesAncestorConfig) {
    said.add("unexempted", name);
    return;
  }
  const has = config.indexes.map(({ queryScope, fields: [first] }) => settingOf({ ...first, queryScope }));
  const should = wanted.indexes.map(settingOf);
  if (should.some((one) => !has.includes(one))) said.add("lacking", name);
  if (has.some((one) => !should.includes(one))) said.add("wider", name);
  if (config.indexes.some(({ state }) => state === "CREATING")) said.add("exempting", name);
  if (config.indexes.some(({ state }) => state === "NEEDS_REPAIR")) said.add("broken", name);
}

function compareExpiry(wanted: Override, stored: readonly StoredField[], said: Said): void {
  const { collectionGroup, fieldPath } = wanted;
  const ttl = stored.find((one) => isField(one, wanted))?.ttlConfig;
  const other = stored.find((one) => one.ttlConfig !== undefined && groupOf(one.name) === collectionGroup);
  if (ttl?.state === "NEEDS_REPAIR") said.add("broken", `${nameOf(wanted)} (TTL)`);
  else if (other === undefined) said.add("lasting", nameOf(wanted));
  else if (ttl === undefined)
    said.add("otherwise", `${collectionGroup} by ${fieldOf(other.name)} in place of ${fieldPath}`);
}

const nameOf = ({ collectionGroup, fieldPath }: Override) => `${collectionGroup}.${fieldPath}`;

const isField = ({ name }: StoredField, { collectionGroup, fieldPath }: Override) =>
  groupOf(name) === collectionGroup && fieldOf(name) === fieldPath;

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
const fieldOf = (name: string) => (name.split("/")[7] ?? "").replaceAll("`", "");
