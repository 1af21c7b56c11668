import { memo } from "react";
import type { Cell } from "../../protocol/results.ts";
import { cn } from "../elements/class-names.ts";
import { toCount } from "../elements/numbers.ts";
import { Value } from "../elements/visible-text.tsx";
import { type ColumnShape, toCellText, toPadding, toShownText } from "./result-cells.ts";

const longCell = 64;
/** Nothing in it hides, acts or runs from right to left: most cells need no elements of their own. */
const plain = /^[\x20-\x7e]*$/;

export interface GridRowProps {
  gridId: string;
  /** As it is shown; the head is row 1 for assistive technology. */
  row: number;
  cells: readonly Cell[];
  shapes: readonly ColumnShape[];
  /** Number by which the row stood in the result; null leaves the column out. */
  number: number | null;
  /** For a long result: all rows of one height, one line per cell, and each laid out by itself. */
  oneLine: boolean;
  /** First and last selected column, or -1. */
  from: number;
  to: number;
  /** Column of the cursor, or -1. */
  cursor: number;
}

/** A table whose rows are laid out one by one has lost its roles, and is given them again. */
export const ownLayout = { gridTemplateColumns: "var(--columns)" };

export const cellId = (gridId: string, row: number, column: number) => `${gridId}-${row}-${column}`;

/** Drawn again only when its own cells, its selection or its cursor change. */
export const GridRow = memo(function GridRow({
  gridId,
  row,
  cells,
  shapes,
  number,
  oneLine,
  from,
  to,
  cursor,
}: GridRowProps) {
  return (
    <tr
      {...(oneLine ? { role: "row", style: ownLayout } : {})}
      aria-rowindex={row + 2}
      data-row={row}
      className={cn(
        "border-b border-line hover:bg-hover",
        oneLine ? "grid h-[27px] w-full [contain:strict]" : "last:border-b-0",
      )}
    >
      {number === null ? null : (
        <td {...(oneLine ? { role: "gridcell" } : {})} className="px-2 text-right text-2xs leading-[26px] text-ink-3">
          {toCount(number)}
        </td>
      )}
      {shapes.map((shape, column) => (
        <CellView
          key={column}
          id={column === cursor ? cellId(gridId, row, column) : undefined}
          column={column}
          cell={cells[column] ?? null}
          shape={shape}
          oneLine={oneLine}
          selected={column >= from && column <= to}
          hasCursor={column === cursor}
        />
      ))}
    </tr>
  );
});

interface CellViewProps {
  /** Only the cursor's cell is looked for; a new name for each cell would be a change of each while scrolling. */
  id: string | undefined;
  column: number;
  cell: Cell;
  shape: ColumnShape;
  oneLine: boolean;
  selected: boolean;
  hasCursor: boolean;
}

function CellView({ id, column, cell, shape, oneLine, selected, hasCursor }: CellViewProps) {
  const text = toShownText(toCellText(cell));
  const long = !oneLine && text.length > longCell;
  const padding = toPadding(cell, shape);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: within a grid a cell is a gridcell
    <td
      {...(oneLine ? { role: "gridcell" } : {})}
      id={id}
      data-column={column}
      aria-selected={selected || undefined}
      className={cn(
        "scroll-ml-16 scroll-mt-12 px-2 py-[3px] align-top",
        shape.numeric && "text-right",
        oneLine && "overflow-hidden text-ellipsis whitespace-nowrap",
        text.length > 24 && !long && !shape.numeric && !oneLine ? "min-w-[160px] [overflow-wrap:anywhere]" : null,
        long ? "min-w-[320px] max-w-[560px] whitespace-pre-wrap [overflow-wrap:anywhere]" : null,
        !long && (shape.numeric || text.length <= 24) && "whitespace-nowrap",
        selected && "bg-accent-soft",
        hasCursor && "shadow-[inset_0_0_0_2px_hsl(var(--accent))]",
      )}
    >
      {cell === null ? (
        <span className="font-mono text-2xs text-ink-3" title="No value">
          NULL
        </span>
      ) : cell === "" ? (
        <span className="font-mono text-2xs text-ink-3" title="Text of length 0">
          empty
        </span>
      ) : plain.test(text) ? (
        text
      ) : (
        <Value text={text} />
      )}
      {padding ? (
        <span aria-hidden="true" data-pad={padding} className="after:invisible after:content-[attr(data-pad)]" />
      ) : null}
    </td>
  );
}
