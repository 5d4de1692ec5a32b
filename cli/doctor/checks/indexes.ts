/** Whether the database has the indexes, exemptions and TTL policies that its edition and its boards need. */
import { z } from "zod";
import { type Edition, editionOf, wantedIndexes } from "../../init/edition.ts";
import {
  type Index,
  type IndexFile,
  indexKey,
  type Override,
  parseIndexFile,
} from "../../init/index-file.ts";
import { databaseIn } from "../../init/merge-firebase-json.ts";
import { ownFile } from "../../init/package.ts";
import { readIn } from "../../init/project-folder.ts";
import type { FindingId } from "../catalog.ts";
import { type Finding, listed } from "../finding.ts";
import { type Check, configOf, type Patient } from "../patient.ts";

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
  async look(patient) {
    // The emulator answers every query without an index, and shows none: there it is the file that a deploy takes.
    const { stored, fields, edition, known } =
      patient.emulators === undefined ? await ofProject(patient) : ofFile(patient);
    const { wanted, unused } = await neededBy(patient, edition);
    const lists = new Map<FindingId, string[]>();
    const add = (id: FindingId, what: string) => lists.set(id, [...(lists.get(id) ?? []), what]);
    compareIndexes(wanted, { stored, edition, add });
    for (const one of wanted.fieldOverrides) {
      // Nothing is indexed by itself on the Enterprise edition, so there is nothing to exempt.
      if (edition === "standard") compareExemption(one, fields, add);
      if (one.ttl === true) compareExpiry(one, fields, add);
    }
    const keys = new Set(unused.map((one) => indexKey(one, edition)));
    for (const one of stored)
      if (keys.has(storedKey(one, edition))) add("index-unused", inWords(specOf(one)));
    const seen = `${wanted.indexes.length} indexes and ${wanted.fieldOverrides.length} exemptions or TTL policies looked for, of the ${edition} edition`;
    return {
      seen,
      findings: [...lists].map(([id, all]) => findingOf(id, all, { ...patient, edition, known })),
    };
  },
};

interface Stored {
  stored: StoredIndex[];
  fields: StoredField[];
  edition: Edition;
  known: string;
}

async function ofProject({ api, project, database, isEnterprise }: Patient): Promise<Stored> {
  const parent = `v1/projects/${project}/databases/${database}/collectionGroups/-`;
  const service = "firestore.googleapis.com";
  const filter = encodeURIComponent("indexConfig.usesAncestorConfig:false OR ttlConfig:*");
  return {
    stored: await api.list(service, `${parent}/indexes`, "indexes", storedIndex),
    fields: await api.list(service, `${parent}/fields?filter=${filter}`, "fields", storedField),
    edition: (await isEnterprise()) ? "enterprise" : "standard",
    known: "Firestore's list of indexes and fields.",
  };
}

/** A file's indexes and exemptions in the form of Firestore's lists. @throws NotChecked without a firebase.json */
function ofFile(patient: Patient): Stored {
  const { folder, config } = configOf(patient);
  const named = databaseIn(config, patient.database);
  const path = named?.indexes ?? "firestore.indexes.json";
  const { indexes, fieldOverrides } = parseIndexFile(readIn(folder, path) ?? "{}");
  const groups = `projects/p/databases/d/collectionGroups`;
  return {
    stored: indexes.map(({ collectionGroup, ...one }) =>
      storedIndex.parse({ ...one, name: `${groups}/${collectionGroup}/indexes/-` }),
    ),
    fields: fieldOverrides.map(({ collectionGroup, fieldPath, ttl, indexes: own }) => ({
      name: `${groups}/${collectionGroup}/fields/${fieldPath}`,
      indexConfig: {
        indexes: own.map((one) => storedIndex.parse({ ...one, fields: [{ fieldPath, ...one }] })),
        usesAncestorConfig: false,
      },
      ...(ttl === true ? { ttlConfig: {} } : {}),
    })),
    edition: editionOf(undefined, named?.edition),
    known: `The file ${path} in this folder.`,
  };
}

interface Needed {
  wanted: IndexFile;
  /** Those of other boards, which only cost. */
  unused: Index[];
}

async function neededBy({ boardKinds }: Patient, edition: Edition): Promise<Needed> {
  const standard = ownFile("firestore.indexes.json");
  if (edition === "standard") return { wanted: parseIndexFile(standard), unused: [] };
  const { wanted: text, unwanted } = wantedIndexes("enterprise", standard, await boardKinds());
  const wanted = parseIndexFile(text);
  const keys = new Set(wanted.indexes.map((one) => indexKey(one, "enterprise")));
  const others = unwanted.flatMap((one) => parseIndexFile(one).indexes);
  const unused = others.filter((one) => !keys.has(indexKey(one, "enterprise")));
  return { wanted, unused };
}

