/**
 * The roles of servers: one document, a map from the e-mail address of a service account to its role. `setRole` writes it;
 * an instance reads it at most once a minute to find out what a server may do; nobody deletes it.
 */
import { z } from "zod";
import { type Grant, roles } from "../model/role.ts";
import type { DocumentSnapshot, Firestore } from "./firestore.ts";
import { serverRolesPath } from "./paths.ts";

export type ServerRoles = ReadonlyMap<string, Grant>;

/** Entries are read one by one, so that a damaged entry takes no role away from other servers. */
export const storedServerRoles = z.object({ servers: z.record(z.string(), z.unknown()) });

const storedGrant = z.object({ role: z.enum(roles), boards: z.array(z.string()).exactOptional() });

/** The roles in the order of addresses. A malformed entry, which somebody wrote by hand, gives no role. */
export function readServerRoles(document: DocumentSnapshot): ServerRoles {
  return new Map(
    Object.entries(entriesOf(document))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([email, line]) => {
        const { data } = storedGrant.safeParse(line);
        return data === undefined ? [] : [[email, data]];
      }),
  );
}

/** Gives a server a role, or takes it away. Cost: 1 read and 1 write. */
export async function saveServerRole(db: Firestore, email: string, grant: Grant | undefined): Promise<void> {
  const ref = db.doc(serverRolesPath);
  await db.runTransaction(async (transaction) => {
    const { [email]: _, ...others } = entriesOf(await transaction.get(ref));
    transaction.set(ref, { servers: grant === undefined ? others : { ...others, [email]: grant } });
  });
}

function entriesOf(document: DocumentSnapshot): Record<string, unknown> {
  return storedServerRoles.safeParse(document.data()).data?.servers ?? {};
}
