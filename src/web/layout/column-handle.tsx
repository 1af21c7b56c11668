import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from "react";
import { cn } from "../elements/class-names.ts";

export interface ColumnHandleProps {
  label: string;
  /** Pixels that someone chose for the column it belongs to; null for the usual ones. */
  width: number | null;
  min: number;
  max: number;
  /** 1 when dragging right makes the column wider. */
  direction: 1 | -1;
  onWidth: (width: number | null) => void;
  /** Which widths of the page have this column beside others. */
  className: string;
}

/** The working column keeps at least this much. */
const mainMin = 720;

/** The edge of a side column: drag it, or focus it and press the arrow keys; twice, and it is as usual again. */
export function ColumnHandle({ label, width, min, max, direction, onWidth, className }: ColumnHandleProps) {
  const handle = useRef<HTMLDivElement>(null);
  const [usual, setUsual] = useState(min);
  useLayoutEffect(() => {
    const column = handle.current?.parentElement?.offsetWidth ?? 0;
    if (width === null && column > 0) setUsual(column);
  }, [width]);
  const current = () => width ?? handle.current?.parentElement?.offsetWidth ?? min;
  const set = (next: number) => {
    const room = (document.querySelector("main")?.clientWidth ?? mainMin) + current() - mainMin;
    onWidth(Math.round(Math.max(min, Math.min(max, Math.max(min, room), next))));
  };
  const down = (event: PointerEvent<HTMLDivElement>) => {
    const start = current();
    const startX = event.clientX;
    const target = event.currentTarget;
    target.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => set(start + (moved.clientX - startX) * direction);
    const up = () => {
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerup", up);
      target.removeEventListener("pointercancel", up);
    };
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", up);
    target.addEventListener("pointercancel", up);
  };
  const key = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -16 * direction, ArrowRight: 16 * direction, Home: -max, End: max }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    set(current() + by);
  };
  return (
    <div
      ref={handle}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width ?? usual}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={down}
      onKeyDown={key}
      onDoubleClick={() => onWidth(null)}
      title="Drag, or use the arrow keys; a double click gives the usual width"
      className={cn(
        "absolute inset-y-0 z-10 hidden w-1.5 cursor-col-resize touch-none hover:bg-accent-line active:bg-accent",
        direction === 1 ? "-right-0.5" : "-left-0.5",
        className,
      )}
    />
  );
}
