import { Fragment } from "react";
import type { ColumnDecision, TableDecision } from "../../protocol/decisions.ts";
import type { TableEvidence } from "../../protocol/evidence.ts";
import { cn } from "../elements/class-names.ts";
import { toCount, toPercent } from "../elements/numbers.ts";
import { Name, Value, VisibleText } from "../elements/visible-text.tsx";

interface TableRow {
  table: string;
  use: TableEvidence["use"];
  reason: string;
  /** Undefined when nothing was measured. */
  rows: number | undefined;
  columns: TableEvidence["columns"];
}

/** Evidence where there is some, otherwise what was proposed; a proposed table without evidence must not vanish. */
export function toTableRows(tables: TableDecision[], columns: ColumnDecision[], evidence: TableEvidence[]): TableRow[] {
  const named = [
    ...new Set([
      ...evidence.map((table) => table.table),
      ...tables.map((table) => table.table),
      ...columns.map((column) => column.table),
    ]),
  ];
  return named.map((name) => {
    const measured = evidence.find((table) => table.table === name);
    const decided = tables.find((table) => table.table === name);
    const known = new Set(measured?.columns.map((column) => column.name));
    const unmeasured = columns
      .filter((column) => column.table === name && !known.has(column.column))
      .map((column) => ({
        name: column.column,
        type: "",
        role: column.role,
        reason: column.reason,
        filled: -1,
        distinct: -1,
        samples: [],
      }));
    return {
      table: name,
      use: measured?.use ?? decided?.use ?? "used",
      reason: measured?.reason || decided?.reason || "",
      rows: measured?.rows,
      columns: [...(measured?.columns ?? []), ...unmeasured],
    };
  });
}

export function TableList({
  tables,
  columns,
  evidence,
}: {
  tables: TableDecision[];
  columns: ColumnDecision[];
  evidence: TableEvidence[];
}) {
  const rows = toTableRows(tables, columns, evidence);
  const used = rows.filter((row) => row.use === "used");
  const left = rows.filter((row) => row.use === "left-out");
  const headAt = used.findIndex((row) => row.columns.some((column) => column.role !== "key"));
  return (
    <>
      {used.length > 0 ? (
        <div className="mx-5 overflow-hidden rounded-md border border-line">
          {used.map((row, index) => (
            <UsedTable key={row.table} row={row} hasHead={index === headAt} />
          ))}
        </div>
      ) : null}
      {left.length > 0 ? <LeftOut rows={left} /> : null}
    </>
  );
}

/** What the question asks of the data first; a key only carries the join that F3 shows. */
const roleOrder = ["output", "measure", "group", "filter", "order"];

function toColumns(columns: TableRow["columns"]): { told: TableRow["columns"]; keys: TableRow["columns"] } {
  const rank = (column: TableRow["columns"][number]) => {
    const at = roleOrder.indexOf(column.role ?? "");
    return at < 0 ? roleOrder.length : at;
  };
  return {
    told: columns.filter((column) => column.role !== "key").toSorted((a, b) => rank(a) - rank(b)),
    keys: columns.filter((column) => column.role === "key"),
  };
}

