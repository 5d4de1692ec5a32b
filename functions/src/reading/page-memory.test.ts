import { describe, expect, test } from "vitest";
import { emptyPage } from "../documents/page-bounds.ts";
import { createPageMemory, isSameRanking, type KeptPage } from "./page-memory.ts";

const minute = 60_000;
const publishedMs = Date.parse("2026-11-21T12:00:00Z");
const instant = (ms: number) => ({ toMillis: () => ms });

/** The first of two pages: scores from 100 down to 51; the second goes on from 50. */
const page = (generation: number, number = 0): KeptPage => ({
  page: number,
  generation,
  from_score: number === 0 ? 2 ** 53 - 1 : 50,
  until_score: number === 0 ? 50 : null,
  scores: number === 0 ? [100, 51] : [50, 1],
  as_of: instant(publishedMs + (generation - 1) * 5 * minute),
  next_publish_at: instant(publishedMs + generation * 5 * minute),
});

/** A memory with a clock, and due times of the season's pages where a test knows some. */
function memoryAt(nowMs: number, more: Partial<Parameters<typeof createPageMemory<KeptPage>>[0]> = {}) {
  const clock = { nowMs };
  return { clock, memory: createPageMemory<KeptPage>({ now: () => clock.nowMs, sizeMax: 10, ...more }) };
}

describe("a page in memory", () => {
  test("is found for the scores it covers, in its own season only", () => {
    const { memory } = memoryAt(publishedMs);
    memory.keep("a", page(1));
    expect(memory.find("a", "descending", 51)?.page).toBe(0);
    expect(memory.find("a", "descending", 50)).toBeUndefined();
    expect(memory.find("b", "descending", 51)).toBeUndefined();
  });

  test.each([
    ["until its successor is due", 1, 5],
    ["for ten seconds if its successor is due now", 5, 5 + 1 / 6],
    ["for ten seconds if its successor is overdue", 60, 60 + 1 / 6],
  ])("is used %s: kept at minute %d, until minute %d", (_, keptAt, until) => {
    const { clock, memory } = memoryAt(publishedMs + keptAt * minute);
    memory.keep("a", page(1));
    expect(memory.freshUntilMs("a")).toBe(publishedMs + until * minute);
    clock.nowMs = publishedMs + until * minute;
    expect(memory.find("a", "descending", 60)).toBeUndefined();
    expect(memory.freshUntilMs("a")).toBeUndefined();
  });

  test("is used until its successor is due according to the season, if that is earlier", () => {
    const due: Record<number, number> = { 1: publishedMs + 2 * minute, 2: publishedMs + 60 * minute };
    const { clock, memory } = memoryAt(publishedMs + minute, {
      dueMsOf: (_, { page: { generation } }) => due[generation],
    });
    memory.keep("a", page(1));
    expect(memory.freshUntilMs("a")).toBe(publishedMs + 2 * minute);
    clock.nowMs = publishedMs + 2 * minute;
    expect(memory.find("a", "descending", 60)).toBeUndefined();
    // Read again while overdue, it is used for a moment.
    memory.keep("a", page(1));
    expect(memory.freshUntilMs("a")).toBe(clock.nowMs + 10_000);
    clock.nowMs = publishedMs + 5 * minute;
    memory.keep("a", page(2));
    expect(memory.freshUntilMs("a")).toBe(publishedMs + 10 * minute);
    // The season's due time is asked for only if there is a page.
    expect(memory.freshUntilMs("b")).toBeUndefined();
  });

  test("of a closed season is used as long as its season says nothing else", () => {
    let dueMs = Infinity;
    const { clock, memory } = memoryAt(publishedMs, { dueMsOf: () => dueMs });
    memory.keep("a", page(1));
    clock.nowMs = publishedMs + 365 * 24 * 60 * minute;
    expect(memory.freshUntilMs("a")).toBe(Infinity);
    dueMs = 0;
    expect(memory.find("a", "descending", 60)).toBeUndefined();
  });

  test("belongs to the ranking with its generation and its time", () => {
    const first = page(1);
    expect(isSameRanking(first, { ...first })).toBe(true);
    expect(isSameRanking(first, { ...first, generation: 2 })).toBe(false);
    expect(isSameRanking(first, { ...first, as_of: { toMillis: () => 1 } })).toBe(false);
  });

  test("is replaced by a newer generation, together with all others of its own, and not by an older one", () => {
    const { memory } = memoryAt(publishedMs);
    for (const one of [page(1), page(1, 1), page(2), page(1)]) memory.keep("a", one);
    expect(memory.kept("a").map(({ page: { generation } }) => generation)).toEqual([2]);
    // Only for its own generation it says until when it is used.
    expect(memory.freshUntilMs("a", 2)).toBe(memory.freshUntilMs("a"));
    expect(memory.freshUntilMs("a", 1)).toBeUndefined();
  });

  test("is replaced by an older generation that was requested after it was kept: the ranking was restarted", () => {
    const { clock, memory } = memoryAt(publishedMs);
    memory.keep("a", page(712));
    memory.keep("a", page(712, 1));
    const asked = (clock.nowMs += 1);
    memory.keep("a", page(1), asked);
    expect(memory.kept("a")).toMatchObject([{ page: { generation: 1 }, readMs: asked }]);
  });

  test("of another ranking with the same number never joins the others: it replaces them, or is dropped if it is late", () => {
    const { clock, memory } = memoryAt(publishedMs);
    const restored = (number: number) => ({ ...page(1, number), as_of: instant(publishedMs + minute) });
    memory.keep("a", page(1));
    const asked = (clock.nowMs += 1);
    memory.keep("a", restored(1), asked);
    const kept = () => memory.kept("a").map(({ page }) => [page.page, page.as_of.toMillis()]);
    expect(kept()).toEqual([[1, publishedMs + minute]]);
    clock.nowMs += 1;
    memory.keep("a", page(1), asked);
    expect(kept()).toEqual([[1, publishedMs + minute]]);
    memory.keep("a", restored(0));
    expect(kept()).toHaveLength(2);
  });
});

