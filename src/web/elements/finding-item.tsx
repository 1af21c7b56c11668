import { Fragment } from "react";
import type { Finding } from "../../protocol/evidence.ts";
import { ChipButton } from "./chip.tsx";
import { cn } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import { Prose } from "./prose.tsx";
import { tones, toTone } from "./tone.ts";
import { VisibleText } from "./visible-text.tsx";

export interface FindingItemProps {
  finding: Finding;
  /** True when the words of a way out stand in `What should change`. */
  isOn?: (words: string) => boolean;
  onToggle?: (words: string) => void;
}

export const toFindingId = (finding: Finding): string => `finding-${finding.id}`;

export function FindingItem({ finding, isOn, onToggle }: FindingItemProps) {
  const tone = toTone(finding.severity);
  const look = tones[tone];
  const loud = tone === "warning" || tone === "problem";
  const word = finding.severity === "info" ? "Note" : look.word;
  return (
    <li
      id={toFindingId(finding)}
      className={cn("relative scroll-mt-4 border-t border-line px-5 py-3 first:border-t-0", loud && look.faint)}
    >
      {loud ? <span aria-hidden="true" className={cn("absolute inset-y-0 left-0 w-[3px]", look.bar)} /> : null}
      <div className="flex gap-2.5">
        <Icon name={look.icon} className={cn("mt-0.5", look.text)} />
        <div className="min-w-0 flex-1">
          <h4 className="text-sm font-semibold text-ink [overflow-wrap:anywhere]">
            <span className={cn("mr-0.5", look.text)}>{word}</span> <Prose text={finding.title} />
          </h4>
          <p className="mt-0.5 max-w-[84ch] text-sm text-ink-2 [overflow-wrap:anywhere]">
            <Prose text={finding.body} />
          </p>
          {finding.proof ? <Proof proof={finding.proof} loud={loud ? look.text : "text-ink"} /> : null}
          {finding.waysOut.length > 0 ? (
            <div className="mt-2 flex flex-wrap items-center gap-1.5">
              <span className="mr-0.5 text-xs text-ink-3">Ways out</span>
              {finding.waysOut.map((way) => (
                <ChipButton
                  key={way.text}
                  on={isOn?.(way.text) ?? false}
                  onToggle={() => onToggle?.(way.text)}
                  name={way.label}
                >
                  <VisibleText text={way.label} />
                </ChipButton>
              ))}
            </div>
          ) : null}
        </div>
      </div>
    </li>
  );
}

/** `Revenue SUM(il.UnitPrice)`: the words, then the expression they stand for. */
function ProofName({ text }: { text: string }) {
  const [, words, expression] = /^(.*?)\s+([A-Z][A-Z_]*\(.*\))$/.exec(text) ?? [];
  if (!words || !expression) return <Prose text={text} />;
  return (
    <>
      <Prose text={words} />{" "}
      <code className="font-mono text-ink-3">
        <VisibleText text={expression} />
      </code>
    </>
  );
}

/** The last column is the difference that the finding is about: it gets the tone unless it says that nothing differs. */
function Proof({ proof, loud }: { proof: NonNullable<Finding["proof"]>; loud: string }) {
  const last = proof.columns.length - 1;
  const quiet = (cell: string) => /^(none|0|±0|-|–)$/i.test(cell.trim());
  const stress = (cell: string, index: number) =>
    index === last && index > 0 && (quiet(cell) ? "text-ok" : cn("font-semibold", loud));
  return (
    <>
      <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5 text-xs tabular-nums md:hidden">
        {proof.rows.map((row, rowIndex) => (
          <Fragment key={rowIndex}>
            <dt className="col-span-2 mt-1 font-medium text-ink first:mt-0">
              <ProofName text={row[0] ?? ""} />
            </dt>
            {row.slice(1).map((cell, index) => (
              <Fragment key={index}>
                <dt className="text-ink-2">
                  <VisibleText text={proof.columns[index + 1] ?? ""} />
                </dt>
                <dd className={cn("text-right text-ink", stress(cell, index + 1))}>
                  <VisibleText text={cell} />
                </dd>
              </Fragment>
            ))}
          </Fragment>
        ))}
      </dl>
      <div className="mt-2 hidden overflow-x-auto md:block" tabIndex={0} role="group" aria-label="Proof">
        <table className="text-xs tabular-nums">
          <thead>
            <tr className="text-left align-bottom text-ink-3">
              {proof.columns.map((column, index) => (
                <th
                  key={index}
                  scope="col"
                  className={cn("font-medium", index < last && "pr-4 md:pr-8", index > 0 && "text-right")}
                >
                  <VisibleText text={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="text-ink">
            {proof.rows.map((row, rowIndex) => (
              <tr key={rowIndex} className="align-baseline">
                {row.map((cell, index) => (
                  <td
                    key={index}
                    className={cn(
                      "py-0.5",
                      index < last && "pr-4 md:pr-8",
                      index > 0 && "whitespace-nowrap text-right",
                      stress(cell, index),
                    )}
                  >
                    {index === 0 ? <ProofName text={cell} /> : <VisibleText text={cell} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
