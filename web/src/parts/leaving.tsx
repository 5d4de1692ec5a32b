/** Asks before a page is left whose changes would be lost: by a link, by the browser's buttons, or with the tab. */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import { useConfirm } from "./confirm.tsx";
import { onGoingBack } from "./going-back.ts";

/** @returns the dialog, while it asks. The browser asks by itself before the tab is closed or loaded again. */
export function useLeaving(hasChanges: boolean): ComponentChildren {
  const { url, route } = useLocation();
  const { ask, dialog } = useConfirm();
  useEffect(() => {
    if (!hasChanges) return;
    let isLeaving = false;
    const askBefore = (target: string) =>
      ask({
        title: "Leave without saving?",
        text: "What you have changed on this page is lost.",
        verb: "Leave",
        isDanger: true,
        afterwards: () => {
          isLeaving = true;
          route(target);
        },
      });
    // Before the router, which listens on the window.
    const click = (event: MouseEvent) => {
      const target = isLeaving ? undefined : linkOf(event);
      if (target === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      askBefore(target);
    };
    const back = (event: PopStateEvent) => {
      if (isLeaving) return;
      const target = location.pathname + location.search;
      event.stopImmediatePropagation();
      history.pushState(null, "", url);
      askBefore(target);
    };
    const close = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener("click", click, true);
    const forget = onGoingBack(back);
    addEventListener("beforeunload", close);
    return () => {
      document.removeEventListener("click", click, true);
      forget();
      removeEventListener("beforeunload", close);
    };
  }, [hasChanges, url]);
  return dialog;
}

/** Where a click leads on this site, if it leaves the page. */
function linkOf(event: MouseEvent): string | undefined {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element))
    return undefined;
  const link = target.closest("a");
  if (link?.target !== "" || link.origin !== location.origin) return undefined;
  const isHere = link.pathname === location.pathname && link.search === location.search;
  return isHere ? undefined : link.pathname + link.search;
}
