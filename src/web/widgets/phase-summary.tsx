import { VisibleText } from "../elements/visible-text.tsx";
import type { GateProps } from "./gate-props.ts";
import { normalizeSummary } from "./normalize-summary.ts";
import { OpenQuestions } from "./open-questions.tsx";
import { SummaryText } from "./summary-text.tsx";

export function PhaseSummary({ payload, control }: GateProps<"phase-summary">) {
  const summary = normalizeSummary(payload.summary);
  return (
    <>
      <div className="mx-5 rounded-md border border-line">
        {summary.title ? (
          <h3 className="border-b border-line bg-sunken px-3 py-2 text-sm font-semibold [overflow-wrap:anywhere]">
            <VisibleText text={summary.title} />
          </h3>
        ) : null}
        <div className="px-3 py-2.5">
          {summary.summary ? (
            <SummaryText text={summary.summary} className="text-ink" />
          ) : (
            <p className="text-sm text-ink-3">This summary is empty.</p>
          )}
          {summary.malformed ? (
            <p className="mt-1.5 text-xs text-ink-3">
              Kept in another form than today’s; shown as far as it can be read.
            </p>
          ) : null}
        </div>
      </div>
      <OpenQuestions questions={summary.openQuestions} control={control} />
    </>
  );
}
