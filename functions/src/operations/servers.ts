/** What an instance knows of the roles of servers. */
import { serverRolesPath } from "../documents/paths.ts";
import { readServerRoles, type ServerRoles } from "../documents/server-roles.ts";
import type { Grant } from "../model/role.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import type { World } from "../world/world.ts";

export interface Servers {
  /** The role of a service account, as it was at most a minute ago. Cost: 1 read a minute. */
  roleOf(email: string): Promise<Grant | undefined>;
  forget(): void;
}

export function createServers({ db, now }: Pick<World, "db" | "now">, keepMs: number): Servers {
  const reads = createSharedReads<ServerRoles>({ now, max: 1, keepMs });
  const read = async () => readServerRoles(await db.doc(serverRolesPath).get());
  return {
    roleOf: async (address) => (await reads.get(serverRolesPath, read)).value.get(address.toLowerCase()),
    forget: () => reads.forget(() => true),
  };
}
