import type { ReactNode } from "react";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { type Tone, tones } from "../elements/tone.ts";
import type { ApiProblem } from "../session/api.ts";

/** One sentence of trouble or note within the flow of the page, with what to do about it. */
export function Notice({
  tone,
  title,
  children,
  className,
}: {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  const look = tones[tone];
  return (
    <div
      role={tone === "problem" ? "alert" : undefined}
      className={cn("flex gap-2.5 rounded-md border px-3 py-2 text-sm", look.line, look.faint, className)}
    >
      <Icon name={look.icon} className={cn("mt-0.5", look.text)} />
      <div className="min-w-0 flex-1 text-ink-2 [overflow-wrap:anywhere]">
        {title ? <strong className="mr-1 font-semibold text-ink">{title}</strong> : null}
        {children}
      </div>
    </div>
  );
}

/** What the server refused, all of it. */
export function ProblemNotice({ problem, className }: { problem: ApiProblem; className?: string }) {
  const all =
    problem.problems.length > 0
      ? problem.problems
      : [{ code: problem.code, message: problem.message, action: problem.action }];
  return (
    <Notice
      tone="problem"
      className={className}
      title={all.length > 1 ? `${all.length} things stand in the way.` : undefined}
    >
      {all.length > 1 ? (
        <ul className="mt-1 space-y-1">
          {all.map((one) => (
            <li key={one.code}>
              <span className="text-ink">{one.message}</span> {one.action}
            </li>
          ))}
        </ul>
      ) : (
        all.map((one) => (
          <span key={one.code}>
            <span className="text-ink">{one.message}</span> {one.action}
          </span>
        ))
      )}
    </Notice>
  );
}
