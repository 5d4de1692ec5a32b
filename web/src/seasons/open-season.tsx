/** The form that opens a tournament. Errors that only the server can find are shown at their fields. */
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FieldProblem } from "../../../functions/src/model/errors.ts";
import { seasonId } from "../../../functions/src/model/ids.ts";
import { call } from "../data/calls.ts";
import { formatIn, readersZone } from "../format/zones.ts";
import { SelectField, sending, TextField } from "../parts/fields.tsx";
import { tell } from "../parts/messages.tsx";
import { useSending } from "../parts/work.ts";

/** Reads a field's text as a time in a zone; the library that knows the zones is loaded with the form. */
type ReadTime = (text: string, zone: string) => number | undefined;

interface Props {
  board: string;
  zone: string;
  onClose: () => void;
}

type FieldName = "season" | "opens_at" | "closes_at";

/** Cost of opening: 7 reads, 2 writes. */
export function OpenSeason({ board, zone, onClose }: Props) {
  const { route } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const readTime = useReadTime();
  const [values, setValues] = useState({ season: "", opens_at: "", closes_at: "" });
  const [entered, setEntered] = useState(zone);
  const { problems, failure, refuse, isBusy, start, forget } = useSending(form);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);

  const timeOf = (name: "opens_at" | "closes_at") =>
    values[name] === "" ? undefined : readTime?.(values[name], entered);
  const isoOf = (name: "opens_at" | "closes_at") => {
    const ms = timeOf(name);
    return ms === undefined ? {} : { [name]: new Date(ms).toISOString() };
  };
  const open = () => {
    const season = values.season.trim();
    const wrong = seasonId.safeParse(season).error?.issues[0]?.message;
    const named = wrong === undefined ? [] : [{ path: "season", message: wrong }];
    const unread = (["opens_at", "closes_at"] as const).filter(
      (name) => values[name] !== "" && timeOf(name) === undefined,
    );
    const message = `must be a time before the year 9999; or this browser does not know ${entered}: take UTC`;
    const notRead = unread.map((path) => ({ path, message }));
    const found = [...named, ...halfEntered(form.current), ...notRead];
    if (found.length > 0) refuse("Fix the marked fields.", found);
    else
      start(async () => {
        await call("openSeason", { leaderboard: board, season, ...isoOf("opens_at"), ...isoOf("closes_at") });
        tell("good", `${season} is opened.`);
        route(`/boards/${board}/${season}`);
      });
  };
  const field = (name: FieldName) => ({
    name,
    value: values[name],
    problem: problems.find(({ path }) => path === name)?.message,
    onText: (text: string) => {
      setValues({ ...values, [name]: text });
      forget(name);
    },
  });
  const time = (name: "opens_at" | "closes_at", empty: string) => {
    const ms = timeOf(name);
    const hint = ms === undefined ? empty : `${formatIn(ms, readersZone())} your time`;
    return { ...field(name), hint, type: "datetime-local", step: 1 } as const;
  };
  return (
    <form
      ref={form}
      class="form tournament"
      noValidate
      aria-label="Open a tournament"
      onSubmit={sending(open)}
    >
      <TextField
        {...field("season")}
        label="Id"
        spellcheck={false}
        hint="Used in URLs and in every call, such as spring-cup. It never changes."
      />
      <TextField {...time("opens_at", "Empty: now.")} label="Opens at" />
      <TextField {...time("closes_at", "Leave empty to end it by hand.")} label="Closes at" />
      <SelectField
        label="Times in"
        name="zone"
        options={[...new Set([zone, readersZone(), "UTC"])]}
        value={entered}
        onText={setEntered}
      />
      <div class="form-end tournament-end">
        <p class="problem" role="alert">
          {failure}
        </p>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button class="button button-primary" disabled={isBusy || readTime === undefined}>
          {isBusy ? "Opening …" : "Open it"}
        </button>
      </div>
    </form>
  );
}

/** Fields with only part of a date and time: their value is the same as if they were empty. */
function halfEntered(form: HTMLFormElement | null): FieldProblem[] {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>("input:invalid") ?? [])];
  return fields.map(({ name }) => ({ path: name, message: "must be a date and a time, or be empty" }));
}

function useReadTime(): ReadTime | undefined {
  const [readTime, setReadTime] = useState<ReadTime | undefined>(undefined);
  useEffect(() => {
    void import("../../../functions/src/model/calendar.ts").then(({ timeIn }) => setReadTime(() => timeIn));
  }, []);
  return readTime;
}
