import { useId, useState } from "react";
import { IconButton } from "../elements/button.tsx";
import { CteResultViewer } from "../elements/cte-result-viewer.tsx";
import { Boundary } from "../elements/error-boundary.tsx";
import { toWord } from "../elements/numbers.ts";
import { Section } from "../elements/section.tsx";
import { CheckList } from "./check-list.tsx";
import type { GateProps } from "./gate-props.ts";
import { Waterfall } from "./waterfall.tsx";

/** The chain of steps as selector, the chosen one with its SQL and rows, and what holds over all of them. */
export function CteReview({ payload }: GateProps<"cte-review">) {
  const { steps, checks } = payload;
  const id = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const last = steps.at(-1);
  const step = steps.find((other) => other.n === chosen) ?? last;
  const at = step ? steps.indexOf(step) : -1;
  const before = steps[at - 1];
  const after = steps[at + 1];
  return (
    <>
      <Waterfall steps={steps} chosen={step?.n ?? 0} onChoose={setChosen} id={id} />
      {step ? (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-step-${step.n}`} className="mx-5 mt-3">
          <Boundary what={`step ${step.n}`} resetKey={String(step.n)}>
            <CteResultViewer
              key={step.n}
              step={step}
              controls={
                <>
                  <IconButton
                    label="Step before"
                    icon="right"
                    iconClassName="rotate-180"
                    aria-disabled={!before}
                    className={before ? undefined : "opacity-40"}
                    onClick={() => before && setChosen(before.n)}
                  />
                  <IconButton
                    label="Next step"
                    icon="right"
                    aria-disabled={!after}
                    className={after ? undefined : "opacity-40"}
                    onClick={() => after && setChosen(after.n)}
                  />
                </>
              }
            />
          </Boundary>
        </div>
      ) : (
        <p className="px-5 text-sm text-ink-2">No steps were proposed.</p>
      )}
      {checks.length > 0 ? (
        <Section title="Checks" right={steps.length > 1 ? `over all ${toWord(steps.length)} steps` : undefined}>
          <CheckList checks={checks} className="grid gap-x-6 gap-y-0.5 px-5 md:grid-cols-2" />
        </Section>
      ) : null}
    </>
  );
}
