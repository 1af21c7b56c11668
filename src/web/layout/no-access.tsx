import { Icon } from "../elements/icon.tsx";

/** The cookie is missing or belongs to another key. Nothing else can be shown then. */
export function NoAccess() {
  return (
    <main className="mx-auto max-w-[560px] px-5 pt-[72px]">
      <h1 className="flex items-center gap-2 text-xl font-semibold tracking-[-0.015em]">
        <Icon name="key" className="h-5 w-5 text-ink-3" />
        This browser has no key to ThothII
      </h1>
      <p className="mt-2 text-sm text-ink-2">
        Run <code className="font-mono text-xs text-ink">thoth open</code> in a terminal: it prints an address with a
        one-time code and opens it. Your sessions are where they were.
      </p>
    </main>
  );
}
