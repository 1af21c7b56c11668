import type { ReactNode } from "react";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useNow } from "./use-now.ts";

function Banner({ title, children, right }: { title: string; children: ReactNode; right?: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-warning-line bg-warning-soft px-4 py-2 text-sm"
    >
      <Icon name="off" className="text-warning" />
      <span className="min-w-0 flex-1">
        <strong className="font-semibold text-ink">{title}</strong> <span className="num text-ink-2">{children}</span>
      </span>
      {right}
    </div>
  );
}

/** `lastAt` and `nextTryAt` are epoch milliseconds. */
export function StreamLost({
  lastAt,
  nextTryAt,
  onTry,
}: {
  lastAt: number | null;
  nextTryAt: number | null;
  onTry: () => void;
}) {
  const now = useNow(1_000);
  const silent = lastAt === null ? null : Math.max(0, Math.round((now - lastAt) / 1000));
  const next = nextTryAt === null ? null : Math.max(0, Math.ceil((nextTryAt - now) / 1000));
  return (
    <Banner
      title="Live updates stopped."
      right={
        <Button size="sm" icon="refresh" onClick={onTry}>
          Try now
        </Button>
      }
    >
      {silent === null ? "" : `No sign of ThothII for ${silent} s. `}Your session goes on without this page.
      {next === null ? "" : ` Next try in ${next} s.`}
    </Banner>
  );
}

export const BackendGone = () => (
  <Banner title="ThothII is not running.">Start it again; the session goes on from the ledger.</Banner>
);
export const Reconnecting = () => <Banner title="ThothII was restarted.">Reconnecting…</Banner>;

export function FifthTab() {
  return (
    <p className="flex items-center gap-2 border-b border-notice-line bg-notice-soft px-4 py-2 text-sm text-ink-2">
      <Icon name="info" className="text-notice" />
      Live updates are on in four other tabs; this one refreshes every few seconds.
    </p>
  );
}
