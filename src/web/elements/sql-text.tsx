import { memo, useMemo } from "react";
import { cn } from "./class-names.ts";
import { type SqlToken, type SqlTokenKind, tokenizeSql, toSqlLines } from "./sql-tokens.ts";
import { VisibleText } from "./visible-text.tsx";

export interface LineMark {
  text: string;
  /** The line is not as accepted. */
  bad?: boolean;
}

export interface SqlTextProps {
  sql: string;
  /** Number of the first line. */
  startLine?: number;
  /** By line number as shown. */
  marks?: Record<number, LineMark>;
  lineNumbers?: boolean;
  /** Lines to light, e.g. those of the decision under the pointer. */
  lit?: ReadonlySet<number>;
  onLine?: (line: number | null) => void;
  label?: string;
  className?: string;
}

const colours: Record<SqlTokenKind, string | undefined> = {
  keyword: "text-sql-keyword",
  string: "text-sql-literal",
  number: "text-sql-literal",
  comment: "text-sql-comment",
  name: undefined,
  space: undefined,
  other: undefined,
};

const Tokens = memo(function Tokens({ tokens }: { tokens: SqlToken[] }) {
  return tokens.map((token, index) => {
    const content = <VisibleText key={index} text={token.text} keepLayout />;
    return colours[token.kind] ? (
      <span key={index} className={colours[token.kind]}>
        {content}
      </span>
    ) : (
      content
    );
  });
});

/** SQL within a line of text, e.g. a filter's condition. */
export function InlineSql({ sql, className }: { sql: string; className?: string }) {
  const tokens = useMemo(() => tokenizeSql(sql), [sql]);
  return (
    <code
      className={cn(
        "whitespace-pre-wrap font-mono text-xs [font-variant-ligatures:none] [overflow-wrap:anywhere]",
        className,
      )}
    >
      <Tokens tokens={tokens} />
    </code>
  );
}

/**
 * The exact text: the `code` element's text content is `sql` to the byte, because line numbers and marks are drawn as
 * pseudo-elements. They are therefore in no copy either.
 */
export function SqlText({
  sql,
  startLine = 1,
  marks = {},
  lineNumbers = true,
  lit,
  onLine,
  label = "SQL",
  className,
}: SqlTextProps) {
  const lines = useMemo(() => toSqlLines(sql), [sql]);
  return (
    <pre
      role="group"
      tabIndex={0}
      aria-label={label}
      className={cn(
        "overflow-x-auto py-2 font-mono text-xs leading-[18px] text-ink [font-feature-settings:'calt'_0,'zero'] [font-variant-ligatures:none]",
        className,
      )}
    >
      <code className="block w-max min-w-full font-mono" onMouseLeave={onLine ? () => onLine(null) : undefined}>
        {lines.map((tokens, index) => {
          const line = startLine + index;
          const mark = marks[line];
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only lights what the list beside it tells
            <span
              key={index}
              data-line={line}
              data-mark={mark?.text}
              onMouseEnter={onLine ? () => onLine(line) : undefined}
              className={cn(
                "flex min-h-[18px]",
                lineNumbers &&
                  "before:w-10 before:shrink-0 before:select-none before:pr-3 before:text-right before:text-ink-3 before:content-[attr(data-line)]",
                !lineNumbers && "pl-3",
                mark &&
                  "after:sticky after:right-0 after:shrink-0 after:select-none after:bg-sunken after:px-2 after:text-2xs after:leading-[18px] after:text-ink-3 after:content-[attr(data-mark)]",
                mark?.bad &&
                  "bg-warning-soft shadow-[inset_3px_0_0_hsl(var(--warning-mark))] before:text-warning after:bg-warning-soft after:font-semibold after:text-warning",
                lit?.has(line) &&
                  !mark?.bad &&
                  "bg-accent-soft before:text-accent-ink after:bg-accent-soft after:font-semibold after:text-accent-ink",
              )}
            >
              <span className="min-w-0 flex-1 whitespace-pre pr-3">
                <Tokens tokens={tokens} />
              </span>
            </span>
          );
        })}
      </code>
    </pre>
  );
}
