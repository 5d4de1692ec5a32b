/** What trusted servers and owners do to players' documents, beside Firerank. */
import type { Firestore } from "../../functions/src/firestore.ts";
import { playerPath } from "../../functions/src/model/paths.ts";
import { grpc, grpcCode } from "../../functions/src/retryable.ts";
import { expectPassing, oneOf, someInstance, somePlayer, someScore } from "../actors.ts";
import type { Answer, Request } from "../checks/players-twin.ts";
import type { World } from "../world.ts";
import { overlapMax } from "./submit.ts";

const unusable = ["12", NaN, Infinity, null, 2 ** 60, [1]];

/** A trusted server writes a score: a bare one, beside what is there, now and then one that cannot be ranked. */
export function setScore(world: World): void {
  const written = world.random() < 0.2 ? oneOf(world, unusable) : someScore(world);
  const score = typeof written === "number" && Math.abs(written) <= 2 ** 53 ? written : undefined;
  meddle(world, { kind: "set score", score }, (document) =>
    document.set({ score: written }, { merge: true }),
  );
}

/** An owner hides, bans or readmits a player. */
export function setStatus(world: World): void {
  const status = oneOf(world, ["active", "active", "hidden", "banned"] as const);
  meddle(world, { kind: "set status", status }, (document) => document.update({ status }));
}

/** A player is erased. */
export function remove(world: World): void {
  meddle(world, { kind: "remove" }, (document) => document.delete());
}

function meddle(
  world: World,
  request: Request,
  write: (document: ReturnType<Firestore["doc"]>) => Promise<unknown>,
): void {
  const player = somePlayer(world);
  if (world.twin.overlapping(player) >= overlapMax) return;
  const open = world.twin.begin(player, request);
  world.begin(
    `${request.kind} of ${player}`,
    someInstance(world),
    async ({ db }) => {
      await write(db.doc(playerPath(world.key, player)));
    },
    (ending) => {
      expectPassing(world, ending);
      const isMissing = ending.how === "failed" && grpcCode(ending.error) === grpc.notFound;
      const answer: Answer = ending.how === "done" ? "done" : isMissing ? "refused" : "unknown";
      try {
        world.twin.end(player, open, answer);
      } catch (error) {
        world.violation ??= error as Error;
      }
    },
  );
}
