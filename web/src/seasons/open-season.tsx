/** The form that opens a tournament. Errors that only the server can find are shown at their fields. */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FieldProblem } from "../../../functions/src/model/errors.ts";
import { seasonId } from "../../../functions/src/model/ids.ts";
import { call, CallError } from "../data/calls.ts";
import { asError } from "../errors.ts";
import { formatIn, readersZone } from "../format/zones.ts";
import { tell } from "../parts/messages.tsx";

/** Reads a field's text as a time in a zone; the library that knows the zones is loaded with the form. */
type ReadTime = (text: string, zone: string) => number | undefined;

interface Props {
  board: string;
  zone: string;
  onClose: () => void;
}

type FieldName = "season" | "opens_at" | "closes_at";

/**
 * One function, as fields and buttons share one state, which is `useTournament`'s.
 * Cost of opening: 7 reads, 2 writes.
 */
export function OpenSeason({ board, zone, onClose }: Props) {
  const { form, field, entered, setEntered, hintOf, failure, isBusy, isReady, open } = useTournament(
    board,
    zone,
  );
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  return (
    <form
      ref={form}
      class="form tournament"
      noValidate
      aria-label="Open a tournament"
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <Field
        {...field("season")}
        label="Id"
        hint="Used in URLs and in every call, such as spring-cup. It never changes."
      />
      <Field
        {...field("opens_at")}
        label="Opens at"
        type="datetime-local"
        hint={hintOf("opens_at", "Empty: now.")}
      />
      <Field
        {...field("closes_at")}
        label="Closes at"
        type="datetime-local"
        hint={hintOf("closes_at", "Leave empty to end it by hand.")}
      />
      <ZoneField zones={[...new Set([zone, readersZone(), "UTC"])]} value={entered} onChange={setEntered} />
      <div class="form-end tournament-end">
        <p class="problem" role="alert">
          {failure}
        </p>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button class="button button-primary" disabled={isBusy || !isReady}>
          {isBusy ? "Opening …" : "Open it"}
        </button>
      </div>
    </form>
  );
}

/**
 * What is entered, what is wrong with it, and the call. It is one function, as the call takes what the fields hold, and
 * its error marks them.
 */
function useTournament(board: string, zone: string) {
  const { route } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const readTime = useReadTime();
  const [values, setValues] = useState<Record<FieldName, string>>({
    season: "",
    opens_at: "",
    closes_at: "",
  });
  const [entered, setEntered] = useState(zone);
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);

  const refuse = (found: readonly FieldProblem[], reason: string) => {
    setProblems(found);
    setFailure(reason);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const timeOf = (name: "opens_at" | "closes_at") =>
    values[name] === "" ? undefined : readTime?.(values[name], entered);
  const open = async () => {
    const season = values.season.trim();
    const wrong = seasonId.safeParse(season).error?.issues[0]?.message;
    const found = [
      ...(wrong === undefined ? [] : [{ path: "season", message: wrong }]),
      ...halfEntered(form.current),
    ];
    if (found.length > 0) {
      refuse(found, "Fix the marked fields.");
      return;
    }
    const [opensMs, closesMs] = [timeOf("opens_at"), timeOf("closes_at")];
    setBusy(true);
    try {
      await call("openSeason", {
        leaderboard: board,
        season,
        ...(opensMs === undefined ? {} : { opens_at: new Date(opensMs).toISOString() }),
        ...(closesMs === undefined ? {} : { closes_at: new Date(closesMs).toISOString() }),
      });
      tell("good", `${season} is opened.`);
      route(`/boards/${board}/${season}`);
    } catch (error) {
      refuse(error instanceof CallError ? error.fields : [], asError(error).message);
    } finally {
      setBusy(false);
    }
  };
  const field = (name: FieldName) => ({
    name,
    value: values[name],
    problem: problems.find(({ path }) => path === name)?.message,
    onChange: (text: string) => {
      setValues({ ...values, [name]: text });
      setProblems(problems.filter(({ path }) => path !== name));
    },
  });
  const hintOf = (name: "opens_at" | "closes_at", empty: string) => {
    const ms = timeOf(name);
    return ms === undefined ? empty : `${formatIn(ms, readersZone())} your time`;
  };
  return { form, field, entered, setEntered, hintOf, failure, isBusy, isReady: readTime !== undefined, open };
}

interface ZoneProps {
  zones: readonly string[];
  value: string;
  onChange: (zone: string) => void;
}

function ZoneField({ zones, value, onChange }: ZoneProps) {
  return (
    <label class="field">
      <span class="field-name">Times in</span>
      <select class="input" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {zones.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

/** Fields with only part of a date and time: their value is the same as if they were empty. */
function halfEntered(form: HTMLFormElement | null): FieldProblem[] {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>("input:invalid") ?? [])];
  return fields.map(({ name }) => ({ path: name, message: "must be a date and a time, or be empty" }));
}

interface FieldProps {
  name: FieldName;
  label: string;
  type?: "datetime-local";
  value: string;
  problem: string | undefined;
  hint: ComponentChildren;
  onChange: (text: string) => void;
}

function Field({ name, label, type, value, problem, hint, onChange }: FieldProps) {
  const shared = {
    id: `tournament-${name}`,
    class: "input",
    name,
    autocomplete: "off",
    "aria-invalid": problem !== undefined,
    "aria-describedby": `tournament-hint-${name}`,
    value,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
  };
  return (
    <div class="field">
      <label class="field-name" for={shared.id}>
        {label}
      </label>
      {type === undefined ? (
        <input {...shared} spellcheck={false} />
      ) : (
        <input {...shared} type={type} step={1} />
      )}
      <span id={`tournament-hint-${name}`} class={problem === undefined ? "hint" : "field-problem"}>
        {problem ?? hint}
      </span>
    </div>
  );
}

function useReadTime(): ReadTime | undefined {
  const [readTime, setReadTime] = useState<ReadTime | undefined>(undefined);
  useEffect(() => {
    void import("../../../functions/src/model/calendar.ts").then(({ timeIn }) => setReadTime(() => timeIn));
  }, []);
  return readTime;
}
