import { phaseTitles } from "../../protocol/phases.ts";
import { Icon } from "../elements/icon.tsx";
import { Elapsed } from "../layout/elapsed.tsx";
import type { SessionState } from "../session/fold-session.ts";
import { type SessionStore, useSelected } from "../session/session-store.ts";

/** What the model is doing this moment, in a word or two. */
function toDoing(state: SessionState): string {
  const last = state.entries.at(-1);
  const tool = state.entries.findLast((entry) => entry.kind === "tool" && entry.status === "running");
  if (tool?.kind === "tool") return tool.name === "run_query" ? "Running a query" : `Running ${tool.name}`;
  if (last?.kind === "status" && last.code === "retrying") return "Waiting to try again";
  if (last?.kind === "status" && last.code === "queued") return "Waiting for its start";
  if (last?.kind === "reasoning") return "Reasoning";
  return last?.kind === "text" ? "Writing" : "Working";
}

export function ActivityFoot({ store, onJump }: { store: SessionStore; onJump: () => void }) {
  const turn = useSelected(store, (state) => state.turn);
  const turnAt = useSelected(store, (state) => state.turnAt);
  const phase = useSelected(store, (state) => state.openGate?.phase ?? null);
  const doing = useSelected(store, toDoing);
  if (phase) {
    return (
      <div className="flex shrink-0 items-center gap-2 border-t border-line px-3 py-2 text-xs">
        <Icon name="hand" className="h-3.5 w-3.5 text-accent-ink" />
        <span className="text-ink-2">
          Waiting for you at{" "}
          <span className="font-medium text-ink">
            {phase} {phaseTitles[phase]}
          </span>
        </span>
        <button type="button" className="link ml-auto" onClick={onJump}>
          Jump to gate
        </button>
      </div>
    );
  }
  if (turn !== "running") return null;
  return (
    <div className="num flex shrink-0 items-center gap-2 border-t border-line px-3 py-2 text-xs">
      <Icon name="run" className="spin h-3.5 w-3.5 text-accent-ink" />
      <span className="truncate text-ink-2">
        {doing}
        {turnAt === null ? (
          ""
        ) : (
          <>
            , <Elapsed since={turnAt} /> in this turn
          </>
        )}
      </span>
      <span className="ml-auto text-ink-3">not stored</span>
    </div>
  );
}
