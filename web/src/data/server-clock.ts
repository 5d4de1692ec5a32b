/**
 * The server's time, for countdowns: a device's clock may be wrong by minutes, and only the server's decides when a
 * season opens and ends. Until that is known, the device's clock is used.
 */
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { now, wokeAt } from "../clock.ts";
import { serverTimeOf } from "./server-time.ts";

/** How far the server is ahead of this device. */
const aheadMs = signal(0);

/** The server's time, updated each second. */
export const serverNow = computed(() => now.value + aheadMs.value);

/** The wake-up after which the server was last asked. */
let askedAfter: number | undefined;

/**
 * Asks for the server's time, once, and again when the device has slept. Cost: a request to Hosting, and no read. To be
 * called by views that show {@link serverNow}.
 */
export function useServerClock(): void {
  const woke = wokeAt.value;
  useEffect(() => {
    if (askedAfter === woke) return;
    askedAfter = woke;
    void ask();
  }, [woke]);
}

/** Hosting's headers say when it answered. The time in the address keeps caches from answering. */
async function ask(): Promise<void> {
  const sentMs = Date.now();
  try {
    const { headers } = await fetch(`/?at=${sentMs}`, { method: "HEAD", cache: "no-store" });
    aheadMs.value = (serverTimeOf(headers, { sentMs, receivedMs: Date.now() }) ?? Date.now()) - Date.now();
  } catch {
    // Without a network the time stays unknown; the next page that is opened asks again.
    askedAfter = undefined;
  }
}