type Add = (id: FindingId, what: string) => void;

function compareIndexes(
  wanted: IndexFile,
  { stored, edition, add }: { stored: readonly StoredIndex[]; edition: Edition; add: Add },
): void {
  const known = new Map(stored.map((one) => [storedKey(one, edition), one]));
  for (const one of wanted.indexes) {
    const found = known.get(indexKey(one, edition));
    if (found === undefined) add("index-missing", inWords(one));
    else if (found.state === "CREATING") add("index-building", inWords(one));
    else if (found.state === "NEEDS_REPAIR") add("index-broken", inWords(one));
  }
}

/** An index as a file has it. What else Firestore says of it changes no query's answer. */
function specOf({ name, queryScope, fields, density }: StoredIndex): Index {
  const collectionGroup = groupOf(name);
  return { collectionGroup, queryScope, fields, ...(density === undefined ? {} : { density }) };
}

const storedKey = (one: StoredIndex, edition: Edition) => indexKey(specOf(one), edition);

function compareExemption(wanted: Override, stored: readonly StoredField[], add: Add): void {
  const name = nameOf(wanted);
  const config = stored.find((one) => isField(one, wanted))?.indexConfig;
  if (config === undefined || config.usesAncestorConfig) {
    add("exemption-missing", name);
    return;
  }
  const has = config.indexes.map(({ queryScope, fields: [first] }) => settingOf({ ...first, queryScope }));
  const should = wanted.indexes.map(settingOf);
  if (should.some((one) => !has.includes(one))) add("exemption-lacks", name);
  if (has.some((one) => !should.includes(one))) add("exemption-wider", name);
  if (config.indexes.some(({ state }) => state === "CREATING")) add("exemption-building", name);
  if (config.indexes.some(({ state }) => state === "NEEDS_REPAIR")) add("index-broken", name);
}

function compareExpiry(wanted: Override, stored: readonly StoredField[], add: Add): void {
  const { collectionGroup, fieldPath } = wanted;
  const ttl = stored.find((one) => isField(one, wanted))?.ttlConfig;
  if (ttl !== undefined) {
    if (ttl.state === "NEEDS_REPAIR") add("index-broken", `${nameOf(wanted)} (TTL)`);
    return;
  }
  const other = stored.find((one) => one.ttlConfig !== undefined && groupOf(one.name) === collectionGroup);
  if (other === undefined) add("ttl-missing", nameOf(wanted));
  else add("ttl-other", `${collectionGroup} by ${fieldOf(other.name)} in place of ${fieldPath}`);
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

function findingOf(
  id: FindingId,
  all: readonly string[],
  { project, emulators, edition, known }: Patient & { edition: Edition; known: string },
): Finding {
  const texts: Partial<Record<FindingId, string>> = {
    "index-missing": emulators === undefined ? "Not deployed" : "Not in the file",
    "index-broken": "Firestore could not build",
    "index-building": "Still being built",
    "index-unused": "Not used by any board",
    "exemption-missing": "Without an exemption",
    "exemption-lacks": "Exempted without an index that is needed",
    "exemption-wider": "Exempted, with more indexes than Firerank's",
    "exemption-building": "Still being built",
    "ttl-missing": "Without a TTL policy",
    "ttl-other": "With a TTL policy on another field",
  };
  const deploy = `npx firebase deploy --only firestore:indexes --project ${project}`;
  const merge =
    edition === "standard"
      ? "npx --no-install firerank init, which merges firestore.indexes.json"
      : `npx --no-install firerank indexes --edition enterprise --project ${project}, which writes those of your boards into firestore.indexes.json`;
  const wait = "Wait. Building takes minutes, on a large database hours.";
  const others: Partial<Record<FindingId, string>> = {
    "index-broken": `Delete it in the Firebase console, Firestore, Indexes; then ${deploy}`,
    "index-building": wait,
    "exemption-building": wait,
    "exemption-wider":
      "Keep it if you query by it. It holds for Firerank's documents too, and an index on a rising time keeps a collection to about 500 writes a second.",
    "ttl-other":
      "A collection group has one TTL policy. If it is not yours, delete it in the Google Cloud console, Firestore, Time-to-live, and deploy the indexes. If it is, keep it: Firerank's documents then stay, and cost their storage.",
  };
  return {
    id,
    what: `${texts[id] ?? id}: ${listed(all, 8)}.`,
    known,
    todo: others[id] ?? (emulators === undefined ? `${merge}; then ${deploy}` : merge),
  };
}
