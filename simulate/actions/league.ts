/** What players do in a league: they look at their groups, leave, and take part again. */
import { getLeagueSpec } from "../../functions/src/operations/get-league.ts";
import { setProfileSpec } from "../../functions/src/operations/set-profile.ts";
import { someOf, somePlayer } from "../actors.ts";
import { drawLeague } from "../draw-league.ts";
import { changeLeague } from "./admin.ts";
import { leaderboard } from "../board.ts";
import { checkLeague } from "../checks/league-answers.ts";
import { tickOf } from "../checks/setting.ts";
import type { World } from "../world.ts";

const secondsMax = 60;

/** A player looks, or wishes otherwise. */
export function playLeague(world: World): void {
  if (world.plan.definition.league === undefined) return;
  if (world.random() < 0.02) changeLeague(world, drawLeague(world.random));
  else if (world.random() < 0.3) wish(world, somePlayer(world), world.random() < 0.5);
  else look(world, somePlayer(world), world.random() < 0.8 ? undefined : someWeek(world));
}

/** A week that is kept. */
const someWeek = (world: World) =>
  someOf(
    world,
    world.life.all().filter(({ season }) => season.span === "weekly"),
  )?.id;

/** A player asks for the own group, of the present week or of another one. */
export function look(world: World, player: string, season: string | undefined): void {
  const asked = { leaderboard, ...(season === undefined ? {} : { season }) };
  const began = tickOf(world);
  world.invoke({
    name: `league of ${player}${season === undefined ? "" : ` in ${season}`}`,
    secondsMax,
    async handle(services) {
      const answer = await getLeagueSpec.handle(services, asked, { uid: player });
      checkLeague(world, player, answer, began);
    },
    clear: ["season_not_found", "season_closed", "invalid_request"],
  });
}

/** A player leaves the league, or takes part again; a server says it for the player, who then need not wait. */
function wish(world: World, player: string, takesPart: boolean): void {
  const asked = { leaderboard, player, league: takesPart };
  const wishing = world.leagues.promises.begun(player, takesPart);
  world.invoke({
    name: `${takesPart ? "take part" : "leave the league"} ${player}`,
    work: { kind: "wish", player, takesPart },
    secondsMax,
    handle: (services) => setProfileSpec.handle(services, asked, { uid: "server", role: "submitter" }),
    clear: ["player_banned", "player_erased", "season_not_found"],
    end: ({ how }) => {
      world.leagues.promises.wished(wishing, how === "done");
    },
  });
}
