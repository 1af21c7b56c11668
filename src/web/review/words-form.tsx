import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../elements/button.tsx";
import { cn } from "../elements/class-names.ts";
import { ProblemNotice } from "../layout/notice.tsx";
import { type ApiProblem, asProblem } from "../session/api.ts";

export interface WordsFormProps {
  id: string;
  label: string;
  button: string;
  placeholder: string;
  primary?: boolean;
  text: string;
  onText: (text: string) => void;
  onFocusChange?: (focused: boolean) => void;
  send: (text: string) => Promise<void>;
  className?: string;
}

/** One line of words to the model that grows as one types. Ctrl+Enter sends; the words stay until they have arrived. */
export function WordsForm({
  id,
  label,
  button,
  placeholder,
  primary,
  text,
  onText,
  onFocusChange,
  send,
  className,
}: WordsFormProps) {
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const submit = async () => {
    if (text.trim() === "") return box.current?.focus();
    if (sending) return;
    setSending(true);
    setProblem(null);
    try {
      await send(text.trim());
      onText("");
    } catch (cause) {
      setProblem(asProblem(cause));
    } finally {
      setSending(false);
    }
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form
      className={cn("shrink-0 bg-raised", className)}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {problem ? <ProblemNotice problem={problem} className="mb-2" /> : null}
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <div className="flex items-end gap-2">
        <textarea
          id={id}
          ref={box}
          rows={1}
          value={text}
          placeholder={placeholder}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={key}
          onFocus={() => onFocusChange?.(true)}
          onBlur={() => onFocusChange?.(false)}
          className="field max-h-40 resize-none [field-sizing:content]"
        />
        <Button
          type="submit"
          variant={primary ? "primary" : "secondary"}
          className="h-[38px]"
          blocked={sending ? "On its way." : undefined}
        >
          {button}
        </Button>
      </div>
    </form>
  );
}
