/** What an open page does after a deployment, which has taken away the scripts that it would load next. */
import { tell } from "./parts/messages.tsx";

/** A page that misses a part again so soon after a reload would reload for ever. */
const reloadAgainMs = 60_000;
const key = "firerank-reloaded";

/** Reloads the page when a part of it is gone; it comes back at the address that was to be opened. */
export function reloadForMissingParts(): void {
  addEventListener("vite:preloadError", () => {
    const reloadedMs = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - reloadedMs < reloadAgainMs) {
      tell("bad", "A part of this page could not be loaded. Reload the page when the connection is back.");
      return;
    }
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
}
