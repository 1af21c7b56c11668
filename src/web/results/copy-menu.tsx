import { DropdownMenu } from "radix-ui";
import { useEffect, useState } from "react";
import { Button } from "../elements/button.tsx";
import { plural, toCount } from "../elements/numbers.ts";
import { type CopyFormat, toCopy, toPart } from "./copy-rows.ts";
import { cellsIn, toSpan } from "./grid-selection.ts";
import type { Grid } from "./use-grid.ts";

const formats: { format: CopyFormat; label: string; detail: string }[] = [
  { format: "tab", label: "For a spreadsheet", detail: "tab-separated" },
  { format: "csv", label: "As CSV", detail: "formulas disarmed" },
  { format: "markdown", label: "As Markdown", detail: "a table" },
  { format: "insert", label: "As SQL INSERT", detail: "into result" },
];

/** Copies the selected cells, or every row shown when no more than one is selected. */
export function CopyMenu({ grid, engine }: { grid: Grid; engine?: string | undefined }) {
  const [state, setState] = useState<"rest" | "done" | "refused">("rest");
  useEffect(() => {
    if (state === "rest") return;
    const timer = setTimeout(() => setState("rest"), 1600);
    return () => clearTimeout(timer);
  }, [state]);
  const { result, order, selection } = grid;
  const span = selection ? toSpan(selection) : null;
  const chosen = span && cellsIn(span) > 1 ? span : null;
  const copy = (format: CopyFormat) => {
    const rows = chosen ? order.slice(chosen.top, chosen.bottom + 1) : order;
    const text = toCopy(toPart(result, rows, chosen?.left, chosen?.right), format, engine);
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    written.then(
      () => setState("done"),
      () => setState("refused"),
    );
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <Button variant="ghost" size="sm" icon={state === "done" ? "check" : "copy"}>
          {state === "done" ? "Copied" : state === "refused" ? "Could not copy" : "Copy"}
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-40 min-w-56 rounded-md bg-raised p-1 text-sm shadow-pop"
        >
          <DropdownMenu.Label className="num px-2 py-1 text-2xs font-medium text-ink-3">
            {chosen
              ? `Selected: ${toCount(chosen.bottom - chosen.top + 1)} × ${plural(chosen.right - chosen.left + 1, "column")}`
              : `${order.length === result.rows.length ? "All" : "The"} ${plural(order.length, "row")} shown`}
          </DropdownMenu.Label>
          {formats.map(({ format, label, detail }) => (
            <DropdownMenu.Item
              key={format}
              onSelect={() => copy(format)}
              className="flex cursor-pointer items-baseline gap-6 rounded px-2 py-1 text-ink outline-none data-[highlighted]:bg-hover"
            >
              {label}
              <span className="ml-auto text-2xs text-ink-3">{detail}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