function UsedTable({ row, hasHead }: { row: TableRow; hasHead: boolean }) {
  const { told, keys } = toColumns(row.columns);
  return (
    <section aria-label={`Table ${row.table}`} className="border-b border-line last:border-b-0">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 bg-sunken px-3 py-2">
        <h3 className="text-sm font-semibold [overflow-wrap:anywhere]">
          <Name text={row.table} />
        </h3>
        <p className="min-w-0 max-w-[84ch] flex-1 text-xs max-md:order-last max-md:basis-full md:basis-64 text-ink-2 [overflow-wrap:anywhere]">
          <VisibleText text={row.reason} />
        </p>
        {row.rows === undefined ? null : (
          <span className="ml-auto whitespace-nowrap text-xs tabular-nums text-ink-2">
            <strong className="font-semibold text-ink">{toCount(row.rows)}</strong> {row.rows === 1 ? "row" : "rows"}
          </span>
        )}
      </div>
      {told.length > 0 ? (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={`Columns of ${row.table}`}>
          <table className="w-full tabular-nums max-md:block md:table-fixed">
            <colgroup className="max-md:hidden">
              <col className="w-[29%]" />
              <col className="w-20" />
              <col className="w-[92px]" />
              <col className="w-20" />
              <col />
            </colgroup>
            <thead className={hasHead ? "max-md:sr-only" : "sr-only"}>
              <tr className="border-t border-line text-left text-2xs text-ink-3">
                <th scope="col" className="px-3 py-1 font-medium">
                  Column
                </th>
                <th scope="col" className="px-2 font-medium">
                  Role
                </th>
                <th scope="col" className="px-2 text-right font-medium">
                  Filled
                </th>
                <th scope="col" className="px-2 text-right font-medium">
                  Distinct
                </th>
                <th scope="col" className="px-3 font-medium">
                  For, and first values
                </th>
              </tr>
            </thead>
            <tbody className="max-md:block">
              {told.map((column) => (
                <ColumnRow key={column.name} column={column} rows={row.rows ?? 0} />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {keys.length > 0 ? <Keys keys={keys} /> : null}
    </section>
  );
}

/** All keys of a table on one line. */
function Keys({ keys }: { keys: TableRow["columns"] }) {
  return (
    <p className="border-t border-line px-3 py-1.5 text-xs text-ink-3 [overflow-wrap:anywhere]">
      {keys.length === 1 ? "key: " : "keys: "}
      {keys.map((column, index) => (
        <span key={column.name} title={column.reason}>
          {index > 0 ? ", " : ""}
          <span className="font-mono text-ink-2">
            <Name text={column.name} />
          </span>
        </span>
      ))}
    </p>
  );
}

const cell = "max-md:block max-md:px-3 max-md:py-0 md:px-2 md:py-[5px]";
/** On a narrow screen these share one line below the name. */
const short = "max-md:inline max-md:pl-3 max-md:py-0 md:px-2 md:py-[5px]";

function ColumnRow({ column, rows }: { column: TableEvidence["columns"][number]; rows: number }) {
  const measured = column.filled >= 0;
  const share = toPercent(column.filled, rows);
  return (
    <tr className="border-t border-line align-baseline max-md:block max-md:py-2">
      <td className={cn(cell, "md:pl-3 [overflow-wrap:anywhere]")}>
        <span className="font-mono text-xs font-medium text-ink">
          <Name text={column.name} />
        </span>{" "}
        <span className="font-mono text-2xs text-ink-3">
          <VisibleText text={column.type} />
        </span>
      </td>
      <td className={cn(short, "text-xs text-ink-2")}>
        <VisibleText text={column.role ?? ""} />
      </td>
      <td
        className={cn(
          short,
          "whitespace-nowrap text-xs md:text-right",
          share.value === 100 ? "text-ink-3" : "font-medium text-notice",
        )}
      >
        {measured && rows > 0 ? (
          <>
            <span className="mr-1 text-ink-3 md:hidden">filled</span>
            {share.text}
          </>
        ) : (
          ""
        )}
      </td>
      <td className={cn(short, "text-xs text-ink-2 md:text-right")}>
        {measured ? (
          <>
            <span className="mr-1 text-ink-3 md:hidden">distinct</span>
            {toCount(column.distinct)}
          </>
        ) : (
          ""
        )}
      </td>
      <td className={cn(cell, "md:px-3 [overflow-wrap:anywhere]")}>
        {column.reason ? (
          <span className="block text-xs text-ink-2">
            <VisibleText text={column.reason} />
          </span>
        ) : null}
        {column.samples.length > 0 ? (
          <span className="block text-xs text-ink-3">
            {column.samples.map((sample, index) => (
              <Fragment key={index}>
                {index > 0 ? <span className="text-ink-3">, </span> : null}
                <span className="font-mono text-2xs">{sample === "" ? "empty" : <Value text={sample} />}</span>
              </Fragment>
            ))}
          </span>
        ) : null}
      </td>
    </tr>
  );
}

function LeftOut({ rows }: { rows: TableRow[] }) {
  return (
    <section aria-label="Left out" className="mx-5 overflow-hidden rounded-md border border-line">
      <h3 className="border-b border-line bg-sunken px-3 py-1.5 text-xs font-medium text-ink-2">Left out</h3>
      <ul>
        {rows.map((row) => (
          <li
            key={row.table}
            className="border-b border-line px-3 py-1.5 text-xs last:border-b-0 md:grid md:grid-cols-[29%_minmax(0,1fr)_auto] md:gap-3"
          >
            <span className="font-medium text-ink-2 [overflow-wrap:anywhere]">
              <Name text={row.table} />
            </span>
            <span className="text-ink-2 [overflow-wrap:anywhere] max-md:block">
              <VisibleText text={row.reason} />
            </span>
            <span className="tabular-nums text-ink-3">
              {row.rows === undefined ? "" : `${toCount(row.rows)} ${row.rows === 1 ? "row" : "rows"}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
