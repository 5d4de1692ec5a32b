/** What `exportPlayer` answers at rest: exactly the documents that name the player, also if a season is still closing. */
import { groupPath, leaderboardsPath, privateGroupPath } from "../../functions/src/documents/paths.ts";
import { boardsStored } from "../../functions/src/seasons/boards-asked.ts";
import { exportPlayerOf } from "../../functions/src/operations/export-player.ts";
import type { Services } from "../../functions/src/world/services.ts";
import type { World } from "../world.ts";
import { keyIn, leaderboard } from "../board.ts";
import { documentsNaming, isLeftOver } from "./erased.ts";
import { insist } from "./violation.ts";

/** Begins to ask for a player. @throws a violation, while nothing else is under way */
export function beginExport(world: World, player: string): void {
  const { store } = world.database;
  world.invoke({
    name: `export ${player}`,
    secondsMax: 60,
    async handle(services) {
      const all = new Set(await exportedOf(services, player));
      const paths = [...all].filter((path) => !isLeftOver(store, path));
      const exported = paths.toSorted().join();
      const names = documentsNaming(store, player, isLeftOver, `${leaderboardsPath}/`);
      const naming = [...new Set([...names, ...seatsOf(world, player), ...groupsOf(world, player)])]
        .toSorted()
        .join();
      insist(exported === naming, () => `exported: ${exported} of ${player}, whom ${naming} name`);
    },
  });
}

/** The groups of a league in which the player has a seat, shown or not. */
const seatsOf = ({ life, leagues }: World, player: string) =>
  life.all().flatMap(({ id }) => leagues.seatsOf(id, player).map(({ group }) => groupPath(keyIn(id), group)));

/** The private groups in which the player is, shown or not. */
const groupsOf = ({ privateGroups }: World, player: string) =>
  privateGroups.groupsOf(player).map(({ id }) => privateGroupPath(leaderboard, id));

/** The paths of the documents that are exported. */
async function exportedOf(services: Services, player: string): Promise<string[]> {
  const paths: string[] = [];
  for (const board of await boardsStored(services, undefined, [player])) {
    const {
      status,
      seasons,
      events,
      private_groups: groups = [],
    } = await exportPlayerOf(services, board, player);
    if (status !== undefined) paths.push(status.document);
    paths.push(...seasons.flatMap(({ documents }) => documents));
    paths.push(...events.map(({ document }) => document), ...groups.map(({ document }) => document));
  }
  return paths;
}
