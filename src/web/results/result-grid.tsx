/**
 * The rows of a result, with what one does with them: `ResultPanel` at a gate and at the end, `ResultGrid` alone where
 * a step shows its first rows. 100,000 rows are sorted, filtered and scrolled here; only those in view are in the DOM.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import type { QueryResult } from "../../protocol/results.ts";
import { cn } from "../elements/class-names.ts";
import { plural } from "../elements/numbers.ts";
import { Value } from "../elements/visible-text.tsx";
import { CellInspector } from "./cell-inspector.tsx";
import { toCopy, toPart } from "./copy-rows.ts";
import { GridHead } from "./grid-head.tsx";
import { cellId, GridRow } from "./grid-row.tsx";
import { cellsIn, moveSelection, type Place, type Span, toSpan } from "./grid-selection.ts";
import { toColumnShape, toColumnWidths } from "./result-cells.ts";
import { type Grid, useGrid } from "./use-grid.ts";

export interface ResultGridProps {
  result: QueryResult;
  /** In pixels; the head stays while rows scroll. */
  maxHeight?: number;
  /** Row numbers on the left. */
  numbered?: boolean;
  label?: string;
}

/** With an order, a filter and a selection of its own. */
export function ResultGrid({ result, ...rest }: ResultGridProps) {
  return <GridView grid={useGrid(result)} {...rest} />;
}

/** From here on only the rows in view are in the DOM. */
const virtualFrom = 300;
const rowHeight = 27;
const headHeight = 42;

export interface GridViewProps extends Omit<ResultGridProps, "result"> {
  grid: Grid;
}

export function GridView({ grid, maxHeight, numbered = true, label = "Rows" }: GridViewProps) {
  const { result, order, sort, selection } = grid;
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [inspected, setInspected] = useState<Place | null>(null);
  const shapes = useMemo(() => result.columns.map((_, index) => toColumnShape(result, index)), [result]);
  // By all rows, so that a filter doesn't change how they look.
  const isVirtual = result.rows.length > virtualFrom;
  const widths = useMemo(() => (isVirtual ? toColumnWidths(result) : []), [result, isVirtual]);
  const height = maxHeight ?? (isVirtual ? 480 : undefined);
  const virtual = useVirtualizer({
    count: isVirtual ? order.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollPaddingEnd: headHeight,
    initialRect: { width: 0, height: height ?? 0 },
  });
  const items = virtual.getVirtualItems();
  // Elements stay where they are and show other rows: a text that changes costs neither styles nor their order, an element
  // that is moved costs those of all its cells. So what moves is the room before them, which has nothing in it.
  const before = isVirtual ? (items[0]?.index ?? 0) * rowHeight : 0;
  const rows = isVirtual ? items.map((item) => item.index) : Array.from(order, (_, index) => index);
  const numberWidth = String(result.rows.length).length * 8 + 20;
  const span = selection ? toSpan(selection) : null;
  const cursor = selection?.cursor ?? null;

  // What the cursor stands on is brought into view, first down, then across.
  useEffect(() => {
    if (!cursor || document.activeElement?.id !== gridId) return;
    if (isVirtual && cursor.row >= 0) virtual.scrollToIndex(cursor.row, { align: "auto" });
    const frame = requestAnimationFrame(() =>
      document.getElementById(cellId(gridId, cursor.row, cursor.column))?.scrollIntoView({
        block: "nearest",
        inline: "nearest",
      }),
    );
    return () => cancelAnimationFrame(frame);
  }, [cursor, gridId, isVirtual, virtual]);

  const press = (event: KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey;
    const size = {
      rows: order.length,
      columns: result.columns.length,
      page: Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight) / rowHeight) - 1),
    };
    if (event.key === "Enter" && cursor) {
      event.preventDefault();
      if (cursor.row < 0) grid.toggleSort(cursor.column);
      else setInspected(cursor);
      return;
    }
    if (event.key === "Escape" && span && cellsIn(span) > 1 && cursor) {
      event.preventDefault();
      grid.select({ anchor: cursor, cursor });
      return;
    }
    if (command && event.key.toLowerCase() === "c" && span && (window.getSelection()?.isCollapsed ?? true)) {
      event.preventDefault();
      copySpan(grid, span);
      return;
    }
    const { key, shiftKey } = event;
    const next = moveSelection(selection, { key, shiftKey, ctrlKey: command }, size);
    if (!next) return;
    event.preventDefault();
    grid.select(next);
  };
  const point = (event: MouseEvent) => {
    const place = toPlace(event.target);
    if (!place || event.button !== 0) return;
    grid.select({ anchor: event.shiftKey && selection ? selection.anchor : place, cursor: place });
    if (event.shiftKey) event.preventDefault(); // it selects cells, not their text
  };
  const drag = (event: MouseEvent) => {
    const place = (event.buttons & 1) === 1 ? toPlace(event.target) : null;
    if (!place || !selection || !cursor || (place.row === cursor.row && place.column === cursor.column)) return;
    window.getSelection()?.removeAllRanges();
    grid.select({ anchor: selection.anchor, cursor: place });
  };

  return (
    <div>
      <div
        ref={scroller}
        className={cn("overflow-auto", isVirtual && "[contain:strict]")}
        style={isVirtual ? { height } : height ? { maxHeight: height } : undefined}
      >
        <table
          id={gridId}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells have a cursor is a grid
          role="grid"
          aria-label={label}
          aria-rowcount={order.length + 1}
          aria-colcount={result.columns.length}
          aria-multiselectable="true"
          aria-activedescendant={cursor ? cellId(gridId, cursor.row, cursor.column) : undefined}
          tabIndex={0}
          onKeyDown={press}
          onMouseDown={point}
          onMouseMove={drag}
          onDoubleClick={(event) => setInspected(toPlace(event.target))}
          // Without the wait for a zoom, two taps on a touch screen are a double click: they open the cell.
          className={cn("w-full touch-manipulation text-sm tabular-nums -outline-offset-2", isVirtual && "block")}
          style={isVirtual ? toTableStyle(widths, numbered ? numberWidth : 0) : undefined}
        >
          <GridHead
            gridId={gridId}
            result={result}
            shapes={shapes}
            sort={sort}
            numbered={numbered}
            isVirtual={isVirtual}
            cursor={cursor?.row === -1 ? cursor.column : -1}
            onSort={grid.toggleSort}
          />
          {isVirtual ? <Room height={before} /> : null}
          <tbody {...(isVirtual ? { role: "rowgroup", className: "block" } : {})}>
            {rows.map((row, place) => {
              const index = order[row] ?? 0;
              const isSelected = span !== null && row >= span.top && row <= span.bottom && (cursor?.row ?? -1) >= 0;
              return (
                <GridRow
                  key={isVirtual ? place : index}
                  gridId={gridId}
                  row={row}
                  cells={result.rows[index] ?? []}
                  shapes={shapes}
                  number={numbered ? index + 1 : null}
                  oneLine={isVirtual}
                  from={isSelected ? span.left : -1}
                  to={isSelected ? span.right : -1}
                  cursor={cursor?.row === row ? cursor.column : -1}
                />
              );
            })}
          </tbody>
          {isVirtual ? <Room height={virtual.getTotalSize() - before - rows.length * rowHeight} /> : null}
        </table>
        {order.length === 0 ? <Nothing grid={grid} /> : null}
      </div>
      {result.truncated ? (
        <p className="border-t border-line px-3 py-1.5 text-xs tabular-nums text-ink-3">
          Only the first {plural(result.rows.length, "row")} {result.rows.length === 1 ? "is" : "are"} shown; there are
          more.
        </p>
      ) : null}
      {inspected ? (
        <CellInspector
          column={result.columns[inspected.column] ?? { name: "", type: "" }}
          cell={result.rows[order[inspected.row] ?? -1]?.[inspected.column] ?? null}
          row={(order[inspected.row] ?? 0) + 1}
          onClose={() => setInspected(null)}
        />
      ) : null}
    </div>
  );
}

