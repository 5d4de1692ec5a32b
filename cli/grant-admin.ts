/** `firerank grant-admin`: makes a user an admin of leaderboards. */
import { deleteApp, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { CliError } from "./cli-error.ts";

/**
 * Sets the custom claim `leaderboard_admin`; other claims of the user stay. It counts from the user's next ID token on.
 * @throws CliError when nobody has the address.
 */
export async function grantAdmin(project: string, email: string): Promise<{ uid: string }> {
  const app = initializeApp({ projectId: project }, "firerank-cli");
  try {
    const auth = getAuth(app);
    const user = await auth.getUserByEmail(email);
    await auth.setCustomUserClaims(user.uid, { ...user.customClaims, leaderboard_admin: true });
    return { uid: user.uid };
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "auth/user-not-found") throw cause;
    throw new CliError(`Nobody in project ${project} has the address ${email}.`, { cause });
  } finally {
    await deleteApp(app);
  }
}
