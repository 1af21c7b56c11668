import { useMemo } from "react";
import type { GatePayload } from "../../protocol/gates.ts";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { toCount } from "../elements/numbers.ts";
import { toVisibleString } from "../elements/visible-characters.ts";
import { VisibleText } from "../elements/visible-text.tsx";
import { type JoinFact, type JoinTone, toAfter, toGraphLabel } from "./join-facts.ts";
import {
  comfortable,
  type EdgeEnd,
  footHeight,
  type GraphEdge,
  type GraphNode,
  layoutJoins,
  lostText,
} from "./join-layout.ts";

const tones: Record<JoinTone, { stroke: string; fill: string; text: string; width: number }> = {
  plain: { stroke: "stroke-control", fill: "fill-surface stroke-line-strong", text: "fill-ink-2", width: 1.25 },
  warning: {
    stroke: "stroke-warning-mark",
    fill: "fill-warning-soft stroke-warning-mark",
    text: "fill-warning font-semibold",
    width: 2,
  },
  problem: {
    stroke: "stroke-problem",
    fill: "fill-problem-soft stroke-problem",
    text: "fill-problem font-semibold",
    width: 2,
  },
};

/** The joins as a picture; everything in it also stands in the table below. */
export function JoinGraph({
  facts,
  evidence,
}: {
  facts: JoinFact[];
  evidence: GatePayload<"join-review">["evidence"];
}) {
  const layout = useMemo(() => layoutJoins(facts, evidence.tables), [facts, evidence.tables]);
  const column = (odd: number) =>
    Math.max(
      0,
      ...evidence.checks.filter((_, index) => index % 2 === odd).map((check) => check.text.length * 5.4 + 18),
    );
  const checksWidth = 16 + column(0) + 24 + column(1);
  // The picture stands in the middle of a column that is never narrower than this beside the rail or the sessions.
  const beside = Math.max(0, (comfortable - layout.width) / 2);
  const foot =
    layout.width <= comfortable &&
    layout.freeLeft + beside > checksWidth &&
    layout.freeRight + beside > 272 &&
    evidence.checks.length <= 4;
  return (
    <figure className="px-5">
      <div
        tabIndex={0}
        role="group"
        aria-label="Join graph"
        className="overflow-x-auto rounded-md border border-line bg-sunken"
      >
        <div className="mx-auto" style={{ width: "fit-content", minWidth: layout.width }}>
          <svg
            viewBox={`0 0 ${layout.width} ${layout.height}`}
            width={layout.width}
            height={layout.height}
            className="mx-auto block"
            role="img"
            aria-label={toGraphLabel(facts)}
          >
            {layout.edges.map((edge) => (
              <EdgeView key={edge.fact.n} edge={edge} />
            ))}
            {layout.nodes.map((node) => (
              <NodeView key={node.alias} node={node} />
            ))}
          </svg>
        </div>
        <div
          className={cn(
            "pointer-events-none relative flex flex-wrap justify-between gap-x-8 gap-y-2 px-4 pb-3",
            foot ? "items-end" : "items-start border-t border-line pt-2.5",
          )}
          style={foot ? { marginTop: -footHeight, minHeight: footHeight - 12 } : undefined}
        >
          <ul className="grid grid-cols-[auto_auto] gap-x-6 gap-y-1 text-2xs text-ink-2">
            {evidence.checks.map((check, index) => (
              <li key={index} className="flex items-start gap-1.5">
                <Icon
                  name={check.ok ? "check" : "warning"}
                  className={cn("mt-0.5 h-3 w-3", check.ok ? "text-ok" : "text-warning")}
                  label={check.ok ? "holds" : "does not hold"}
                />
                <span className={cn(!check.ok && "font-medium text-ink")}>
                  <VisibleText text={check.text} />
                </span>
              </li>
            ))}
          </ul>
          <Legend facts={facts} />
        </div>
      </div>
    </figure>
  );
}

function Legend({ facts }: { facts: JoinFact[] }) {
  const line = (className: string, props: { strokeWidth: number; strokeDasharray?: string }) => (
    <svg width="20" height="6" viewBox="0 0 20 6" aria-hidden="true" className="shrink-0">
      <path d="M0 3h20" className={className} {...props} />
    </svg>
  );
  const loud = facts.filter((fact) => fact.tone !== "plain").map((fact) => fact.tone);
  return (
    <ul aria-label="Legend" className="ml-auto grid grid-cols-[auto_auto] gap-x-6 gap-y-1 text-2xs text-ink-3">
      <li className="flex items-center gap-2">{line("stroke-control", { strokeWidth: 1.25 })}declared key</li>
      <li className="flex items-center gap-2">
        {line("stroke-control", { strokeWidth: 1.25, strokeDasharray: "3 3" })}inferred pair
      </li>
      {loud.length > 0 ? (
        <li className="flex items-center gap-2">
          {line(loud.includes("problem") ? "stroke-problem" : "stroke-warning-mark", { strokeWidth: 2.5 })}
          {loud.includes("problem") ? "problem" : "warning"}
        </li>
      ) : null}
      <li className="flex items-center gap-2">
        <span className="min-w-5 text-right font-medium tabular-nums text-ink">{toSample(facts)}</span>rows after the
        join
      </li>
    </ul>
  );
}

const toSample = (facts: JoinFact[]) => {
  const after = facts[0]?.evidence?.after;
  return after === undefined || after > 9999 ? "n" : toCount(after);
};

