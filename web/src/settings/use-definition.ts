/** The state of a definition's form, and saving it. */
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { definedId } from "../../../functions/src/model/ids.ts";
import { call } from "../data/calls.ts";
import { readDocument } from "../data/read.ts";
import { firebase } from "../firebase/connect.ts";
import { tell } from "../parts/messages.tsx";
import { useSending } from "../parts/work.ts";
import { type Field } from "./fields.ts";
import { canonicalText, changesOf, check, type Values, valuesOf } from "./values.ts";

export interface DefinitionState {
  /** Undefined for a new board. */
  board: string | undefined;
  /** The stored definition, live. */
  definition: Partial<Definition>;
  /** The fields that the first season fixes, or the first board of a template; and whether that has happened. */
  freezes: readonly string[];
  isFrozen: boolean;
}

/** The content of a form until it is checked, saved or discarded. */
export function useDefinition(fields: readonly Field[], state: DefinitionState) {
  const { board } = state;
  const { route } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const edits = useEdits(fields, state);
  const [id, setId] = useState("");
  const [taken, setTaken] = useState<string | undefined>(undefined);
  const [wasSent, setSent] = useState(false);
  const { problems, failure, refuse, isBusy, start, forget } = useSending(form);
  const checked = check(fields, edits.values, firebase().config.emulators === undefined ? 1 : 0);
  const wrongId = board === undefined ? definedId.safeParse(id).error?.issues[0]?.message : undefined;

  /** Cost: 2 reads and 1 write; 3 reads for a new board, whose id must be free. */
  const save = async (definition: object) => {
    if (board === undefined && (await readDocument(leaderboardPath(id))) !== undefined) {
      setTaken(id);
      refuse("");
      return;
    }
    edits.keep(await call("saveLeaderboard", { leaderboard: board ?? id, definition }));
    tell(
      "good",
      board === undefined ? `${id} is created.` : `${board} is saved. Functions use it within a minute.`,
    );
    if (board === undefined) route(`/boards/${id}`);
  };
  const submit = () => {
    setSent(true);
    const { definition } = checked;
    if (definition === undefined || wrongId !== undefined) refuse("Fix the marked fields.");
    else start(() => save(changesOf(fields, definition)));
  };
  const refused = problems.map(({ path, message }) => ({ path: path.replace(/^definition\./, ""), message }));
  return {
    form,
    values: edits.values,
    id,
    setId,
    idProblem: wasSent ? wrongId : undefined,
    isTaken: taken !== undefined && taken === id,
    problems: [...checked.problems, ...refused],
    failure,
    isBusy,
    isOutdated: edits.isOutdated && !isBusy,
    hasChanges: (edits.hasChanges || id !== "") && !isBusy,
    reset: () => {
      setId("");
      setSent(false);
      edits.reset();
    },
    submit,
    change: (name: string, value: Values[string]) => {
      forget(`definition.${name}`);
      edits.change(name, value);
    },
  };
}

interface Edits {
  values: Values;
  /** The stored values at the start of the edits, as text. */
  before: string;
  /** The values as last saved. */
  saved: string | undefined;
  /** Whether nothing was typed since. */
  isSaved: boolean;
}

/** The edits on top of the stored values; without edits the form follows the stored definition. */
function useEdits(fields: readonly Field[], { definition, freezes, isFrozen }: DefinitionState) {
  const [edits, setEdits] = useState<Edits | undefined>(undefined);
  const stored = valuesOf(fields, definition);
  const storedText = canonicalText(stored);
  const hasMoved = edits !== undefined && edits.before !== storedText;
  const isOver = hasMoved && edits.isSaved;
  useEffect(() => {
    if (isOver) setEdits(undefined);
  }, [isOver]);
  const fixed = Object.entries(stored).filter(([name]) => isFrozen && freezes.includes(name));
  const values: Values = { ...(edits?.values ?? stored), ...Object.fromEntries(fixed) };
  return {
    values,
    isOutdated: hasMoved && !isOver && storedText !== edits.saved,
    hasChanges: edits !== undefined && !edits.isSaved && canonicalText(values) !== storedText,
    change: (name: string, value: Values[string]) => {
      const { before = storedText, saved } = edits ?? {};
      setEdits({ values: { ...values, [name]: value }, before, saved, isSaved: false });
    },
    /** Must be called with what was saved: the edits end when that is stored, unless more was typed meanwhile. */
    keep: (definition: Definition) => {
      const saved = canonicalText(valuesOf(fields, definition));
      setEdits((now) => now && { ...now, before: storedText, saved, isSaved: now.values === edits?.values });
    },
    reset: () => setEdits(undefined),
  };
}
