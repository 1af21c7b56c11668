import { useCallback, useDeferredValue, useMemo, useState } from "react";
import type { QueryResult } from "../../protocol/results.ts";
import type { Selection } from "./grid-selection.ts";
import { createRowFilter, type Filter, noFilter, type Sort, sortRows, toAllRows } from "./row-order.ts";

export interface Grid {
  result: QueryResult;
  /** Rows of the result as they are shown. */
  order: Uint32Array;
  sort: Sort | null;
  /** Ascending, descending, then as the database gave them. */
  toggleSort: (column: number) => void;
  filter: Filter;
  setFilter: (filter: Filter) => void;
  /** In rows and columns as they are shown; another order or filter ends it. */
  selection: Selection | null;
  select: (selection: Selection | null) => void;
}

export function useGrid(result: QueryResult): Grid {
  const [sort, setSort] = useState<Sort | null>(null);
  const [filter, changeFilter] = useState<Filter>(noFilter);
  const [selection, select] = useState<Selection | null>(null);
  // The field shows each letter at once; the rows follow when there is time.
  const wanted = useDeferredValue(filter);
  const keep = useMemo(() => createRowFilter(result), [result]);
  const sorted = useMemo(() => sortRows(result, toAllRows(result), sort), [result, sort]);
  const order = useMemo(() => keep(sorted, wanted), [keep, sorted, wanted]);
  const toggleSort = useCallback((column: number) => {
    select(null);
    setSort((now) =>
      now?.column !== column ? { column, descending: false } : now.descending ? null : { column, descending: true },
    );
  }, []);
  const setFilter = useCallback((next: Filter) => {
    select(null);
    changeFilter(next);
  }, []);
  return { result, order, sort, toggleSort, filter, setFilter, selection, select };
}
