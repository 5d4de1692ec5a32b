import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import { anyScore } from "../testing/arbitraries.ts";
import { type IndexEntry, readIndexEntry } from "../documents/index-entry.ts";
import { addChanges, planIndexing, type ShardChanges } from "./plan.ts";

type Data = Record<string, unknown> | undefined;

/** An event of the trigger: a player's document before and after one write. */
interface Event {
  player: string;
  before: Data;
  after: Data;
}

interface World {
  players: Map<string, Data>;
  entries: Map<string, IndexEntry>;
  shards: ShardChanges;
  events: Event[];
}

type Index = (world: World, event: Event) => void;

const emptyWorld = (): World => ({
  players: new Map(),
  entries: new Map(),
  shards: { playerCount: new Map(), unusable: 0 },
  events: [],
});

/**
 * What the trigger does with an event: nothing if it cannot change anything, otherwise it reads the player as it is
 * now.
 */
const indexByLevel: Index = ({ players, entries, shards }, { player, before, after }) => {
  if (isDeepStrictEqual(rankedScoreOf(before), rankedScoreOf(after))) return;
  const plan = planIndexing(rankedScoreOf(players.get(player)), entries.get(player));
  if (plan === undefined) return;
  addChanges(shards, plan.changes);
  if (plan.entry === null) entries.delete(player);
  else entries.set(player, plan.entry);
};

/** The naive way: it believes the event, with −1 where the player was and +1 where the player is. */
const indexByEvent: Index = ({ shards }, { before, after }) => {
  for (const [data, delta] of [
    [before, -1],
    [after, 1],
  ] as const) {
    const ranked = rankedScoreOf(data);
    if (ranked === undefined) continue;
    if ("score" in ranked) addChanges(shards, { playerCount: new Map([[ranked.score, delta]]), unusable: 0 });
    else addChanges(shards, { playerCount: new Map(), unusable: delta });
  }
};

const anyData = fc.option(
  fc.record(
    {
      score: fc.oneof({ weight: 6, arbitrary: anyScore }, fc.constantFrom("12", NaN, Infinity, null)),
      status: fc.constantFrom("active", "active", "hidden", "banned", "Banned"),
      display_name: fc.constantFrom("Ann", "Bo"),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), player: fc.constantFrom("a", "b", "c"), data: anyData }),
  /** One of the pending events arrives; with `again` it stays pending and arrives once more. */
  fc.record({ kind: fc.constant("deliver" as const), which: fc.nat(), again: fc.boolean() }),
);
const anySteps = fc.array(anyStep, { maxLength: 50, size: "max" });

function take(world: World, step: Step, index: Index): void {
  if (step.kind === "write") {
    world.events.push({ player: step.player, before: world.players.get(step.player), after: step.data });
    world.players.set(step.player, step.data);
    return;
  }
  const at = step.which % Math.max(1, world.events.length);
  const event = world.events[at];
  if (event === undefined) return;
  index(world, event);
  if (!step.again) world.events.splice(at, 1);
}

type Step = typeof anySteps extends fc.Arbitrary<(infer Each)[]> ? Each : never;

/** Runs the steps, then delivers the pending events in the order that `lastOrder` gives. */
function run(
  steps: readonly Step[],
  lastOrder: readonly number[],
  index: Index,
  check?: (world: World) => void,
): World {
  const world = emptyWorld();
  for (const step of steps) {
    take(world, step, index);
    check?.(world);
  }
  for (let i = 0; world.events.length > 0; i++) {
    take(world, { kind: "deliver", which: lastOrder[i % lastOrder.length] ?? 0, again: false }, index);
    check?.(world);
  }
  return world;
}

/** How many players have each score, and how many an unusable one. */
function histogramOf(entries: Iterable<IndexEntry>): ShardChanges {
  const histogram: ShardChanges = { playerCount: new Map(), unusable: 0 };
  for (const { score } of entries) {
    if (score === null) histogram.unusable += 1;
    else histogram.playerCount.set(score, (histogram.playerCount.get(score) ?? 0) + 1);
  }
  return histogram;
}

/** The entries of an index that needs no events. */
function entriesOfPlayers({ players }: World): Map<string, IndexEntry> {
  const entries = new Map<string, IndexEntry>();
  for (const [player, data] of players) {
    const ranked = rankedScoreOf(data);
    if (ranked !== undefined) entries.set(player, "score" in ranked ? ranked : { score: null, ...ranked });
  }
  return entries;
}

