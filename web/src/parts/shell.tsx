/** The frame of every page: the bar with the name, the theme and the account, and the area for messages. */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { version } from "../../../functions/src/model/version.ts";
import { offlineText } from "../data/connection.ts";
import { firebase } from "../firebase/connect.ts";
import { session, signOut } from "../firebase/session.ts";
import { theme, themes } from "../theme.ts";
import { Icon, Logo } from "./icon.tsx";
import { Menu } from "./menu.tsx";
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
      {offlineText.value !== undefined && (
        <p class="offline" role="status">
          <Icon name="alert" /> {offlineText.value} What you see is the last known data.
        </p>
      )}
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
      <span class="project-name" title={config.options.projectId}>
        {config.options.projectId}
      </span>
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
  const { role, boards } = value.grant;
  const where = boards === undefined ? "of all boards" : `of ${boards.join(", ")}`;
  return (
    <Menu
      label={`Account ${value.name}`}
      text={
        <>
          <Icon name="person" /> <span class="account-name">{value.name}</span>
        </>
      }
    >
      <div class="picker-facts">
        <p class="strong cut">{value.name}</p>
        <p class="hint">
          {role === undefined ? "No role: sees what players see" : `${roleNames[role]} ${where}`}
        </p>
        {value.name !== value.uid && <p class="hint cut">uid {value.uid}</p>}
        <p class="hint cut">Project {firebase().config.options.projectId}</p>
      </div>
      <ul class="picker-part">
        {value.isAdmin && (
          <li>
            <a href="/roles">Roles</a>
          </li>
        )}
        <li>
          <button type="button" class="picker-button" onClick={() => void signOut()}>
            Sign out
          </button>
        </li>
      </ul>
    </Menu>
  );
}

const roleNames = { submitter: "Submitter", moderator: "Moderator", admin: "Admin" };
