import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import type { Chip } from "../../protocol/evidence.ts";
import { Button, IconButton } from "./button.tsx";
import { ChipButton } from "./chip.tsx";
import { hasWords, toggleWords } from "./chip-words.ts";
import { VisibleText } from "./visible-text.tsx";

export interface OtherFormProps {
  groups: { group: string; chips: Chip[] }[];
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  onClose: () => void;
  /** What sending does, e.g. `Writes none of the 5 joins.` */
  consequence: string;
  /** Why it can't be sent now. */
  blocked?: string;
  /** Take the focus on opening: only when the reviewer opened it, and not from another field. */
  focus?: boolean;
}

export function OtherForm({ groups, text, onText, onSend, onClose, consequence, blocked, focus }: OtherFormProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const wanted = useRef(focus);
  useEffect(() => {
    if (wanted.current) field.current?.focus({ preventScroll: true });
  }, []);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !blocked) {
      event.preventDefault();
      onSend();
    }
  };
  return (
    // Not a form: Enter must never send by itself.
    <div role="group" onKeyDown={press} className="border-b border-line px-5 pb-3 pt-3">
      <div className="mb-2 flex items-center">
        <label htmlFor={id} className="text-sm font-semibold">
          What should change
        </label>
        <span className="ml-2 text-xs text-ink-3">Pick, then edit the words</span>
        <IconButton label="Close" icon="close" className="-mr-1 ml-auto" onClick={onClose} />
      </div>
      {groups.length > 0 ? (
        <div className="max-h-40 space-y-1.5 overflow-y-auto">
          {groups.map(({ group, chips }) => (
            <div
              key={group}
              role="group"
              aria-label={group}
              className="-mx-5 flex items-start gap-1.5 overflow-x-auto px-5 [scrollbar-width:none] md:mx-0 md:px-0"
            >
              <span className="w-[60px] shrink-0 text-xs leading-6 text-ink-3 md:w-[72px]">{group}</span>
              <div className="flex gap-1.5 md:min-w-0 md:flex-wrap">
                {chips.map((chip) => (
                  <ChipButton
                    key={chip.text}
                    name={chip.label}
                    on={hasWords(text, chip.text)}
                    onToggle={() => onText(toggleWords(text, chip.text))}
                  >
                    <VisibleText text={chip.label} />
                  </ChipButton>
                ))}
              </div>
            </div>
          ))}
        </div>
      ) : null}
      <textarea
        id={id}
        ref={field}
        rows={2}
        value={text}
        maxLength={10_000}
        onChange={(event) => onText(event.target.value)}
        className="mt-2.5 block max-h-48 w-full resize-none rounded-md border border-control bg-raised px-3 py-2 text-sm text-ink [field-sizing:content] placeholder:text-ink-3"
      />
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 md:flex-nowrap">
        <Button
          variant="primary"
          className="w-full md:w-auto"
          blocked={blocked}
          aria-describedby={`${id}-consequence`}
          onClick={onSend}
        >
          Send
        </Button>
        <p id={`${id}-consequence`} className="text-xs text-ink-2">
          {blocked ?? consequence}
        </p>
        <span aria-hidden="true" className="ml-auto hidden shrink-0 items-center gap-1 text-xs text-ink-3 md:flex">
          <Key>Ctrl</Key>
          <Key>Enter</Key>sends
        </span>
      </div>
    </div>
  );
}

const Key = ({ children }: { children: string }) => (
  <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line-strong bg-sunken px-1 font-mono text-2xs text-ink-2">
    {children}
  </kbd>
);
