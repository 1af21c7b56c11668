import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import type { SessionItem } from "../../protocol/api.ts";
import { toListRows } from "./group-sessions.ts";
import { type RowActions, SessionRow } from "./session-row.tsx";

export interface SessionRowsProps {
  sessions: SessionItem[];
  /** There are more than these. */
  more: boolean;
  onMore: () => void;
  currentId: string | null;
  now: number;
  onOpen: () => void;
  actions: RowActions;
}

const titleHeight = 36;
const sessionHeight = 60;

/** Only the rows in sight are in the document. Arrow keys go from session to session, from the search too. */
export function SessionRows({ sessions, more, onMore, currentId, now, onOpen, actions }: SessionRowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => toListRows(sessions, now), [sessions, now]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === "title" ? titleHeight : sessionHeight),
    getItemKey: (index) => {
      const row = rows[index];
      return row?.kind === "session" ? row.session.id : (row?.title ?? index);
    },
    overscan: 8,
    initialRect: { width: 0, height: 800 },
  });
  const items = virtual.getVirtualItems();
  const isAtEnd = (items.at(-1)?.index ?? 0) >= rows.length - 4;
  useEffect(() => {
    if (more && isAtEnd) onMore();
  }, [more, isAtEnd, onMore]);

  const step = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const focused = document.activeElement;
    if (!(focused instanceof HTMLAnchorElement)) return;
    const by = event.key === "ArrowDown" ? 1 : -1;
    let next = Number(focused.closest<HTMLElement>("[data-index]")?.dataset.index ?? -1) + by;
    while (rows[next]?.kind === "title") next += by;
    if (!rows[next]) return;
    event.preventDefault();
    virtual.scrollToIndex(next);
    // The row has to be in the document before it can be focused.
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus());
  };
  return (
    <div
      ref={scroller}
      className="min-h-0 flex-1 overflow-y-auto px-2 pb-3"
      onKeyDown={step}
      role="group"
      aria-label="List of sessions"
      data-sessions
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0 pb-0.5"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row.kind === "title" ? (
                <h2 className={`label flex px-2 pb-1 ${index === 0 ? "pt-2" : "pt-4"}`}>
                  {row.title}
                  {row.count === null ? null : <span className="num ml-auto">{row.count}</span>}
                </h2>
              ) : (
                <SessionRow
                  session={row.session}
                  current={row.session.id === currentId}
                  now={now}
                  onOpen={onOpen}
                  actions={actions}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
