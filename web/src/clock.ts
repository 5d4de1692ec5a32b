/** The present, as a signal that moves each second while the page is seen. */
import { signal } from "@preact/signals";

export const now = signal(Date.now());

/** When the clock went on after it had stood, as while a machine slept or the page was out of sight. */
export const wokeAt = signal(0);

/** Longer than a busy page misses a beat. */
const missedMs = 30_000;

setInterval(() => {
  if (document.hidden) return;
  const present = Date.now();
  if (present - now.value > missedMs) wokeAt.value = present;
  now.value = present;
}, 1_000);
