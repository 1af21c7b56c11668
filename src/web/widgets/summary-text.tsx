import { cn } from "../elements/class-names.ts";
import { Prose } from "../elements/prose.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { normalizeSummary, toSummaryBlocks } from "./normalize-summary.ts";

/** Paragraphs and lists of plain text. */
export function SummaryText({ text, className }: { text: string; className?: string }) {
  return (
    <div className={cn("max-w-[96ch] space-y-1.5 text-sm text-ink-2 [overflow-wrap:anywhere]", className)}>
      {toSummaryBlocks(text).map((block, index) =>
        block.kind === "paragraph" ? (
          <p key={index} className="whitespace-pre-line">
            <Prose text={block.text} keepLayout />
          </p>
        ) : (
          <ul key={index} className="list-disc space-y-0.5 pl-5 marker:text-ink-3">
            {block.items.map((item, at) => (
              <li key={at}>
                <Prose text={item} />
              </li>
            ))}
          </ul>
        ),
      )}
    </div>
  );
}

/** Any persisted summary, old or malformed, for lists of what was accepted. */
export function SummaryView({ value }: { value: unknown }) {
  const summary = normalizeSummary(value);
  if (!summary.title && !summary.summary && summary.openQuestions.length === 0) {
    return <p className="text-sm text-ink-3">This summary is empty.</p>;
  }
  return (
    <div className="space-y-1">
      {summary.title ? (
        <p className="text-sm font-medium text-ink [overflow-wrap:anywhere]">
          <VisibleText text={summary.title} />
        </p>
      ) : null}
      {summary.summary ? <SummaryText text={summary.summary} /> : null}
      {summary.openQuestions.length > 0 ? (
        <ul aria-label="Left open" className="list-disc space-y-0.5 pl-5 text-sm text-ink-2 marker:text-ink-3">
          {summary.openQuestions.map((question, index) => (
            <li key={index}>
              <VisibleText text={question} />
            </li>
          ))}
        </ul>
      ) : null}
      {summary.malformed ? (
        <p className="text-xs text-ink-3">Kept in another form than today’s; shown as far as it can be read.</p>
      ) : null}
    </div>
  );
}
