/** The form of a definition, checked while typing with the functions' schema. */
import { useMemo, useState } from "preact/hooks";
import { WorkButton } from "../parts/button.tsx";
import { sending, TextField } from "../parts/fields.tsx";
import { Icon } from "../parts/icon.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { advancedGroups, definitionFields, type Field, groups, words } from "./fields.ts";
import { FieldInput } from "./field-input.tsx";
import { type DefinitionState, useDefinition } from "./use-definition.ts";
import { problemOf, valuesOf } from "./values.ts";

interface Props extends DefinitionState {
  isReadOnly: boolean;
}

type Form = ReturnType<typeof useDefinition>;

export function DefinitionForm({ isReadOnly, ...state }: Props) {
  const { board } = state;
  const fields = useMemo(definitionFields, []);
  const form = useDefinition(fields, state);
  const leaving = useLeaving(form.hasChanges);
  const named = [...groups, ...advancedGroups].flatMap(({ names }) => names);
  const others = fields.filter(({ name }) => !named.includes(name)).map(({ name }) => name);
  const advanced =
    others.length === 0 ? advancedGroups : [...advancedGroups, { title: "Other", names: others }];
  const shown = { fields, form, state, isReadOnly };
  return (
    <>
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
        <Groups {...shown} groups={groups} />
        <Advanced {...shown} groups={advanced} />
        {!isReadOnly && <End form={form} isNew={board === undefined} />}
      </form>
      {leaving}
    </>
  );
}

interface GroupsProps {
  groups: typeof groups;
  fields: readonly Field[];
  form: Form;
  state: DefinitionState;
  isReadOnly: boolean;
}

function Groups({ groups: shown, fields, form, state, isReadOnly }: GroupsProps) {
  const { definition, freezes, isFrozen } = state;
  return (
    <div class="groups">
      {shown.map(({ title, names }) => (
        <fieldset key={title} class="card form" disabled={isReadOnly}>
          <legend class="visually-hidden">{title}</legend>
          <h2 aria-hidden="true">{title}</h2>
          {names
            .flatMap((name) => fields.filter((field) => field.name === name))
            .map((field) => (
              <FieldInput
                key={field.name}
                field={field}
                frozen={isFrozen ? definition : {}}
                value={form.values[field.name] ?? ""}
                problems={form.problems}
                freezing={!freezes.includes(field.name) ? "never" : isFrozen ? "done" : "first season"}
                onChange={(value) => form.change(field.name, value)}
              />
            ))}
        </fieldset>
      ))}
    </div>
  );
}

/** What few boards need: folded, until it is opened or something in it is wrong. Its line names what is set. */
function Advanced(props: GroupsProps) {
  const { fields, form } = props;
  const [isOpened, setOpened] = useState(false);
  const names = props.groups.flatMap((group) => group.names);
  const isWrong = names.some((name) => problemOf(form.problems, name) !== undefined);
  const defaults = useMemo(() => valuesOf(fields, {}), [fields]);
  const set = names.filter((name) => isDifferent(form.values[name], defaults[name]));
  return (
    <details
      class="advanced"
      open={isOpened || isWrong}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary class="advanced-head" onClick={(event) => isWrong && event.preventDefault()}>
        <Icon name="chevron" size={14} />
        <span class="strong">Advanced</span>
        <span class="hint">
          {set.length === 0
            ? "limits, lists, segments, events, templates"
            : `set: ${set.map((name) => labelOf(name)).join(", ")}`}
        </span>
      </summary>
      <Groups {...props} />
    </details>
  );
}

const isDifferent = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
const labelOf = (name: string) => words[name]?.[0] ?? name;

/** The end of the form, which stays in sight while something is changed. */
function End({ form, isNew }: { form: Form; isNew: boolean }) {
  return (
    <div class={`form-end ${form.hasChanges ? "form-end-changed" : ""}`}>
      <p class="problem" role="alert">
        {form.isOutdated
          ? "The board has changed meanwhile, so saving would undo that change."
          : form.failure}
      </p>
      {form.hasChanges && !form.isOutdated && <p class="hint">Not saved yet</p>}
      {(form.hasChanges || form.isOutdated) && (
        <button type="button" class="button" disabled={form.isBusy} onClick={form.reset}>
          Discard my changes
        </button>
      )}
      <WorkButton type="submit" classes="button-primary" disabled={form.isBusy || form.isOutdated}>
        {form.isBusy ? "Saving …" : isNew ? "Create leaderboard" : "Save"}
      </WorkButton>
    </div>
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
