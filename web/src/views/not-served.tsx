/** Shown in place of everything where the page cannot find out which project it belongs to. */
export function NotServed({ error }: { error: unknown }) {
  return (
    <main class="page">
      <h1>Firerank cannot start</h1>
      <p class="notice notice-bad" role="alert">
        {error instanceof Error ? error.message : String(error)}
      </p>
    </main>
  );
}
