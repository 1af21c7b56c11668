import type { SessionView } from "../../protocol/api.ts";
import { toBudgetWords, toDollars, tokensOf, type Usage } from "../../protocol/usage.ts";
import { toCount } from "../elements/numbers.ts";

/** What the model has used, of the turn and of the session, against the budget when there is one. */
export function UsageLine({ view }: { view: Pick<SessionView, "usage" | "budget"> | undefined }) {
  const { usage, budget } = view ?? {};
  if (!usage || (tokensOf(usage.session) === 0 && !budget)) return null;
  return (
    <section
      aria-label="Usage"
      className="num flex shrink-0 flex-wrap gap-x-3 border-t border-line px-3 py-1.5 text-xs text-ink-3"
    >
      <span>
        Turn <span className="text-ink-2">{toUsageWords(usage.turn)}</span>
      </span>
      <span>
        Session <span className="text-ink-2">{toUsageWords(usage.session)}</span>
        {budget ? ` of ${toBudgetWords(budget)}` : ""}
      </span>
    </section>
  );
}

const toUsageWords = (usage: Usage): string =>
  `${toCount(tokensOf(usage))} tokens${usage.cost > 0 ? `, ${toDollars(usage.cost)}` : ""}`;
