/** `setRole` and `getRoles`: who may do what a player may not. */
import { z } from "zod";
import { Timestamp } from "../documents/firestore.ts";
import { rolesPath } from "../documents/paths.ts";
import { forgetPerson, type GrantNote, readRoles, saveRole, type ServerRole } from "../documents/roles.ts";
import { invalidField } from "../model/errors.ts";
import { definedId, documentId } from "../model/ids.ts";
import { isoTime } from "../model/instant.ts";
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
  role: z.enum([...roles, "none"]),
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
  /** Who granted it, by address, or else by uid, and when; absent where that is not known. */
  granted_by?: string;
  granted_at?: string;
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
 * A role is listed before it holds, and until it holds no more. `none` for the uid of an account that is gone takes it out of
 * the list, also as the one who granted others their roles.
 *
 * Cost: 1 read and 1 write.
 * @throws `invalid_request` if there is no such account, or its address is not verified, or a thousand people have a role
 */
export const setRoleSpec: OperationSpec<typeof setRoleRequest, RoleAnswer> = {
  name: "setRole",
  request: setRoleRequest,
  async handle(services, { email, uid, role, boards }, caller) {
    const named = namedIn({ email, uid });
    const grant: Grant | undefined =
      role === "none" ? undefined : { role, ...(boards && { boards: [...new Set(boards)] }) };
    if (grant === undefined && boards !== undefined)
      throw invalidField("boards", "must be left out: the role none takes away the role for all boards");
    const { db, accounts, now } = services;
    const note = { granted_by: requireCaller(caller).uid, granted_at: Timestamp.fromMillis(now()) };
    if (isServer(named)) {
      refuseOwn(caller, named.email, "email", grant);
      await saveRole(db, "servers", named.email, grant && { ...grant, ...note });
      serversOf(services).forget();
      return { ...named, ...grantShown(grant) };
    }
    const found = await accounts.find(named);
    if (found === undefined && "uid" in named && grant === undefined && (await forgetPerson(db, named.uid)))
      return { ...named, role: "none" };
    const account = found ?? refuseUnknown(named);
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
    if (grant !== undefined) await saveRole(db, "people", account.uid, note);
    await accounts.setClaims(account.uid, claims);
    if (grant === undefined) await saveRole(db, "people", account.uid, undefined);
    return personShown({ ...account, customClaims: claims });
  },
};

const getRolesRequest = z.strictObject({ email, uid });

/**
 * The role of one account, by its address or uid; without either, all who have one: people first, then service accounts.
 * People are those to whom `setRole` or the command line gave a role, and the caller: Auth finds nobody by claims that
 * others have set. Cost: 1 read, or none for a person.
 * @throws `invalid_request` if there is no such person
 */
export const getRolesSpec: OperationSpec<typeof getRolesRequest, { roles: RoleAnswer[] }> = {
  name: "getRoles",
  request: getRolesRequest,
  async handle(services, { email, uid }, caller) {
    const { db, accounts } = services;
    const named = email === undefined && uid === undefined ? undefined : namedIn({ email, uid });
    if (named !== undefined && !isServer(named))
      return { roles: [personShown((await accounts.find(named)) ?? refuseUnknown(named))] };
    const { servers, people } = readRoles(await db.doc(rolesPath).get());
    if (named !== undefined) {
      const entry = servers.get(named.email);
      const known = await accountsWith(services, entry?.granted_by === undefined ? [] : [entry.granted_by]);
      return { roles: [serverShown(named.email, entry, known)] };
    }
    const { uid: own, isService = false } = requireCaller(caller);
    const uids = new Set([...people.keys(), ...(isService ? [] : [own])]);
    const granters = [...servers.values(), ...people.values()].flatMap(({ granted_by: by }) => by ?? []);
    const known = await accountsWith(services, [...uids, ...granters]);
    const listed = [...uids].flatMap((one) => {
      const account = known.get(one);
      if (account === undefined || grantIn(account.customClaims ?? {}) === undefined) return [];
      return [{ ...personShown(account), ...noteShown(people.get(one), known) }];
    });
    const ofServers = Array.from(servers, ([address, entry]) => serverShown(address, entry, known));
    const nameOf = ({ email: address, uid: id = "" }: RoleAnswer) => address ?? id;
    return { roles: [...listed.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)), ...ofServers] };
  },
};

type AccountsByUid = ReadonlyMap<string, Account>;

async function accountsWith({ accounts }: Services, uids: readonly string[]): Promise<AccountsByUid> {
  const found = await accounts.findAll([...new Set(uids)]);
  return new Map(found.map((account) => [account.uid, account]));
}

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

function refuseUnknown(named: NamedAccount): never {
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

function serverShown(email: string, entry: ServerRole | undefined, known: AccountsByUid): RoleAnswer {
  const { granted_by: _, granted_at: __, ...grant } = entry ?? { role: "none" as const };
  return { email, ...grant, ...noteShown(entry, known) };
}

function noteShown(
  { granted_by: by, granted_at: at }: GrantNote = {},
  known: AccountsByUid,
): Pick<RoleAnswer, "granted_by" | "granted_at"> {
  return {
    ...(by !== undefined && { granted_by: known.get(by)?.email ?? by }),
    ...(at && { granted_at: isoTime(at) }),
  };
}
