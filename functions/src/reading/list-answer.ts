/** What an answer says of a list: its lines, and how far the players have moved. */
import type { Entry } from "../model/answers.ts";
import type { Since } from "../model/midnights.ts";
import { answered, dated, entryOf } from "./entries.ts";
import { movedSince } from "./moved.ts";
import type { Lines, RankingView } from "./ranking-view.ts";
import type { Services } from "../world/services.ts";

/** Cost: nothing; with `since` {@link movedSince}. */
export async function listAnswer(
  services: Services,
  { board }: RankingView,
  { ranking, lines }: Lines,
  since: Since | undefined,
) {
  const movers = lines.map(({ player: { data }, place }) => ({ data, place }));
  const moved = since && (await movedSince(services, board, ranking, since, movers));
  const entries = lines.map(({ player, place, position }, i): Entry => {
    return { ...entryOf(board.definition, player, place, position), ...moved?.[i] };
  });
  return { ...answered(board.key), entries, ...dated(ranking) };
}
