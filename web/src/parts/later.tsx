/** A part of a screen whose script is loaded when the part is first shown, so that the rest of the screen comes before. */
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { asError } from "../errors.ts";
import { Problem } from "./states.tsx";

/** @param load the import of the part. @param meanwhile what stands in its place, and is as high */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ComponentChildren,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, redraw] = useState(0);
    const [problem, setProblem] = useState<Error | undefined>(undefined);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (part) => {
          loaded = part;
          redraw(1);
        },
        (error: unknown) => setProblem(asError(error)),
      );
    }, []);
    if (problem !== undefined) return <Problem title="This part could not be loaded" error={problem} />;
    const Part = loaded;
    return Part === undefined ? <>{meanwhile}</> : <Part {...props} />;
  };
}
