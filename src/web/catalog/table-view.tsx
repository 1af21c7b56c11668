import { useId, useMemo } from "react";
import type { Catalog, Table } from "../../protocol/catalog.ts";
import { plural, toCount } from "../elements/numbers.ts";
import { Section } from "../elements/section.tsx";
import { Name } from "../elements/visible-text.tsx";
import { ColumnTable } from "./column-table.tsx";
import { DescriptionField, type DescriptionFieldProps } from "./description-field.tsx";
import { FirstRows } from "./first-rows.tsx";
import { RelationList } from "./relation-list.tsx";
import { RelationPicture } from "./relation-picture.tsx";

export interface TableViewProps {
  workspace: string;
  catalog: Catalog;
  table: Table;
  column: string | null;
  save: (of: { table: string; column?: string }, description: string, before: string) => Promise<void>;
  refresh: DescriptionFieldProps["refresh"];
}

/** A hub of a hundred tables is no picture any more; the list below has them all. */
const mostNeighbours = 24;

export function TableView({ workspace, catalog, table, column, save, refresh }: TableViewProps) {
  const titleId = useId();
  const relations = useMemo(
    () => catalog.relations.filter(({ from, to }) => from === table.name || to === table.name),
    [catalog, table],
  );
  const neighbours = useMemo(
    () => [...new Set(relations.flatMap(({ from, to }) => [from, to]))].filter((name) => name !== table.name),
    [relations, table],
  );
  const drawn = useMemo(() => {
    const names = new Set([table.name, ...neighbours.slice(0, mostNeighbours)]);
    return catalog.tables.filter(({ name }) => names.has(name));
  }, [catalog, table, neighbours]);
  return (
    <>
      <div className="px-5 pb-2 pt-3">
        <h1 id={titleId} className="font-mono text-lg font-semibold [overflow-wrap:anywhere]">
          <Name text={table.name} />
        </h1>
        <p className="num text-xs text-ink-3">
          {table.kind} · {plural(table.columns.length, "column")} · {table.rowsEstimated ? "about " : ""}
          {plural(table.rows, "row")}
          {relations.length > 0 ? ` · ${plural(relations.length, "way", "ways")} to join it` : ""}
        </p>
        <DescriptionField
          labelledBy={titleId}
          comment={table.comment}
          described={table.described}
          save={(description, before) => save({ table: table.name }, description, before)}
          refresh={refresh}
          emptyWords="Not described yet"
          className="mt-1.5 w-fit max-w-[96ch] text-sm"
        />
      </div>
      <Section title="Columns" right={<span>{toCount(table.columns.length)}</span>}>
        <ColumnTable
          workspace={workspace}
          table={table}
          relations={relations}
          column={column}
          save={(name, description, before) => save({ table: table.name, column: name }, description, before)}
          refresh={refresh}
        />
      </Section>
      <Section
        title="Relations"
        right={
          neighbours.length > mostNeighbours ? (
            <span className="num">
              {mostNeighbours} of {toCount(neighbours.length)} tables are drawn, all are listed
            </span>
          ) : null
        }
      >
        {relations.length === 0 ? (
          <p className="px-5 text-xs text-ink-3">
            No key is declared to or from this table, and no column’s name and values suggest one.
          </p>
        ) : (
          <>
            {neighbours.length > 0 ? (
              <RelationPicture
                workspace={workspace}
                label={`How ${table.name} joins to other tables`}
                tables={drawn}
                relations={relations}
                current={table.name}
              />
            ) : null}
            <div className="h-2" />
            <RelationList workspace={workspace} relations={relations} current={table.name} />
          </>
        )}
      </Section>
      <Section title="First rows" className="pb-6">
        <FirstRows workspace={workspace} table={table.name} />
      </Section>
    </>
  );
}
