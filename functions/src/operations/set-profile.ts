/** `setProfile`: a player's name and metadata, without a score. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { commitPlayers, type Fields } from "../counting/commit-players.ts";
import { statusOf } from "../counting/kept-status.ts";
import type { DocumentSnapshot } from "../documents/firestore.ts";
import { playerPath } from "../documents/paths.ts";
import { openSeasons } from "../documents/queries.ts";
import { readSeasonIfValid } from "../documents/season.ts";
import { type ProfileAnswer, profileSchema } from "../model/answers.ts";
import { FirerankError, invalidRequest } from "../model/errors.ts";
import { leaderboardId, scorerId } from "../model/ids.ts";
import { suffices } from "../model/role.ts";
import { isTaking } from "../seasons/open-now.ts";
import type { ChangedPlayer } from "../documents/player.ts";
import { profileFields } from "../submit/schema.ts";
import { nameInGroups } from "../groups/pass.ts";
import { takePart } from "../league/take-part.ts";
import { asRetryable } from "../world/retryable.ts";
import type { Services } from "../world/services.ts";
import type { OperationSpec } from "./shared/spec.ts";
import { playerMeant } from "./shared/player-meant.ts";
import { showChanges } from "./shared/submission.ts";
import { profileWaitsOf } from "./shared/caller-memory.ts";

const request = z.strictObject({
  leaderboard: leaderboardId,
  player: scorerId
    .optional()
    .describe(
      'Another player, if a server changes the profile. On a board with `submit: "server"` it must be named.',
    ),
  ...profileFields,
  league: z
    .boolean()
    .optional()
    .describe(
      "False leaves the board's league: groups hide name and score at once, and the place counts for the week. True takes part again.",
    ),
});

type Profile = Pick<z.infer<typeof request>, "display_name" | "metadata">;

/**
 * Changes a player's `display_name` and `metadata` in all open seasons in which the player is, in all or in none. What
 * is left out stays, and null takes out. It creates no document, counts nothing and wakes no season. A top that lists
 * the player shows the change within a minute. `league` leaves the board's league, or takes part again.
 *
 * Cost: 2 reads for each open season, at least 1; 1 write for each in which something changes; the board's 2 reads a
 * minute; {@link keepTopLive} and {@link statusOf} for each change. With a name on a board with private groups what
 * {@link nameInGroups} costs, with `league` what {@link takePart} costs.
 * @throws `too_frequent`, without a read, where this instance has taken a profile of the player in the last seconds and
 * no server calls; `leaderboard_not_found`, `server_scores_only`; `player_banned`, but to moderators; `not_allowed` for
 * another player's without the role `submitter`; `invalid_request` where only servers write and none is named;
 * `player_erased` where an erased player would leave a league.
 */
export const setProfileSpec: OperationSpec<typeof request, ProfileAnswer> = {
  name: "setProfile",
  request,
  answer: profileSchema,
  async handle(services, { leaderboard, player: named, league, ...profile }, caller) {
    if (profile.display_name === undefined && profile.metadata === undefined && league === undefined)
      throw invalidRequest([{ path: "display_name", message: "is missing; send it, or metadata, or both" }]);
    const doing = (other: string) => `changing the profile of "${other}", not your own,`;
    const { player, isTrusted, definition } = await playerMeant(services, caller, named, leaderboard, doing);
    if (league !== undefined && definition.league === undefined)
      throw invalidRequest([
        { path: "league", message: "means nothing here: this leaderboard has no league" },
      ]);
    if (!isTrusted) profileWaitsOf(services).take(leaderboard, player);
    const mayBan = suffices(caller ?? {}, "moderator", leaderboard);
    const { found, changes } = await commitProfile(services, { leaderboard, player }, profile, mayBan);
    const { display_name: name } = profile;
    // First: the changes then find nothing to do there.
    if (name !== undefined && definition.private_groups)
      await nameInGroups(services, leaderboard, player, name);
    await showChanges(services, changes);
    if (league !== undefined)
      await takePart(services, { leaderboard, player, takesPart: league, isModerators: mayBan });
    const seasons = found.map(({ season, span, fields }) => ({ season, span, changed: hasAny(fields) }));
    return { leaderboard, player, seasons };
  },
};

async function commitProfile(
  services: Services,
  { leaderboard, player }: { leaderboard: string; player: string },
  profile: Profile,
  mayBan: boolean,
) {
  const { docs } = await openSeasons(services.db, leaderboard).get();
  // A damaged season is the audit's to tell of.
  const open = docs.flatMap((document) => {
    const { data: season } = readSeasonIfValid(document.data());
    return season && isTaking(season, services.now()) ? [{ season: document.id, span: season.span }] : [];
  });
  const refs = open.map(({ season }) => services.db.doc(playerPath({ leaderboard, season }, player)));
  // Of an attempt that was committed although its answer was lost, the next one finds nothing to change.
  let changes: ChangedPlayer[] = [];
  if (open.length === 0) return { found: [], changes };
  try {
    const found = await commitPlayers(services, [], async (players) => {
      const documents = await players.getAll(...refs);
      const all = documents.flatMap((document, i) => {
        const fields = differenceIn(document, profile);
        return open[i] && fields ? [{ ...open[i], document, fields }] : [];
      });
      const changed = all.filter(({ fields }) => hasAny(fields));
      const statuses = await Promise.all(
        changed.map(({ season, document }) => {
          return statusOf(services.db, { leaderboard, season }, document, players);
        }),
      );
      const message = "This player is banned from the leaderboard; nothing was changed.";
      if (statuses.includes("banned") && !mayBan) throw new FirerankError("player_banned", message);
      for (const { document, fields } of changed) players.writeUncounted(document, fields);
      if (changed.length > 0)
        changes = changed.map(({ season, document, fields }, i) => {
          // Who is hidden stays so in groups, where a server has left out the status.
          const before = { ...document.data(), status: statuses[i] };
          return { key: { leaderboard, season }, document, before, after: { ...before, ...fields } };
        });
      return all;
    });
    return { found, changes };
  } catch (error) {
    throw asRetryable(error, "It is not known whether the profile was changed; send it again.") ?? error;
  }
}

function differenceIn(document: DocumentSnapshot, profile: Profile): Fields | undefined {
  // Of one who was merged away a document without a score stays: it keeps a ban, and no name.
  if (document.get("score") === undefined) return undefined;
  const differing = Object.entries(profile)
    .filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(document.get(name), value ?? undefined),
    )
    .map(([name, value]) => [name, value ?? undefined]);
  return Object.fromEntries(differing) as Fields;
}

const hasAny = (fields: Fields): boolean => Object.keys(fields).length > 0;
