/**
 * Who is asked first when the browser's buttons lead elsewhere. Events of the window itself go to listeners in the order in
 * which they were added, with `capture` or without (Chromium 156). So this file is loaded before the router is there.
 */
let first: ((event: PopStateEvent) => void) | undefined;

addEventListener("popstate", (event) => first?.(event));

/** @param ask may stop the event, which then reaches no router. @returns what ends it */
export function onGoingBack(ask: (event: PopStateEvent) => void): () => void {
  first = ask;
  return () => {
    if (first === ask) first = undefined;
  };
}
