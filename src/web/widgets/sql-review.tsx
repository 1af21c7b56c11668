import { useMemo, useState } from "react";
import { Prose } from "../elements/prose.tsx";
import { Section } from "../elements/section.tsx";
import { ResultPanel } from "../results/result-panel.tsx";
import { CheckList } from "./check-list.tsx";
import { ConformanceList } from "./conformance-list.tsx";
import { toMarks, toSeqsAt } from "./conformance-marks.ts";
import { DeviationList } from "./deviation-list.tsx";
import type { GateProps } from "./gate-props.ts";
import { SqlPane } from "./sql-pane.tsx";

/** The final SQL held against the ledger: what differs on top, then the text beside the decisions, then its result. */
export function SqlReview({ payload, control }: GateProps<"sql-review">) {
  const { conformance, explanation, checks, result, ms } = payload;
  const [line, setLine] = useState<number | null>(null);
  const [seq, setSeq] = useState<number | null>(null);
  const marks = useMemo(() => toMarks(conformance), [conformance]);
  const litSeqs = useMemo(
    () => (seq === null ? toSeqsAt(conformance, line) : new Set([seq])),
    [conformance, line, seq],
  );
  const litLines = useMemo(
    () =>
      new Set([
        ...(line === null ? [] : [line]),
        ...conformance.rows.filter((row) => litSeqs.has(row.seq)).flatMap((row) => row.lines),
      ]),
    [conformance, litSeqs, line],
  );
  return (
    <>
      {conformance.deviations.length > 0 ? (
        <DeviationList deviations={conformance.deviations} control={control} />
      ) : null}
      <div
        className={
          conformance.deviations.length > 0
            ? "mx-5 mt-4 overflow-hidden rounded-md border border-line md:grid md:grid-cols-[minmax(0,1fr)_312px]"
            : "mx-5 overflow-hidden rounded-md border border-line md:grid md:grid-cols-[minmax(0,1fr)_312px]"
        }
      >
        <div className="min-w-0 border-b border-line bg-sunken md:border-b-0 md:border-r">
          <SqlPane payload={payload} marks={marks} lit={litLines} onLine={setLine} control={control} />
        </div>
        <div className="min-w-0">
          <div className="flex min-h-9 items-center gap-2 border-b border-line px-3 tabular-nums">
            <h3 className="text-sm font-semibold">Conformance</h3>
            <span className="ml-auto text-xs text-ink-3">
              <Counts conformance={conformance} />
            </span>
          </div>
          <ConformanceList conformance={conformance} lit={litSeqs} onSeq={setSeq} />
          <p className="border-t border-line px-3 py-2 text-xs leading-[18px] text-ink-3">
            {conformance.deviations.some((deviation) => deviation.seq === undefined)
              ? "What stands in the SQL and belongs to no decision is listed above. The text shown is the text that runs."
              : "Nothing else stands in the SQL: no further table, filter or column. The text shown is the text that runs."}
          </p>
          {checks.length > 0 ? (
            <div className="border-t border-line">
              <h3 className="px-3 pt-2 text-sm font-semibold">Result checks</h3>
              <CheckList checks={checks} small className="space-y-1 px-3 pb-2 pt-1" />
            </div>
          ) : null}
        </div>
      </div>
      {explanation ? (
        <Section title="In plain words">
          <p className="max-w-[96ch] whitespace-pre-line px-5 text-sm text-ink-2 [overflow-wrap:anywhere]">
            <Prose text={explanation} keepLayout />
          </p>
        </Section>
      ) : null}
      <div aria-hidden="true" className="flex items-baseline gap-3 px-5 pb-1.5 pt-3">
        <span className="text-sm font-semibold">Result</span>
        <span className="ml-auto text-xs text-ink-3">
          {conformance.deviations.length > 0
            ? `of the SQL above, with the ${conformance.deviations.length === 1 ? "deviation" : "deviations"}`
            : "of the SQL above"}
        </span>
      </div>
      <ResultPanel result={result} ms={ms} />
    </>
  );
}

function Counts({ conformance }: { conformance: GateProps<"sql-review">["payload"]["conformance"] }) {
  const count = (status: string) => conformance.rows.filter((row) => row.status === status).length;
  const bad = [
    [count("deviates"), "deviates", "deviate"],
    [count("missing"), "missing", "missing"],
  ] as const;
  return (
    <>
      {count("found")} found
      {bad
        .filter(([rows]) => rows > 0)
        .map(([rows, one, many]) => (
          <span key={one}>
            ,{" "}
            <span className="font-medium text-warning">
              {rows} {rows === 1 ? one : many}
            </span>
          </span>
        ))}
    </>
  );
}
