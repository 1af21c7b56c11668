import { type KeyboardEvent, useId, useRef, useState } from "react";
import { maxDescription } from "../../protocol/api.ts";
import { Button, IconButton } from "../elements/button.tsx";
import { cn } from "../elements/class-names.ts";
import { VisibleText } from "../elements/visible-text.tsx";
import { Notice, ProblemNotice } from "../layout/notice.tsx";
import { type ApiProblem, asProblem } from "../session/api.ts";

export interface DescriptionFieldProps {
  /** Id of what names the table or column. */
  labelledBy: string;
  comment: string | undefined;
  described: { database?: string } | undefined;
  /** Writes a description made from `before`, the workspace's own as it was shown. */
  save: (description: string, before: string) => Promise<void>;
  /** Asks what stands there now. */
  refresh: () => Promise<unknown>;
  /** Shown, in words, where nothing is said; a dash when absent. */
  emptyWords?: string;
  className?: string;
}

/** What the workspace or the database says, edited in its place. Ctrl+Enter saves, Escape leaves it as it is. */
export function DescriptionField(props: DescriptionFieldProps) {
  const { labelledBy, comment, described, emptyWords, className } = props;
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (editing)
    return (
      <Editor
        {...props}
        onDone={() => {
          setEditing(false);
          requestAnimationFrame(() => button.current?.focus());
        }}
      />
    );
  return (
    <div className={cn("group/description flex items-start gap-1", className)}>
      <div className="min-w-0 flex-1">
        {comment ? (
          <p className="whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">
            <VisibleText text={comment} keepLayout />
            {described ? null : <span className="ml-1.5 text-2xs text-ink-3">from the database</span>}
          </p>
        ) : (
          <p className="text-ink-3">
            {emptyWords ?? (
              <>
                <span aria-hidden="true">–</span>
                <span className="sr-only">Not described</span>
              </>
            )}
          </p>
        )}
      </div>
      <IconButton
        ref={button}
        label="Edit description"
        icon="edit"
        aria-describedby={labelledBy}
        className="-my-1 h-6 w-6"
        iconClassName="h-3.5 w-3.5"
        onClick={() => setEditing(true)}
      />
    </div>
  );
}

/** The field appears by the reader's own press, so it may take the focus. */
const takeFocus = (box: HTMLTextAreaElement | null) => {
  box?.focus();
  box?.setSelectionRange(box.value.length, box.value.length);
};

function Editor({
  labelledBy,
  comment,
  described,
  save,
  refresh,
  onDone,
}: DescriptionFieldProps & { onDone: () => void }) {
  const hintId = useId();
  const stored = described ? (comment ?? "") : "";
  const [before] = useState(stored);
  const [text, setText] = useState(comment ?? "");
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const conflict = problem?.code === "description-changed";
  const submit = async () => {
    if (saving) return;
    setSaving(true);
    setProblem(null);
    try {
      await save(text, conflict ? stored : before);
      onDone();
    } catch (cause) {
      const found = asProblem(cause);
      if (found.code === "description-changed") await refresh();
      setProblem(found);
      setSaving(false);
    }
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onDone();
    }
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form
      className="flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        ref={takeFocus}
        aria-label="Description"
        aria-describedby={`${labelledBy} ${hintId}`}
        rows={2}
        maxLength={maxDescription}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={key}
        className="field resize-y px-2 py-1.5 [field-sizing:content]"
      />
      {conflict ? (
        <Notice tone="warning" title="Somebody changed it meanwhile." className="text-xs">
          {stored === "" ? "It is empty now." : <>It says: “{<VisibleText text={stored} />}”.</>} Save writes yours in
          its place.
        </Notice>
      ) : problem ? (
        <ProblemNotice problem={problem} className="text-xs" />
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="sm" variant="primary" blocked={saving ? "On its way." : undefined}>
          {saving ? "Saving" : "Save"}
        </Button>
        <Button size="sm" variant="ghost" onClick={onDone}>
          Leave as it is
        </Button>
        <span id={hintId} className="text-2xs text-ink-3">
          {described?.database === undefined && !(comment && !described)
            ? "Goes into descriptions.yaml."
            : "Goes into descriptions.yaml and stands before the database’s own comment; empty brings that back."}
        </span>
      </div>
    </form>
  );
}
