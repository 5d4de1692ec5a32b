/** Eighty concurrent requests for the largest top fit into an instance's memory: measured in a separate process. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { topPath } from "../../../functions/src/documents/paths.ts";
import { storedDefinition } from "../../../functions/src/model/definition.ts";
import { documentSize } from "../../../functions/src/model/document-size.ts";
import { topBytesMax, topSizeMax } from "../../../functions/src/model/limits.ts";
import { buildTop } from "../../../functions/src/top/build-top.ts";
import { allTime, createBoard, createWorld, type World, presentOf } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

/** The default of `MEMORY_MIB`, in which an instance serves 80 requests at a time. */
const memoryMib = 512;
/** What Node, the Functions Framework and the other functions of an instance may need as well. */
const besideMib = 150;

let world: World;
const key = allTime("board");
beforeAll(async () => {
  world = createWorld();
  await createBoard(world, "board", { top_size: topSizeMax, visibility: "public" });
  await boardCacheOf(world.services).open(presentOf(key));
  const definition = storedDefinition.parse({ top_size: topSizeMax });
  const now = Timestamp.now();
  const listed = Array.from({ length: topSizeMax }, (_, i) => ({
    id: `player-${i}-${"x".repeat(20)}`,
    data: {
      score: i,
      status: "active",
      attempts: 1,
      achieved_at: now,
      display_name: `Player ${i}`,
      // Many small values take most memory for their size.
      metadata: Object.fromEntries(Array.from({ length: 50 }, (_, k) => [`k${k}`, i + k])),
    },
  }));
  const top = buildTop(topPath(key), definition, listed, { generation: 1, as_of: now, players: topSizeMax });
  expect(documentSize(topPath(key), top)).toBeGreaterThan(topBytesMax / 2);
  await world.db.doc(topPath(key)).set(top);
});

/** Peak memory of a process that answers that many at once, in MiB. */
function peakMib(requests: number): number {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "top-memory-process.ts"), world.projectId, String(requests)],
    { encoding: "utf8", maxBuffer: 1 << 24 },
  );
  expect(status, stderr).toBe(0);
  return Number(stdout);
}

test("80 requests for a top of 1,000 with metadata need no more than a few do, within the default memory", () => {
  const [one, all] = [peakMib(1), peakMib(80)];
  console.log(`${one} MiB for 1 request, ${all} MiB for 80 at a time.`);
  expect(all).toBeLessThan(memoryMib - besideMib);
});
