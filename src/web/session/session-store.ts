/**
 * The external store React reads. Frames are folded as they come; what is shown follows within an animation frame or two for
 * deltas and replay (with a timer behind it, since a hidden tab has no animation frames), and at once for all others.
 */
import { useSyncExternalStore } from "react";
import type { Frame } from "../../protocol/events.ts";
import { emptySession, foldQuestion, foldSession, foldSource, isReplay, type SessionState } from "./fold-session.ts";

export interface StoreEffects {
  requestFrame(run: () => void): unknown;
  cancelFrame(handle: unknown): void;
  setTimer(run: () => void, ms: number): unknown;
  clearTimer(handle: unknown): void;
  /** Milliseconds from any origin. */
  now(): number;
}

const browserEffects: StoreEffects = {
  requestFrame: (run) => window.requestAnimationFrame(run),
  cancelFrame: (handle) => window.cancelAnimationFrame(handle as number),
  setTimer: (run, ms) => window.setTimeout(run, ms),
  clearTimer: (handle) => window.clearTimeout(handle as number),
  now: () => performance.now(),
};

export interface SessionStore {
  getState(): SessionState;
  subscribe(listener: () => void): () => void;
  receive(frame: Frame): void;
  setQuestion(text: string, at: number): void;
  sourceOpened(): void;
}

const fallbackMs = 50;
/** Text need not grow at every frame of the screen: every other one leaves room for all else that renders. */
const gapMs = 20;

export function createSessionStore(effects: StoreEffects = browserEffects): SessionStore {
  let folded = emptySession;
  let shown = emptySession;
  let pending: { frame: unknown; timer: unknown } | null = null;
  let flushedAt = Number.NEGATIVE_INFINITY;
  const listeners = new Set<() => void>();

  const flush = () => {
    if (pending) {
      effects.cancelFrame(pending.frame);
      effects.clearTimer(pending.timer);
      pending = null;
    }
    if (shown === folded) return;
    shown = folded;
    flushedAt = effects.now();
    for (const listener of listeners) listener();
  };
  const onFrame = () => {
    if (pending && effects.now() - flushedAt < gapMs) pending.frame = effects.requestFrame(onFrame);
    else flush();
  };
  const flushSoon = () => {
    pending ??= { frame: effects.requestFrame(onFrame), timer: effects.setTimer(flush, fallbackMs) };
  };
  const canWait = (frame: Frame) =>
    frame.event === "activity_delta" ||
    frame.event === "text_delta" ||
    frame.event === "stream_open" ||
    isReplay(folded, frame);

  return {
    getState: () => shown,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    receive: (frame) => {
      if (frame.event === "heartbeat") return;
      const later = canWait(frame);
      // Everything before a lifecycle frame is shown on its own first: order holds even for a single render.
      if (!later) flush();
      folded = foldSession(folded, frame);
      if (later) flushSoon();
      else flush();
    },
    setQuestion: (text, at) => {
      folded = foldQuestion(folded, text, at);
      flush();
    },
    sourceOpened: () => {
      folded = foldSource(folded);
    },
  };
}

/** Renders again only when the selected part is another value; selectors must return parts of the state, not new objects. */
export function useSelected<T>(store: SessionStore, select: (state: SessionState) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}
