/**
 * One session's event stream, kept alive without a framework. A source that the browser is reconnecting by itself
 * (CONNECTING) is left alone, since only that one sends a cursor; a silent or CLOSED one is replaced. Each listener
 * first asks whether its source is still the current one: `close()` does not take back events already queued.
 */
import { eventNames, type Frame, heartbeatMs } from "../../protocol/events.ts";
import { checkFrame } from "./check-frame.ts";

/** The part of EventSource that is used. */
export interface SourceLike {
  readonly readyState: number;
  addEventListener(name: string, listener: (event: { data?: unknown; lastEventId?: string }) => void): void;
  close(): void;
}

export interface StreamEffects {
  openSource(url: string): SourceLike;
  setTimer(run: () => void, ms: number): unknown;
  clearTimer(timer: unknown): void;
  now(): number;
  warn(text: string): void;
}

export type StreamState = "connecting" | "live" | "lost";
/** `since`, `lastAt` and `nextTryAt` are epoch milliseconds; `lastAt` is when the server last gave a sign. */
export interface StreamStatus {
  state: StreamState;
  since: number;
  lastAt: number | null;
  nextTryAt: number | null;
}

export interface StreamHandlers {
  /** A new source was opened: its `stream_open` replaces everything. */
  onSource(): void;
  onFrame(frame: Frame): void;
  onStatus(status: StreamStatus): void;
}

export interface EventStream {
  retryNow(): void;
  close(): void;
}

/** Silence of this length means that the stream is dead. */
export const patienceMs = 3 * heartbeatMs;
const closedState = 2;
const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

const browserEffects: StreamEffects = {
  openSource: (url) => new EventSource(url) as unknown as SourceLike,
  setTimer: (run, ms) => window.setTimeout(run, ms),
  clearTimer: (timer) => window.clearTimeout(timer as number),
  now: () => Date.now(),
  warn: (text) => console.warn(text),
};

export function openEventStream(
  url: string,
  handlers: StreamHandlers,
  effects: StreamEffects = browserEffects,
): EventStream {
  let current: SourceLike | null = null;
  let watchdog: unknown = null;
  let backoff: unknown = null;
  let waitMs = firstWaitMs;
  let status: StreamStatus = { state: "connecting", since: effects.now(), lastAt: null, nextTryAt: null };

  const report = (state: StreamState, nextTryAt: number | null) => {
    if (state === status.state && nextTryAt === status.nextTryAt) return;
    status = { state, since: state === status.state ? status.since : effects.now(), lastAt: status.lastAt, nextTryAt };
    handlers.onStatus(status);
  };
  const stopTimers = () => {
    if (watchdog !== null) effects.clearTimer(watchdog);
    if (backoff !== null) effects.clearTimer(backoff);
    watchdog = backoff = null;
  };
  const drop = () => {
    const old = current;
    current = null;
    stopTimers();
    old?.close();
  };
  const watch = (source: SourceLike) => {
    if (watchdog !== null) effects.clearTimer(watchdog);
    watchdog = effects.setTimer(() => {
      if (source !== current) return;
      report("lost", null);
      connect();
    }, patienceMs);
  };
  const connect = () => {
    drop();
    const source = effects.openSource(url);
    current = source;
    handlers.onSource();
    watch(source);
    for (const name of eventNames) {
      source.addEventListener(name, (event) => {
        if (source !== current) return;
        watch(source);
        waitMs = firstWaitMs;
        status = { ...status, lastAt: effects.now() };
        const checked = checkFrame(name, typeof event.data === "string" ? event.data : "", event.lastEventId ?? "");
        report("live", null);
        if (checked.ok) handlers.onFrame(checked.frame);
        else effects.warn(`Dropped a ${name} event: ${checked.problem}`);
      });
    }
    source.addEventListener("error", () => {
      if (source !== current) return;
      watch(source);
      if (source.readyState !== closedState) return report("lost", null);
      drop();
      const ms = waitMs;
      waitMs = Math.min(waitMs * 2, longestWaitMs);
      backoff = effects.setTimer(() => {
        if (current === null && backoff !== null) connect();
      }, ms);
      report("lost", effects.now() + ms);
    });
  };

  connect();
  let disposed = false;
  return {
    retryNow: () => {
      if (!disposed) connect();
    },
    close: () => {
      disposed = true;
      drop();
    },
  };
}
