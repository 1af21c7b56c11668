import type { LedgerViewEntry } from "../../protocol/api.ts";
import { VisibleText } from "../elements/visible-text.tsx";
import { Dialog } from "../layout/dialog.tsx";
import { toClockSeconds } from "../layout/times.ts";
import { normalizeSummary } from "../widgets/normalize-summary.ts";

/** Every entry in order, the superseded ones too: nothing is ever taken out of a ledger. */
export function LedgerDialog({ entries, onClose }: { entries: LedgerViewEntry[]; onClose: () => void }) {
  return (
    <Dialog
      title="Ledger"
      intro="Everything that was asked, proposed and decided in this session, in order. Nothing is ever removed."
      wide
      onClose={onClose}
    >
      <table className="num w-full text-xs">
        <thead>
          <tr className="text-left">
            <th className="th w-12 pb-1">No.</th>
            <th className="th w-20 pb-1">Time</th>
            <th className="th w-32 pb-1">Entry</th>
            <th className="th pb-1">What it says</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.seq} className="border-t border-line align-top">
              <td className="py-1 font-mono text-ink-3">#{entry.seq}</td>
              <td className="py-1 text-ink-3">{toClockSeconds(Date.parse(entry.at))}</td>
              <td className="py-1 pr-2 text-ink-2">
                {entry.phase ? <span className="font-mono text-ink-3">{entry.phase} </span> : null}
                {entry.type}
              </td>
              <td
                className={`py-1 [overflow-wrap:anywhere] ${entry.holds === false ? "text-ink-3 line-through" : "text-ink"}`}
              >
                <VisibleText text={toWords(entry)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

export function toWords(entry: LedgerViewEntry): string {
  const { decision } = entry;
  if (decision) {
    switch (decision.kind) {
      case "interpretation":
        return decision.text;
      case "table":
        return `${decision.table}, ${decision.use}: ${decision.reason}`;
      case "column":
        return `${decision.table}.${decision.column}, ${decision.role}: ${decision.reason}`;
      case "join":
        return `${decision.left.table} ${decision.left.alias} ${decision.type} ${decision.right.table} ${decision.right.alias} on ${decision.pairs.map((pair) => `${pair.left} = ${pair.right}`).join(", ") || "nothing"}`;
      case "filter":
        return decision.condition;
      case "cte":
        return `${decision.name}: ${decision.purpose}`;
      case "sql":
        return decision.explanation;
      case "deviation":
        return decision.text;
    }
  }
  if (entry.summary !== undefined) {
    const summary = normalizeSummary(entry.summary);
    return [summary.title, summary.summary].filter(Boolean).join(": ") || "empty";
  }
  const counted = entry.tool
    ? `${entry.tool}, ${entry.ok === false ? "failed" : `${entry.rowCount ?? 0} rows`}${entry.ms === undefined ? "" : `, ${Math.round(entry.ms)} ms`}`
    : "";
  return [entry.kind, entry.answer, counted, entry.text, entry.reason].filter(Boolean).join(": ");
}
