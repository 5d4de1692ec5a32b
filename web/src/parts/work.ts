/** Work that a button or a form starts. */
import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { FirerankError } from "../../../client/src/firerank-error.ts";
import type { FieldProblem } from "../../../functions/src/model/errors.ts";
import { asError, problemText } from "../errors.ts";
import { tell } from "./messages.tsx";

/** `isBusy` until what was started is done. @param fail gets its error, which by default is a message. */
export function useWork(fail: (error: Error) => void = (error) => tell("bad", problemText(error))) {
  const [isBusy, setBusy] = useState(false);
  const start = (work: () => Promise<void>) => {
    setBusy(true);
    void work()
      .catch((error: unknown) => fail(asError(error)))
      .finally(() => setBusy(false));
  };
  return { isBusy, start };
}

/** Sending a form: what is wrong with it as a whole and with its fields, the first of which gets the focus. */
export function useSending(form: RefObject<HTMLFormElement | null>) {
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [failure, setFailure] = useState("");
  const refuse = (reason: string, found: readonly FieldProblem[] = []) => {
    setProblems(found);
    setFailure(reason);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const { isBusy, start } = useWork((error) =>
    refuse(problemText(error), error instanceof FirerankError ? error.fields : []),
  );
  return {
    problems,
    failure,
    refuse,
    isBusy,
    start: (work: () => Promise<void>) => {
      setProblems([]);
      setFailure("");
      start(work);
    },
    /** To be called when a field, or something in it, has changed. */
    forget: (name: string) =>
      setProblems(problems.filter(({ path }) => path !== name && !path.startsWith(`${name}.`))),
  };
}
