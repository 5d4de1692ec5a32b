/** Handles a deployment while the page is open: the scripts that it would load next are gone. */
import { tell } from "./parts/messages.tsx";

/** If a part is missing again so soon after a reload, the page would reload forever. */
const reloadAgainMs = 60_000;
const key = "firerank-reloaded";

/** Reloads the page when one of its parts is gone, at the address that was being opened; not without a network. */
export function reloadForMissingParts(): void {
  addEventListener("vite:preloadError", () => {
    const reloadedMs = Number(sessionStorage.getItem(key) ?? 0);
    if (!navigator.onLine || Date.now() - reloadedMs < reloadAgainMs) {
      tell("bad", "A part of this page could not be loaded. Reload the page when the connection is back.");
      return;
    }
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
}
