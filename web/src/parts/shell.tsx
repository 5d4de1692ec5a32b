/** The frame of every page: the bar with the name, the theme and the account, and the area for messages. */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { version } from "../../../functions/src/model/version.ts";
import { firebase } from "../firebase/connect.ts";
import { session, signOut } from "../firebase/session.ts";
import { theme, themes } from "../theme.ts";
import { Icon, Logo } from "./icon.tsx";
import { Messages } from "./messages.tsx";

export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="/boards" title={`Firerank ${version}`}>
          <Logo />
          <span>Firerank</span>
        </a>
        <Project />
        <div class="bar-end">
          <ThemeSwitch />
          <Account />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Messages />
    </>
  );
}

function Project() {
  const { config } = firebase();
  return (
    <span class="project">
      <span class="project-name">{config.options.projectId}</span>
      {config.emulators !== undefined && <span class="chip chip-plain">Emulators</span>}
    </span>
  );
}

const themeIcons = { system: "system", light: "sun", dark: "moon" } as const;

function ThemeSwitch() {
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "system";
  return (
    <button
      type="button"
      class="icon-button"
      title={`Colours: ${theme.value}`}
      aria-label={`Colours: ${theme.value}. Change to ${next}`}
      onClick={() => (theme.value = next)}
    >
      <Icon name={themeIcons[theme.value]} size={18} />
    </button>
  );
}

function Account() {
  const { value } = session;
  const { path, url } = useLocation();
  if (value === undefined) return <span class="account" />;
  if (value === null) {
    return path === "/sign-in" ? null : (
      <a class="button button-primary" href={`/sign-in?to=${encodeURIComponent(url)}`}>
        Sign in
      </a>
    );
  }
  return (
    <div class="account">
      <span class="account-name" title={value.uid}>
        {value.name}
      </span>
      {value.isAdmin && (
        <a class="chip chip-good" href="/roles" title="Who has which role">
          <Icon name="shield" size={13} /> Admin
        </a>
      )}
      <button type="button" class="button button-quiet" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  );
}
