/** The current time, as a signal that is updated each second while the page is visible. */
import { signal } from "@preact/signals";

export const now = signal(Date.now());

/** When the clock last resumed after a stop, for instance as the machine slept or the page was hidden, or was set back. */
export const wokeAt = signal(0);

/** Longer than a busy page ever delays a tick. */
const missedMs = 30_000;

setInterval(() => {
  if (document.hidden) return;
  const present = Date.now();
  if (present < now.value || present - now.value > missedMs) wokeAt.value = present;
  now.value = present;
}, 1_000);
