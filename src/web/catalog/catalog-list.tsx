import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type MouseEvent,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Catalog } from "../../protocol/catalog.ts";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { plural, toCount } from "../elements/numbers.ts";
import { Name, VisibleText } from "../elements/visible-text.tsx";
import { type CatalogRow, findInCatalog, toSearchable } from "./find-in-catalog.ts";

export const catalogSearchId = "catalog-search";

export interface CatalogListProps {
  catalog: Catalog;
  current: string | null;
  onPick: (table: string, column: string | null) => void;
}

const rowHeight = 30;

/** Tables and, while one searches, columns. The arrow keys go through them from the search, Enter opens. */
export function CatalogList({ catalog, current, onPick }: CatalogListProps) {
  const listId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search);
  const searchable = useMemo(() => toSearchable(catalog), [catalog]);
  const rows = useMemo(() => findInCatalog(searchable, wanted), [searchable, wanted]);
  const tables = useMemo(() => rows.filter((row) => row.kind === "table").length, [rows]);
  const [active, setActive] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 0, height: 800 },
  });
  const show = useRef<(index: number) => void>(setActive);
  show.current = (index) => {
    setActive(Math.max(0, index));
    if (index >= 0) virtual.scrollToIndex(index);
  };
  // A search begins at its first find; without one the keys go on from the chosen table.
  useEffect(() => {
    if (wanted !== "") show.current(0);
  }, [wanted]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another table or the end of a search moves the list
  useEffect(() => {
    if (wanted === "") show.current(rows.findIndex((row) => row.table.name === current));
  }, [current, wanted === ""]);

  const pick = (row: CatalogRow | undefined) => {
    if (row) onPick(row.table.name, row.kind === "column" ? row.column.name : null);
  };
  const key = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const by = steps[event.key];
    if (event.key === "Enter") {
      event.preventDefault();
      pick(rows[active]);
    } else if (by !== undefined && rows.length > 0) {
      event.preventDefault();
      const next = Math.min(rows.length - 1, Math.max(0, active + by));
      show.current(next);
    }
  };
  const optionId = (index: number) => `${listId}-${index}`;
  const keys = {
    onKeyDown: key,
    "aria-controls": listId,
    "aria-activedescendant": rows.length > 0 ? optionId(active) : undefined,
  };
  return (
    <>
      <div className="border-b border-line p-2.5 pb-2">
        <label className="relative block">
          <span className="sr-only">Search the catalog</span>
          <Icon name="search" className="absolute left-2 top-1.5 text-ink-3" />
          <input
            id={catalogSearchId}
            type="search"
            role="combobox"
            aria-expanded="true"
            aria-autocomplete="list"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            placeholder="Table, column or description"
            className="h-7 w-full rounded-md border border-line-strong bg-surface pl-7 pr-2 text-xs placeholder:text-ink-3"
            {...keys}
          />
        </label>
        <p role="status" className="num px-0.5 pt-1.5 text-2xs text-ink-3">
          {wanted === ""
            ? plural(rows.length, "table or view", "tables and views")
            : rows.length === 0
              ? `Nothing holds “${wanted}”.`
              : `${toCount(tables)} of ${plural(catalog.tables.length, "table")}, ${plural(rows.length - tables, "column")} found`}
        </p>
      </div>
      <div
        ref={scroller}
        id={listId}
        role="listbox"
        aria-label="Tables and columns"
        tabIndex={0}
        className="group/list min-h-0 flex-1 overflow-y-auto py-1 focus-visible:outline-offset-[-2px]"
        {...keys}
        aria-controls={undefined}
      >
        <div className="relative" style={{ height: virtual.getTotalSize() }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row ? (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the search and the list have the keys, for the active option
              <div
                key={index}
                id={optionId(index)}
                role="option"
                tabIndex={-1}
                aria-selected={row.kind === "table" && row.table.name === current}
                aria-posinset={index + 1}
                aria-setsize={rows.length}
                className={cn(
                  "num absolute inset-x-1 top-0 flex cursor-pointer items-center gap-2 rounded-md px-2 text-xs",
                  index === active ? "bg-hover" : "hover:bg-hover",
                  row.kind === "table" && row.table.name === current && "bg-accent-soft text-accent-ink",
                )}
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                onMouseDown={(event: MouseEvent) => event.preventDefault()}
                onClick={() => {
                  setActive(index);
                  pick(row);
                }}
              >
                <Row row={row} />
              </div>
            ) : null;
          })}
        </div>
      </div>
    </>
  );
}

function Row({ row }: { row: CatalogRow }) {
  const { table } = row;
  if (row.kind === "column")
    return (
      <>
        <span className="min-w-0 shrink-0 truncate pl-4 font-mono text-ink-2">
          <Name text={row.column.name} />
        </span>
        <span className="min-w-0 flex-1 truncate text-ink-3">
          <VisibleText text={row.column.comment ?? row.column.type} />
        </span>
      </>
    );
  return (
    <>
      <span className="min-w-0 flex-1 truncate font-mono font-medium" title={table.name}>
        <Name text={table.name} />
      </span>
      {table.kind === "view" ? <span className="text-ink-3">view</span> : null}
      <span className="whitespace-nowrap text-ink-3">
        {table.rowsEstimated ? "~" : ""}
        {toCount(table.rows)}
      </span>
    </>
  );
}
