import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { SessionView } from "../../protocol/api.ts";
import { Button } from "../elements/button.tsx";
import { cn } from "../elements/class-names.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { Icon } from "../elements/icon.tsx";
import { plural } from "../elements/numbers.ts";
import { SqlViewer } from "../elements/sql-viewer.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { toClock } from "../layout/times.ts";
import { SessionResult } from "../results/session-result.tsx";
import { api } from "../session/api.ts";
import { ledgerKey } from "../session/query-keys.ts";
import { toCourse } from "./to-decision-groups.ts";

const SaveVerified = lazy(async () => ({ default: (await import("../knowledge/save-verified.tsx")).SaveVerified }));

/** From here on, in characters, an answer is a paragraph and no headline. */
const longSentence = 160;

/** The end of a session: the answer in words, the rows, and ways to take them along. */
export function Finished({ view, onModel }: { view: SessionView; onModel: () => void }) {
  const [showSql, setShowSql] = useState(false);
  const explanation = view.explanation ?? "The answer is below.";
  const ledger = useQuery({ queryKey: ledgerKey(view.id), queryFn: () => api.ledger(view.id) });
  return (
    <>
      <div className="px-5 pb-3 pt-3">
        <p className="num flex items-center gap-1.5 text-xs">
          <Icon name="ok" className="h-3.5 w-3.5 text-ok" />
          <span className="font-medium text-ok">Answered</span>
          <span className="text-ink-3">
            {toClock(Date.parse(view.updatedAt))}
            {ledger.data ? `, ${toCourse(ledger.data.entries)}` : ""}
          </span>
        </p>
        <h2
          className={cn(
            "mt-1 [overflow-wrap:anywhere]",
            explanation.length > longSentence
              ? "max-w-[96ch] text-sm font-normal text-ink"
              : "max-w-[72ch] text-lg font-semibold leading-6 tracking-[-0.01em]",
          )}
        >
          <VisibleText text={explanation} />
        </h2>
      </div>
      <SessionResult view={view} />
      <div className="mx-5 mb-4 mt-3 flex flex-wrap items-center gap-2">
        <Button size="sm" icon="text" aria-expanded={showSql} onClick={() => setShowSql(!showSql)}>
          {showSql ? "Hide SQL" : "Show SQL"}
        </Button>
        <Button size="sm" icon="model" onClick={onModel}>
          Use another model
        </Button>
        <Suspense fallback={null}>
          <SaveVerified sessionId={view.id} />
        </Suspense>
      </div>
      {showSql && view.sql !== null ? (
        <div className="mx-5 mb-4 overflow-hidden rounded-md border border-line">
          <div className="flex h-9 items-center gap-3 border-b border-line px-3">
            <h3 className="text-sm font-semibold">SQL</h3>
            <span className="num text-xs text-ink-3">
              the exact text that ran, {plural(view.sql.split("\n").length, "line")}
            </span>
            <span className="ml-auto">
              <CopyButton text={view.sql} />
            </span>
          </div>
          <SqlViewer editor blocks={[{ sql: view.sql }]} />
        </div>
      ) : null}
    </>
  );
}