function NodeView({ node }: { node: GraphNode }) {
  const { x, y, width, height, nameLines, alias, rows } = node;
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width={width} height={height} rx="4" className="fill-surface stroke-line-strong" />
      {nameLines.map((line, index) => (
        <text key={index} x="10" y={18 + 14 * index} className="fill-ink text-xs font-semibold">
          {line}
        </text>
      ))}
      <text x={width - 10} y="18" textAnchor="end" className="fill-ink-3 font-mono text-2xs">
        {toVisibleString(alias)}
      </text>
      <text x="10" y={20 + 14 * nameLines.length} className="fill-ink-3 text-2xs tabular-nums">
        {rows}
      </text>
    </g>
  );
}

function EdgeView({ edge }: { edge: GraphEdge }) {
  const { fact, path, from, to, label, beside } = edge;
  const look = tones[fact.tone];
  const loud = fact.tone !== "plain";
  const allInferred = fact.inferred > 0 && fact.declared === 0;
  const mixed = fact.inferred > 0 && fact.declared > 0;
  const [leftMany, rightMany] = toMany(fact);
  const vertical = beside !== "none";
  return (
    <g>
      <g className={look.stroke} strokeWidth={look.width} fill="none">
        <path d={path} strokeDasharray={allInferred ? "4 3" : undefined} />
        {mixed ? (
          <path
            d={path}
            transform={vertical ? "translate(5 0)" : "translate(0 5)"}
            strokeDasharray="3 3"
            strokeWidth={1.25}
          />
        ) : null}
        {fact.evidence && fact.evidence.cardinality !== "none" ? (
          <>
            <EndMark end={from} many={leftMany} />
            <EndMark end={to} many={rightMany} />
          </>
        ) : null}
      </g>
      <g transform={`translate(${label.x} ${label.y})`}>
        <circle r="8.5" className={look.fill} />
        <text y="4" textAnchor="middle" className={cn("text-2xs font-semibold tabular-nums", look.text)}>
          {fact.n}
        </text>
      </g>
      <EdgeWords edge={edge} textClass={look.text} loud={loud} />
    </g>
  );
}

function EdgeWords({ edge, textClass, loud }: { edge: GraphEdge; textClass: string; loud: boolean }) {
  const { fact, label, beside } = edge;
  const type = fact.decision.type === "INNER" ? "" : `${fact.decision.type} `;
  const card =
    `${type}${fact.evidence && fact.evidence.cardinality !== "none" ? fact.evidence.cardinality : ""}`.trim();
  const after = fact.evidence ? toAfter(fact.evidence) : "";
  const lost = lostText(fact);
  if (beside !== "none") {
    const sign = beside === "left" ? -1 : 1;
    const x = label.x + 16 * sign;
    const anchor = beside === "left" ? "end" : "start";
    const first = label.y - (lost ? 10 : 3);
    return (
      <>
        {loud ? (
          <Triangle x={x + sign * (card.length * 6.7 + 6) - (sign < 0 ? 12 : 0)} y={first - 10} tone={fact.tone} />
        ) : null}
        <text x={x} y={first} textAnchor={anchor} className={cn("font-mono text-2xs", textClass)}>
          {card}
        </text>
        <text x={x} y={first + 15} textAnchor={anchor} className="fill-ink text-2xs font-medium tabular-nums">
          {after}
        </text>
        {lost ? (
          <text x={x} y={first + 29} textAnchor={anchor} className="fill-notice text-2xs tabular-nums">
            {lost}
          </text>
        ) : null}
      </>
    );
  }
  const middle = label.x + (loud ? 8 : 0);
  return (
    <>
      {loud ? <Triangle x={middle - (card.length * 6.7) / 2 - 17} y={label.y - 25} tone={fact.tone} /> : null}
      <text x={middle} y={label.y - 15} textAnchor="middle" className={cn("font-mono text-2xs", textClass)}>
        {card}
      </text>
      <text x={label.x} y={label.y + 24} textAnchor="middle" className="fill-ink text-2xs font-medium tabular-nums">
        {after}
      </text>
      {lost ? (
        <text x={label.x} y={label.y + 38} textAnchor="middle" className="fill-notice text-2xs tabular-nums">
          {lost}
        </text>
      ) : null}
    </>
  );
}

const Triangle = ({ x, y, tone }: { x: number; y: number; tone: JoinTone }) => (
  <g
    transform={`translate(${x} ${y})`}
    className={tone === "problem" ? "stroke-problem" : "stroke-warning"}
    fill="none"
    strokeWidth="1.3"
    strokeLinejoin="round"
    strokeLinecap="round"
  >
    <path d="M6 1 11.5 10.5H.5z" />
    <path d="M6 4.5v2.5M6 8.8v.1" />
  </g>
);

/** Crow's foot for many, a bar for one. */
function EndMark({ end: { x, y, dx, dy }, many }: { end: EdgeEnd; many: boolean }) {
  const at = (along: number, across: number) => `${x - along * dx + across * dy} ${y - along * dy + across * dx}`;
  return many ? <path d={`M${at(0, -5)}L${at(9, 0)}L${at(0, 5)}`} /> : <path d={`M${at(6, -5)}L${at(6, 5)}`} />;
}

/** Whether several rows of the left, of the right side meet one of the other. */
function toMany(fact: JoinFact): [boolean, boolean] {
  const [left, right] = (fact.evidence?.cardinality ?? "none").split(":");
  return [left === "N", right === "N" || right === "M"];
}
