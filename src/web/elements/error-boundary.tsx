import type { ReactNode } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Icon } from "./icon.tsx";

export interface BoundaryProps {
  children: ReactNode;
  /** What can't be shown then, as part of a sentence: `this step`, `the summary of F2`. */
  what: string;
  /** A new value tries again. */
  resetKey?: string;
  onBroken?: () => void;
}

/** Stands behind every view of persisted or received data. The reason goes to the console, never onto the page. */
export function Boundary({ children, what, resetKey, onBroken }: BoundaryProps) {
  return (
    <ErrorBoundary
      resetKeys={[resetKey]}
      onError={(error) => {
        console.error(`Could not show ${what}`, error);
        onBroken?.();
      }}
      fallback={
        <p role="alert" className="flex gap-2 px-5 py-3 text-sm text-ink-2">
          <Icon name="problem" className="mt-0.5 text-problem" />
          <span>
            <strong className="font-semibold text-problem">Problem</strong> ThothII could not show {what}. Nothing is
            lost: it stays in the ledger.
          </span>
        </p>
      }
    >
      {children}
    </ErrorBoundary>
  );
}
