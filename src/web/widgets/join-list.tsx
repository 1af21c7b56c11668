import type { JoinSetEvidence } from "../../protocol/evidence.ts";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { toCount } from "../elements/numbers.ts";
import { Name, VisibleText } from "../elements/visible-text.tsx";
import { flip, type JoinFact, toAfter, toGraphLabel, toLeftOutTotal } from "./join-facts.ts";
import { type TreeEdge, type TreeNode, toJoinTree } from "./join-tree.ts";

/** The join graph for a narrow screen: tables from top to bottom, short branches beside or indented. */
export function JoinList({
  facts,
  evidence,
  className,
}: {
  facts: JoinFact[];
  evidence: JoinSetEvidence;
  className?: string;
}) {
  const rows = new Map(evidence.tables.map((table) => [table.alias, table.rows]));
  return (
    <div
      className={cn("mx-5 rounded-md border border-line bg-sunken p-3", className)}
      role="img"
      aria-label={toGraphLabel(facts)}
    >
      {toJoinTree(facts).map((root, index) => (
        <div key={root.alias} className={cn(index > 0 && "mt-3 border-t border-line pt-3")}>
          <Chain node={root} rows={rows} />
        </div>
      ))}
    </div>
  );
}

type Rows = ReadonlyMap<string, number>;

function Chain({ node, rows }: { node: TreeNode; rows: Rows }) {
  const main = node.edges.at(-1);
  const branches = node.edges.slice(0, -1);
  const only = branches[0];
  const beside =
    branches.length === 1 &&
    only &&
    only.child.edges.length === 0 &&
    only.child.back.length === 0 &&
    node.table.length + only.child.table.length <= 22 &&
    only.fact.tone === "plain" &&
    toLeftOutTotal(only.fact) === 0 &&
    only.fact.inferred === 0
      ? only
      : undefined;
  return (
    <>
      {beside ? (
        <div className="flex">
          <div className="min-w-0 flex-1">
            <Table node={node} rows={rows} />
          </div>
          <div aria-hidden="true" className="flex items-center gap-1">
            <span className="h-px w-2 bg-control" />
            <Badge fact={beside.fact} />
            <span className="h-px w-2 bg-control" />
          </div>
          <div className="min-w-[104px]">
            <Table node={beside.child} rows={rows} short />
          </div>
        </div>
      ) : (
        <Table node={node} rows={rows} />
      )}
      {beside || branches.length === 0 ? null : (
        // The line on the left goes on to the join below the branches.
        <div className={cn("ml-6 pl-2.5", main && "border-l", main && rails[main.fact.tone])}>
          {branches.map((edge) => (
            <div key={edge.fact.n}>
              <Edge edge={edge} />
              <Chain node={edge.child} rows={rows} />
            </div>
          ))}
        </div>
      )}
      {node.back.map(({ fact, alias }) => (
        <p key={fact.n} className="flex items-center gap-2 pl-4 pt-1 text-2xs text-ink-2">
          <Badge fact={fact} />
          back to <span className="font-mono">{alias}</span>
        </p>
      ))}
      {main ? (
        <>
          <Edge edge={main} />
          <Chain node={main.child} rows={rows} />
        </>
      ) : null}
    </>
  );
}

function Table({ node, rows, short }: { node: TreeNode; rows: Rows; short?: boolean }) {
  const count = rows.get(node.alias);
  return (
    <div className="flex min-h-9 items-center gap-1.5 rounded border border-line-strong bg-surface px-2.5 py-1">
      <span className="min-w-0 text-xs font-semibold [overflow-wrap:anywhere]">
        <Name text={node.table} />
      </span>
      <span className="font-mono text-2xs text-ink-3">{node.alias}</span>
      {node.role ? (
        <span className="text-2xs text-ink-2">
          <VisibleText text={node.role} />
        </span>
      ) : null}
      {count === undefined ? null : (
        <span className="ml-auto shrink-0 text-2xs tabular-nums text-ink-3">
          {toCount(count)}
          {short ? "" : count === 1 ? " row" : " rows"}
        </span>
      )}
    </div>
  );
}

const badge = {
  plain: "border-line-strong bg-surface text-ink-2",
  warning: "border-warning-mark bg-warning-soft text-warning",
  problem: "border-problem bg-problem-soft text-problem",
};
const bar = { plain: "w-px bg-control", warning: "w-0.5 bg-warning-mark", problem: "w-0.5 bg-problem" };
const rails = { plain: "border-control", warning: "border-warning-mark", problem: "border-problem" };
const words = { plain: "text-ink-2", warning: "font-semibold text-warning", problem: "font-semibold text-problem" };

const Badge = ({ fact }: { fact: JoinFact }) => (
  <span
    className={cn(
      "relative flex h-4 min-w-4 shrink-0 items-center justify-center rounded-full border text-2xs font-semibold tabular-nums",
      badge[fact.tone],
    )}
  >
    {fact.n}
  </span>
);

function Edge({ edge: { fact, reversed } }: { edge: TreeEdge }) {
  const measured = fact.evidence;
  const lost = toLeftOutTotal(fact);
  const card =
    measured && measured.cardinality !== "none" ? (reversed ? flip(measured.cardinality) : measured.cardinality) : "";
  const type = fact.decision.type === "INNER" ? "" : fact.decision.type;
  return (
    <div className="flex items-center gap-2 pl-4 text-2xs tabular-nums">
      <span className="relative flex h-9 w-4 shrink-0 items-center justify-center">
        <span className={cn("absolute inset-y-0 left-1/2 -translate-x-1/2", bar[fact.tone])} />
        <Badge fact={fact} />
      </span>
      <span className={cn("flex items-center gap-1 font-mono", words[fact.tone])}>
        {fact.tone === "plain" ? null : <Icon name="warning" className="h-3 w-3" />}
        {type} {card}
      </span>
      {fact.inferred > 0 ? (
        <span className="text-notice">
          {fact.inferred === 1 ? "1 inferred pair" : `${fact.inferred} inferred pairs`}
        </span>
      ) : null}
      {measured ? (
        <span className="ml-auto text-right">
          {lost > 0 ? <span className="text-notice">{toCount(lost)} left out </span> : null}
          <span className="text-ink-3">→</span> <span className="font-medium text-ink">{toAfter(measured)}</span>
        </span>
      ) : null}
    </div>
  );
}
