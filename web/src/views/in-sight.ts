/** Whether a part of a page is in sight, so that what it shows is worth listening to. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** How far beyond the edge of the window counts as in sight, so that what is scrolled to is there already. */
const margin = "200px";

/** Follows an element that `place` is given to. */
export function useInSight<T extends Element>(): { place: RefObject<T | null>; isInSight: boolean } {
  const place = useRef<T>(null);
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        setInSight(entries.at(-1)?.isIntersecting === true);
      },
      { rootMargin: margin },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, []);
  return { place, isInSight };
}
