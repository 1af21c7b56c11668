/**
 * The rows, oldest first. The newest stand in the flow as they are, because the one being written grows all the time
 * and must not be measured each time; the older ones are a mere distance while the tail is followed, and virtual once
 * someone has scrolled up.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "../elements/icon.tsx";
import type { EntryList } from "../session/entry-list.ts";
import type { Entry } from "../session/fold-session.ts";
import { ActivityRow } from "./activity-row.tsx";

/** Rows of the tail (more than any screen shows), and how far the border moves at a time. */
const tailRows = 120;
const stride = 40;
/** Pixels of a usual row. */
const usualHeight = 22;
/** As near to the end as this counts as being there. */
const nearPx = 64;

export const toCut = (count: number): number => Math.max(0, Math.floor((count - tailRows) / stride) * stride);

export function ActivityLog({ entries, visible }: { entries: EntryList<Entry>; visible: boolean }) {
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const last = useRef({ top: 0, height: 0 });
  const content = useRef<HTMLDivElement>(null);
  const [behind, setBehind] = useState(false);
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const toggle = useCallback((id: string, open: boolean) => setOpened((before) => new Map(before).set(id, open)), []);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows are what moves the end
  useLayoutEffect(() => {
    if (following.current && visible) toEnd();
  }, [entries, visible, toEnd]);

  // Rows also change their height on their own: opened, measured, folded up when a block ends.
  useEffect(() => {
    if (!content.current) return;
    const observer = new ResizeObserver(() => {
      if (following.current) toEnd();
    });
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [toEnd]);

  const scrolled = () => {
    const element = scroller.current;
    if (!element) return;
    const near = element.scrollHeight - element.scrollTop - element.clientHeight <= nearPx;
    // Only a move upwards lets go, and only one that is no mere effect of the content having become shorter.
    const moved = last.current.top - element.scrollTop;
    if (near) following.current = true;
    else if (moved > Math.max(0, last.current.height - element.scrollHeight) + 1) following.current = false;
    last.current = { top: element.scrollTop, height: element.scrollHeight };
    // React would render for an unchanged value too, and scrolling is what following the tail consists of.
    if (behind === following.current) setBehind(!following.current);
  };
  const jump = () => {
    following.current = true;
    setBehind(false);
    toEnd();
  };

  const cut = toCut(entries.length);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        onScroll={scrolled}
        role="log"
        aria-live="off"
        aria-label="Activity"
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]"
      >
        <div ref={content}>
          {cut > 0 && behind ? (
            <OlderRows rows={entries.slice(0, cut)} scroller={scroller} opened={opened} onToggle={toggle} />
          ) : null}
          {cut > 0 && !behind ? <div style={{ height: cut * usualHeight }} /> : null}
          <ol className="pb-3 pt-0.5" start={cut + 1}>
            {entries.slice(cut).map((entry) => (
              <ActivityRow key={entry.id} entry={entry} open={opened.get(entry.id)} onToggle={toggle} />
            ))}
          </ol>
        </div>
      </div>
      {behind ? (
        <button
          type="button"
          onClick={jump}
          className="absolute bottom-3 left-1/2 inline-flex h-7 -translate-x-1/2 items-center gap-1.5 whitespace-nowrap rounded-full bg-raised px-3 text-xs font-medium text-accent-ink shadow-pop"
        >
          <Icon name="arrow-down" className="h-3.5 w-3.5" />
          Jump to latest
        </button>
      ) : null}
    </div>
  );
}

interface OlderProps {
  rows: Entry[];
  scroller: RefObject<HTMLDivElement | null>;
  opened: ReadonlyMap<string, boolean>;
  onToggle: (id: string, open: boolean) => void;
}

const OlderRows = memo(
  function OlderRows({ rows, scroller, opened, onToggle }: OlderProps) {
    const virtual = useVirtualizer({
      count: rows.length,
      getScrollElement: () => scroller.current,
      estimateSize: () => usualHeight,
      getItemKey: (index) => rows[index]?.id ?? index,
      overscan: 12,
    });
    const items = virtual.getVirtualItems();
    const before = items[0]?.start ?? 0;
    const after = items.length === 0 ? virtual.getTotalSize() : virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
    return (
      <ol className="pt-0.5" style={{ paddingTop: before, paddingBottom: after }}>
        {items.map((item) => {
          const entry = rows[item.index];
          return entry ? (
            <ActivityRow
              key={item.key}
              entry={entry}
              open={opened.get(entry.id)}
              onToggle={onToggle}
              index={item.index}
              measure={virtual.measureElement}
            />
          ) : null;
        })}
      </ol>
    );
  },
  (before, after) =>
    before.opened === after.opened &&
    before.rows.length === after.rows.length &&
    before.rows.every((row, index) => row === after.rows[index]),
);
