/** What is to happen, in the order of its time; of one time, in the order in which it was put there. */
import FlatQueue from "flatqueue";

export type Timeline = ReturnType<typeof createTimeline>;

/** An empty one. `handle` is awaited: nothing takes time, and nothing happens at once with anything else. */
export function createTimeline() {
  const waiting = new FlatQueue<{ atMs: number; handle: () => Promise<unknown> }>();
  let put = 0;
  return {
    /** @param atMs in whole milliseconds. */
    at(atMs: number, handle: () => Promise<unknown>): void {
      // FlatQueue does not keep the order of equal times. A millisecond has room for 1,024 of them.
      waiting.push({ atMs, handle }, atMs * 1_024 + (put++ % 1_024));
    },
    /** Lets all happen that is due before a time; what it puts there itself too. */
    async until(endMs: number, setTime: (atMs: number) => void): Promise<void> {
      for (let next = waiting.peek(); next !== undefined && next.atMs < endMs; next = waiting.peek()) {
        waiting.pop();
        setTime(next.atMs);
        await next.handle();
      }
      setTime(endMs);
    },
  };
}
