/** `grant` and `revoke`: the roles of people and of service accounts. */
import { deleteApp, initializeApp } from "firebase-admin/app";
import { type Auth, getAuth, type UserRecord } from "firebase-admin/auth";
import type { Firestore } from "../functions/src/documents/firestore.ts";
import { definitionPath } from "../functions/src/documents/paths.ts";
import { documentsAt } from "../functions/src/documents/reads.ts";
import { definedId } from "../functions/src/model/ids.ts";
import type { Role } from "../functions/src/model/role.ts";
import { type RoleAnswer, setRoleSpec } from "../functions/src/operations/set-role.ts";
import { accountsOf, type NamedAccount } from "../functions/src/world/accounts.ts";
import { call } from "./call.ts";
import { CliError, usageError } from "./cli-error.ts";
import { commandName } from "./command-name.ts";
import type { OnTarget } from "./commands/on-target.ts";
import { noEmulator, type Target } from "./target.ts";

/**
 * Gives an account a role, or with `none` takes it away: {@link setRoleSpec} with the owner's rights.
 * @param confirm gets a person's description before anything is written, and what {@link boardsNote} says, and throws to
 *   stop; nothing of a service account or of somebody unknown, for boards that are there.
 * @throws CliError if there is no such person, or no board is called `all`, or the address is not verified, or Firebase Auth
 *   does not answer
 */
export async function setRole(
  { target, connect }: OnTarget,
  named: NamedAccount,
  { role, boards }: { role: Role | "none"; boards?: readonly string[] | undefined },
  confirm: (who: string | undefined) => Promise<void>,
): Promise<RoleAnswer> {
  const app = initializeApp({ projectId: target.project }, "firerank-cli");
  try {
    const auth = getAuth(app);
    const services = await connect({ accounts: accountsOf(() => auth) });
    const user = await find(auth, named);
    const said = [user && describeUser(user), await boardsNote(services.db, boards)];
    await confirm(said.filter((one) => one !== undefined).join("\n\n") || undefined);
    const isUnverified = user?.emailVerified === false && "email" in named && target.emulator !== undefined;
    return await call(setRoleSpec, services, { ...named, role, boards }).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      const said = error.message.replace("in this project", `in project ${target.project}`);
      const where = `--project ${target.project} --emulators`;
      const advice = isUnverified
        ? `\nOn emulators nobody verifies addresses: ${commandName} grant ${user.uid} ${role} ${where}`
        : "";
      throw new CliError(said + advice, { cause: error, exitCode: error.exitCode });
    });
  } catch (error) {
    throw ofAuth(error, target);
  } finally {
    await deleteApp(app);
  }
}

/** An error of Firebase Auth, which has a place of its own, as its user can mend it; any other as it is. */
function ofAuth(error: unknown, target: Target): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  if (typeof code !== "string" || !/^(?:app|auth)\//.test(code)) return error;
  const emulator = process.env["FIREBASE_AUTH_EMULATOR_HOST"];
  const isGone = target.emulator !== undefined && code.startsWith("app/network-");
  return new CliError(
    isGone && emulator
      ? noEmulator("Auth", emulator)
      : `Firebase Auth could not be asked: ${message ?? code}`,
    { cause: error },
  );
}

/** What people may type for all boards. A board may have such an id too. */
const allBoards = /^(?:all|any|every|everything)$/i;

/**
 * Which of the boards of a role nobody has made: the id may be mistyped, or the board is made later. Cost: 1 read each.
 * @throws CliError for a word that means all boards
 */
export async function boardsNote(db: Firestore, boards: readonly string[] = []): Promise<string | undefined> {
  const ids = [...new Set(boards)].filter((id) => definedId.safeParse(id).success);
  const found = await documentsAt(db, ids.map(definitionPath));
  const missing = ids.filter((_, i) => found[i]?.exists !== true);
  const all = missing.find((id) => allBoards.test(id));
  if (all !== undefined)
    throw usageError(`--boards ${all}: there is no such board. For all boards, leave it out.`);
  if (missing.length === 0) return undefined;
  return `There is no board ${missing.map((id) => `"${id}"`).join(", ")}: the role holds there once one is made with this id.`;
}

/** Nobody, for an address that Firebase knows no person by. */
async function find(auth: Auth, named: NamedAccount): Promise<UserRecord | undefined> {
  try {
    return await ("email" in named ? auth.getUserByEmail(named.email) : auth.getUser(named.uid));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (["auth/user-not-found", "auth/invalid-email", "auth/invalid-uid"].includes(String(code)))
      return undefined;
    throw error;
  }
}

/** A line each for uid, address, providers and age, so that it can be checked that it is the right person. */
function describeUser({ uid, email, emailVerified, disabled, providerData, metadata }: UserRecord): string {
  const providers = providerData.map(({ providerId }) => providerId);
  return [
    `uid        ${uid}${disabled ? " (disabled)" : ""}`,
    `address    ${email === undefined ? "none" : `${email}, ${emailVerified ? "verified" : "not verified"}`}`,
    `signs in   ${providers.length === 0 ? "without a provider (custom token or anonymous)" : providers.join(", ")}`,
    `created    ${new Date(metadata.creationTime).toISOString()}`,
  ].join("\n");
}
