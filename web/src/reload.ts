/** Handles a deployment while the page is open: the scripts that it would load next are gone. */
import { tell } from "./parts/messages.tsx";

/** If a part is missing again so soon after a reload, the page would reload forever. */
const reloadAgainMs = 60_000;
const key = "firerank-reloaded";

/** Reloads the page when one of its parts is gone, at the address that was being opened; not without a network. */
export function reloadForMissingParts(): void {
  addEventListener("vite:preloadError", () => void reloadIfNew());
}

async function reloadIfNew(): Promise<void> {
  const reloadedMs = Number(sessionStorage.getItem(key) ?? 0);
  if (Date.now() - reloadedMs < reloadAgainMs || !(await isServed())) {
    tell("bad", "A part of this page could not be loaded. Reload the page when the connection is back.");
    return;
  }
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
}

/** Whether the page's server answers. A browser may say that it is online, and a reload would leave an empty page. */
async function isServed(): Promise<boolean> {
  try {
    return (await fetch(location.href, { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
