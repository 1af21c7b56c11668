import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Suggestion } from "../../protocol/knowledge.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { Section } from "../elements/section.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { type ApiProblem, asProblem } from "../session/api.ts";
import { ledgerKey } from "../session/query-keys.ts";
import { knowledgeApi, suggestionsKey } from "./knowledge-api.ts";
import { PieceForm } from "./piece-form.tsx";

/** The reviewer's own words of this session, each to be kept for the next question or dropped. */
export function Remember({ sessionId }: { sessionId: string }) {
  const { data } = useQuery({
    queryKey: suggestionsKey(sessionId),
    queryFn: () => knowledgeApi.suggestions(sessionId),
  });
  const shown = data?.suggestions.filter(({ state }) => state !== "dropped") ?? [];
  if (shown.length === 0) return null;
  return (
    <Section
      title="Worth remembering"
      className="border-t border-line"
      right="for the next question about this database"
    >
      <ul className="pb-4">
        {shown.map((suggestion) => (
          <Words key={suggestion.seq} sessionId={sessionId} suggestion={suggestion} />
        ))}
      </ul>
    </Section>
  );
}

function Words({ sessionId, suggestion }: { sessionId: string; suggestion: Suggestion }) {
  const { seq, text, kept, state } = suggestion;
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const look = () => client.invalidateQueries({ queryKey: ledgerKey(sessionId) });
  const drop = async () => {
    setProblem(null);
    try {
      await knowledgeApi.drop(sessionId, seq);
      await look();
    } catch (cause) {
      setProblem(asProblem(cause));
    }
  };
  return (
    <li className="px-5 py-1">
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm">
        <span className="num w-14 shrink-0 font-mono text-xs text-ink-3">#{seq}</span>
        <span className="min-w-0 flex-1 text-ink-2 [overflow-wrap:anywhere]">
          “<VisibleText text={text} />”
          {kept.map(({ id, file }) => (
            <span key={id} className="ml-2 inline-flex items-center gap-1 text-xs text-ink-3">
              <Icon name="ok" className="h-3 w-3 text-ok" />
              kept in{" "}
              <span className="font-mono text-2xs">
                <VisibleText text={file} />
              </span>
            </span>
          ))}
        </span>
        <span className="flex gap-1">
          <Button
            size="sm"
            variant="ghost"
            aria-label={`${state === "kept" ? "Remember more of" : "Remember"} #${seq}`}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {state === "kept" ? "Remember more" : "Remember"}
          </Button>
          {state === "open" ? (
            <Button size="sm" variant="ghost" aria-label={`Drop #${seq}`} onClick={() => void drop()}>
              Drop
            </Button>
          ) : null}
        </span>
      </div>
      {problem ? <ProblemNotice problem={problem} className="mt-2 text-xs" /> : null}
      {open ? (
        <PieceForm
          suggestion={suggestion}
          keep={async (piece) => {
            await knowledgeApi.keep(sessionId, seq, piece);
            await look();
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </li>
  );
}
