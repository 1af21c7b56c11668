import type { FilterDecision } from "../../protocol/decisions.ts";
import type { FilterEvidence } from "../../protocol/evidence.ts";
import { cn } from "../elements/class-names.ts";
import { Icon, type IconName } from "../elements/icon.tsx";
import { plural, toCount } from "../elements/numbers.ts";
import { toggleAttributes } from "../elements/reserved-names.ts";
import { InlineSql } from "../elements/sql-text.tsx";
import { Value, VisibleText } from "../elements/visible-text.tsx";
import { DateBuckets } from "./date-buckets.tsx";
import type { DraftControl } from "./gate-props.ts";

export interface FilterListProps {
  filters: FilterDecision[];
  evidence: FilterEvidence[];
  control: DraftControl;
}

export function FilterList({ filters, evidence, control }: FilterListProps) {
  return filters.map((filter, index) => (
    <FilterView
      key={index}
      n={index + 1}
      filter={filter}
      evidence={evidence.find((item) => item.n === index + 1)}
      control={control}
    />
  ));
}

interface FilterViewProps {
  n: number;
  filter: FilterDecision;
  evidence: FilterEvidence | undefined;
  control: DraftControl;
}

function FilterView({ n, filter, evidence, control }: FilterViewProps) {
  return (
    <section
      aria-label={`Filter ${n}`}
      id={`filter-${n}`}
      className="mx-5 overflow-hidden rounded-md border border-line"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-sunken px-3 py-2">
        <span className="text-sm font-semibold tabular-nums text-ink-3">{n}</span>
        <span className="text-sm font-medium [overflow-wrap:anywhere]">
          “<VisibleText text={filter.words} />”
        </span>
        <Icon name="right" className="h-3.5 w-3.5 text-ink-3" />
        <InlineSql sql={filter.condition} />
        {evidence ? (
          <Kept evidence={evidence} table={filter.table} />
        ) : (
          <span className="ml-auto text-xs text-ink-3">not measured</span>
        )}
      </div>
      {evidence && evidence.matches.length > 0 ? <Matches n={n} evidence={evidence} control={control} /> : null}
      {evidence ? <Facts evidence={evidence} /> : null}
      {evidence ? <Searched filter={filter} evidence={evidence} /> : null}
    </section>
  );
}

function Kept({ evidence, table }: { evidence: FilterEvidence; table: string }) {
  const { joined } = evidence;
  if (evidence.kept === null && !joined)
    return <span className="ml-auto text-xs text-ink-3">counted with the joins, in F5</span>;
  const [kept, of] = joined ? [joined.kept, joined.of] : [evidence.kept ?? 0, evidence.of];
  const none = kept === 0;
  return (
    <span className="ml-auto text-xs tabular-nums text-ink-2">
      {none ? <Icon name="warning" className="mr-1 inline-block h-3.5 w-3.5 align-text-bottom text-warning" /> : null}
      keeps <strong className={cn("font-semibold", none ? "text-warning" : "text-ink")}>{toCount(kept)}</strong> of{" "}
      {toCount(of)} {joined ? "joined rows" : "rows of "}
      {joined ? null : <VisibleText text={table} />}
      {joined && evidence.kept !== null ? (
        <span className="text-ink-3">
          {" "}
          · {toCount(evidence.kept)} of {toCount(evidence.of)} in <VisibleText text={table} />
        </span>
      ) : null}
    </span>
  );
}

const how: Record<FilterEvidence["matches"][number]["how"], string> = {
  exact: "the same text",
  case: "same word, other case",
  accent: "same word, other accents",
  prefix: "begins with the word",
  contains: "contains the word",
  near: "near spelling",
};

