/** Light or dark: the system's choice until someone presses the switch, then theirs, kept in this browser. */
import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";
const key = "thothii-theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let chosen = readChoice();

function readChoice(): Theme | null {
  try {
    const stored = window.localStorage.getItem(key);
    return stored === "light" || stored === "dark" ? stored : null;
  } catch {
    return null; // storage can be forbidden; the system's theme is then followed
  }
}

function current(): Theme {
  return chosen ?? (system.matches ? "dark" : "light");
}

function show(): void {
  document.documentElement.dataset.theme = current();
  for (const listener of listeners) listener();
}

/** Sets `data-theme` now and whenever the system changes. Called once, before the first render. */
export function startTheme(): void {
  system.addEventListener("change", show);
  show();
}

function switchTheme(): void {
  chosen = current() === "dark" ? "light" : "dark";
  try {
    window.localStorage.setItem(key, chosen);
  } catch (cause) {
    console.warn("The theme is not remembered.", cause);
  }
  show();
}

export function useTheme(): [Theme, () => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
  return [theme, switchTheme];
}
