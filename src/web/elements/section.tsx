import { type ReactNode, useId } from "react";
import { cn } from "./class-names.ts";

export interface SectionProps {
  title: ReactNode;
  right?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A heading with hairline-free content below; the content brings its own gutter. */
export function Section({ title, right, children, className }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={className}>
      <div className="flex items-baseline gap-3 px-5 pb-1.5 pt-3">
        <h3 id={id} className="text-sm font-semibold">
          {title}
        </h3>
        {right ? (
          <div className={cn("ml-auto flex flex-wrap items-center justify-end gap-3 text-xs text-ink-3")}>{right}</div>
        ) : null}
      </div>
      {children}
    </section>
  );
}
