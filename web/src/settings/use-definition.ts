/** The state of a definition's form, and saving it. */
import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import type { FieldProblem } from "../../../functions/src/model/errors.ts";
import { leaderboardId } from "../../../functions/src/model/ids.ts";
import { call, CallError } from "../data/calls.ts";
import { readDocument } from "../data/read.ts";
import { asError } from "../errors.ts";
import { firebase } from "../firebase/connect.ts";
import { tell } from "../parts/messages.tsx";
import { type Field, frozenNames } from "./fields.ts";
import { canonicalText, changesOf, check, type Values, valuesOf } from "./values.ts";

export interface DefinitionState {
  /** Undefined for a new board. */
  board: string | undefined;
  /** The stored definition, live. */
  definition: Partial<Definition>;
  /** Whether it has scores, so that some fields cannot change any more. */
  isFrozen: boolean;
}

/** The content of a form until it is checked, saved or discarded. */
export function useDefinition(fields: readonly Field[], state: DefinitionState) {
  const { board } = state;
  const edits = useEdits(fields, state);
  const [id, setId] = useState("");
  const [taken, setTaken] = useState<string | undefined>(undefined);
  const [wasSent, setSent] = useState(false);
  const checked = check(fields, edits.values, firebase().config.emulators === undefined ? 1 : 0);
  const idProblem =
    board === undefined && wasSent ? leaderboardId.safeParse(id).error?.issues[0]?.message : undefined;
  const { save, ...saving } = useSaving(board);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    setSent(true);
    const isIdWrong = board === undefined && !leaderboardId.safeParse(id).success;
    if (checked.definition === undefined || isIdWrong) {
      saving.refuse("Fix the marked fields.");
      focusFirstProblem(form);
      return;
    }
    void save(board ?? id, changesOf(fields, checked.definition)).then((result) => {
      if (result === "taken") {
        setTaken(id);
        focusFirstProblem(form);
      } else if (result !== undefined) edits.keep(result);
    });
  };
  return {
    values: edits.values,
    id,
    setId,
    idProblem,
    isTaken: taken !== undefined && taken === id,
    problems: [...checked.problems, ...saving.refused],
    failure: saving.failure,
    isBusy: saving.isBusy,
    isOutdated: edits.isOutdated && !saving.isBusy,
    reset: edits.reset,
    submit,
    change: (name: string, value: Values[string]) => {
      saving.forget(name);
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
function useEdits(fields: readonly Field[], { definition, isFrozen }: DefinitionState) {
  const [edits, setEdits] = useState<Edits | undefined>(undefined);
  const stored = valuesOf(fields, definition);
  const storedText = canonicalText(stored);
  const hasMoved = edits !== undefined && edits.before !== storedText;
  const isOver = hasMoved && edits.isSaved;
  useEffect(() => {
    if (isOver) setEdits(undefined);
  }, [isOver]);
  const fixed = isFrozen ? Object.entries(stored).filter(([name]) => frozenNames.includes(name)) : [];
  const values: Values = { ...(edits?.values ?? stored), ...Object.fromEntries(fixed) };
  return {
    values,
    isOutdated: hasMoved && !isOver && storedText !== edits.saved,
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

function useSaving(board: string | undefined) {
  const { route } = useLocation();
  const [refused, setRefused] = useState<readonly FieldProblem[]>([]);
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  /** Undefined if it was refused. Cost: 2 reads and 1 write; 3 reads for a new board, whose id must be free. */
  const save = async (id: string, changes: object): Promise<Definition | "taken" | undefined> => {
    setRefused([]);
    setFailure("");
    setBusy(true);
    try {
      if (board === undefined && (await readDocument(leaderboardPath(id))) !== undefined) return "taken";
      const saved = await call("saveLeaderboard", { leaderboard: id, definition: changes });
      tell(
        "good",
        board === undefined ? `${id} is created.` : `${id} is saved. Functions use it within a minute.`,
      );
      if (board === undefined) route(`/boards/${id}`);
      return saved;
    } catch (error) {
      const found = error instanceof CallError ? error.fields : [];
      setRefused(found.map(({ path, message }) => ({ path: path.replace(/^definition\./, ""), message })));
      setFailure(asError(error).message);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return {
    save,
    refused,
    failure,
    isBusy,
    refuse: (reason: string) => {
      setRefused([]);
      setFailure(reason);
    },
    /** To be called when a field has changed. */
    forget: (name: string) => setRefused(refused.filter(({ path }) => path !== name)),
  };
}

/** Moves the cursor to the first problem, once it is rendered. */
function focusFirstProblem(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