const anyOrderOfTheRest = fc.array(fc.nat(), { minLength: 1, maxLength: 8 });

describe("events that come twice, late, in any order, or only after a retry", () => {
  test("leave the sum of all changes equal to the histogram of the entries, after each of them", () => {
    fc.assert(
      fc.property(anySteps, anyOrderOfTheRest, (steps, rest) => {
        run(steps, rest, indexByLevel, ({ shards, entries }) => {
          expect(shards).toEqual(histogramOf(entries.values()));
        });
      }),
      { numRuns: 300 },
    );
  });

  test("end with the entries that follow from the players' documents, once all have come", () => {
    fc.assert(
      fc.property(anySteps, anyOrderOfTheRest, (steps, rest) => {
        const world = run(steps, rest, indexByLevel);
        expect(world.entries).toEqual(entriesOfPlayers(world));
        expect(world.shards).toEqual(histogramOf(world.entries.values()));
      }),
      { numRuns: 300 },
    );
  });

  test("would leave wrong counts behind if the trigger believed them", () => {
    const converges = fc.property(anySteps, anyOrderOfTheRest, (steps, rest) => {
      const world = run(steps, rest, indexByEvent);
      return isDeepStrictEqual(world.shards, histogramOf(entriesOfPlayers(world).values()));
    });
    expect(fc.check(converges, { numRuns: 300 }).failed).toBe(true);

    const doubled: Step[] = [
      { kind: "write", player: "a", data: { score: 7 } },
      { kind: "deliver", which: 0, again: true },
    ];
    expect(run(doubled, [0], indexByEvent).shards.playerCount).toEqual(new Map([[7, 2]]));
    expect(run(doubled, [0], indexByLevel).shards.playerCount).toEqual(new Map([[7, 1]]));
  });
});

describe("the plan for a player", () => {
  const plan = (ranked: ReturnType<typeof rankedScoreOf>, entry?: IndexEntry) => {
    const planned = planIndexing(ranked, entry);
    return planned === undefined
      ? undefined
      : [planned.entry, Object.fromEntries(planned.changes.playerCount), planned.changes.unusable];
  };

  test("is nothing where index and player agree", () => {
    expect(plan(undefined)).toBeUndefined();
    expect(plan({ score: 7 }, { score: 7 })).toBeUndefined();
    expect(plan({ unusable: "no" }, { score: null, unusable: "no" })).toBeUndefined();
  });

  test("subtracts one where the player was counted and adds one where the player is now", () => {
    expect(plan({ score: 7 })).toEqual([{ score: 7 }, { 7: 1 }, 0]);
    expect(plan({ score: 7 }, { score: 5 })).toEqual([{ score: 7 }, { 5: -1, 7: 1 }, 0]);
    expect(plan(undefined, { score: 5 })).toEqual([null, { 5: -1 }, 0]);
  });

  test("counts documents that cannot be ranked separately, and notes a new reason without counting again", () => {
    expect(plan({ unusable: "no" })).toEqual([{ score: null, unusable: "no" }, {}, 1]);
    expect(plan({ unusable: "no" }, { score: 0 })).toEqual([{ score: null, unusable: "no" }, { 0: -1 }, 1]);
    expect(plan({ score: 0 }, { score: null, unusable: "no" })).toEqual([{ score: 0 }, { 0: 1 }, -1]);
    expect(plan(undefined, { score: null, unusable: "no" })).toEqual([null, {}, -1]);
    expect(plan({ unusable: "never" }, { score: null, unusable: "no" })).toEqual([
      { score: null, unusable: "never" },
      {},
      0,
    ]);
  });
});

test("changes of a batch that cancel out leave nothing to write", () => {
  const sum: ShardChanges = { playerCount: new Map([[5, 1]]), unusable: 1 };
  addChanges(sum, {
    playerCount: new Map([
      [5, -1],
      [6, 2],
    ]),
    unusable: -1,
  });
  expect(sum).toEqual({ playerCount: new Map([[6, 2]]), unusable: 0 });
});

test("an entry is read as it was written, and an invalid one is refused", () => {
  expect(readIndexEntry(undefined)).toBeUndefined();
  for (const entry of [{ score: 7 }, { score: null, unusable: "no" }])
    expect(readIndexEntry({ ...entry, more: 1 })).toStrictEqual(entry);
  for (const entry of [{}, { score: "7" }, { score: NaN }, { score: null, unusable: 7 }])
    expect(() => readIndexEntry(entry)).toThrow();
});
