/**
 * What the reviewer has typed, picked and ticked at a gate and not yet sent. Kept by gate id outside of React, so that
 * it survives a gate that is delivered again, a tab of the page that is left, and a reconnect.
 */
import { useCallback, useSyncExternalStore } from "react";

export interface Draft {
  /** `What should change`. */
  text: string;
  /** Option id of a question; null means the proposed one. */
  choice: string | null;
  /** Ids of deviations accepted as new decisions. */
  accepted: readonly string[];
  /** Answers typed beside open questions, by question. */
  answers: Readonly<Record<string, string>>;
  otherOpen: boolean;
  /** The final SQL as the reviewer writes it; absent while they don't. */
  sql?: string;
}

const empty: Draft = { text: "", choice: null, accepted: [], answers: {}, otherOpen: false };
/** Old gates never come back, so few drafts are ever needed. */
const kept = 32;
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

export const readDraft = (gateId: string): Draft => drafts.get(gateId) ?? empty;

export function changeDraft(gateId: string, change: (draft: Draft) => Draft): void {
  const next = change(readDraft(gateId));
  drafts.delete(gateId);
  drafts.set(gateId, next);
  for (const oldest of drafts.keys()) {
    if (drafts.size <= kept) break;
    drafts.delete(oldest);
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useDraft(gateId: string): [Draft, (change: (draft: Draft) => Draft) => void] {
  const read = useCallback(() => readDraft(gateId), [gateId]);
  const draft = useSyncExternalStore(subscribe, read, read);
  const change = useCallback((next: (draft: Draft) => Draft) => changeDraft(gateId, next), [gateId]);
  return [draft, change];
}
