/** The sidebar's groups and row states, from the list the server sends. Pure: `now` comes from outside. */
import type { SessionItem } from "../../protocol/api.ts";
import { phaseTitles } from "../../protocol/phases.ts";
import { toDay } from "../layout/times.ts";

export type RowState = "waiting" | "running" | "failed" | "answered" | "cannot" | "idle";
export type ListRow =
  | { kind: "title"; title: string; count: number | null }
  | { kind: "session"; session: SessionItem; state: RowState };

export function toRowState(session: SessionItem): { state: RowState; word: string } {
  const phase = `${session.phase} ${phaseTitles[session.phase]}`;
  if (session.turn === "waiting") return { state: "waiting", word: phase };
  if (session.turn === "running") return { state: "running", word: phase };
  if (session.turn === "failed") return { state: "failed", word: `Failed in ${session.phase}` };
  if (session.outcome === "answered") return { state: "answered", word: "Answered" };
  if (session.outcome === "cannot-answer") return { state: "cannot", word: "Cannot answer" };
  return { state: "idle", word: `Idle in ${session.phase}` };
}

const week = 7 * 86_400_000;
const titles = ["Waiting for you", "Running", "Failed", "Today", "Last 7 days", "Older"];
/** Groups that say how many there are: what wants something of the reader. */
const counted = 3;

function toGroup(state: RowState, at: number, now: number): number {
  if (state === "waiting") return 0;
  if (state === "running") return 1;
  if (state === "failed") return 2;
  const today = toDay(now);
  return at >= today ? 3 : at >= today - week ? 4 : 5;
}

/** Titles and sessions, one below the other, latest first in each group. */
export function toListRows(sessions: readonly SessionItem[], now: number): ListRow[] {
  const groups: Extract<ListRow, { kind: "session" }>[][] = titles.map(() => []);
  const latestFirst = sessions.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
  for (const session of latestFirst) {
    const { state } = toRowState(session);
    groups[toGroup(state, Date.parse(session.updatedAt), now)]?.push({ kind: "session", session, state });
  }
  return groups.flatMap((rows, index): ListRow[] =>
    rows.length === 0
      ? []
      : [{ kind: "title", title: titles[index] ?? "", count: index < counted ? rows.length : null }, ...rows],
  );
}
