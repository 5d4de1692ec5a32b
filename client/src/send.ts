/** Sends a request to a function by name, with the Functions SDK that the app loaded. */
import type * as Sdk from "firebase/functions";
import { functionName } from "../../functions/src/model/function-name.ts";
import { type CallOptions, within } from "./call-options.ts";
import { FirerankError, toFirerankError } from "./firerank-error.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { plainJson } from "./plain-json.ts";

/**
 * Sends a request about a board and resolves to the answer.
 * @param name the function's name without the board's `prefix`.
 * @param options how long the call may take, by default 70 s, and what ends the call. The time includes the SDK's wait for
 * tokens.
 * @throws FirerankError
 */
export async function send<Answer>(
  { getFunctions, httpsCallable }: Pick<typeof Sdk, "getFunctions" | "httpsCallable">,
  board: Leaderboard,
  name: string,
  request: object,
  { signal, timeoutMs = 70_000 }: CallOptions = {},
): Promise<Answer> {
  const functions = board.functions ?? getFunctions(board.app, board.region);
  const deployed = functionName(name, board.prefix);
  const callable = httpsCallable<unknown, Answer>(functions, deployed, { timeout: Math.min(timeoutMs, 2e9) });
  const asked = plainJson({ leaderboard: board.id, ...request });
  try {
    return (await within(deployed, { signal, timeoutMs }, () => callable(asked))).data;
  } catch (error) {
    const failed = toFirerankError(deployed, error);
    if (failed.code !== "function_not_found") throw failed;
    // Mostly the app names no region, or another region than the deployment has.
    throw new FirerankError(
      failed.code,
      `${deployed}: no such function in region ${functions.region} of project ${functions.app.options.projectId}. ` +
        `Say where it is: leaderboard(app, "${board.id}", { region, prefix }).`,
      { cause: error },
    );
  }
}
