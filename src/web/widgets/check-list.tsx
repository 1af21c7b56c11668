import type { Check } from "../../protocol/evidence.ts";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { Prose } from "../elements/prose.tsx";

export function CheckList({ checks, className, small }: { checks: Check[]; className?: string; small?: boolean }) {
  return (
    <ul id="checks" className={cn("scroll-mt-4 tabular-nums", className)}>
      {checks.map((check, index) => (
        <li
          key={index}
          className={cn("flex gap-2 text-ink-2 [overflow-wrap:anywhere]", small ? "text-xs leading-[18px]" : "text-sm")}
        >
          <Icon
            name={check.ok ? (small ? "check" : "ok") : "warning"}
            label={check.ok ? "passed" : "failed"}
            className={cn("mt-0.5", small && "h-3.5 w-3.5", check.ok ? "text-ok" : "text-warning")}
          />
          <span className={cn(!check.ok && "font-medium text-ink")}>
            {check.ok ? null : <span className="mr-1 text-warning">Failed</span>}
            <Prose text={check.text} />
          </span>
        </li>
      ))}
    </ul>
  );
}
