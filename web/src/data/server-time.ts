/** What time it is on the server, by the headers of an answer. Pure. */

/** What is within the second to which a header is cut, and the way of the answer, may be the device's clock being right. */
const unsureMs = 2_000;

/**
 * The server's time when the answer came: its `Date`, which is cut to the second, and the `Age` that it had in a cache.
 * @returns undefined where it does not say, or the device's clock is as good as that.
 */
export function serverTimeOf(
  headers: Pick<Headers, "get">,
  { sentMs, receivedMs }: { sentMs: number; receivedMs: number },
): number | undefined {
  const date = Date.parse(headers.get("Date") ?? "");
  const ageMs = Number(headers.get("Age") ?? 0) * 1_000;
  if (Number.isNaN(date) || Number.isNaN(ageMs)) return undefined;
  const wayBackMs = (receivedMs - sentMs) / 2;
  const serverMs = date + 500 + ageMs + wayBackMs;
  return Math.abs(serverMs - receivedMs) <= unsureMs ? undefined : serverMs;
}
