/**
 * The font, a fifth of the page's bytes. On a first visit the page has the system's own, and fetches this one when the first
 * data is on the screen. From the next page on the browser has it, and it is used from the start. So no text ever moves.
 */
import url from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";

/** The address of the font that the browser has; a release with another font has another address. */
const storedAs = "firerank-font";

/** Uses the font if the browser has it. @param firstData when to fetch it otherwise */
export function applyFont(firstData: Promise<unknown>): void {
  if (localStorage.getItem(storedAs) === url) document.documentElement.dataset["font"] = "own";
  else void firstData.then(() => setTimeout(() => void fetchFont(), afterDataMs));
}

/** What comes right after the first data is data too, and goes first. */
const afterDataMs = 1_000;

async function fetchFont(): Promise<void> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok !== true) return;
  await response.blob();
  localStorage.setItem(storedAs, url);
}
