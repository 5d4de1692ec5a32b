/** Whether the page's data can be current. */
import { computed, signal } from "@preact/signals";
import { wokeAt, now } from "../clock.ts";
import type { Loaded } from "./read.ts";

/** Whether the browser is online at all. Firestore's SDK finds that out by itself, but takes ten seconds. */
const hasNet = signal(navigator.onLine);
for (const event of ["online", "offline"]) {
  addEventListener(event, () => {
    hasNet.value = navigator.onLine;
  });
}

/** Why nothing can be asked or changed now, as a sentence; undefined while the browser is online. */
export const offlineText = computed(() =>
  hasNet.value ? undefined : "This device is offline. Nothing can be changed until it is online again.",
);

/** How long listeners may take to get what happened while the machine slept. */
const settleMs = 20_000;

/** Whether the page has just woken up: its data may be old, and listeners may not have been updated yet. */
export const isWaking = computed(() => now.value - wokeAt.value < settleMs);

/** Whether a value may be out of date, as far as the page can tell. */
export function isRemembered(loaded: Loaded<unknown>): boolean {
  return !hasNet.value || (loaded.state === "ready" && loaded.isOld === true);
}
