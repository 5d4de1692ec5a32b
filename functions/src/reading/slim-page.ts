/**
 * Pages as instances keep them: the numbers of rows take 2, 4 or 8 bytes each, as the largest of them needs; in an array
 * each takes 8. What only runs need is left out. Pure.
 */
import type { Numbers, PageRead } from "../documents/page-bounds.ts";

export function slimPage({ checks: _, ...page }: PageRead): PageRead {
  const { scores, players_above: above, lows, pending_above: pending } = page;
  return {
    ...page,
    scores: slim(scores),
    players_above: slim(above),
    ...(lows && { lows: slim(lows) }),
    ...(pending && { pending_above: slim(pending) }),
  };
}

/** Of fewer numbers the array is smaller: a typed one has some 200 bytes beside its numbers. */
const slimFrom = 40;

function slim(numbers: Numbers): Numbers {
  if (ArrayBuffer.isView(numbers) || numbers.length < slimFrom) return numbers;
  for (const kind of [Uint16Array, Int32Array]) {
    const inFewBytes = kind.from(numbers);
    if (inFewBytes.every((number, at) => number === numbers[at])) return inFewBytes;
  }
  return numbers;
}
