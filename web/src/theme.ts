/** The theme: light, dark, or the system's; remembered in this browser. */
import { effect, signal } from "@preact/signals";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storedAs = "firerank-theme";

export const theme = signal<Theme>(stored());

/** Applies the theme to the page, now and whenever it changes. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
    localStorage.setItem(storedAs, theme.value);
  });
}

function stored(): Theme {
  const found = localStorage.getItem(storedAs);
  return themes.find((name) => name === found) ?? "system";
}
