import type { GateKind } from "../../protocol/gates.ts";
import type { PhaseId } from "../../protocol/phases.ts";
import { toWord } from "../elements/numbers.ts";
import { Section } from "../elements/section.tsx";
import { InlineSql } from "../elements/sql-text.tsx";
import { VisibleText } from "../elements/visible-text.tsx";

/** A line may begin with a word for what is written: `join Artist ar INNER JOIN …`. Only SQL gets colours. */
const writeWords =
  /^(left out|joins?|filters?|cte|steps?|sql|tables?|columns?|interpretations?|restatement|grain|measure|period|order|limit|output|summary|choice|answers?|outcome|deviations?|accepts?):?\s+([\s\S]+)$/i;
const sqlWords = /^(join|filter|sql)$/i;
/** At F1 a filter is still a sentence, and the final statement is only counted. */
const isSql = (word: string, rest: string, phase: PhaseId) =>
  sqlWords.test(word) && phase !== "F1" && !/^\d+ lines?\b/.test(rest);

function toWriteLine(line: string): { word: string; rest: string } {
  const [, word, rest] = writeWords.exec(line.trim()) ?? [];
  return word && rest ? { word, rest } : { word: "", rest: line.trim() };
}

export function Writes({ kind, phase, lines }: { kind: GateKind; phase: PhaseId; lines: string[] }) {
  const joins = lines.filter((line) => /^join\b/i.test(line.trim())).length;
  const note = kind === "join-review" && joins > 1 ? `one set: all ${toWord(joins)} or none` : undefined;
  const parts = lines.map(toWriteLine);
  return (
    <Section title="What Continue writes" right={note}>
      <div
        tabIndex={0}
        role="group"
        aria-label="Lines written"
        className="mx-5 overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-[18px] [font-variant-ligatures:none]"
      >
        <table>
          <tbody>
            {parts.map(({ word, rest }, index) => {
              const accepts = /^accepts?$/i.test(word);
              return (
                <tr key={index} className="align-top">
                  <th scope="row" className="whitespace-pre pr-3 text-left font-normal text-ink-3">
                    {word}
                  </th>
                  <td className={accepts ? "text-warning" : "text-ink"}>
                    {isSql(word, rest, phase) ? (
                      <InlineSql sql={rest} />
                    ) : (
                      <span className="whitespace-pre-wrap">
                        <VisibleText text={rest} keepLayout />
                      </span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
