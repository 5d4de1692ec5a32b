/** What `getMyBoards` answers: scores that the player has or had during the call, the last achieved first. */
import { playerPath, type SeasonKey, seasonPath } from "../../functions/src/documents/paths.ts";
import type { MyBoard } from "../../functions/src/model/answers.ts";
import { getMyBoardsRequest, getMyBoardsSpec } from "../../functions/src/operations/get-my-boards.ts";
import { timeOf } from "../memory/store.ts";
import type { World } from "../world.ts";
import { scoreIn, statusIn } from "./player.ts";
import { tickOf } from "./setting.ts";
import { insist } from "./violation.ts";

const nameOf = ({ leaderboard, season }: SeasonKey) => `${leaderboard}/${season}`;

/** A player asks for the boards, two at a time. @param isAtRest whether nothing else is under way: then all are listed */
export function beginMyBoards(world: World, player: string, isAtRest = false): void {
  const sinceTick = tickOf(world);
  const { store } = world.database;
  world.invoke({
    name: `boards of ${player}`,
    secondsMax: 60,
    async handle(services) {
      const listed: MyBoard[] = [];
      for (let cursor: string | undefined; ;) {
        const request = getMyBoardsRequest.parse({ cursor, limit: 2 });
        const { boards, next_cursor: next } = await getMyBoardsSpec.handle(services, request, {
          uid: player,
        });
        check(boards);
        listed.push(...boards);
        if (next === undefined) break;
        cursor = next;
      }
      if (!isAtRest) return;
      // A board that is being deleted is listed as long as it has the player's document.
      const going = new Set(world.boards.going().map(nameOf));
      const named = listed.map(nameOf).filter((name) => !going.has(name));
      const all = world.boards.seasons().filter((key) => {
        const { data } = store.get(playerPath(key, player)) ?? {};
        return scoreIn(data) !== undefined && statusIn(data) === "active";
      });
      const wanted = all.map(nameOf);
      insist(
        named.toSorted().join() === wanted.toSorted().join(),
        () => `my boards: ${player} is told ${named.join()}, and has ${wanted.join()}`,
      );
    },
  });

  function check(boards: readonly MyBoard[]): void {
    for (const [i, { leaderboard, season, score, achieved_at: at }] of boards.entries()) {
      const path = playerPath({ leaderboard, season }, player);
      const versions = store.history(path, timeOf(sinceTick));
      const isTrue = versions?.some((data) => scoreIn(data) === score && statusIn(data) === "active") ?? true;
      insist(isTrue, () => `my boards: ${player} is told ${score} in ${seasonPath({ leaderboard, season })}`);
      const before = boards[i - 1];
      const isSorted = before === undefined || before.achieved_at >= at;
      insist(isSorted, () => `my boards: ${player}'s of ${at} comes after that of ${before?.achieved_at}`);
    }
  }
}
