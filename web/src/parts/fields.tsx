/** Inputs, each with its name, and with a hint or what is wrong. */
import type { ComponentChildren } from "preact";
import { WorkButton } from "./button.tsx";

interface FieldProps {
  label: string;
  /** Also the end of the ids. */
  name: string;
  hint?: ComponentChildren;
  /** In place of the hint. */
  problem?: ComponentChildren;
  /** Beside the name. */
  mark?: ComponentChildren;
}

interface InputProps {
  type?: "datetime-local" | "email" | "number" | "password" | undefined;
  value?: string;
  class?: string;
  autocomplete?: string;
  inputMode?: "decimal" | "numeric" | "text";
  list?: string;
  min?: number;
  max?: number;
  maxLength?: number;
  step?: number | "any";
  placeholder?: string | undefined;
  required?: boolean;
  disabled?: boolean;
  spellcheck?: boolean;
  onText?: (text: string) => void;
}

/** One field: the name above, the line with the hint or problem below, and in between what gets these attributes. */
export function Field({
  label,
  name,
  hint,
  problem,
  mark,
  children,
}: FieldProps & { children: (input: object) => ComponentChildren }) {
  return (
    <div class="field">
      <div class="field-head">
        <label class="field-name" for={`field-${name}`}>
          {label}
        </label>
        {mark}
      </div>
      {children({
        id: `field-${name}`,
        name,
        class: "input",
        "aria-invalid": problem !== undefined,
        "aria-describedby": `hint-${name}`,
      })}
      <span id={`hint-${name}`} class={problem === undefined ? "hint" : "field-problem"}>
        {problem ?? hint}
      </span>
    </div>
  );
}

export function TextField({ label, name, hint, problem, mark, onText, ...others }: FieldProps & InputProps) {
  const input: object = others;
  return (
    <Field {...{ label, name, hint, problem, mark }}>
      {(shared) => (
        <input
          autocomplete="off"
          {...shared}
          {...input}
          onInput={({ currentTarget }) => onText?.(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectProps extends FieldProps {
  value: string;
  options: readonly string[];
  disabled?: boolean;
  onText: (text: string) => void;
}

export function SelectField({ value, options, disabled = false, onText, ...field }: SelectProps) {
  return (
    <Field {...field}>
      {(shared) => (
        <select
          {...shared}
          {...{ value, disabled }}
          onChange={({ currentTarget }) => onText(currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {option.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface SwitchProps extends FieldProps {
  isOn: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** For what is on or off. */
export function SwitchField({ isOn, disabled = false, onChange, ...field }: SwitchProps) {
  return (
    <Field {...field}>
      {(shared) => (
        <input
          {...shared}
          type="checkbox"
          role="switch"
          class="switch"
          checked={isOn}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )}
    </Field>
  );
}

interface LineFormProps extends InputProps {
  children?: ComponentChildren;
  label: string;
  /** What its button says, and whether it can be pressed. */
  button: string;
  isReady?: boolean;
  onSend: () => void;
}

/** A form of one input, in one line. The children are between the input and the button. */
export function LineForm({
  label,
  button,
  isReady = true,
  onSend,
  onText,
  children,
  ...others
}: LineFormProps) {
  const input: object = others;
  return (
    <form class="place-form" onSubmit={sending(onSend)}>
      <label class="inline-field">
        {label}
        <input
          class="input"
          autocomplete="off"
          required
          {...input}
          onInput={({ currentTarget }) => onText?.(currentTarget.value)}
        />
      </label>
      {children}
      <WorkButton type="submit" classes="button-small" disabled={!isReady}>
        {button}
      </WorkButton>
    </form>
  );
}

/** What a form does when it is sent, in place of what browsers do. */
export function sending(send: (form: HTMLFormElement) => void): (event: SubmitEvent) => void {
  return (event) => {
    event.preventDefault();
    send(event.currentTarget as HTMLFormElement);
  };
}
