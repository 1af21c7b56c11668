import { useId } from "react";
import type { Column, Relation, Table } from "../../protocol/catalog.ts";
import { Icon } from "../elements/icon.tsx";
import { plural, toCount } from "../elements/numbers.ts";
import { Name, Value } from "../elements/visible-text.tsx";
import { DescriptionField, type DescriptionFieldProps } from "./description-field.tsx";
import { TableLink } from "./table-link.tsx";

export interface ColumnTableProps {
  workspace: string;
  table: Table;
  relations: Relation[];
  /** A column that was searched for. */
  column: string | null;
  save: (column: string, description: string, before: string) => Promise<void>;
  refresh: DescriptionFieldProps["refresh"];
}

const samplesShown = 5;

export function ColumnTable({ workspace, table, relations, column: wanted, save, refresh }: ColumnTableProps) {
  return (
    <div className="px-5">
      <div className="overflow-x-auto rounded-md border border-line" tabIndex={0} role="group" aria-label="Columns">
        <table className="num w-full min-w-[640px] table-fixed text-xs">
          <thead>
            <tr className="border-b border-line bg-sunken text-left">
              <th className="th w-[28%] px-3 py-1">Column</th>
              <th className="th w-[13%] px-2 py-1 text-right">Distinct</th>
              <th className="th w-[23%] px-2 py-1">Stored values</th>
              <th className="th px-3 py-1">Description</th>
            </tr>
          </thead>
          <tbody>
            {table.columns.map((column) => (
              <ColumnRow
                key={column.name}
                workspace={workspace}
                table={table}
                column={column}
                relations={relations}
                wanted={column.name === wanted}
                save={save}
                refresh={refresh}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const bringIntoView = (row: HTMLTableRowElement | null) => row?.scrollIntoView({ block: "center" });

interface ColumnRowProps extends Omit<ColumnTableProps, "column"> {
  column: Column;
  wanted: boolean;
}

function ColumnRow({ workspace, table, column, relations, wanted, save, refresh }: ColumnRowProps) {
  const nameId = useId();
  return (
    <tr
      ref={wanted ? bringIntoView : undefined}
      className={`border-b border-line align-top last:border-b-0 ${wanted ? "bg-accent-soft" : ""}`}
    >
      <td className="px-3 py-1.5">
        <span id={nameId} className="font-mono font-medium text-ink [overflow-wrap:anywhere]">
          <Name text={column.name} />
        </span>
        <span className="block font-mono text-2xs text-ink-3 [overflow-wrap:anywhere]">
          {column.type || "no type"}
          {column.nullable ? "" : " not null"}
          {column.dateFormat ? ` · ${column.dateFormat}` : ""}
        </span>
        <Keys workspace={workspace} table={table} column={column} relations={relations} />
      </td>
      <td className="px-2 py-1.5 text-right text-ink-2">
        {column.distinct === undefined ? <span className="text-ink-3">not counted</span> : toCount(column.distinct)}
        {column.nulls ? <span className="block text-2xs text-ink-3">{toCount(column.nulls)} NULL</span> : null}
      </td>
      <td className="px-2 py-1.5 text-ink-2 [overflow-wrap:anywhere]">
        {column.samples.length === 0 ? <span className="text-ink-3">–</span> : null}
        <span className="line-clamp-2">
          {column.samples.slice(0, samplesShown).map((sample, index) => (
            <span key={index}>
              {index > 0 ? <span className="text-ink-3"> · </span> : null}
              {sample === "" ? <span className="text-ink-3">empty</span> : <Value text={sample} />}
            </span>
          ))}
        </span>
      </td>
      <td className="px-3 py-1.5">
        <DescriptionField
          labelledBy={nameId}
          comment={column.comment}
          described={column.described}
          save={(description, before) => save(column.name, description, before)}
          refresh={refresh}
        />
      </td>
    </tr>
  );
}

/** What the column is part of: each mark is a sign and a word. */
function Keys({
  workspace,
  table,
  column,
  relations,
}: Pick<ColumnRowProps, "workspace" | "table" | "column" | "relations">) {
  const { name } = column;
  const unique = table.unique.filter((key) => key.includes(name));
  const out = relations.filter(({ from, fromColumns }) => from === table.name && fromColumns.includes(name));
  if (!table.primaryKey.includes(name) && unique.length === 0 && out.length === 0) return null;
  const partOf = (key: string[]) => (key.length > 1 ? `, with ${plural(key.length - 1, "other")}` : "");
  return (
    <ul className="mt-0.5 space-y-0.5 text-2xs text-ink-2">
      {table.primaryKey.includes(name) ? (
        <li className="flex items-center gap-1">
          <Icon name="key" className="h-3 w-3 text-ink-3" />
          primary key{partOf(table.primaryKey)}
        </li>
      ) : null}
      {unique.map((key, index) => (
        <li key={index} className="flex items-center gap-1">
          <Icon name="check" className="h-3 w-3 text-ink-3" />
          unique{partOf(key)}
        </li>
      ))}
      {out.map((relation, index) => (
        <li key={index} className="flex items-start gap-1">
          <Icon name={relation.origin === "declared" ? "link" : "dash"} className="mt-0.5 h-3 w-3 text-ink-3" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {relation.origin === "declared" ? "refers to " : "seems to refer to "}
            <TableLink workspace={workspace} table={relation.to} />
          </span>
        </li>
      ))}
    </ul>
  );
}
