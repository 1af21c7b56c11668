import { useId, useState } from "react";
import type { KeepPiece, KeptKind, Suggestion } from "../../protocol/knowledge.ts";
import { Button } from "../elements/button.tsx";
import { ChipButton } from "../elements/chip.tsx";
import { Field } from "../elements/field.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { type ApiProblem, asProblem } from "../session/api.ts";
import {
  type FieldTexts,
  fieldsOf,
  kindWords,
  relationText,
  toBlocked,
  toFieldTexts,
  toPiece,
} from "./piece-fields.ts";

/** What becomes of the reviewer's words: one kind of piece, its fields filled in as far as the words say. */
export function PieceForm({
  suggestion,
  keep,
  onClose,
}: {
  suggestion: Suggestion;
  keep: (piece: KeepPiece) => Promise<void>;
  onClose: () => void;
}) {
  const { drafts } = suggestion;
  const [at, setAt] = useState(0);
  const [edited, setEdited] = useState<Record<number, FieldTexts>>({});
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const hint = useId();
  const draft = drafts[at];
  if (!draft) return null;
  const kinds = [...new Set(drafts.map(({ kind }) => kind))];
  const texts = edited[at] ?? toFieldTexts(draft);
  const piece = toPiece(draft, texts);
  const blocked = saving ? "On its way." : toBlocked(piece);
  const choose = (kind: KeptKind) => setAt(drafts.findIndex((one) => one.kind === kind));
  const change = (name: string, text: string) => setEdited({ ...edited, [at]: { ...texts, [name]: text } });
  const submit = async () => {
    setSaving(true);
    setProblem(null);
    try {
      await keep(piece);
      onClose();
    } catch (cause) {
      setProblem(asProblem(cause));
      setSaving(false);
    }
  };
  return (
    <div className="mt-2 space-y-2 rounded-md border border-line px-3 py-2.5">
      <div role="group" aria-label="Remember it as" className="flex flex-wrap gap-1.5">
        {kinds.map((kind) => (
          <ChipButton key={kind} on={kind === draft.kind} onToggle={() => choose(kind)}>
            {kindWords[kind].name}
          </ChipButton>
        ))}
      </div>
      {draft.kind === "relation" ? <Relations drafts={drafts} at={at} onPick={setAt} /> : null}
      <div className="grid gap-2 md:grid-cols-2">
        {fieldsOf[draft.kind].map(({ name, label, hint: about, mono, long }) =>
          long ? (
            <label key={`${at} ${name}`} className="block text-xs font-medium text-ink-2 md:col-span-2">
              {label}
              <textarea
                rows={2}
                className="field mt-1 resize-y py-1.5 [field-sizing:content]"
                value={texts[name] ?? ""}
                onChange={(event) => change(name, event.target.value)}
              />
            </label>
          ) : (
            <Field
              key={`${at} ${name}`}
              label={label}
              value={texts[name] ?? ""}
              onChange={(text) => change(name, text)}
              {...(about ? { hint: about } : {})}
              {...(mono ? { mono } : {})}
            />
          ),
        )}
      </div>
      {problem ? <ProblemNotice problem={problem} className="text-xs" /> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" blocked={blocked} aria-describedby={hint} onClick={() => void submit()}>
          {saving ? "Saving" : "Keep it"}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Leave as it is
        </Button>
        <span id={hint} className="text-2xs text-ink-3">
          {blocked ?? `Goes into ${kindWords[draft.kind].file} with the number of this ledger entry.`}
        </span>
      </div>
    </div>
  );
}

function Relations({ drafts, at, onPick }: { drafts: readonly KeepPiece[]; at: number; onPick: (at: number) => void }) {
  const name = useId();
  return (
    <fieldset className="space-y-1">
      <legend className="sr-only">Which relation</legend>
      {drafts.map((draft, index) =>
        draft.kind === "relation" ? (
          <label key={index} className="flex items-baseline gap-2 font-mono text-xs text-ink">
            <input type="radio" name={name} checked={index === at} onChange={() => onPick(index)} />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <VisibleText text={relationText(draft)} />
            </span>
          </label>
        ) : null,
      )}
    </fieldset>
  );
}
