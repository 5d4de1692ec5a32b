/** Lets a watcher wait until a user signs in, on a board that only users who are signed in may read. */
import type { Auth } from "firebase/auth";
import type { Unsubscribe } from "firebase/firestore";
import type { FirerankError } from "./firerank-error.ts";
import type { Leaderboard } from "./leaderboard.ts";

/**
 * Starts a watcher. If the watcher is refused while nobody is signed in, it starts again when a user signs in: at the start
 * of an app, or after a sign-out. Firebase Auth is loaded only after a refusal, so a page without users does not need it.
 * @param start begins to watch, and passes on the error that ended the watching.
 * @param onError gets all other errors, and the refusal of a user who is signed in.
 */
export function followSignIn(
  board: Leaderboard,
  onError: (error: FirerankError) => void,
  start: (fail: (error: FirerankError) => void) => Unsubscribe,
): Unsubscribe {
  let isStopped = false;
  let stopAuth: Unsubscribe | undefined;
  /** The user for whom the watcher was started again. */
  let tried: string | undefined;
  let stop = start(fail);

  function fail(error: FirerankError): void {
    if (error.code === "permission_denied" || error.code === "unauthenticated") void refused(error);
    else onError(error);
  }

  async function refused(error: FirerankError): Promise<void> {
    const sdk = await loadAuth(board);
    if (isStopped) return;
    const uid = sdk?.auth.currentUser?.uid;
    if (sdk === undefined || (uid !== undefined && uid === tried)) onError(error);
    if (sdk === undefined) return;
    if (uid !== undefined && uid !== tried) startFor(uid);
    else {
      tried = uid;
      stopAuth = sdk.onAuthStateChanged(sdk.auth, (user) => {
        if (user === null) tried = undefined;
        else if (user.uid !== tried) startFor(user.uid);
      });
    }
  }

  function startFor(uid: string): void {
    stopAuth?.();
    stopAuth = undefined;
    tried = uid;
    stop = start(fail);
  }

  return () => {
    isStopped = true;
    stopAuth?.();
    stop();
  };
}

/** Firebase Auth, once it knows who is signed in; undefined in an app without Firebase Auth. */
async function loadAuth(
  board: Leaderboard,
): Promise<
  { auth: Auth; onAuthStateChanged: (typeof import("firebase/auth"))["onAuthStateChanged"] } | undefined
> {
  try {
    const { getAuth, onAuthStateChanged } = await import("firebase/auth");
    const auth = getAuth(board.app);
    await auth.authStateReady();
    return { auth, onAuthStateChanged };
  } catch {
    return undefined;
  }
}
