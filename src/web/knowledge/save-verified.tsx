import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Suggestions } from "../../protocol/knowledge.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { type ApiProblem, asProblem } from "../session/api.ts";
import { ledgerKey } from "../session/query-keys.ts";
import { knowledgeApi, suggestionsKey } from "./knowledge-api.ts";

/** The accepted answer as a verified query of its workspace, found again when somebody asks the like. */
export function SaveVerified({ sessionId }: { sessionId: string }) {
  const { data } = useQuery({
    queryKey: suggestionsKey(sessionId),
    queryFn: () => knowledgeApi.suggestions(sessionId),
  });
  const [open, setOpen] = useState(false);
  if (!data?.verified) return null;
  const { saved } = data.verified;
  return (
    <>
      {saved === null ? (
        <Button size="sm" icon="check" aria-expanded={open} onClick={() => setOpen(!open)}>
          Save as verified
        </Button>
      ) : (
        <p role="status" className="inline-flex items-center gap-1.5 text-xs text-ink-2">
          <Icon name="ok" className="h-3.5 w-3.5 text-ok" />
          Saved as
          <span className="font-mono text-2xs [overflow-wrap:anywhere]">
            <VisibleText text={saved} />
          </span>
        </p>
      )}
      {open && saved === null ? (
        <VerifiedForm sessionId={sessionId} verified={data.verified} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

function VerifiedForm({
  sessionId,
  verified,
  onClose,
}: {
  sessionId: string;
  verified: NonNullable<Suggestions["verified"]>;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [text, setText] = useState(verified.question);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const submit = async () => {
    setSaving(true);
    setProblem(null);
    try {
      await knowledgeApi.saveVerified(sessionId, { question: text.trim() });
      await client.invalidateQueries({ queryKey: ledgerKey(sessionId) });
      onClose();
    } catch (cause) {
      setProblem(asProblem(cause));
      setSaving(false);
    }
  };
  const blocked = saving ? "On its way." : text.trim() === "" ? "Write what it answers." : undefined;
  return (
    <div className="w-full space-y-2 rounded-md border border-line px-3 py-2.5">
      <label className="block text-xs font-medium text-ink-2">
        Asked as
        <textarea
          rows={2}
          maxLength={10_000}
          className="field mt-1 resize-y py-1.5 [field-sizing:content]"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {problem ? <ProblemNotice problem={problem} className="text-xs" /> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" blocked={blocked} onClick={() => void submit()}>
          {saving ? "Saving" : "Save it"}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Leave as it is
        </Button>
        <span className="text-2xs text-ink-3 [overflow-wrap:anywhere]">
          {blocked ?? (
            <>
              {verified.replaces === null ? (
                "Goes into verified/"
              ) : (
                <VisibleText text={`Replaces ${verified.replaces}`} />
              )}{" "}
              with the SQL, every decision and the number of its ledger entry.
            </>
          )}
        </span>
      </div>
    </div>
  );
}
