/**
 * The roles that were granted, in one document. `setRole` writes it, and nobody deletes it.
 *
 * - `servers`, by the address of a service account: its role. An instance reads the document at most once a minute to find
 * out what a server may do.
 * - `people`, by uid: who granted a role, and when. The role itself is in the account's custom claims, by which Firebase
 * Auth finds nobody. So this is the list of people, and their claims say which role each has.
 */
import { z } from "zod";
import { invalidField } from "../model/errors.ts";
import { type Grant, roles } from "../model/role.ts";
import { type DocumentSnapshot, type Firestore, Timestamp } from "./firestore.ts";
import { rolesPath } from "./paths.ts";

const entries = z.record(z.string(), z.unknown());

/** Entries are read one by one, so that a damaged entry takes no role away from others. */
export const storedRoles = z.object({
  servers: entries.catch({}).default({}),
  people: entries.catch({}).default({}),
});

/** Who granted a role, by the uid of a person or the address of a service account, and when. Either may be missing. */
const note = z.object({
  granted_by: z.string().exactOptional(),
  granted_at: z.instanceof(Timestamp).exactOptional(),
});
export type GrantNote = z.infer<typeof note>;

const storedServer = z.object({
  role: z.enum(roles),
  boards: z.array(z.string()).exactOptional(),
  ...note.shape,
});
export type ServerRole = Grant & GrantNote;

export interface GrantedRoles {
  /** By address, in order. A malformed entry, which somebody wrote by hand, gives no role. */
  servers: ReadonlyMap<string, ServerRole>;
  /** By uid, in order. */
  people: ReadonlyMap<string, GrantNote>;
}

export function readRoles(document: DocumentSnapshot): GrantedRoles {
  const { servers, people } = storedIn(document);
  return { servers: readEntries(servers, storedServer), people: readEntries(people, note) };
}

function readEntries<Schema extends z.ZodType>(
  stored: Record<string, unknown>,
  schema: Schema,
): Map<string, z.infer<Schema>> {
  const sorted = Object.entries(stored).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    sorted.flatMap(([id, entry]) => {
      const read = schema.safeParse(entry);
      return read.success ? [[id, read.data] as const] : [];
    }),
  );
}

/** People with a role: each takes some 200 bytes of the document. */
const peopleMax = 1_000;

/**
 * Notes the role of a service account, by its address, or that a person got one, by uid; without an entry the account is
 * taken out. Cost: 1 read and 1 write.
 * @throws `invalid_request` if a thousand people have a role already
 */
export async function saveRole<Kind extends keyof GrantedRoles>(
  db: Firestore,
  kind: Kind,
  id: string,
  entry: (Kind extends "servers" ? ServerRole : GrantNote) | undefined,
): Promise<void> {
  await changeRoles(db, (stored) => {
    const { [id]: _, ...others } = stored[kind];
    const next = { ...stored, [kind]: entry === undefined ? others : { ...others, [id]: entry } };
    if (entry !== undefined && Object.keys(next.people).length > peopleMax)
      throw invalidField("uid", `is one too many: ${peopleMax} people have a role, so revoke another first`);
    return next;
  });
}

/**
 * Takes a person out whose account is gone: the entry, and the uid where that person has granted a role.
 * Cost: 1 read, and 1 write where there is something. @returns whether there was
 */
export function forgetPerson(db: Firestore, uid: string): Promise<boolean> {
  return changeRoles(db, ({ servers, people }) => {
    const { [uid]: own, ...others } = people;
    const hasGranted = [servers, others].flatMap((all) => Object.values(all)).some((one) => isBy(one, uid));
    if (own === undefined && !hasGranted) return undefined;
    return { servers: withoutGranter(servers, uid), people: withoutGranter(others, uid) };
  });
}

type StoredRoles = z.infer<typeof storedRoles>;

/** @returns whether `change` had something to write */
async function changeRoles(
  db: Firestore,
  change: (stored: StoredRoles) => StoredRoles | undefined,
): Promise<boolean> {
  const ref = db.doc(rolesPath);
  return db.runTransaction(async (transaction) => {
    const next = change(storedIn(await transaction.get(ref)));
    if (next !== undefined) transaction.set(ref, next);
    return next !== undefined;
  });
}

function storedIn(document: DocumentSnapshot): StoredRoles {
  return storedRoles.parse(document.data() ?? {});
}

function isBy(entry: unknown, uid: string): entry is Record<string, unknown> {
  return note.safeParse(entry).data?.granted_by === uid;
}

function withoutGranter(all: StoredRoles["servers"], uid: string): StoredRoles["servers"] {
  const changed = Object.entries(all).map(([id, entry]): [string, unknown] => {
    if (!isBy(entry, uid)) return [id, entry];
    const { granted_by: _, ...others } = entry;
    return [id, others];
  });
  return Object.fromEntries(changed);
}
