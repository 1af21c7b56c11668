import { type KeyboardEvent, type MouseEvent, memo, useId, useRef, useState } from "react";
import type { SessionItem } from "../../protocol/api.ts";
import { cn } from "../elements/class-names.ts";
import { Icon, type IconName } from "../elements/icon.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { toAge } from "../layout/times.ts";
import { navigate, sessionPath } from "../route.ts";
import { type RowState, toRowState } from "./group-sessions.ts";
import { RowMenu } from "./row-menu.tsx";

const looks: Record<RowState, { look: string; icon: IconName }> = {
  waiting: { look: "text-accent-ink", icon: "hand" },
  running: { look: "text-ink-2", icon: "run" },
  failed: { look: "text-problem", icon: "problem" },
  answered: { look: "text-ok", icon: "ok" },
  cannot: { look: "text-notice", icon: "slash" },
  idle: { look: "text-ink-3", icon: "circle" },
};

export interface RowActions {
  rename: (id: string, name: string) => void;
  duplicate: (id: string) => void;
  chooseModel: (id: string) => void;
  remove: (id: string, title: string) => void;
}

export const SessionRow = memo(function SessionRow({
  session,
  current,
  now,
  onOpen,
  actions,
}: {
  session: SessionItem;
  current: boolean;
  now: number;
  onOpen: () => void;
  actions: RowActions;
}) {
  const nameId = useId();
  const [renaming, setRenaming] = useState(false);
  const { state, word } = toRowState(session);
  const { look, icon } = looks[state];
  const title = session.name ?? session.question;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(sessionPath(session.id));
    onOpen();
  };
  if (renaming)
    return (
      <NameField
        name={session.name ?? ""}
        placeholder={session.question}
        onDone={(name) => {
          setRenaming(false);
          if (name !== null && name !== (session.name ?? "")) actions.rename(session.id, name);
        }}
      />
    );
  return (
    <div className="group/row relative">
      <a
        href={sessionPath(session.id)}
        onClick={open}
        aria-current={current ? "page" : undefined}
        className={cn(
          "block rounded-md px-2 py-1",
          current ? "bg-surface shadow-[0_0_0_1px_hsl(var(--line-strong))]" : "hover:bg-hover",
        )}
      >
        <span
          id={nameId}
          className={cn(
            "line-clamp-2 text-sm leading-[18px] [overflow-wrap:anywhere]",
            current ? "font-medium text-ink" : "text-ink-2",
          )}
        >
          <VisibleText text={title} />
        </span>
        <span className={cn("mt-0.5 flex items-center gap-1 text-xs", look)}>
          <Icon name={icon} className={cn("h-3.5 w-3.5", state === "running" && "spin")} />
          <span className="truncate">{word}</span>
          <span className="num ml-auto whitespace-nowrap pl-2 text-ink-3">
            {toAge(Date.parse(session.updatedAt), now)}
          </span>
        </span>
      </a>
      <RowMenu
        id={session.id}
        describedBy={nameId}
        onRename={() => setRenaming(true)}
        onDuplicate={() => actions.duplicate(session.id)}
        onModel={() => actions.chooseModel(session.id)}
        onRemove={() => actions.remove(session.id, title)}
      />
    </div>
  );
});

/** The field appears by the reader's own press, so it may take the focus. */
const takeFocus = (input: HTMLInputElement | null) => {
  input?.focus();
  input?.select();
};

/** In the row's own place. Enter and leaving keep the name, Escape doesn't; an empty one shows the question again. */
function NameField({
  name,
  placeholder,
  onDone,
}: {
  name: string;
  placeholder: string;
  onDone: (name: string | null) => void;
}) {
  const [text, setText] = useState(name);
  const done = useRef(false);
  const finish = (next: string | null) => {
    if (done.current) return;
    done.current = true;
    onDone(next);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    finish(event.key === "Enter" ? text.trim() : null);
  };
  return (
    <label className="block px-1 py-1 text-2xs text-ink-3">
      Name
      <input
        ref={takeFocus}
        value={text}
        maxLength={200}
        placeholder={placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={key}
        onBlur={() => finish(text.trim())}
        className="field mt-0.5 px-2 py-1"
      />
    </label>
  );
}