/** Rows that aren't in the DOM. */
const Room = ({ height }: { height: number }) => (
  <tbody role="presentation" aria-hidden="true" className="block" style={{ height }} />
);

/** Columns keep their share when the table is wider than they need. */
function toTableStyle(widths: number[], numberWidth: number): CSSProperties {
  const columns = widths.map((width) => `minmax(${width}px, ${width}fr)`);
  if (numberWidth > 0) columns.unshift(`${numberWidth}px`);
  const minWidth = widths.reduce((sum, width) => sum + width, numberWidth);
  return { minWidth, "--columns": columns.join(" ") } as CSSProperties;
}

function Nothing({ grid: { result, filter } }: { grid: Grid }) {
  return (
    <p className="px-3 py-2 text-sm text-ink-2">
      {result.rows.length === 0 ? (
        "No rows. The columns are above."
      ) : (
        <>
          No row contains “<Value text={filter.text} />
          ”.
        </>
      )}
    </p>
  );
}

function copySpan({ result, order }: Grid, span: Span): void {
  const part = toPart(result, order.slice(span.top, span.bottom + 1), span.left, span.right);
  // One cell is its text alone; a browser that refuses leaves the Copy menu, which says so.
  const [cell = null] = part.rows[0] ?? [];
  const text = cellsIn(span) === 1 ? (cell === null ? "" : String(cell)) : toCopy(part, "tab");
  navigator.clipboard?.writeText(text).catch((cause: unknown) => console.warn("Nothing was copied.", cause));
}

/** The cell below the pointer. */
function toPlace(target: EventTarget): Place | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("td[data-column]") : null;
  const row = cell?.closest<HTMLElement>("tr[data-row]");
  return cell && row ? { row: Number(row.dataset.row), column: Number(cell.dataset.column) } : null;
}
