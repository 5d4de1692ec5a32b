/** Signing in: by e-mail address and password, with Google, and on the emulators by one click. */
import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { firebase } from "../firebase/connect.ts";
import { session } from "../firebase/session.ts";
import { signInByPassword, signInOnEmulators, signInProblem, signInWithGoogle } from "../firebase/sign-in.ts";
import { sending, TextField } from "../parts/fields.tsx";
import { Icon } from "../parts/icon.tsx";
import { Screen } from "../parts/screen.tsx";
import { useWork } from "../parts/work.ts";

export function SignIn() {
  const { route, query } = useLocation();
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const isSignedIn = session.value != null;
  useEffect(() => {
    if (isSignedIn) route(placeAfter(query["to"]), true);
  }, [isSignedIn]);

  const isEmulated = firebase().config.emulators !== undefined;
  const { isBusy, start } = useWork((error) => setProblem(signInProblem(error)));
  const attempt = (signIn: () => Promise<void>) => {
    setProblem(undefined);
    start(signIn);
  };
  return (
    <Screen title="Sign in">
      <div class="card sign-in">
        {isEmulated && <OnEmulators isBusy={isBusy} attempt={attempt} />}
        <PasswordForm isBusy={isBusy} attempt={attempt} />
        <button
          type="button"
          class="button button-wide"
          disabled={isBusy}
          onClick={() => attempt(signInWithGoogle)}
        >
          Continue with Google
        </button>
        <p class="problem" role="alert">
          {problem}
        </p>
        <p class="hint">
          Make an account an admin with{" "}
          <code>npx --no-install firerank grant {isEmulated ? "<uid>" : "<e-mail>"} admin</code>
          {isEmulated && ", as nobody verifies addresses on the emulators"}.
        </p>
      </div>
    </Screen>
  );
}

/** The page that the user came from; only pages of the dashboard are allowed. */
export function placeAfter(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])/.test(to) && !to.startsWith("/sign-in") ? to : "/boards";
}

interface WayProps {
  isBusy: boolean;
  attempt: (signIn: () => Promise<void>) => void;
}

function OnEmulators({ isBusy, attempt }: WayProps) {
  return (
    <div class="sign-in-emulators">
      <p class="hint">On the emulators an account is created for you.</p>
      <button
        type="button"
        class="button button-primary button-wide"
        disabled={isBusy}
        onClick={() => attempt(() => signInOnEmulators("admin"))}
      >
        <Icon name="shield" /> Sign in as admin
      </button>
      <button
        type="button"
        class="button button-wide"
        disabled={isBusy}
        onClick={() => attempt(() => signInOnEmulators("player"))}
      >
        Sign in as a player
      </button>
    </div>
  );
}

function PasswordForm({ isBusy, attempt }: WayProps) {
  const submit = (form: HTMLFormElement) => {
    const sent = new FormData(form);
    const text = (name: string) => (sent.get(name) ?? "") as string;
    attempt(() => signInByPassword(text("email"), text("password")));
  };
  return (
    <form class="form" onSubmit={sending(submit)}>
      <TextField label="E-mail address" name="email" type="email" autocomplete="username" required />
      <TextField label="Password" name="password" type="password" autocomplete="current-password" required />
      <button class="button button-wide" disabled={isBusy}>
        Sign in
      </button>
    </form>
  );
}
