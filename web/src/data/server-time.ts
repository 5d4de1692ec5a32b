/** The server's time, from the headers of an answer. Pure. */

/** A smaller difference may come from the truncated header and the travel time, so the device's clock may be right. */
const unsureMs = 2_000;

/** Its `Date`, cut to the second, and its `Age`; undefined if they do not say, or the device's clock is as good. */
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