function Matches({ n, evidence, control }: { n: number; evidence: FilterEvidence; control: DraftControl }) {
  const groups = [
    { title: "In the filter", matches: evidence.matches.filter((match) => match.inFilter) },
    { title: "Not in the filter", matches: evidence.matches.filter((match) => !match.inFilter) },
  ].filter((group) => group.matches.length > 0);
  const most = Math.max(1, ...evidence.matches.map((match) => match.rows));
  return (
    <table className="w-full tabular-nums">
      <thead className="max-md:sr-only">
        <tr className="border-t border-line text-left text-2xs text-ink-3">
          <th scope="col" className="w-9 py-1 pl-3">
            <span className="sr-only">In the filter</span>
          </th>
          <th scope="col" className="font-medium">
            Stored value
          </th>
          <th scope="col" className="font-medium">
            How it matches
          </th>
          <th scope="col" className="pr-3 text-right font-medium">
            Rows
          </th>
          <th scope="col" className="w-[88px]">
            <span className="sr-only">Change</span>
          </th>
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={group.title}>
          <tr className="border-t border-line bg-sunken/60">
            <th colSpan={5} scope="rowgroup" className="px-3 py-1 text-left text-2xs font-medium text-ink-2">
              {group.title}
            </th>
          </tr>
          {group.matches.map((match, index) => (
            <MatchRow key={index} n={n} match={match} most={most} control={control} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** The words that a value's button puts into `What should change`. */
export const toValueWords = (n: number, value: string, inFilter: boolean): string =>
  inFilter ? `Leave '${value}' out of filter ${n}.` : `Add '${value}' to filter ${n}.`;

function MatchRow({
  n,
  match,
  most,
  control,
}: {
  n: number;
  match: FilterEvidence["matches"][number];
  most: number;
  control: DraftControl;
}) {
  const words = toValueWords(n, match.value, match.inFilter);
  const verb = match.inFilter ? "Leave out" : "Add";
  const on = control.hasWords(words);
  return (
    <tr className="border-t border-line">
      <td className="w-9 py-1 pl-3 align-top">
        {match.inFilter ? (
          <Icon name="check" className="mt-0.5 text-ok" label="in the filter" />
        ) : (
          <span title="left out" className="block w-4 text-center text-ink-3">
            –
          </span>
        )}
      </td>
      <td
        className={cn(
          "py-1 pr-3 font-mono text-xs [overflow-wrap:anywhere]",
          match.inFilter ? "font-semibold text-ink" : "text-ink-2",
        )}
      >
        {match.value === "" ? (
          <span className="font-sans text-2xs font-normal text-ink-3">empty text</span>
        ) : (
          <Value text={match.value} />
        )}
        <span className="block font-sans text-2xs font-normal text-ink-3 md:hidden">{how[match.how]}</span>
      </td>
      <td className="py-1 pr-3 text-xs text-ink-2 max-md:hidden">{how[match.how]}</td>
      <td className="py-1 pr-3 md:w-[172px]">
        <span className="flex items-center justify-end gap-2">
          <span aria-hidden="true" className="h-1.5 w-20 shrink-0 overflow-hidden rounded-full bg-line max-md:hidden">
            <span
              className={cn("block h-full", match.inFilter ? "bg-accent" : "bg-control/60")}
              style={{ width: `${match.rows === 0 ? 0 : Math.max(1.5, (match.rows / most) * 100)}%` }}
            />
          </span>
          <span className={cn("min-w-10 text-right text-sm", match.inFilter ? "font-medium" : "text-ink-2")}>
            {toCount(match.rows)}
          </span>
        </span>
      </td>
      <td className="w-[88px] py-1 pr-3 text-right">
        <button
          type="button"
          {...toggleAttributes(match.value, on)}
          aria-label={`${verb} ${match.value}`}
          onClick={() => control.toggleWords(words)}
          className={cn(
            "inline-flex items-center gap-1 whitespace-nowrap rounded-sm text-xs font-medium text-accent-ink hover:underline",
            on && "bg-accent-soft px-1",
          )}
        >
          {on ? <Icon name="check" className="h-3 w-3" /> : null}
          {verb}
        </button>
      </td>
    </tr>
  );
}

function Facts({ evidence }: { evidence: FilterEvidence }) {
  const { format, range, buckets } = evidence;
  const facts: { icon: IconName; className: string; text: string }[] = [];
  if (format) facts.push({ icon: "ok", className: "text-ok", text: `Stored as ${format}` });
  if (range)
    facts.push({
      icon: "info",
      className: "text-ink-3",
      text: `Stored values reach from ${range.min} to ${range.max}`,
    });
  if (buckets && buckets.length > 0) {
    const partly = buckets.filter((bucket) => bucket.kept > 0 && bucket.kept < bucket.rows);
    facts.push(
      partly.length === 0
        ? { icon: "ok", className: "text-ok", text: "The cut falls between two periods; none is split" }
        : {
            icon: "info",
            className: "text-notice",
            text: `The cut splits ${partly.map((bucket) => bucket.label).join(", ")}`,
          },
    );
  }
  if (facts.length === 0) return null;
  return (
    <div className="flex flex-col gap-4 border-t border-line px-3 py-3 md:flex-row md:items-end">
      {buckets && buckets.length > 0 ? <DateBuckets buckets={buckets} /> : null}
      <ul className="min-w-0 flex-1 space-y-1 tabular-nums md:pl-3">
        {facts.map((fact) => (
          <li key={fact.text} className="flex gap-2 text-sm text-ink-2 [overflow-wrap:anywhere]">
            <Icon name={fact.icon} className={cn("mt-0.5", fact.className)} />
            <span>
              <VisibleText text={fact.text} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Searched({ filter, evidence }: { filter: FilterDecision; evidence: FilterEvidence }) {
  if (evidence.searched === 0 && evidence.matches.length === 0) return null;
  const column = `${filter.table}.${filter.column}`;
  const what = evidence.partial
    ? `Searched ${plural(evidence.searched, "stored value")} of ${column}; the index has a cap, so others exist that were not searched.`
    : `Searched ${evidence.searched === 1 ? "the one stored value" : `all ${toCount(evidence.searched)} stored values`} of ${column}, with case, accents and near spellings.`;
  const none = evidence.matches.length === 0 ? ` No stored value is near “${filter.words}”.` : "";
  return (
    <p className="border-t border-line px-3 py-1.5 text-xs tabular-nums text-ink-3 [overflow-wrap:anywhere]">
      <VisibleText text={what + none} />
    </p>
  );
}
