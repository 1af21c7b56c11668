import { Fragment, useState } from "react";
import type { GateFrame, RestsOnKnowledge } from "../../protocol/gates.ts";
import { type PhaseId, phaseIds, phaseTitles } from "../../protocol/phases.ts";
import { VisibleText } from "../elements/visible-text.tsx";
import { showDecision } from "./show-decision.ts";

type Item = GateFrame["restsOn"][number];

/** `#4`, `#11–16`, `#4, #7` */
export function toSeqText(seqs: number[]): string {
  const sorted = [...new Set(seqs)].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let at = 0; at < sorted.length; at++) {
    const from = sorted[at];
    while (at + 1 < sorted.length && sorted[at + 1] === (sorted[at] ?? 0) + 1) at++;
    ranges.push(from === sorted[at] ? `#${from}` : `#${from}–${sorted[at]}`);
  }
  return ranges.join(", ");
}

/** Labels up to this many characters together stand in one line of the working column. */
const restsWidth = 84;

/** Whole sets of decisions always stand; of single ones the short ones that fit, and the others wait behind a press. */
function toShown(items: Item[]): Item[] {
  const width = (item: Item) => toSeqText(item.seqs).length + item.label.length + 4;
  let used = items.filter((item) => item.seqs.length > 1).reduce((sum, item) => sum + width(item), 0);
  const shown = items.filter((item) => {
    if (item.seqs.length > 1) return true;
    if (width(item) > 44 || used + width(item) > restsWidth) return false;
    used += width(item);
    return true;
  });
  return shown.length > 0 ? shown : items.slice(0, 1);
}

/** Items by the phase they were decided in; those of an unknown phase stand first, without a name. */
export function toRestGroups(
  items: Item[],
  phaseOf: (seq: number) => PhaseId | undefined,
): { phase: PhaseId | null; items: Item[] }[] {
  return [null, ...phaseIds]
    .map((phase) => ({
      phase,
      items: items.filter((item) => (item.seqs[0] === undefined ? null : (phaseOf(item.seqs[0]) ?? null)) === phase),
    }))
    .filter((group) => group.items.length > 0);
}

/** What this proposal was made from; each leads to where it stands among the accepted decisions. */
export function RestsOn({
  items: all,
  phaseOf = () => undefined,
}: {
  items: Item[];
  phaseOf?: (seq: number) => PhaseId | undefined;
}) {
  const known = all.flatMap(({ knowledge }) => (knowledge ? [knowledge] : []));
  const items = all.filter(({ knowledge }) => knowledge === undefined);
  return (
    <>
      <RestsOnDecisions items={items} phaseOf={phaseOf} />
      <RestsOnKnowledgePieces pieces={known} isAlone={items.length === 0} />
    </>
  );
}

function RestsOnDecisions({ items, phaseOf }: { items: Item[]; phaseOf: (seq: number) => PhaseId | undefined }) {
  const [open, setOpen] = useState(false);
  if (items.length === 0) return null;
  const shown = toShown(items);
  const more = items.length - shown.length;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-1.5 border-t border-line px-5 py-3 text-xs text-ink-3">
      <span className="mr-1">Rests on</span>
      {toRestGroups(open ? items : shown, phaseOf).map((group) => (
        <Fragment key={group.phase ?? "unknown"}>
          {group.items.map((item, index) => (
            // The phase stays with its first item when the line breaks.
            <span key={index} className="inline-flex min-w-0 items-center gap-1.5">
              {group.phase && index === 0 ? (
                <span className="font-mono text-2xs" title={phaseTitles[group.phase]}>
                  {group.phase}
                </span>
              ) : null}
              <RestsOnItem item={item} />
            </span>
          ))}
        </Fragment>
      ))}
      {more > 0 ? (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="rounded-sm px-1 font-medium text-accent-ink hover:underline"
        >
          {open ? "Show fewer" : `+${more} more`}
        </button>
      ) : null}
      <span className="md:ml-auto">Changing one reopens its phase</span>
    </div>
  );
}

const kindWords: Record<RestsOnKnowledge["kind"], string> = {
  description: "description",
  relation: "relation",
  synonym: "synonym",
  evidence: "rule",
  verified: "verified question",
  directive: "directive",
};

/** What the workspace's files say about it; a press shows the words, the file and why it was found. */
function RestsOnKnowledgePieces({ pieces, isAlone }: { pieces: RestsOnKnowledge[]; isAlone: boolean }) {
  const [open, setOpen] = useState<number | null>(null);
  const shown = open === null ? undefined : pieces[open];
  if (pieces.length === 0) return null;
  return (
    <section
      aria-label="Rests on knowledge"
      className={`${isAlone ? "mt-3 " : ""}border-t border-line px-5 py-3 text-xs text-ink-3`}
    >
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="mr-1">Rests on what the workspace knows</span>
        {pieces.map((piece, index) => (
          <button
            key={index}
            type="button"
            aria-expanded={open === index}
            onClick={() => setOpen(open === index ? null : index)}
            className="inline-flex min-h-5 items-center gap-1.5 rounded-sm border border-line-strong bg-raised px-1.5 text-left text-2xs text-ink-2 [overflow-wrap:anywhere] hover:border-control hover:text-ink"
          >
            <span className="text-ink-3">{kindWords[piece.kind]}</span> <VisibleText text={piece.title} />
          </button>
        ))}
      </div>
      {shown ? (
        <div className="mt-2 rounded-sm border border-line bg-raised px-3 py-2">
          <p className="whitespace-pre-wrap text-ink [overflow-wrap:anywhere]">
            <VisibleText text={shown.excerpt} />
          </p>
          <p className="mt-1 [overflow-wrap:anywhere]">
            <span className="font-mono text-2xs">
              <VisibleText text={`${shown.file}${shown.line === undefined ? "" : `, line ${shown.line}`}`} />
            </span>
            : <VisibleText text={shown.why} />
          </p>
        </div>
      ) : null}
    </section>
  );
}

function RestsOnItem({ item }: { item: Item }) {
  const [first] = item.seqs;
  return (
    <a
      href={`#decision-${first}`}
      onClick={(event) => {
        event.preventDefault();
        if (first !== undefined) showDecision(first);
      }}
      className="inline-flex min-h-5 items-center rounded-sm border border-line-strong bg-raised px-1.5 font-mono text-2xs tabular-nums text-ink-2 [overflow-wrap:anywhere] hover:border-control hover:text-ink"
    >
      <span>
        {toSeqText(item.seqs)} <VisibleText text={item.label.replace(/\.$/, "")} />
      </span>
    </a>
  );
}
