/** `firerank grant-admin`: makes a user an admin of leaderboards. */
import { deleteApp, initializeApp } from "firebase-admin/app";
import { type Auth, getAuth, type UserRecord } from "firebase-admin/auth";
import { CliError } from "./cli-error.ts";

/** A user, named by e-mail address, which is looked up, or by uid. */
export type NamedUser = { email: string } | { uid: string };

/**
 * Sets the custom claim `leaderboard_admin`; the user's other claims stay. It takes effect with the user's next ID
 * token.
 *
 * Anybody can register any address with a password. So an address only identifies a user if it is verified, by its
 * owner or by the sign-in provider; a uid always identifies one user.
 * @param confirm gets the user's description ({@link describeUser}) before anything is written, and throws to stop.
 * @throws CliError if there is no such user, or the address is not verified.
 */
export async function grantAdmin(
  project: string,
  named: NamedUser,
  confirm: (user: UserRecord) => Promise<void>,
): Promise<{ uid: string }> {
  const app = initializeApp({ projectId: project }, "firerank-cli");
  try {
    const auth = getAuth(app);
    const user = await find(auth, project, named);
    if ("email" in named && !user.emailVerified) throw unverified(user, named.email);
    await confirm(user);
    await auth.setCustomUserClaims(user.uid, { ...user.customClaims, leaderboard_admin: true });
    return { uid: user.uid };
  } finally {
    await deleteApp(app);
  }
}

/**
 * Describes a user, so that it can be checked that it is the right one: a line each for uid, address, providers and
 * age.
 */
export function describeUser({
  uid,
  email,
  emailVerified,
  disabled,
  providerData,
  metadata,
}: UserRecord): string {
  const providers = providerData.map(({ providerId }) => providerId);
  return [
    `uid        ${uid}${disabled ? " (disabled)" : ""}`,
    `address    ${email === undefined ? "none" : `${email}, ${emailVerified ? "verified" : "not verified"}`}`,
    `signs in   ${providers.length === 0 ? "without a provider (custom token or anonymous)" : providers.join(", ")}`,
    `created    ${new Date(metadata.creationTime).toISOString()}`,
  ].join("\n");
}

async function find(auth: Auth, project: string, named: NamedUser): Promise<UserRecord> {
  try {
    return await ("email" in named ? auth.getUserByEmail(named.email) : auth.getUser(named.uid));
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "auth/user-not-found") throw cause;
    const what = "email" in named ? `the address ${named.email}` : `the uid ${named.uid}`;
    throw new CliError(`No user in project ${project} has ${what}.`, { cause });
  }
}

function unverified(user: UserRecord, email: string): CliError {
  const where =
    process.env["FIREBASE_AUTH_EMULATOR_HOST"] === undefined
      ? "the link in the e-mail that sendEmailVerification sends"
      : "the link that the Auth emulator prints for sendEmailVerification";
  return new CliError(
    `The address ${email} is not verified. Anybody can register an address, so this user may be a stranger.\n\n` +
      `${describeUser(user)}\n\nIts owner can verify it with ${where}, or sign in with Google; ` +
      `or, if you know that this is the right user, grant the claim by uid: grant-admin --uid ${user.uid}`,
  );
}
