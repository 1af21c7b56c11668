import type { Conformance } from "../../protocol/evidence.ts";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { toLineText } from "./conformance-marks.ts";

export interface ConformanceListProps {
  conformance: Conformance;
  /** Decisions of the line under the pointer. */
  lit: ReadonlySet<number>;
  onSeq: (seq: number | null) => void;
}

const status = {
  found: { icon: "check", tone: "text-ok", word: "found" },
  deviates: { icon: "warning", tone: "text-warning", word: "deviates" },
  missing: { icon: "warning", tone: "text-warning", word: "missing" },
} as const;

/** Deviating and missing ones first: they are what has to be decided. */
const rank = { missing: 0, deviates: 1, found: 2 };

export function ConformanceList({ conformance, lit, onSeq }: ConformanceListProps) {
  const rows = conformance.rows.toSorted((a, b) => rank[a.status] - rank[b.status]);
  return (
    <>
      <p aria-hidden="true" className="flex px-3 pt-1.5 text-2xs font-medium text-ink-3">
        Accepted decision<span className="ml-auto">Line</span>
      </p>
      <ul aria-label="Conformance" className="pb-1">
        {rows.map((row) => {
          const look = status[row.status];
          const bad = row.status !== "found";
          return (
            <li
              key={row.seq}
              tabIndex={0}
              onMouseEnter={() => onSeq(row.seq)}
              onMouseLeave={() => onSeq(null)}
              onFocus={() => onSeq(row.seq)}
              onBlur={() => onSeq(null)}
              className={cn(
                "flex items-start gap-2 px-3 py-[5px] -outline-offset-2",
                bad && "bg-warning-soft shadow-[inset_3px_0_0_hsl(var(--warning-mark))]",
                lit.has(row.seq) && !bad && "bg-accent-soft",
              )}
            >
              <Icon name={look.icon} label={look.word} className={cn("mt-0.5 h-3.5 w-3.5", look.tone)} />
              <span className="min-w-7 shrink-0 font-mono text-xs leading-[18px] tabular-nums text-ink-3">
                #{row.seq}
              </span>
              <span
                className={cn(
                  "min-w-0 flex-1 text-xs leading-[18px] [overflow-wrap:anywhere]",
                  bad ? "font-medium text-ink" : "text-ink-2",
                )}
              >
                <VisibleText text={row.text} />
              </span>
              <span
                className={cn(
                  "max-w-24 shrink-0 text-right font-mono text-2xs leading-[18px] tabular-nums",
                  bad ? "text-warning" : "text-accent-ink",
                )}
              >
                {row.lines.length > 0 ? (
                  <>
                    <span className="sr-only">line </span>
                    {toLineText(row.lines)}
                  </>
                ) : row.status === "missing" ? (
                  "missing"
                ) : (
                  "–"
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
