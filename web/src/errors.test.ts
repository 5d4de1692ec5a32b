import { FirebaseError } from "firebase/app";
import { expect, test } from "vitest";
import { FirerankError } from "../../client/src/firerank-error.ts";
import { problemText } from "./errors.ts";

/** Every code that Firestore's client for the web may throw, as its type FirestoreErrorCode lists them. */
const firestoreCodes =
  "cancelled unknown invalid-argument deadline-exceeded not-found already-exists permission-denied resource-exhausted " +
  "failed-precondition aborted out-of-range unimplemented internal unavailable data-loss unauthenticated";
/** Those that signing in by password or with Google, or a token's renewal, has been seen to end with. */
const authCodes =
  "configuration-not-found internal-error invalid-api-key invalid-credential invalid-email invalid-user-token " +
  "missing-password network-request-failed operation-not-allowed popup-blocked quota-exceeded too-many-requests " +
  "unauthorized-domain user-disabled user-not-found user-token-expired web-storage-unsupported wrong-password some-new-code";

test.each([...firestoreCodes.split(" "), ...authCodes.split(" ").map((code) => `auth/${code}`)])(
  "%s is said as a sentence",
  (code) => {
    const message = code.startsWith("auth/") ? `Firebase: Error (${code}).` : "RESOURCE: 7 at 0x3.";
    const text = problemText(new FirebaseError(code, message));
    expect(text).toMatch(/^[A-Z].*[.?]$/);
    if (code !== "auth/some-new-code") expect(text).not.toMatch(/auth\/|Firebase: /);
    if (code !== "failed-precondition") expect(text).not.toContain("0x3");
  },
);

test("a function's own words stay, and so does the reason of an error that Firebase explains", () => {
  expect(problemText(new FirerankError("not_allowed", "setPlayerStatus needs the role moderator."))).toBe(
    "setPlayerStatus needs the role moderator.",
  );
  const explained = new FirebaseError("auth/odd", "Firebase: The moon is in the wrong phase. (auth/odd).");
  expect(problemText(explained)).toBe("The moon is in the wrong phase.");
  expect(problemText(new Error("so it is"))).toBe("so it is");
});
