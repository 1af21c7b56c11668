import type { ReactNode } from "react";
import { cn } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import { toggleAttributes } from "./reserved-names.ts";

export interface ChipButtonProps {
  on: boolean;
  onToggle: () => void;
  children: ReactNode;
  /** The words when `children` is not plain text; needed to keep reserved names free. */
  name?: string;
}

export function ChipButton({ on, onToggle, children, name }: ChipButtonProps) {
  const words = name ?? (typeof children === "string" ? children : "");
  return (
    <button
      type="button"
      {...toggleAttributes(words, on)}
      onClick={onToggle}
      className={cn(
        "inline-flex min-h-6 max-w-full shrink-0 items-center gap-1.5 rounded border border-line-strong bg-raised px-2 py-0.5 text-left text-xs font-medium text-ink-2 transition-colors duration-fast hover:border-control hover:text-ink",
        on && "border-accent bg-accent-soft text-accent-ink hover:border-accent hover:text-accent-ink",
      )}
    >
      <Icon name={on ? "check" : "plus"} className="h-3 w-3" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </button>
  );
}
