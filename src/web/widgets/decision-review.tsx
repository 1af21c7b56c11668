import type { InterpretationDecision } from "../../protocol/decisions.ts";
import { VisibleText } from "../elements/visible-text.tsx";
import { aspectNames, toAspectText } from "./aspect-words.ts";
import { FilterList } from "./filter-list.tsx";
import type { GateProps } from "./gate-props.ts";
import { TableList } from "./table-list.tsx";

/** Interpretations, tables with columns, or filters: whichever the proposal holds, in the order of the phases. */
export function DecisionReview({ payload, control }: GateProps<"decision-review">) {
  const interpretations = payload.decisions.filter((decision) => decision.kind === "interpretation");
  const tables = payload.decisions.filter((decision) => decision.kind === "table");
  const columns = payload.decisions.filter((decision) => decision.kind === "column");
  const filters = payload.decisions.filter((decision) => decision.kind === "filter");
  return (
    <div className="flex flex-col gap-3">
      {interpretations.length > 0 ? <Interpretations items={interpretations} /> : null}
      <TableList tables={tables} columns={columns} evidence={payload.tables ?? []} />
      <FilterList filters={filters} evidence={payload.filters ?? []} control={control} />
    </div>
  );
}

function Interpretations({ items }: { items: InterpretationDecision[] }) {
  return (
    <dl className="mx-5 overflow-hidden rounded-md border border-line">
      {items.map((item, index) => (
        <div
          key={index}
          className="border-b border-line px-3 py-2 last:border-b-0 md:grid md:grid-cols-[128px_minmax(0,1fr)] md:gap-3"
        >
          <dt className="text-xs leading-5 text-ink-3">{aspectNames[item.aspect]}</dt>
          <dd
            className={
              item.aspect === "restatement"
                ? "max-w-[96ch] text-sm font-medium text-ink [overflow-wrap:anywhere]"
                : "max-w-[96ch] text-sm text-ink [overflow-wrap:anywhere]"
            }
          >
            <VisibleText text={toAspectText(item)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
