/**
 * Four places: `/` asks a new question, `/s/<id>` shows a session, `/catalog/<workspace>[/<table>]` what is in a
 * database, `/models` who can do the thinking. The server answers all with the same page.
 */
import { useSyncExternalStore } from "react";

export type Route =
  | { page: "question" }
  | { page: "session"; id: string }
  | { page: "models" }
  | { page: "catalog"; workspace: string; table: string | null };
const listeners = new Set<() => void>();

export function toRoute(path: string): Route {
  const [place, name, below, ...rest] = path.replace(/\/$/, "").split("/").slice(1).map(decode);
  if (place === "s" && name && below === undefined) return { page: "session", id: name };
  if (place === "models" && name === undefined) return { page: "models" };
  if (place === "catalog" && name && rest.length === 0)
    return { page: "catalog", workspace: name, table: below || null };
  return { page: "question" };
}

/** An address typed by hand may hold a % that stands for nothing. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const modelsPath = "/models";
export const sessionPath = (id: string) => `/s/${encodeURIComponent(id)}`;
export const catalogPath = (workspace: string, table?: string) =>
  ["/catalog", workspace, ...(table === undefined ? [] : [table])]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join("/");

export function navigate(path: string): void {
  if (path !== window.location.pathname) window.history.pushState(null, "", path);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

export function useRoute(): Route {
  return toRoute(useSyncExternalStore(subscribe, () => window.location.pathname));
}