describe("the memory of pages", () => {
  test("holds as many as it may, and drops whole seasons, the one not used for longest first", () => {
    const { memory } = memoryAt(publishedMs, { sizeMax: 2 });
    const held = () => ["a", "b", "c", "d"].filter((season) => memory.kept(season).length > 0).join("");
    memory.keep("a", page(1));
    memory.keep("b", page(1));
    expect(held()).toBe("ab");
    memory.keep("c", page(1));
    expect(held()).toBe("bc");
    // Kept again, it is the newest.
    memory.keep("b", page(2));
    memory.keep("d", page(1));
    expect(held()).toBe("bd");
    // Found, it is the newest too.
    expect(memory.find("b", "descending", 51)).toBeDefined();
    memory.keep("a", page(1));
    expect(held()).toBe("ab");
  });

  test("holds pages up to a size in all, however many they are", () => {
    const sizeOf = ({ generation }: KeptPage) => generation;
    const { memory } = memoryAt(publishedMs, { sizeMax: 10, sizeOf });
    const held = () => ["a", "b", "c", "d"].filter((season) => memory.kept(season).length > 0).join("");
    memory.keep("a", page(4));
    memory.keep("b", page(1));
    memory.keep("b", page(1, 1));
    memory.keep("c", page(4));
    expect(held()).toBe("abc");
    // The page that it replaces counts no more.
    memory.keep("a", page(4));
    expect(held()).toBe("abc");
    memory.keep("d", page(2));
    expect(held()).toBe("acd");
    memory.keep("d", page(11));
    expect(held()).toBe("");
  });

  test("keeps one copy of a page, and the other pages of its generation, until the first of them is due", () => {
    const { memory } = memoryAt(publishedMs + minute);
    const early = { ...page(1, 1), next_publish_at: instant(publishedMs + 4 * minute) };
    for (const one of [page(1, 0), early, page(1, 0)]) memory.keep("a", one);
    expect(memory.kept("a").map((kept) => kept.page.page)).toEqual([1, 0]);
    expect(memory.freshUntilMs("a")).toBe(publishedMs + 4 * minute);
  });
});

test("the page before the first generation covers every score and shows nobody", () => {
  const at = instant(publishedMs);
  const nobody = { players: 0, rows: 0, scores: [], players_above: [], players_until: 0, rows_above: 0 };
  const whole = { page: 0, pages: 1, generation: 0, from_score: 2 ** 53 - 1, until_score: null };
  const times = { as_of: at, next_publish_at: at };
  expect(emptyPage("descending", at)).toMatchObject({ ...nobody, ...whole, ...times });
  expect(emptyPage("ascending", at).from_score).toBe(1 - 2 ** 53);
});
