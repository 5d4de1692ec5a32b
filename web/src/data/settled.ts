/** Slows values down for people who read or type. */
import { useEffect, useRef, useState } from "preact/hooks";

/** The first value at once; a later one when `ms` have passed since the last. */
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
    return () => clearTimeout(timer);
  }, [value, settled, ms]);
  return settled;
}

/** A field's text, which starts over when its value changes: an effect would remove what was typed meanwhile. */
export function useFollowing(value: string): [text: string, enter: (text: string) => void] {
  const [entered, setEntered] = useState({ over: value, text: value });
  const text = entered.over === value ? entered.text : value;
  return [text, (next) => setEntered({ over: value, text: next })];
}

/** A text, delayed until the user stops typing. */
export function useDelayed(text: string, ms: number): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text.trim()), ms);
    return () => clearTimeout(timer);
  }, [text]);
  return delayed;
}
