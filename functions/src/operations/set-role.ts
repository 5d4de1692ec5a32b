/** `setRole` and `getRoles`: who may do what a player may not. */
import { z } from "zod";
import { readServerRoles, saveServerRole } from "../documents/server-roles.ts";
import { serverRolesPath } from "../documents/paths.ts";
import { invalidField } from "../model/errors.ts";
import { definedId, documentId } from "../model/ids.ts";
import { claimsWith, type Grant, grantIn, type Role, roles } from "../model/role.ts";
import type { Account, NamedAccount } from "../world/accounts.ts";
import type { Caller } from "./shared/access.ts";
import type { Services } from "../world/services.ts";
import { type OperationSpec, requireCaller } from "./shared/spec.ts";
import { serversOf } from "./shared/caller-memory.ts";

/** Firebase's limit for all custom claims of an account, as JSON. */
const claimsCharactersMax = 1_000;

/** Boards in the role of a server; those of a person are bounded by {@link claimsCharactersMax}. */
const boardsOfRoleMax = 100;

const email = z
  .email("must be an e-mail address")
  .toLowerCase()
  .optional()
  .describe("A person's verified address, or that of a service account.");
const uid = documentId.max(128, "must have at most 128 characters").optional().describe("A person's uid.");

const setRoleRequest = z.strictObject({
  email,
  uid,
  role: z.enum([...roles, "none"], `must be ${roles.join(", ")} or none`),
  boards: z
    .array(definedId)
    .min(1, "must name at least one board; leave it out for all")
    .max(boardsOfRoleMax, `must name at most ${boardsOfRoleMax} boards`)
    .optional()
    .describe("The boards that the role is for; by default all."),
});

/** Who has a role. */
export interface RoleAnswer {
  uid?: string;
  email?: string;
  /** Of a person who has an address: whether it is verified. */
  verified?: boolean;
  role: Role | "none";
  /** Absent for all boards, and those to come. */
  boards?: readonly string[];
}

/**
 * Gives an account a role in place of the one before, or with `none` takes it away. Its other custom claims stay. A
 * person's role is in ID tokens issued from now on, which are renewed within an hour. A service account's role is known
 * to all instances after a minute.
 *
 * Anybody can register any address with a password. So an address only names a person if it is verified; a uid always
 * names one. Callers can't take away or limit their own role: nobody may be left who could give it back. Two calls at
 * once about one person's claims, also from elsewhere, may lose one of them: Auth has no transactions.
 *
 * Cost: for a service account 1 read and 1 write.
 * @throws `invalid_request` if there is no such account, or its address is not verified
 */
export const setRoleSpec: OperationSpec<typeof setRoleRequest, RoleAnswer> = {
  name: "setRole",
  request: setRoleRequest,
  async handle(services, { email, uid, role, boards }, caller) {
    const named = namedIn({ email, uid });
    const grant: Grant | undefined = role === "none" ? undefined : { role, ...(boards && { boards }) };
    if (grant === undefined && boards !== undefined)
      throw invalidField("boards", "must be left out: the role none takes away the role for all boards");
    if (isServer(named)) {
      refuseOwn(caller, named.email, "email", grant);
      await saveServerRole(services.db, named.email, grant);
      serversOf(services).forget();
      return { ...named, ...grantShown(grant) };
    }
    const account = await personNamed(services, named);
    const field = "email" in named ? "email" : "uid";
    refuseOwn(caller, account.uid, field, grant);
    if ("email" in named && !account.emailVerified && grant !== undefined)
      throw invalidField(
        "email",
        "is not verified, so it may be a stranger's: let its owner verify it, or sign in with Google; or, if you know that " +
          `this is the right person, give the uid ${account.uid}`,
      );
    const claims = claimsWith(account.customClaims ?? {}, grant);
    if (JSON.stringify(claims).length > claimsCharactersMax)
      throw invalidField(
        "boards",
        `are too many: Firebase takes ${claimsCharactersMax} characters of claims; name fewer, or none for all`,
      );
    await services.accounts.setClaims(account.uid, claims);
    return personShown({ ...account, customClaims: claims });
  },
};

const getRolesRequest = z.strictObject({ email, uid });

/**
 * The role of one account, by its address or uid; without either, the service accounts that have a role: Auth does not
 * find people by claims. Cost: 1 read, or none for a person.
 * @throws `invalid_request` if there is no such person
 */
export const getRolesSpec: OperationSpec<typeof getRolesRequest, { roles: RoleAnswer[] }> = {
  name: "getRoles",
  request: getRolesRequest,
  async handle(services, { email, uid }) {
    const named = email === undefined && uid === undefined ? undefined : namedIn({ email, uid });
    if (named !== undefined && !isServer(named))
      return { roles: [personShown(await personNamed(services, named))] };
    const servers = readServerRoles(await services.db.doc(serverRolesPath).get());
    if (named !== undefined) return { roles: [{ ...named, ...grantShown(servers.get(named.email)) }] };
    return { roles: Array.from(servers, ([address, grant]) => ({ email: address, ...grant })) };
  },
};

/** @throws `invalid_request` unless one of the two is given */
function namedIn({ email, uid }: { email?: string | undefined; uid?: string | undefined }): NamedAccount {
  if (email !== undefined && uid === undefined) return { email };
  if (uid !== undefined && email === undefined) return { uid };
  throw invalidField("email", "name one account, either by email or by uid");
}

/** Service accounts can't sign in with Firebase Auth. */
function isServer(named: NamedAccount): named is { email: string } {
  return "email" in named && named.email.endsWith(".gserviceaccount.com");
}

async function personNamed({ accounts }: Services, named: NamedAccount): Promise<Account> {
  const account = await accounts.find(named);
  if (account !== undefined) return account;
  if ("uid" in named) throw invalidField("uid", "is no account's in this project");
  throw invalidField("email", "is no account's in this project; its owner has to sign in once");
}

function refuseOwn(caller: Caller | undefined, id: string, field: string, grant: Grant | undefined): void {
  if (requireCaller(caller).uid !== id || (grant?.role === "admin" && grant.boards === undefined)) return;
  throw invalidField(
    field,
    "is your own: without the role of an admin you could not give it back. Another admin can take it, or an owner of the " +
      "project, with npx --no-install firerank revoke",
  );
}

function grantShown(grant: Grant | undefined): Grant | { role: "none" } {
  return grant ?? { role: "none" };
}

function personShown({ uid, email, emailVerified, customClaims = {} }: Account): RoleAnswer {
  const address = email === undefined ? {} : { email, verified: emailVerified };
  return { uid, ...address, ...grantShown(grantIn(customClaims)) };
}
