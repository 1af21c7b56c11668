import { Icon } from "../elements/icon.tsx";
import { plural, toCount } from "../elements/numbers.ts";
import { toVisibleString } from "../elements/visible-characters.ts";
import type { Grid } from "./use-grid.ts";

/** Narrows the rows as one types: in every column, or in one. */
export function RowFilter({ grid: { result, order, filter, setFilter } }: { grid: Grid }) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <label className="relative inline-flex h-7 items-center">
        <span className="sr-only">Filter rows</span>
        <Icon name="funnel" className="pointer-events-none absolute left-2 h-3.5 w-3.5 text-ink-3" />
        <input
          type="search"
          value={filter.text}
          placeholder="Filter rows"
          onChange={(event) => setFilter({ ...filter, text: event.target.value })}
          className="h-7 w-40 rounded-md border border-line-strong bg-raised pl-7 pr-2 text-xs text-ink placeholder:text-ink-3"
        />
      </label>
      {filter.text !== "" && result.columns.length > 1 ? (
        <label className="inline-flex h-7 items-center gap-1 text-xs text-ink-3">
          in
          <select
            aria-label="Column to filter"
            value={filter.column ?? ""}
            onChange={(event) =>
              setFilter({ ...filter, column: event.target.value === "" ? null : Number(event.target.value) })
            }
            className="h-7 max-w-44 cursor-pointer rounded-md bg-transparent text-xs font-medium text-ink-2 hover:bg-hover"
          >
            <option value="">every column</option>
            {result.columns.map((column, index) => (
              <option key={index} value={index}>
                {toVisibleString(column.name) || `column ${index + 1}`}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {filter.text === "" ? null : (
        <span role="status" className="num text-xs text-ink-3">
          {toCount(order.length)} of {plural(result.rows.length, "row")}
        </span>
      )}
    </div>
  );
}
