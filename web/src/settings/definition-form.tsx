/** The form of a definition, checked while typing with the functions' schema. */
import { useMemo } from "preact/hooks";
import { sending, TextField } from "../parts/fields.tsx";
import { definitionFields, groups } from "./fields.ts";
import { FieldInput } from "./field-input.tsx";
import { type DefinitionState, useDefinition } from "./use-definition.ts";
import { problemOf } from "./values.ts";

interface Props extends DefinitionState {
  isReadOnly: boolean;
}

export function DefinitionForm({ isReadOnly, ...state }: Props) {
  const { board, definition, frozen } = state;
  const fields = useMemo(definitionFields, []);
  const form = useDefinition(fields, state);
  const named = groups.flatMap(({ names }) => names);
  const others = fields.filter(({ name }) => !named.includes(name)).map(({ name }) => name);
  const shown = others.length === 0 ? groups : [...groups, { title: "Other", names: others }];
  return (
    <form ref={form.form} class="stack" noValidate onSubmit={sending(form.submit)} aria-label="Definition">
      {board === undefined && (
        <div class="card">
          <div class="field-id">
            <TextField
              label="Id"
              name="id"
              spellcheck={false}
              value={form.id}
              onText={(text) => form.setId(text.trim())}
              hint="Used in URLs and in every call. It never changes."
              problem={form.isTaken ? <Taken board={form.id} /> : form.idProblem}
            />
          </div>
        </div>
      )}
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
                  frozen={frozen.length === 0 ? {} : definition}
                  value={form.values[field.name] ?? ""}
                  problem={problemOf(form.problems, field.name)}
                  isFrozen={frozen.includes(field.name)}
                  onChange={(value) => form.change(field.name, value)}
                />
              ))}
          </fieldset>
        ))}
      </div>
      {!isReadOnly && (
        <div class="form-end">
          <p class="problem" role="alert">
            {form.isOutdated
              ? "The board has changed meanwhile, so saving would undo that change."
              : form.failure}
          </p>
          {form.isOutdated && (
            <button type="button" class="button" onClick={form.reset}>
              Discard my changes
            </button>
          )}
          <button class="button button-primary" disabled={form.isBusy || form.isOutdated}>
            {form.isBusy ? "Saving …" : board === undefined ? "Create leaderboard" : "Save"}
          </button>
        </div>
      )}
    </form>
  );
}

function Taken({ board }: { board: string }) {
  return (
    <>
      A leaderboard with this id exists already; <a href={`/boards/${board}`}>change that one</a>, or choose
      another id.
    </>
  );
}
