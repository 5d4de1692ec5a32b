/** Brings events to triggers as badly as Firestore may: at least once, in any order; and, rarely, not at all. */

/** Shares of the events. */
export interface FaultShares {
  /** Come once more, a little later. */
  doubled: number;
  /** Come only after some that were later. */
  reordered: number;
  /** Never come, as when a function is deployed anew or all its attempts fail. */
  lost: number;
}

/** How many events come before a late one, at most. */
const laterMax = 8;

export interface Postman<Event> {
  /** Takes an event. @returns those that come now, in this order. */
  post(event: Event): Event[];
  /** Those that are still under way, in the order in which they come. */
  flush(): Event[];
  /** What was done so far. */
  done: { events: number; doubled: number; reordered: number; lost: number };
}

/** At most one of the faults befalls an event. */
export function createPostman<Event>(
  { doubled, reordered, lost }: FaultShares,
  random: () => number,
): Postman<Event> {
  let underWay: { event: Event; due: number }[] = [];
  const done = { events: 0, doubled: 0, reordered: 0, lost: 0 };
  function take(now: number): Event[] {
    const come = underWay.filter(({ due }) => due <= now).sort((a, b) => a.due - b.due);
    underWay = underWay.filter(({ due }) => due > now);
    return come.map(({ event }) => event);
  }
  return {
    done,
    post(event) {
      const now = (done.events += 1);
      // Half a place, so that it comes after the event of that time.
      const late = () => now + 0.5 + Math.ceil(random() * laterMax);
      const drawn = random();
      const come = take(now);
      if (drawn < lost) done.lost += 1;
      else if (drawn < lost + doubled) {
        done.doubled += 1;
        underWay.push({ event, due: late() });
        come.push(event);
      } else if (drawn < lost + doubled + reordered) {
        done.reordered += 1;
        underWay.push({ event, due: late() });
      } else come.push(event);
      return come;
    },
    flush: () => take(Infinity),
  };
}
