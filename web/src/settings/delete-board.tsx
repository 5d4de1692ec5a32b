/** Deletes a board with everything in it, after its name was typed. */
import { useLocation } from "preact-iso";
import { call } from "../data/calls.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";

/** A button for admins. Cost: 1 read and 1 delete a document of the board. */
export function DeleteBoard({ board }: { board: string }) {
  const { route } = useLocation();
  const { ask, dialog } = useConfirm();
  const question = {
    title: `Delete ${board}?`,
    text: "Its seasons, players, scores and final tables are deleted, and nothing brings them back. Apps that still use it get an error. It takes a quarter of an hour, or longer if the board is large.",
    verb: "Delete it",
    typed: board,
    isDanger: true,
    work: async () => {
      await call("deleteLeaderboard", { leaderboard: board });
      tell("good", `${board} is being deleted.`);
    },
    afterwards: () => {
      route("/boards");
    },
  };
  return (
    <>
      <button type="button" class="button" onClick={() => ask(question)}>
        Delete …
      </button>
      {dialog}
    </>
  );
}
