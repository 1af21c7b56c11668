import { type MouseEvent, useMemo } from "react";
import type { Relation, Table } from "../../protocol/catalog.ts";
import { catalogPath, navigate } from "../route.ts";
import { layoutRelations, type RelationEdge, type RelationEnd, type RelationNode } from "./relation-layout.ts";

export interface RelationPictureProps {
  workspace: string;
  label: string;
  tables: Table[];
  relations: Relation[];
  /** The table that is looked at, if one is. */
  current?: string;
}

/** Everything in the picture also stands in the list below it; its tables lead to their own page. */
export function RelationPicture({ workspace, label, tables, relations, current }: RelationPictureProps) {
  const layout = useMemo(() => layoutRelations(tables, relations), [tables, relations]);
  const kinds = new Set(layout.edges.map(({ relation }) => relation.origin));
  return (
    <figure className="px-5">
      <div
        tabIndex={0}
        role="group"
        aria-label={label}
        className="max-h-[480px] overflow-auto rounded-md border border-line bg-sunken"
      >
        <svg
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          width={layout.width}
          height={layout.height}
          className="mx-auto block"
          aria-label={label}
          role="group"
        >
          {layout.edges.map((edge, index) => (
            <EdgeView key={index} edge={edge} loud={isOf(edge.relation, current)} />
          ))}
          {layout.nodes.map((node) => (
            <NodeView key={node.name} node={node} workspace={workspace} current={node.name === current} />
          ))}
        </svg>
      </div>
      <figcaption className="flex flex-wrap gap-x-5 gap-y-1 px-1 pt-1.5 text-2xs text-ink-3">
        {kinds.has("declared") ? <Legend>declared key</Legend> : null}
        {kinds.has("inferred") ? <Legend dashed>inferred from names and values</Legend> : null}
        <span>the forked end is the referring side</span>
      </figcaption>
    </figure>
  );
}

const isOf = ({ from, to }: Relation, name: string | undefined): boolean => from === name || to === name;

function Legend({ dashed, children }: { dashed?: boolean; children: string }) {
  return (
    <span className="flex items-center gap-2">
      <svg width="20" height="6" viewBox="0 0 20 6" aria-hidden="true" className="shrink-0">
        <path d="M0 3h20" className="stroke-control" strokeWidth={1.25} strokeDasharray={dashed ? "4 3" : undefined} />
      </svg>
      {children}
    </span>
  );
}

function NodeView({ node, workspace, current }: { node: RelationNode; workspace: string; current: boolean }) {
  const { name, lines, rows, x, y, width, height } = node;
  const href = catalogPath(workspace, name);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a href={href} onClick={open} aria-current={current ? "true" : undefined} className="group/node outline-none">
      <g transform={`translate(${x} ${y})`}>
        <rect
          width={width}
          height={height}
          rx="4"
          strokeWidth={current ? 2 : 1}
          className={
            current
              ? "fill-accent-soft stroke-accent"
              : "fill-surface stroke-line-strong group-hover/node:stroke-control group-focus-visible/node:stroke-accent"
          }
        />
        {lines.map((line, index) => (
          <text key={index} x="10" y={18 + 14 * index} className="fill-ink text-xs font-semibold">
            {line}
          </text>
        ))}
        <text x="10" y={20 + 14 * lines.length} className="fill-ink-3 text-2xs tabular-nums">
          {rows}
        </text>
      </g>
    </a>
  );
}

function EdgeView({ edge, loud }: { edge: RelationEdge; loud: boolean }) {
  const { relation, path, from, to } = edge;
  return (
    <g className={loud ? "stroke-ink-2" : "stroke-control"} strokeWidth={1.25} fill="none">
      <title>{toRelationText(relation)}</title>
      <path d={path} strokeDasharray={relation.origin === "inferred" ? "4 3" : undefined} />
      <path d={toFork(from)} />
      <path d={`M${to.x - 6 * to.dx} ${to.y - 5}V${to.y + 5}`} />
    </g>
  );
}

const toFork = ({ x, y, dx }: RelationEnd): string => `M${x} ${y - 5}L${x - 9 * dx} ${y}L${x} ${y + 5}`;

/** `Album.ArtistId = Artist.ArtistId`, pair by pair. */
export const toRelationText = ({ from, fromColumns, to, toColumns }: Relation): string =>
  fromColumns.map((column, index) => `${from}.${column} = ${to}.${toColumns[index] ?? ""}`).join(" and ");
