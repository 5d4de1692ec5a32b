/** What `exportPlayer` answers at rest: exactly the documents that name the player, also if a season is still closing. */
import { exportPlayerRequest, exportPlayerSpec } from "../../functions/src/operations/export-player.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import type { Store } from "../memory/store.ts";
import type { World } from "../world.ts";
import { documentsNaming, isLeftOver } from "./erased.ts";
import { insist } from "./violation.ts";

/** A closing's notes are about to be applied. */
const isPassing = (store: Store, path: string) => isLeftOver(store, path) || path.includes("/closing_notes");

/** Small, so that answers go on at seasons and at events. */
const limit = 7;

/** Begins to ask for a player. @throws a violation, while nothing else is under way */
export function beginExport(world: World, player: string): void {
  const { store } = world.database;
  world.invoke({
    name: `export ${player}`,
    secondsMax: 60,
    async handle(services) {
      const paths = (await exportedOf(services, player)).filter((path) => !isLeftOver(store, path));
      const exported = paths.toSorted().join();
      const naming = documentsNaming(store, player, isPassing).toSorted().join();
      insist(exported === naming, () => `exported: ${exported} of ${player}, whom ${naming} name`);
    },
  });
}

/** The paths of the documents that are exported. */
async function exportedOf(services: Services, player: string): Promise<string[]> {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const request = exportPlayerRequest.parse({ player, limit, cursor });
    const found = await exportPlayerSpec.handle(services, request, { uid: "admin", role: "admin" });
    paths.push(...[...found.statuses, ...found.events].map(({ document }) => document));
    paths.push(...found.seasons.flatMap(({ documents }) => documents));
    cursor = found.next_cursor;
  } while (cursor !== undefined);
  return paths;
}
