import { RadioGroup } from "radix-ui";
import { lazy, Suspense, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { cn } from "./class-names.ts";
import { type LineMark, SqlText } from "./sql-text.tsx";

/** Fetched when a final statement is shown; until then, and where it can't be fetched, the light text stands there. */
const SqlEditor = lazy(async () => ({ default: (await import("./sql-editor.tsx")).SqlEditor }));

export interface SqlBlock {
  title?: string;
  sql: string;
  startLine?: number;
  marks?: Record<number, LineMark>;
  /** The text can then be written. */
  onChange?: (sql: string) => void;
}

export interface SqlViewerProps {
  blocks: SqlBlock[];
  /** With a cursor, search and only the lines in view: for whole statements. A step's slice is short and stays light. */
  editor?: boolean;
  /** Lines of the first block to light, and what the pointer is on there. */
  lit?: ReadonlySet<number>;
  onLine?: (line: number | null) => void;
}

function Text({ block, editor, lit, onLine }: Pick<SqlViewerProps, "editor" | "lit" | "onLine"> & { block: SqlBlock }) {
  const { title, onChange, ...text } = block;
  const shown = { ...text, label: title ? `SQL: ${title}` : "SQL", lit, onLine };
  if (!editor) return <SqlText {...shown} />;
  const light = <SqlText {...shown} />;
  return (
    <ErrorBoundary fallback={light} onError={(cause) => console.warn("The SQL editor could not be shown.", cause)}>
      <Suspense fallback={light}>
        <SqlEditor {...shown} onChange={onChange} />
      </Suspense>
    </ErrorBoundary>
  );
}

type Layout = "horizontal" | "vertical";

/** Shows SQL blocks. How to lay them out is only a question with two or more, so only then is there a control. */
export function SqlViewer({ blocks, editor, lit, onLine }: SqlViewerProps) {
  const [layout, setLayout] = useState<Layout>("vertical");
  const several = blocks.length > 1;
  return (
    <div className="min-w-0 bg-sunken">
      {several ? <LayoutControl layout={layout} onLayout={setLayout} /> : null}
      <div className={cn("grid min-w-0 grid-cols-1", several && layout === "horizontal" && "md:grid-cols-2")}>
        {blocks.map((block, index) => (
          <div
            key={index}
            className={cn(
              "min-w-0",
              index > 0 && "border-t border-line",
              index > 0 && layout === "horizontal" && "md:border-l md:border-t-0",
            )}
          >
            {several && block.title ? <p className="px-3 pt-2 text-2xs font-medium text-ink-3">{block.title}</p> : null}
            <Text
              block={block}
              editor={editor === true || block.onChange !== undefined}
              lit={index === 0 ? lit : undefined}
              onLine={index === 0 ? onLine : undefined}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

const layouts: { value: Layout; label: string }[] = [
  { value: "horizontal", label: "Horizontal" },
  { value: "vertical", label: "Vertical" },
];

function LayoutControl({ layout, onLayout }: { layout: Layout; onLayout: (layout: Layout) => void }) {
  return (
    <div className="flex items-center justify-end gap-2 border-b border-line px-3 py-1">
      <span aria-hidden="true" className="text-2xs text-ink-3">
        Layout
      </span>
      <RadioGroup.Root
        aria-label="Layout"
        orientation="horizontal"
        value={layout}
        onValueChange={(value) => onLayout(value === "horizontal" ? "horizontal" : "vertical")}
        className="flex rounded border border-line-strong bg-raised"
      >
        {layouts.map(({ value, label }) => (
          <RadioGroup.Item
            key={value}
            value={value}
            className="h-6 rounded-sm px-2 text-xs text-ink-2 transition-colors duration-fast hover:text-ink data-[state=checked]:bg-accent-soft data-[state=checked]:font-medium data-[state=checked]:text-accent-ink"
          >
            {label}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
}
