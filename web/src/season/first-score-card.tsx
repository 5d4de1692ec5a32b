/** On a board without any score: the lines that send the first one, in the language that one picks. */
import { signal } from "@preact/signals";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { firebase } from "../firebase/connect.ts";
import { Card, Segments } from "../parts/card.tsx";
import { tell } from "../parts/messages.tsx";
import { exampleOf, type FirstScore, firstScoreLines, type Language, languages } from "./first-score.ts";

const picked = signal<Language>("ts");

export function FirstScoreCard({ leaderboard, definition }: { leaderboard: string; definition: Definition }) {
  const isOfServer = definition.submit === "server";
  const language = isOfServer ? "sh" : picked.value;
  const lines = firstScoreLines(language, aboutOf(leaderboard, definition)).join("\n");
  const copy = () =>
    navigator.clipboard.writeText(lines).then(
      () => tell("good", "The lines are copied."),
      () => tell("bad", "The browser lets this page copy nothing: select the lines."),
    );
  return (
    <Card
      id="first-score"
      title="Send the first score"
      beside={!isOfServer && <Segments label="Language" choices={languages} value={picked} />}
    >
      <pre class="lines-to-copy" tabIndex={0}>
        <code>{lines}</code>
      </pre>
      <div class="lines-foot">
        <p class="hint">
          {isOfServer
            ? "Scores of this board come from your server, with the token of an account that has the role submitter: docs/rest.md."
            : `The player is whoever is signed in with Firebase Auth${firebase().config.emulators === undefined ? "" : ", and the SDK is connected to the emulators"}: docs/clients.md has the rest.`}
        </p>
        <button type="button" class="button button-small" onClick={() => void copy()}>
          Copy
        </button>
      </div>
    </Card>
  );
}

function aboutOf(leaderboard: string, definition: Definition): FirstScore {
  const { region, prefix, emulators, options } = firebase().config;
  const project = options.projectId ?? "";
  const functionsUrl =
    emulators === undefined
      ? `https://${region}-${project}.cloudfunctions.net`
      : `http://${emulators.functions.host}:${emulators.functions.port}/${project}/${region}`;
  return { leaderboard, sent: exampleOf(definition), region, prefix, functionsUrl };
}
