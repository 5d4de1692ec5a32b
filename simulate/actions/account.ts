/** What players do to their accounts: they change their names, and sign in where they were guests. */
import { mergeGuestSpec } from "../../functions/src/operations/merge-guest.ts";
import { setProfileSpec } from "../../functions/src/operations/set-profile.ts";
import { hasCode, oneOf, somePlayer } from "../actors.ts";
import { leaderboard } from "../board.ts";
import type { World } from "../world.ts";
import { isBegun } from "./admin.ts";

const secondsMax = 60;

/** Some names, so that the same one comes again; null takes it out. */
const names = ["Ann", "Ben", "Cleo", null];

/** A player changes the name, or a server does it for the player, who then need not wait. */
export function setProfile(world: World): void {
  const [player, name] = [somePlayer(world), oneOf(world, names)];
  const asked = { leaderboard, display_name: name };
  const isServer = world.random() < 0.5;
  const fields = { display_name: name ?? undefined };
  world.invoke({
    name: `name ${player} ${String(name)}`,
    work: { kind: "profile", player, fields, beganMs: world.now() },
    secondsMax,
    handle: (services) =>
      isServer
        ? setProfileSpec.handle(services, { ...asked, player }, { uid: "server", role: "submitter" })
        : setProfileSpec.handle(services, asked, { uid: player }),
    clear: ["too_frequent", "player_banned", "season_not_found"],
  });
}

/** A guest signs in: the scores of open seasons go to another player. Sums are not for guests. */
export function mergeGuest(world: World): void {
  const [from, to] = [somePlayer(world), somePlayer(world)];
  if (from === to || world.plan.definition.aggregation === "sum" || !isBegun(world)) return;
  const asked = world.merging.asked(from, to, true);
  world.invoke({
    name: `merge the guest ${from} into ${to}`,
    work: { kind: "merge", asked },
    secondsMax,
    // The machine takes a token for the guest's id.
    handle: (services) => mergeGuestSpec.handle(services, { leaderboard, guest_token: from }, { uid: to }),
    clear: ["player_not_ranked", "player_banned", "player_erased", "season_not_found"],
    end(ending) {
      world.merging.answered(asked);
      if (ending.how === "done" || hasCode(ending, "player_not_ranked")) world.merging.guestAnswered(asked);
    },
  });
}
