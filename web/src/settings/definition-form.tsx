/** The form of a definition, checked as one types by the schema that the functions check it by. */
import { useLocation } from "preact-iso";
import { useMemo, useState } from "preact/hooks";
import type { FieldProblem } from "../../../functions/src/model/errors.ts";
import { leaderboardId } from "../../../functions/src/model/ids.ts";
import type { Definition } from "../../../functions/src/model/leaderboard.ts";
import { call, CallError } from "../data/calls.ts";
import { firebase } from "../firebase/connect.ts";
import { tell } from "../parts/messages.tsx";
import { definitionFields, type Field, frozenNames, groups } from "./fields.ts";
import { FieldInput } from "./field-input.tsx";
import { check, problemOf, type Values, valuesOf } from "./values.ts";

interface Props {
  /** Undefined where a new one is made. */
  board: string | undefined;
  definition: Partial<Definition>;
  /** Whether it has scores, so that some fields cannot change any more. */
  isFrozen: boolean;
  isReadOnly: boolean;
}

export function DefinitionForm({ board, definition, isFrozen, isReadOnly }: Props) {
  const fields = useMemo(definitionFields, []);
  const form = useDefinition(fields, board, definition);
  const named = groups.flatMap(({ names }) => names);
  const others = fields.filter(({ name }) => !named.includes(name)).map(({ name }) => name);
  const shown = others.length === 0 ? groups : [...groups, { title: "Other", names: others }];
  return (
    <form class="stack" noValidate onSubmit={form.submit} aria-label="Definition">
      {board === undefined && <IdField value={form.id} problem={form.idProblem} onChange={form.setId} />}
      <div class="groups">
        {shown.map(({ title, names }) => (
          <fieldset key={title} class="card form" disabled={isReadOnly}>
            <legend class="visually-hidden">{title}</legend>
            <h2 aria-hidden="true">{title}</h2>
            {fields
              .filter(({ name }) => names.includes(name))
              .map((field) => (
                <FieldInput
                  key={field.name}
                  field={field}
                  value={form.values[field.name] ?? ""}
                  problem={problemOf(form.problems, field.name)}
                  isFrozen={isFrozen && frozenNames.includes(field.name)}
                  onChange={(value) => {
                    form.change(field.name, value);
                  }}
                />
              ))}
          </fieldset>
        ))}
      </div>
      {!isReadOnly && (
        <div class="form-end">
          <p class="problem" role="alert">
            {form.failure}
          </p>
          <button class="button button-primary" disabled={form.isBusy}>
            {form.isBusy ? "Saving …" : board === undefined ? "Create leaderboard" : "Save"}
          </button>
        </div>
      )}
    </form>
  );
}

/** The state of the form, and what saving does. */
function useDefinition(fields: readonly Field[], board: string | undefined, definition: Partial<Definition>) {
  const { route } = useLocation();
  const [values, setValues] = useState<Values>(() => valuesOf(fields, definition));
  const [id, setId] = useState("");
  const [refused, setRefused] = useState<readonly FieldProblem[]>([]);
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [wasSent, setSent] = useState(false);
  const checked = check(fields, values, firebase().config.emulators === undefined ? 1 : 0);
  const idProblem =
    board === undefined && wasSent ? leaderboardId.safeParse(id).error?.issues[0]?.message : undefined;

  const save = async (sent: object) => {
    setBusy(true);
    try {
      const leaderboard = board ?? id;
      await call("saveLeaderboard", { leaderboard, definition: sent });
      tell(
        "good",
        board === undefined
          ? `${leaderboard} is created.`
          : `${leaderboard} is saved. Functions know within a minute.`,
      );
      if (board === undefined) route(`/boards/${leaderboard}`);
    } catch (error) {
      const found = error instanceof CallError ? error.fields : [];
      setRefused(found.map(({ path, message }) => ({ path: path.replace(/^definition\./, ""), message })));
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setSent(true);
    setRefused([]);
    const isIdWrong = board === undefined && !leaderboardId.safeParse(id).success;
    if (checked.definition === undefined || isIdWrong) {
      setFailure("Some fields are not right yet; each says what would be.");
      focusFirstProblem(event.currentTarget as HTMLFormElement);
      return;
    }
    setFailure("");
    void save(checked.definition);
  };
  return {
    values,
    id,
    setId,
    idProblem,
    problems: [...checked.problems, ...refused],
    failure,
    isBusy,
    submit,
    change: (name: string, value: Values[string]) => {
      setRefused(refused.filter(({ path }) => path !== name));
      setValues({ ...values, [name]: value });
    },
  };
}

/** Puts the cursor where something is wrong, once that is drawn. */
function focusFirstProblem(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}

function IdField({
  value,
  problem,
  onChange,
}: {
  value: string;
  problem: string | undefined;
  onChange: (id: string) => void;
}) {
  return (
    <div class="card">
      <div class="field field-id">
        <label class="field-name" for="field-id">
          Id
        </label>
        <input
          id="field-id"
          class="input"
          name="id"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby="hint-id"
          value={value}
          onInput={({ currentTarget }) => {
            onChange(currentTarget.value.trim());
          }}
        />
        <span id="hint-id" class={problem === undefined ? "hint" : "field-problem"}>
          {problem ?? "Part of addresses and of every call; it never changes."}
        </span>
      </div>
    </div>
  );
}
