/** Keeps a page's error from breaking the rest of the dashboard. */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { asError } from "../errors.ts";
import { Screen } from "./screen.tsx";
import { Problem } from "./states.tsx";

/** Shows an error instead of the page that threw it, until another address is opened; the console shows it too. */
export function Guard({ children }: { children: ComponentChildren }) {
  const { url } = useLocation();
  const failedAt = useRef<string | undefined>(undefined);
  const [thrown, goOn] = useErrorBoundary((error) => {
    failedAt.current = url;
    console.error(error);
  }) as [unknown, () => void];
  useEffect(() => {
    if (failedAt.current !== url) goOn();
  }, [url]);
  if (thrown === undefined) return <>{children}</>;
  return (
    <Screen title="This page failed">
      <Problem title="It cannot be shown" error={asError(thrown)} />
    </Screen>
  );
}
