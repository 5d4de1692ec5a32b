/** A value that changes often, as often as one wants to hear of it. */
import { useEffect, useRef, useState } from "preact/hooks";

/** The first value that is there, at once; a later one when `ms` have passed since the last. */
export function useSettled<T>(value: T | undefined, ms: number): T | undefined {
  const [settled, setSettled] = useState(value);
  const changedMs = useRef(0);
  useEffect(() => {
    if (value === undefined || value === settled) return;
    const wait = settled === undefined ? 0 : Math.max(0, changedMs.current + ms - Date.now());
    const timer = setTimeout(() => {
      changedMs.current = Date.now();
      setSettled(value);
    }, wait);
    return () => {
      clearTimeout(timer);
    };
  }, [value, settled, ms]);
  return settled;
}
