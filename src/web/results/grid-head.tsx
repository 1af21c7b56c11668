import { memo } from "react";
import type { QueryResult } from "../../protocol/results.ts";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { Value } from "../elements/visible-text.tsx";
import { cellId, ownLayout } from "./grid-row.tsx";
import type { ColumnShape } from "./result-cells.ts";
import type { Sort } from "./row-order.ts";

export interface GridHeadProps {
  gridId: string;
  result: QueryResult;
  shapes: readonly ColumnShape[];
  sort: Sort | null;
  numbered: boolean;
  isVirtual: boolean;
  /** Column of the cursor, or -1. */
  cursor: number;
  onSort: (column: number) => void;
}

/** Names and types; a press sorts. No buttons: a column may be called like one of the page's own. */
export const GridHead = memo(function GridHead({
  gridId,
  result,
  shapes,
  sort,
  numbered,
  isVirtual,
  cursor,
  onSort,
}: GridHeadProps) {
  const cell = cn("border-b border-line bg-sunken px-2", !isVirtual && "sticky top-0 z-10");
  return (
    <thead
      {...(isVirtual ? { role: "rowgroup" } : {})}
      className={isVirtual ? "sticky top-0 z-10 block bg-sunken" : undefined}
    >
      <tr
        {...(isVirtual ? { role: "row", style: ownLayout } : {})}
        aria-rowindex={1}
        className={cn("text-left", isVirtual && "grid")}
      >
        {numbered ? <td {...(isVirtual ? { role: "gridcell" } : {})} className={cn(cell, "w-8")} /> : null}
        {result.columns.map((column, index) => {
          const isSorted = sort?.column === index;
          const right = shapes[index]?.numeric;
          return (
            <th
              key={index}
              {...(isVirtual ? { role: "columnheader" } : {})}
              id={cellId(gridId, -1, index)}
              scope="col"
              aria-sort={!isSorted ? "none" : sort.descending ? "descending" : "ascending"}
              title={toSortWords(isSorted ? sort.descending : null)}
              onClick={() => onSort(index)}
              className={cn(
                cell,
                "group cursor-pointer select-none py-1 align-bottom font-medium hover:bg-hover",
                isVirtual && "min-w-0",
                right && "text-right",
                cursor === index && "shadow-[inset_0_0_0_2px_hsl(var(--accent))]",
              )}
            >
              <span className={cn("flex items-center gap-1 font-mono text-xs text-ink", right && "flex-row-reverse")}>
                <span className={isVirtual ? "truncate" : undefined}>
                  <Value text={column.name} />
                </span>
                <Icon
                  name={isSorted && !sort.descending ? "arrow-up" : "arrow-down"}
                  className={cn(
                    "h-3 w-3",
                    isSorted ? "text-accent-ink" : "text-ink-3 opacity-0 group-hover:opacity-100",
                  )}
                />
              </span>
              <span className="block truncate whitespace-nowrap font-mono text-2xs font-normal text-ink-3">
                {column.type || "\u00a0"}
              </span>
            </th>
          );
        })}
      </tr>
    </thead>
  );
});

const toSortWords = (descending: boolean | null): string =>
  descending === null ? "Sort ascending" : descending ? "Back to the order of the database" : "Sort descending";
