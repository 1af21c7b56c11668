import { RadioGroup } from "radix-ui";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { toProposedOption } from "./gate-answer.ts";
import type { GateProps } from "./gate-props.ts";
import { toMissingHeading } from "./missing-words.ts";

export function Question({ gateId, payload, control }: GateProps<"question">) {
  const { cannotAnswer, options } = payload;
  const { asked, more } = toParagraphs(payload.question);
  // The title of the gate asks it already, unless it had to be cut or says it in other words.
  const heading = cannotAnswer ? "What should happen now?" : asked;
  const proposed = toProposedOption(options);
  const chosen = options.some((option) => option.id === control.draft.choice) ? control.draft.choice : proposed;
  // The one way to go on is what Continue does; it needs no list to choose from.
  const shown = cannotAnswer && options.length < 2 ? [] : options;
  return (
    <>
      {cannotAnswer ? <CannotAnswer {...cannotAnswer} /> : null}
      {shown.length > 0 ? (
        <div className={cn("mx-5 overflow-hidden rounded-md border border-line", cannotAnswer && "mt-3")}>
          <p
            id={`${gateId}-asked`}
            className={
              heading === payload.frame.title
                ? "sr-only"
                : "border-b border-line bg-sunken px-3 py-2 text-sm font-semibold [overflow-wrap:anywhere]"
            }
          >
            <VisibleText text={heading} />
          </p>
          <RadioGroup.Root aria-labelledby={`${gateId}-asked`} value={chosen ?? ""} onValueChange={control.choose}>
            {shown.map((option) => {
              const id = `${gateId}-${option.id}`;
              return (
                <label
                  key={option.id}
                  htmlFor={id}
                  className={cn(
                    "flex cursor-pointer gap-2.5 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-hover",
                    option.id === chosen && "bg-accent-soft hover:bg-accent-soft",
                  )}
                >
                  <RadioGroup.Item
                    id={id}
                    value={option.id}
                    className="mt-0.5 flex h-4 w-4 shrink-0 items-center justify-center rounded-full border border-control bg-raised data-[state=checked]:border-accent"
                  >
                    <RadioGroup.Indicator className="h-2 w-2 rounded-full bg-accent" />
                  </RadioGroup.Item>
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                    <span className="block text-sm text-ink">
                      <span className={cn(option.id === chosen && "font-medium")}>
                        <VisibleText text={option.label} />
                      </span>
                      {option.id === proposed ? <span className="ml-1.5 text-ink-3">(proposed)</span> : null}
                    </span>
                    {option.detail ? (
                      <span className="mt-0.5 block whitespace-pre-line text-xs leading-[18px] text-ink-2">
                        <VisibleText text={option.detail} keepLayout />
                      </span>
                    ) : null}
                  </span>
                </label>
              );
            })}
          </RadioGroup.Root>
        </div>
      ) : cannotAnswer ? null : (
        <p className="mx-5 rounded-md border border-line px-3 py-2.5 text-sm text-ink [overflow-wrap:anywhere]">
          <VisibleText text={asked} />
        </p>
      )}
      {more && !cannotAnswer ? (
        <p className="mx-5 mt-3 max-w-[96ch] whitespace-pre-line text-xs leading-[18px] text-ink-2 [overflow-wrap:anywhere]">
          <VisibleText text={more} keepLayout />
        </p>
      ) : null}
    </>
  );
}

/** What is asked, and what stands below it in paragraphs of its own. */
function toParagraphs(question: string): { asked: string; more: string } {
  const [asked = "", ...more] = question.split(/\n\s*\n/);
  return { asked, more: more.join("\n\n") };
}

/** The title of the gate says already that the data is not there. */
function CannotAnswer({ missing, reason }: { missing: string; reason: string }) {
  const heading = toMissingHeading(missing);
  return (
    <div className="mx-5 flex gap-2.5 rounded-md border border-notice-line bg-notice-soft/70 px-3 py-3">
      <Icon name="slash" className="mt-0.5 text-notice" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {heading ? (
          <p className="text-sm font-semibold text-ink">
            <VisibleText text={heading} />
          </p>
        ) : null}
        <p className="mt-0.5 max-w-[84ch] whitespace-pre-line text-sm text-ink-2">
          <VisibleText text={reason} keepLayout />
        </p>
        <p className="mt-1.5 max-w-[84ch] text-sm text-ink-2">
          If it is here under another name, send the gate back and say so, for example “clients means customers”.
        </p>
      </div>
    </div>
  );
}
