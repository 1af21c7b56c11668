import type { ReactNode } from "react";

export interface DockProps {
  /** The open form, above the row of buttons. */
  above?: ReactNode;
  /** Buttons; they share the width on a phone. */
  actions: ReactNode;
  /** What the filled button does, or why it can't. `textId` lets buttons be described by it. */
  text: ReactNode;
  textId?: string;
  right?: ReactNode;
}

/** Stays in sight at the lower edge of the working column and repeats the consequence. */
export function Dock({ above, actions, text, textId, right }: DockProps) {
  return (
    <div className="sticky bottom-0 z-20 bg-raised shadow-dock">
      {above}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-2.5">
        {actions}
        <p id={textId} className="min-w-60 flex-1 text-xs text-ink-2 [overflow-wrap:anywhere]">
          {text}
        </p>
        {right ? <p className="whitespace-nowrap text-xs tabular-nums text-ink-3">{right}</p> : null}
      </div>
    </div>
  );
}
