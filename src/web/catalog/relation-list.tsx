import type { Relation } from "../../protocol/catalog.ts";
import { Icon } from "../elements/icon.tsx";
import { Name, VisibleText } from "../elements/visible-text.tsx";
import { TableLink } from "./table-link.tsx";

export interface RelationListProps {
  workspace: string;
  relations: Relation[];
  current: string;
}

/** The ways to join one table to others: what it refers to first, then what refers to it. */
export function RelationList({ workspace, relations, current }: RelationListProps) {
  const out = relations.filter(({ from }) => from === current);
  const into = relations.filter(({ from }) => from !== current);
  return (
    <ul className="mx-5 border-t border-line text-xs">
      {[...out, ...into].map((relation, index) => (
        <li key={index} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line py-1.5">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {relation.fromColumns.map((column, at) => (
              <span key={at} className="block font-mono text-ink">
                <Side workspace={workspace} table={relation.from} column={column} current={current} /> ={" "}
                <Side
                  workspace={workspace}
                  table={relation.to}
                  column={relation.toColumns[at] ?? ""}
                  current={current}
                />
              </span>
            ))}
          </span>
          <span className="ml-auto flex items-center gap-1 text-ink-3">
            <Icon name={relation.origin === "declared" ? "key" : "dash"} className="h-3 w-3" />
            {relation.origin}
            {relation.why ? (
              <>
                : <VisibleText text={relation.why} />
              </>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Side({
  workspace,
  table,
  column,
  current,
}: {
  workspace: string;
  table: string;
  column: string;
  current: string;
}) {
  return (
    <>
      {table === current ? <Name text={table} /> : <TableLink workspace={workspace} table={table} />}.
      <Name text={column} />
    </>
  );
}
