/** Shown instead of everything else if the page cannot find out its project. */
import { asError } from "../errors.ts";

export function NotServed({ error }: { error: unknown }) {
  return (
    <main class="screen">
      <h1>Firerank cannot start</h1>
      <p class="notice notice-bad" role="alert">
        {asError(error).message}
      </p>
    </main>
  );
}
