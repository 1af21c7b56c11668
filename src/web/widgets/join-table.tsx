import type { ReactNode } from "react";
import type { JoinEvidence } from "../../protocol/evidence.ts";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { toChange, toCount, toPercent } from "../elements/numbers.ts";
import { Tag } from "../elements/tag.tsx";
import { Name, VisibleText } from "../elements/visible-text.tsx";
import { type JoinFact, toAfter, toMax } from "./join-facts.ts";

const heads = ["Left", "Type", "Right", "Origin", "Measured", "Rows matched", "Left out", "Before → after"];
/** One rhythm for all lines of a row, so that a pair's two columns and its origin stand on one line. */
const line = "leading-[18px]";
const cell = "flex items-baseline gap-2 px-3 lg:block lg:px-2";
/** Left, type, right and origin share the row's lines, so that a long name that wraps keeps its pair together. */
const shared = "lg:grid lg:grid-rows-subgrid lg:gap-0";

/** Every figure of every join: a grid where there is room, label and value below each other where there isn't. */
export function JoinTable({ facts }: { facts: JoinFact[] }) {
  return (
    <div
      role="table"
      aria-label="Joins"
      className="mx-5 mt-2.5 overflow-hidden rounded-md border border-line tabular-nums"
    >
      <div role="row" className="hidden grid-cols-joins border-b border-line bg-sunken py-1 lg:grid">
        <span role="columnheader" className="sr-only">
          Join
        </span>
        <span aria-hidden="true" />
        {heads.map((head, index) => (
          <span
            key={head}
            role="columnheader"
            className={cn(
              "whitespace-nowrap px-2 text-2xs font-medium text-ink-3",
              index >= 6 && "text-right",
              index === 7 && "pr-3",
            )}
          >
            {head}
          </span>
        ))}
      </div>
      {facts.map((fact) => (
        <JoinRow key={fact.n} fact={fact} />
      ))}
    </div>
  );
}

const rowTones = { plain: "", warning: "bg-warning-soft/60", problem: "bg-problem-soft/60" };
const inkTones = { plain: "text-ink-3", warning: "text-warning", problem: "text-problem" };

