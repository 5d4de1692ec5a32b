/**
 * The server's time, for countdowns: a device's clock may be wrong by minutes, and the server's alone decides when a
 * season opens and ends. Until it is known, or where it cannot be, the device's stands in.
 */
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { now, wokeAt } from "../clock.ts";
import { serverTimeOf } from "./server-time.ts";

/** How far the server is ahead of this device. */
const aheadMs = signal(0);

/** The server's time, moving on each second. */
export const serverNow = computed(() => now.value + aheadMs.value);

/** Which waking it was that the server was asked after last. */
let askedAfter: number | undefined;

/**
 * Asks for the server's time, once, and again when the device has slept. Cost: a request to Hosting, and no read.
 * To be called where {@link serverNow} is shown.
 */
export function useServerClock(): void {
  const woke = wokeAt.value;
  useEffect(() => {
    if (askedAfter === woke) return;
    askedAfter = woke;
    void ask();
  }, [woke]);
}

/** Hosting says when it answered. The question is in the address for no cache to have the answer. */
async function ask(): Promise<void> {
  const sentMs = Date.now();
  try {
    const { headers } = await fetch(`/?at=${sentMs}`, { method: "HEAD", cache: "no-store" });
    aheadMs.value = (serverTimeOf(headers, { sentMs, receivedMs: Date.now() }) ?? Date.now()) - Date.now();
  } catch {
    // Without a network nobody knows it; the next page that is opened asks again.
    askedAfter = undefined;
  }
}
