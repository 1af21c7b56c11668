import type { Deviation } from "../../protocol/evidence.ts";
import { Button } from "../elements/button.tsx";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { Prose } from "../elements/prose.tsx";
import { InlineSql } from "../elements/sql-text.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import type { DraftControl } from "./gate-props.ts";

/** The words that sending a deviation back begins with. */
export const toRejectWords = (deviation: Deviation): string => {
  const keep = deviation.seq === undefined ? "Take it out" : `Keep #${deviation.seq}`;
  const title = deviation.title.trim().replace(/[.\s]+$/, "");
  const accepted = deviation.accepted ? `, as accepted: ${deviation.accepted.trim()}` : "";
  return `${keep}${accepted}. Not as in this SQL: ${title}.`;
};

export function DeviationList({ deviations, control }: { deviations: Deviation[]; control: DraftControl }) {
  const isAccepted = (deviation: Deviation) => control.draft.accepted.includes(deviation.id);
  const isWriting = control.isOtherOpen || control.draft.sql !== undefined;
  const expected = isWriting ? undefined : deviations.find((deviation) => !isAccepted(deviation));
  return (
    <ul id="deviations" aria-label="Deviations" className="scroll-mt-4 border-y border-line">
      {deviations.map((deviation) => (
        <DeviationItem
          key={deviation.id}
          deviation={deviation}
          isAccepted={isAccepted(deviation)}
          isExpected={deviation === expected}
          control={control}
        />
      ))}
    </ul>
  );
}

interface DeviationItemProps {
  deviation: Deviation;
  isAccepted: boolean;
  isExpected: boolean;
  control: DraftControl;
}

function DeviationItem({ deviation, isAccepted, isExpected, control }: DeviationItemProps) {
  const reject = deviation.seq === undefined ? "Reject" : `Reject and keep #${deviation.seq}`;
  return (
    <li
      className={cn(
        "relative border-t border-line px-5 py-3 first:border-t-0",
        isAccepted ? "bg-notice-soft/60" : "bg-warning-soft/70",
      )}
    >
      <span
        aria-hidden="true"
        className={cn("absolute inset-y-0 left-0 w-[3px]", isAccepted ? "bg-notice" : "bg-warning-mark")}
      />
      <div className="flex gap-2.5">
        <Icon
          name={isAccepted ? "check" : "warning"}
          className={cn("mt-0.5", isAccepted ? "text-notice" : "text-warning")}
        />
        <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <h3 className="text-sm font-semibold">
            <span className={cn("mr-0.5", isAccepted ? "text-notice" : "text-warning")}>
              {isAccepted ? "Deviation, accepted" : "Deviation"}
            </span>{" "}
            <Prose text={deviation.title} />
          </h3>
          <p className="mt-0.5 max-w-[88ch] text-sm tabular-nums text-ink-2">
            <Prose text={deviation.body} />
          </p>
          {deviation.accepted || deviation.inSql ? (
            <dl className="mt-2 grid max-w-[720px] grid-cols-[72px_minmax(0,1fr)] gap-x-3 text-xs leading-[18px]">
              {deviation.accepted ? (
                <>
                  <dt className="text-ink-3">Accepted</dt>
                  <dd>
                    <Compared text={deviation.accepted} other={deviation.inSql ?? ""} className="bg-ok-soft text-ok" />
                  </dd>
                </>
              ) : null}
              {deviation.inSql ? (
                <>
                  <dt className="text-ink-3">In the SQL</dt>
                  <dd>
                    <Compared
                      text={deviation.inSql}
                      other={deviation.accepted ?? ""}
                      className="bg-problem-soft text-problem"
                    />
                  </dd>
                </>
              ) : null}
            </dl>
          ) : null}
          <div className="mt-2.5 flex flex-wrap items-center gap-2">
            <Button
              size="sm"
              variant={isExpected ? "primary" : "secondary"}
              onClick={() =>
                !control.hasWords(toRejectWords(deviation)) ? control.toggleWords(toRejectWords(deviation)) : undefined
              }
            >
              {reject}
            </Button>
            <Button
              size="sm"
              aria-pressed={isAccepted}
              icon={isAccepted ? "check" : undefined}
              className={cn(
                isAccepted && "border-accent bg-accent-soft text-accent-ink hover:border-accent hover:bg-accent-soft",
              )}
              onClick={() => control.toggleAccepted(deviation.id)}
            >
              Accept as a new decision
            </Button>
            <span className="text-xs text-ink-3">
              {deviation.seq === undefined
                ? "Accepting writes it to the ledger."
                : `Accepting supersedes #${deviation.seq}. Both stay in the ledger.`}
            </span>
          </div>
        </div>
      </div>
    </li>
  );
}

/** What both have in common at the beginning and the end stays plain; the part that differs is marked. */
export function toDifference(text: string, other: string): { before: string; differs: string; after: string } {
  const words = text.split(/(?<=\s)|(?=[\s(),;])/);
  const others = other.split(/(?<=\s)|(?=[\s(),;])/);
  let start = 0;
  while (start < words.length && start < others.length && words[start] === others[start]) start++;
  let end = 0;
  while (
    end < words.length - start &&
    end < others.length - start &&
    words[words.length - 1 - end] === others[others.length - 1 - end]
  )
    end++;
  // A part that is missing on one side would be marked nowhere: take the next common word along, so that both show it.
  if (end > 0 && (words.length - end === start || others.length - end === start)) end--;
  return {
    before: words.slice(0, start).join(""),
    differs: words.slice(start, words.length - end).join(""),
    after: words.slice(words.length - end).join(""),
  };
}

function Compared({ text, other, className }: { text: string; other: string; className: string }) {
  const { before, differs, after } = toDifference(text, other);
  if (!other || (!before && !after)) return <InlineSql sql={text} />;
  return (
    <code className="whitespace-pre-wrap font-mono text-xs [font-variant-ligatures:none]">
      <VisibleText text={before} keepLayout />
      {differs ? (
        <mark className={cn("font-semibold", className)}>
          <VisibleText text={differs} keepLayout />
        </mark>
      ) : null}
      <VisibleText text={after} keepLayout />
    </code>
  );
}
