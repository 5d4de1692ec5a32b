/** Whether a part of a page is in view, and so worth listening for. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/**
 * How far beyond the edge of the window still counts as in view, so that content is loaded before it is scrolled to.
 */
const margin = "200px";

/** Observes the element that has `place` as its ref. */
export function useInSight<T extends Element>(): { place: RefObject<T | null>; isInSight: boolean } {
  const place = useRef<T>(null);
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => setInSight(entries.at(-1)?.isIntersecting === true),
      { rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { place, isInSight };
}
