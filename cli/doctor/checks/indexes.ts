/** Whether the database has the indexes, exemptions and TTL policies of the package. */
import { z } from "zod";
import { ownFile } from "../../init/package.ts";
import type { Check } from "../check.ts";
import type { FindingId } from "../catalog.ts";
import { absentOnEmulators, type Finding, listed, NotChecked } from "../finding.ts";

const key = z.looseObject({
  fieldPath: z.string(),
  order: z.string().optional(),
  arrayConfig: z.string().optional(),
});
const storedIndex = z.looseObject({
  name: z.string().default(""),
  queryScope: z.string().default("COLLECTION"),
  fields: z.array(key).default([]),
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
const setting = z.object({
  order: z.string().optional(),
  arrayConfig: z.string().optional(),
  queryScope: z.string().default("COLLECTION"),
});
const wantedFile = z.object({
  indexes: z.array(z.object({ collectionGroup: z.string(), queryScope: z.string(), fields: z.array(key) })),
  fieldOverrides: z.array(
    z.object({
      collectionGroup: z.string(),
      fieldPath: z.string(),
      ttl: z.boolean().default(false),
      indexes: z.array(setting),
    }),
  ),
});

export const indexes: Check = {
  name: "indexes",
  byHand:
    "npx firebase firestore:indexes, and compare with the package's lib/firestore/firestore.indexes.json",
  async look({ api, project, database, emulators, isEnterprise }) {
    if (emulators !== undefined)
      throw absentOnEmulators("The emulator answers every query without an index, and does not show any.");
    if (await isEnterprise()) {
      throw new NotChecked("On the Enterprise edition the indexes depend on the boards.", {
        byHand: `npx firerank indexes --project ${project}, which shows what firestore.indexes.json lacks; then npx firebase deploy --only firestore:indexes --project ${project}`,
      });
    }
    const parent = `v1/projects/${project}/databases/${database}/collectionGroups/-`;
    const service = "firestore.googleapis.com";
    const filter = encodeURIComponent("indexConfig.usesAncestorConfig:false OR ttlConfig:*");
    const stored = await api.list(service, `${parent}/indexes`, "indexes", storedIndex);
    const fields = await api.list(service, `${parent}/fields?filter=${filter}`, "fields", storedField);
    const wanted = wantedFile.parse(JSON.parse(ownFile("firestore.indexes.json")));
    const lists = new Map<FindingId, string[]>();
    const add = (id: FindingId, what: string) => lists.set(id, [...(lists.get(id) ?? []), what]);
    compareIndexes(wanted, stored, add);
    compareFields(wanted, fields, add);
    const seen = `${wanted.indexes.length} indexes and ${wanted.fieldOverrides.length} exemptions looked for`;
    return { seen, findings: [...lists].map(([id, all]) => findingOf(id, all, project)) };
  },
};

type Wanted = z.infer<typeof wantedFile>;
type Add = (id: FindingId, what: string) => void;

function compareIndexes(wanted: Wanted, stored: z.infer<typeof storedIndex>[], add: Add): void {
  for (const one of wanted.indexes) {
    const id = describe(one.collectionGroup, one.queryScope, one.fields);
    const found = stored.find(
      ({ name, queryScope, fields }) => describe(groupOf(name), queryScope, fields) === id,
    );
    if (found === undefined) add("index-missing", id);
    else if (found.state === "CREATING") add("index-building", id);
    else if (found.state === "NEEDS_REPAIR") add("index-broken", id);
  }
}

function compareFields(wanted: Wanted, stored: z.infer<typeof storedField>[], add: Add): void {
  for (const { collectionGroup, fieldPath, indexes: settings, ttl } of wanted.fieldOverrides) {
    const name = `${collectionGroup}.${fieldPath}`;
    const found = stored.find(
      (one) => groupOf(one.name) === collectionGroup && fieldOf(one.name) === fieldPath,
    );
    const config = found?.indexConfig;
    if (config === undefined || config.usesAncestorConfig) add("exemption-missing", name);
    else {
      const has = config.indexes.map(({ queryScope, fields: [first] }) =>
        settingOf({ ...first, queryScope }),
      );
      const should = settings.map(settingOf);
      if (should.some((one) => !has.includes(one))) add("exemption-lacks", name);
      if (has.some((one) => !should.includes(one))) add("exemption-wider", name);
      if (config.indexes.some(({ state }) => state === "CREATING")) add("index-building", name);
      if (config.indexes.some(({ state }) => state === "NEEDS_REPAIR")) add("index-broken", name);
    }
    if (!ttl || found?.ttlConfig !== undefined) continue;
    const other = stored.find((one) => one.ttlConfig !== undefined && groupOf(one.name) === collectionGroup);
    if (other === undefined) add("ttl-missing", name);
    else add("ttl-other", `${collectionGroup} by ${fieldOf(other.name)} in place of ${fieldPath}`);
  }
}

/** An index in words that are the same for the same index. Firestore adds the id as a last field by itself. */
function describe(group: string, scope: string, fields: readonly z.infer<typeof key>[]): string {
  const named = fields.filter(({ fieldPath }) => fieldPath !== "__name__");
  const keys = named.map(
    ({ fieldPath, order, arrayConfig }) => `${fieldPath} ${(order ?? arrayConfig ?? "").toLowerCase()}`,
  );
  return `${group}${scope === "COLLECTION_GROUP" ? " (group)" : ""}: ${keys.join(", ")}`;
}

const settingOf = ({ order, arrayConfig, queryScope }: z.infer<typeof setting>) =>
  `${order ?? arrayConfig ?? ""} ${queryScope}`;

/** Of `projects/p/databases/d/collectionGroups/players/fields/score`. */
const groupOf = (name: string) => name.split("/")[5] ?? "";
const fieldOf = (name: string) => (name.split("/")[7] ?? "").replaceAll("`", "");

function findingOf(id: FindingId, all: readonly string[], project: string): Finding {
  const texts: Partial<Record<FindingId, string>> = {
    "index-missing": "Not deployed",
    "index-broken": "Firestore could not build",
    "index-building": "Still being built",
    "exemption-missing": "Without an exemption",
    "exemption-lacks": "Exempted without an index that is needed",
    "exemption-wider": "Exempted, with more indexes than Firerank's",
    "ttl-missing": "Without a TTL policy",
    "ttl-other": "With a TTL policy on another field",
  };
  const deploy = `npx firerank init, which merges firestore.indexes.json; then npx firebase deploy --only firestore:indexes --project ${project}`;
  const others: Partial<Record<FindingId, string>> = {
    "index-broken": `Delete it in the Firebase console, Firestore, Indexes; then npx firebase deploy --only firestore:indexes --project ${project}`,
    "index-building": "Wait; building takes minutes, on a large database hours.",
    "exemption-wider":
      "Keep it if you query by it. It holds for Firerank's documents too, and an index on a rising time keeps a collection to about 500 writes a second.",
    "ttl-other":
      "A collection group has one TTL policy. If it is not yours, delete it in the Google Cloud console, Firestore, Time-to-live, and deploy the indexes. If it is, keep it: Firerank's documents then stay, and cost their storage.",
  };
  return {
    id,
    what: `${texts[id] ?? id}: ${listed(all, 8)}.`,
    known: "Firestore's list of indexes and fields.",
    todo: others[id] ?? deploy,
  };
}
