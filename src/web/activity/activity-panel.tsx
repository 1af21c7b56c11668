/** The right column: what the model does, as it happens. Kept in memory only; the ledger is what stays. */
import type { ReactNode } from "react";
import { IconButton } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { toClockSeconds } from "../layout/times.ts";
import type { StreamStatus } from "../session/event-stream.ts";
import { type SessionStore, useSelected } from "../session/session-store.ts";
import { ActivityFoot } from "./activity-foot.tsx";
import { ActivityLog } from "./activity-log.tsx";

export interface ActivityPanelProps {
  /** Null while no session is shown. */
  store: SessionStore | null;
  thinkingOff: boolean;
  polling: boolean;
  status: StreamStatus | null;
  visible: boolean;
  onHide: () => void;
  onJump: () => void;
  /** A text box for words to the model, above the foot. */
  steer?: ReactNode;
  /** What the model has used, between the two. */
  usage?: ReactNode;
}

export function ActivityPanel({ store, onHide, ...rest }: ActivityPanelProps) {
  return (
    <>
      <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line px-3">
        <h2 className="text-sm font-semibold">Model activity</h2>
        {store ? <Count store={store} /> : null}
        <IconButton
          label="Hide activity"
          icon="panel"
          className="-mr-1 ml-auto hidden lg:inline-flex"
          onClick={onHide}
        />
      </div>
      {store ? (
        <SessionActivity store={store} {...rest} />
      ) : (
        <p className="px-3 py-3 text-xs leading-[18px] text-ink-3">
          Here you will see what the model does, as it happens: its reasoning, the tools it calls, and each gate. It is
          kept in memory only.
        </p>
      )}
    </>
  );
}

function Count({ store }: { store: SessionStore }) {
  const count = useSelected(store, (state) => state.entries.length);
  return (
    <span className="num text-xs font-normal text-ink-3">
      {count} {count === 1 ? "entry" : "entries"}
    </span>
  );
}

function SessionActivity({
  store,
  thinkingOff,
  polling,
  status,
  visible,
  onJump,
  steer,
  usage,
}: Omit<ActivityPanelProps, "store" | "onHide"> & { store: SessionStore }) {
  const entries = useSelected(store, (state) => state.entries);
  return (
    <>
      {thinkingOff ? (
        <p className="flex gap-2 border-b border-line bg-notice-soft/60 px-3 py-2 text-xs leading-[18px] text-ink-2">
          <Icon name="off" className="mt-0.5 h-3.5 w-3.5 text-notice" />
          <span>
            <strong className="font-medium text-ink">Reasoning is off</strong> for this session, so only tools, text and
            gates appear here.
          </span>
        </p>
      ) : null}
      {polling ? (
        <p className="flex gap-2 border-b border-line bg-notice-soft/60 px-3 py-2 text-xs leading-[18px] text-ink-2">
          <Icon name="info" className="mt-0.5 h-3.5 w-3.5 text-notice" />
          What the model does is shown in tabs with live updates.
        </p>
      ) : null}
      {status?.state === "lost" && status.lastAt !== null ? (
        <p className="num flex gap-2 border-b border-line bg-warning-soft px-3 py-2 text-xs text-ink-2">
          <Icon name="off" className="h-3.5 w-3.5 text-warning" />
          Last update {toClockSeconds(status.lastAt)}. The gap will be filled when it is back.
        </p>
      ) : null}
      <ActivityLog entries={entries} visible={visible} />
      {steer}
      {usage}
      <ActivityFoot store={store} onJump={onJump} />
    </>
  );
}