function JoinRow({ fact }: { fact: JoinFact }) {
  const { n, decision, evidence, tone } = fact;
  const loud = tone !== "plain";
  const pairs = toPairs(fact);
  const ink = inkTones[tone];
  // One line for the names, one per pair, and one that takes what other cells need more.
  const lines = { gridRow: `span ${pairs.length + 1}` };
  return (
    <div
      role="row"
      id={`join-${n}`}
      className={cn(
        "relative border-b border-line py-2 last:border-b-0 lg:grid lg:grid-cols-joins lg:py-[5px]",
        rowTones[tone],
      )}
      style={{ gridTemplateRows: `repeat(${Math.max(2, pairs.length + 1)}, max-content) 1fr` }}
    >
      {loud ? (
        <span
          aria-hidden="true"
          className={cn("absolute inset-y-0 left-0 w-[3px]", tone === "problem" ? "bg-problem" : "bg-warning-mark")}
        />
      ) : null}
      <span role="cell" style={rest(pairs.length)} className={cn("hidden pl-3 font-semibold lg:block", line, ink)}>
        {n}
      </span>
      <span role="cell" style={lines} className={cn("block px-3 lg:pl-2 lg:pr-0", shared)}>
        <span className="flex flex-wrap items-center gap-x-1.5 lg:hidden">
          <span className={cn("text-sm font-semibold", ink)}>{n}</span>
          <SideName side={decision.left} />
          <span className="text-xs text-ink-2">{decision.type}</span>
          <SideName side={decision.right} />
          {loud ? (
            <span className="ml-auto">
              <Tag tone={tone}>{tone === "problem" ? "Problem" : "Warning"}</Tag>
            </span>
          ) : null}
        </span>
        <span className={cn("hidden lg:block", line)}>
          <SideName side={decision.left} />
        </span>
        {pairs.map((pair, index) => (
          <span key={index} className={cn("block", line)}>
            <Column name={pair.left} type={pair.leftType} />
            <span className="lg:hidden">
              {" "}
              <span className="text-ink-3">=</span> <Column name={pair.right} type={pair.rightType} />
            </span>
          </span>
        ))}
      </span>
      <span role="cell" style={lines} className={cn("hidden pl-2 pr-0", shared)}>
        <span className={cn("block text-xs font-medium text-ink-2", line)}>{decision.type}</span>
        {pairs.map((_, index) => (
          <span key={index} className={cn("block font-mono text-xs text-ink-3", line)}>
            =
          </span>
        ))}
      </span>
      <span role="cell" style={lines} className={cn("hidden pl-2 pr-0", shared)}>
        <span className={cn("block", line)}>
          <SideName side={decision.right} />
        </span>
        {pairs.map((pair, index) => (
          <span key={index} className={cn("block", line)}>
            <Column name={pair.right} type={pair.rightType} />
          </span>
        ))}
      </span>
      <span role="cell" style={lines} className={cn("mt-1 lg:mt-0", cell, "items-start", shared)}>
        <Label>Origin</Label>
        <span aria-hidden="true" className={cn("hidden lg:block", line)}>
          &nbsp;
        </span>
        <span className="flex flex-wrap gap-x-2 lg:contents">
          {pairs.map((pair, index) => (
            <Origin key={index} pair={pair} />
          ))}
          {pairs.length === 0 ? <span className={cn("block text-xs text-notice", line)}>no key pair</span> : null}
        </span>
      </span>
      {evidence ? (
        <Figures fact={fact} evidence={evidence} span={rest(pairs.length)} />
      ) : (
        <span role="cell" style={rest(pairs.length)} className="px-3 text-xs text-ink-3 lg:col-span-4 lg:px-2">
          not measured
        </span>
      )}
    </div>
  );
}

const rest = (pairs: number) => ({ gridRow: `span ${Math.max(2, pairs + 1) + 1}` });

function Figures({ fact, evidence, span }: { fact: JoinFact; evidence: JoinEvidence; span: { gridRow: string } }) {
  const { decision, tone, leftOut } = fact;
  const sides = [
    { alias: decision.left.alias, matched: evidence.leftMatched, rows: evidence.leftRows },
    { alias: decision.right.alias, matched: evidence.rightMatched, rows: evidence.rightRows },
  ];
  return (
    <>
      <span role="cell" style={span} className={cell}>
        <Label>Measured</Label>
        <span
          className={cn(
            "font-mono text-xs lg:block",
            line,
            tone === "plain" ? "text-ink" : cn("font-semibold", inkTones[tone]),
          )}
        >
          {evidence.cardinality === "none" ? "no match" : evidence.cardinality}
        </span>
        <span className={cn("whitespace-nowrap text-2xs text-ink-3 lg:block", line)}>{toMax(evidence)}</span>
        {evidence.estimated ? (
          <span className={cn("whitespace-nowrap text-2xs text-notice lg:block", line)}>estimated</span>
        ) : null}
      </span>
      <span role="cell" style={span} className={cell}>
        <Label>Match</Label>
        <span className="flex min-w-0 flex-wrap gap-x-3 lg:block">
          {sides.map((side, index) => (
            <Matched key={index} {...side} />
          ))}
        </span>
      </span>
      <span role="cell" style={span} className={cn(cell, "lg:text-right")}>
        <Label>Left out</Label>
        {leftOut.length === 0 ? <span className={cn("text-sm text-ink-3 lg:block", line)}>0</span> : null}
        {leftOut.map((side) => (
          <span key={side.alias} className="lg:block">
            <span className={cn("text-sm font-medium text-notice lg:block", line)}>{toCount(side.rows)}</span>
            <span className={cn("ml-1 text-2xs text-ink-3 lg:ml-0 lg:block", line)}>
              of <span className="font-mono">{side.alias}</span>
            </span>
          </span>
        ))}
      </span>
      <span role="cell" style={span} className={cn(cell, "lg:pr-3 lg:text-right")}>
        <Label>Rows</Label>
        <span
          className={cn(
            "text-sm lg:-ml-4 lg:block",
            line,
            toCount(evidence.before).length + toCount(evidence.after).length < 13 && "whitespace-nowrap",
          )}
        >
          <span className="whitespace-nowrap text-ink-3">{toCount(evidence.before)} →</span>{" "}
          <span className="font-medium">{toAfter(evidence)}</span>
        </span>
        <span className={cn("text-2xs text-ink-3 lg:block", line)}>{toChange(evidence.after - evidence.before)}</span>
      </span>
    </>
  );
}

