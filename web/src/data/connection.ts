/** Whether the page can know what is true now. */
import { computed, signal } from "@preact/signals";
import { wokeAt, now } from "../clock.ts";
import type { Loaded } from "./read.ts";

/** Whether the browser has a net at all. Firestore's SDK finds out by itself, but takes ten seconds for it. */
const hasNet = signal(navigator.onLine);
for (const event of ["online", "offline"]) {
  addEventListener(event, () => {
    hasNet.value = navigator.onLine;
  });
}

/** How long listeners may take to hear what happened while the machine slept. */
const settleMs = 20_000;

/** Whether the page has just been woken: what it knows may be from before, and nobody has told it yet. */
export const isWaking = computed(() => now.value - wokeAt.value < settleMs);

/** Whether something is a memory and not what is true now, as far as the page can tell. */
export function isRemembered(loaded: Loaded<unknown>): boolean {
  return !hasNet.value || (loaded.state === "ready" && loaded.isOld === true);
}
