/** What `exportPlayer` answers at rest: exactly the documents that name the player, also if a season is still closing. */
import { exportPlayerRequest, exportPlayerSpec } from "../../functions/src/operations/export-player.ts";
import { createServices, type Services } from "../../functions/src/operations/services.ts";
import { insist } from "./violation.ts";
import { createClient, createLocks, type Port } from "../memory/client.ts";
import { waiting } from "../memory/locks.ts";
import type { Store } from "../memory/store.ts";
import type { World } from "../world.ts";
import { documentsNaming, isLeftOver } from "./erased.ts";
import { silent } from "../../functions/src/world/world.ts";

/** A closing's notes are about to be applied. */
const isPassing = (store: Store, path: string) => isLeftOver(store, path) || path.includes("/closing_notes");

/** Small, so that answers go on at seasons and at events. */
const limit = 7;

/** How many players are asked for at a rest. */
const playersMax = 10;

/** Asks for some players, at once and with nobody beside it. @throws a violation */
export async function checkExported(world: World): Promise<void> {
  const { database, now, plan } = world;
  const { store } = database;
  const services = servicesOn(store, now);
  const first = world.index(plan.players);
  for (let i = 0; i < Math.min(playersMax, plan.players); i++) {
    const player = `p${(first + i) % plan.players}`;
    const exported = (await exportedOf(services, player))
      .filter((path) => !isLeftOver(store, path))
      .toSorted()
      .join();
    const naming = documentsNaming(store, player, isPassing).toSorted().join();
    insist(exported === naming, () => `exported: ${exported} of ${player}, whom ${naming} name`);
  }
}

/** The paths of the documents that are exported. */
async function exportedOf(services: Services, player: string): Promise<string[]> {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const request = exportPlayerRequest.parse({ player, limit, cursor });
    const found = await exportPlayerSpec.handle(services, request, admin);
    paths.push(
      ...[...found.statuses, ...found.events].map(({ document }) => document),
      ...found.seasons.flatMap(({ documents }) => documents),
    );
    cursor = found.next_cursor;
  } while (cursor !== undefined);
  return paths;
}

const admin = { uid: "admin", role: "admin" } as const;

/** Operations are performed when they are sent, so that a check changes nothing about what the seed decides. */
const atOnce: Port = {
  request: async (_, what, perform) => {
    await Promise.resolve();
    const result = perform();
    insist(result !== waiting, () => `exported: ${what} meets a lock at rest`);
    return result;
  },
};

function servicesOn(store: Store, now: () => number): Services {
  const none = () => Promise.reject(new Error("a check changes nothing"));
  return createServices({
    db: createClient({ store, locks: createLocks(() => "break") }, atOnce).db,
    now: () => Math.floor(now()),
    random: () => 0,
    newId: () => "check",
    log: silent,
    enqueueJob: none,
    sleep: none,
    intervalMinutesMin: 0,
  });
}