const Label = ({ children }: { children: ReactNode }) => (
  <span className={cn("w-20 shrink-0 text-xs text-ink-3 lg:hidden", line)}>{children}</span>
);

const SideName = ({ side }: { side: JoinFact["decision"]["left"] }) => (
  <span className="[overflow-wrap:anywhere]">
    <span className="font-medium">
      <Name text={side.table} />
    </span>{" "}
    <span className="font-mono text-xs text-ink-3">
      <VisibleText text={side.alias} />
    </span>
    {side.role ? (
      <span className="text-xs text-ink-2">
        {" "}
        <VisibleText text={side.role} />
      </span>
    ) : null}
  </span>
);

const Column = ({ name, type }: { name: string; type: string }) => (
  <span className="[overflow-wrap:anywhere]">
    <span className="font-mono text-xs text-ink">
      <Name text={name} />
    </span>{" "}
    <span className="font-mono text-2xs text-ink-3">
      <VisibleText text={type} />
    </span>
  </span>
);

function Origin({ pair }: { pair: JoinEvidence["pairs"][number] }) {
  const declared = pair.origin === "declared";
  return (
    <span
      className={cn(
        "inline-flex items-center gap-1 text-xs lg:flex lg:h-[18px] lg:self-start",
        line,
        declared ? "text-ink-2" : "text-notice",
      )}
      title={declared ? undefined : pair.why}
    >
      <Icon name={declared ? "key" : "dash"} className={cn("h-3.5 w-3.5", declared && "text-ink-3")} />
      {pair.origin}
      {!declared && pair.why ? <span className="sr-only">: {pair.why}</span> : null}
    </span>
  );
}

function Matched({ alias, matched, rows }: { alias: string; matched: number; rows: number }) {
  const share = toPercent(matched, rows);
  const whole = share.value === 100 || rows === 0;
  return (
    <span
      className={cn("flex items-center whitespace-nowrap text-xs", line, whole ? "text-ink-2" : "font-medium text-ink")}
      title={`${toCount(matched)} of ${toCount(rows)} rows`}
    >
      <span className="mr-1 inline-block min-w-3.5 font-mono text-2xs font-normal text-ink-3">{alias}</span>
      <span aria-hidden="true" className="mr-1 inline-block h-1.5 w-9 shrink-0 overflow-hidden rounded-full bg-line">
        <span
          className={cn("block h-full", whole ? "bg-control/60" : "bg-notice")}
          style={{ width: `${share.value}%` }}
        />
      </span>
      {share.text}
    </span>
  );
}

/** The pairs as proposed, with what was measured of each; a pair without figures still appears. */
function toPairs({ decision, evidence }: JoinFact): JoinEvidence["pairs"] {
  return decision.pairs.map((pair, index) => {
    const at = evidence?.pairs[index];
    const found =
      at && at.left === pair.left && at.right === pair.right
        ? at
        : evidence?.pairs.find((other) => other.left === pair.left && other.right === pair.right);
    return found ?? { left: pair.left, leftType: "", right: pair.right, rightType: "", origin: "inferred" };
  });
}
