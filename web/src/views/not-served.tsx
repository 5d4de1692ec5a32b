/** Shown in place of everything where the page cannot find out which project it belongs to. */
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
