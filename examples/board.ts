/** Saves a leaderboard, as its owner does once; here each example does it when it starts. */
import type { Token } from "./admin.ts";
import type { Addresses } from "./emulators.ts";

/**
 * Creates a leaderboard or changes its definition.
 * @throws with Firerank's own words if it refuses the definition, and saying what to start if nothing answers
 */
export async function saveBoard(
  { callables }: Addresses,
  token: Token,
  leaderboard: string,
  definition: object,
): Promise<void> {
  const idToken = await token().catch(notThere);
  const response = await fetch(`${callables}/saveLeaderboard`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${idToken}` },
    body: JSON.stringify({ data: { leaderboard, definition } }),
  }).catch(notThere);
  const { error } = (await response.json()) as { error?: { message: string } };
  if (error !== undefined) throw new Error(`Leaderboard "${leaderboard}" was not saved: ${error.message}`);
}

function notThere(error: unknown): never {
  throw new Error("The emulators do not answer. Start them with `npm run emulators` in another terminal.", {
    cause: error,
  });
}
