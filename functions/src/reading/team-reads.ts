/** What `getTeams` reads: a segment's document of teams, once for all concurrent requests. */
import { type SeasonKey, teamsPath } from "../documents/paths.ts";
import { readTeams } from "../documents/teams.ts";
import { sharedReadsMax } from "../model/limits.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import type { Services } from "../world/services.ts";
import { noTeams, type TeamsRead } from "./teams-answer.ts";

export const teamReadsOf = ({ memory }: Pick<Services, "memory">) => memory(createTeamReads);

function createTeamReads({ db, now }: Pick<Services, "db" | "now">) {
  const reads = createSharedReads<TeamsRead>({ now, max: sharedReadsMax, keepMs: 0 });

  async function read(path: string): Promise<TeamsRead> {
    const document = await db.doc(path).get();
    return document.exists ? readTeams(document.data()) : noTeams(document.readTime);
  }

  return {
    /**
     * A segment's teams, read now, or by a read already under way if its generation is at least `minGeneration`. Cost: 1
     * read, shared by all waiting requests.
     */
    async teamsOf(key: SeasonKey, segment: string, minGeneration = 0): Promise<TeamsRead> {
      const path = teamsPath(key, segment);
      const asked = reads.lastRead();
      for (;;) {
        const { value: teams, began } = await reads.get(path, () => read(path));
        if (teams.generation >= minGeneration || began > asked) return teams;
      }
    },
  };
}
