/** The button that saves a season's final table as CSV, with the progress. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { readDocuments } from "../data/read.ts";
import { asError, problemText } from "../errors.ts";
import { formatCount, formatMany } from "../format/numbers.ts";
import { tell } from "../parts/messages.tsx";
import { Progress } from "../parts/states.tsx";
import { save } from "./save.ts";

interface Exported {
  players: number;
  total: number;
}

/** For admins, who may read standings. Cost: 2 reads, and 1 for each 1,000 players, or 2 where they have metadata. */
export function ExportTable({ seasonKey, definition }: { seasonKey: SeasonKey; definition: Definition }) {
  const [progress, setProgress] = useState<Exported | undefined>(undefined);
  const work = useRef<AbortController | undefined>(undefined);
  const { leaderboard, season } = seasonKey;
  // No id has a dot, and no system refuses one in the name of a file, as Windows does a colon.
  const name = `${leaderboard.replace(":", ".")}-${season}.csv`;
  useEffect(() => () => work.current?.abort(), [leaderboard, season]);
  const begin = async () => {
    const { signal } = (work.current = new AbortController());
    setProgress({ players: 0, total: 0 });
    try {
      const file = await fileOf(seasonKey, definition, { signal, onProgress: setProgress });
      if (file === undefined) return;
      save(file.blob, name);
      tell("good", `${formatMany(file.players, "player")} of ${season} are in ${name}.`);
    } catch (error) {
      if (!signal.aborted) tell("bad", `The table could not be exported: ${problemText(asError(error))}`);
    } finally {
      if (!signal.aborted) setProgress(undefined);
    }
  };
  if (progress === undefined) {
    return (
      <button type="button" class="button button-primary" onClick={() => void begin()}>
        Export as CSV
      </button>
    );
  }
  return (
    <span class="export">
      <Progress done={progress.players} total={progress.total} label="Export" />
      <span class="hint numbers">
        {formatCount(progress.players)} of {formatCount(progress.total)}
      </span>
      <button
        type="button"
        class="button"
        onClick={() => {
          work.current?.abort();
          setProgress(undefined);
        }}
      >
        Cancel
      </button>
    </span>
  );
}

/** Undefined if it was cancelled. Each part goes to the browser as it comes, so that memory need not hold all. */
async function fileOf(
  key: SeasonKey,
  definition: Definition,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Exported) => void },
): Promise<{ blob: Blob; players: number } | undefined> {
  const { finalCsv } = await import("./final-table.ts");
  let blobs: Blob[] = [];
  let players = 0;
  const begin = () => {
    blobs = [];
  };
  for await (const { text, ...progress } of finalCsv(readDocuments, key, definition, begin)) {
    if (signal.aborted) return undefined;
    blobs.push(new Blob([text]));
    ({ players } = progress);
    onProgress(progress);
  }
  return { blob: new Blob(blobs, { type: "text/csv;charset=utf-8" }), players };
}
