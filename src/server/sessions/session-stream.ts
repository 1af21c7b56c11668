/**
 * One session's live stream: frames are numbered and serialised once, kept in a ring, and given to any number of
 * readers. A reader begins with `stream_open`, is told when what it missed is gone, and is cut off when it lags: nothing
 * is ever dropped in the middle, and nobody waits for a slow reader.
 */
import { randomBytes } from "node:crypto";
import {
  heartbeatMs as defaultHeartbeatMs,
  type EventData,
  type EventName,
  type SessionEvent,
} from "../../protocol/index.ts";
import { createRing, type RingLimits, ringLimits } from "./ring.ts";

/** Where frames go: a socket, mostly. */
export interface StreamSink {
  /** False when the other side is gone. */
  write(frame: string): boolean;
  close(): void;
  bufferedBytes(): number;
}

type Snapshot = Omit<EventData<"stream_open">, "epoch" | "firstSeq" | "lastSeq">;
type ResetReason = EventData<"stream_reset">["reason"];

export interface SessionStream {
  readonly epoch: string;
  readonly readers: number;
  publish(event: SessionEvent): void;
  /** Returns what ends the subscription. `snapshot` is taken at the same moment as the replay begins. */
  subscribe(lastEventId: string | undefined, snapshot: Snapshot, sink: StreamSink): () => void;
  /** A new epoch: the old frames are gone, readers are told and their streams end. */
  renew(): void;
  /** Ends every reader's stream. */
  close(): void;
}

export interface StreamOptions {
  now: () => number;
  limits?: RingLimits;
  /** Bytes that may wait in one reader's socket while it follows live. */
  readerBytes?: number;
  heartbeatMs?: number;
}

interface Reader {
  sink: StreamSink;
  /** Next frame to give it. */
  next: number;
  /** Frames up to this one are replay: given at the reader's own pace. */
  replayTo: number;
  /** When its socket last took anything. */
  progressAt: number;
  timer: NodeJS.Timeout | undefined;
}

const defaultReaderBytes = 4 * 1024 * 1024;
/** A replay is written until this much waits, and goes on when it has drained. */
const replayBytes = 1024 * 1024;
const replayPauseMs = 20;

export function createSessionStream({
  now,
  limits = ringLimits,
  readerBytes = defaultReaderBytes,
  heartbeatMs = defaultHeartbeatMs,
}: StreamOptions): SessionStream {
  const ring = createRing(limits);
  const readers = new Set<Reader>();
  let epoch = createEpoch();
  let beat: NodeJS.Timeout | undefined;

  const drop = (reader: Reader): void => {
    clearTimeout(reader.timer);
    readers.delete(reader);
    if (readers.size === 0) {
      clearInterval(beat);
      beat = undefined;
    }
  };
  const cutOff = (reader: Reader): void => {
    drop(reader);
    reader.sink.close();
  };
  const write = (reader: Reader, frame: string): boolean => {
    if (reader.sink.write(frame)) return true;
    drop(reader);
    return false;
  };

  /** Gives a reader what it hasn't had; pauses within the replay while its socket is full. */
  const pump = (reader: Reader): void => {
    reader.timer = undefined;
    while (readers.has(reader) && reader.next < ring.nextSeq) {
      const buffered = reader.sink.bufferedBytes();
      const replaying = reader.next <= reader.replayTo;
      if (replaying && buffered > replayBytes) {
        pauseReplay(reader);
        return;
      }
      const frame = ring.get(reader.next);
      if (frame === undefined || (!replaying && buffered > readerBytes)) {
        cutOff(reader);
        return;
      }
      if (!write(reader, frame)) return;
      reader.next += 1;
      reader.progressAt = performance.now();
    }
  };
  const pauseReplay = (reader: Reader): void => {
    if (performance.now() - reader.progressAt > 3 * heartbeatMs) {
      cutOff(reader);
      return;
    }
    reader.timer = setTimeout(pump, replayPauseMs, reader);
    reader.timer.unref();
  };

  const beatAll = (): void => {
    const frame = toFrame("heartbeat", {}, now());
    for (const reader of [...readers]) {
      if (reader.sink.bufferedBytes() > readerBytes) cutOff(reader);
      else if (reader.timer === undefined) write(reader, frame);
    }
  };

  return {
    get epoch() {
      return epoch;
    },
    get readers() {
      return readers.size;
    },
    publish({ event, data }) {
      ring.push(toFrame(event, data, now(), `${epoch}-${ring.nextSeq}`));
      for (const reader of [...readers]) if (reader.timer === undefined) pump(reader);
    },
    subscribe(lastEventId, snapshot, sink) {
      const lastSeq = ring.nextSeq - 1;
      const cursor = toCursor(lastEventId, epoch, ring.firstSeq, lastSeq);
      const reader: Reader = {
        sink,
        next: cursor.after === null ? ring.firstSeq : cursor.after + 1,
        replayTo: lastSeq,
        progressAt: performance.now(),
        timer: undefined,
      };
      readers.add(reader);
      beat ??= setInterval(beatAll, heartbeatMs).unref();
      if (write(reader, toFrame("stream_open", { epoch, firstSeq: ring.firstSeq, lastSeq, ...snapshot }, now()))) {
        if (cursor.reset === null || write(reader, toFrame("stream_reset", { reason: cursor.reset }, now())))
          pump(reader);
      }
      return () => drop(reader);
    },
    renew() {
      const frame = toFrame("stream_reset", { reason: "resumed" }, now());
      for (const reader of [...readers]) if (write(reader, frame)) cutOff(reader);
      ring.clear();
      epoch = createEpoch();
    },
    close() {
      for (const reader of [...readers]) cutOff(reader);
    },
  };
}

/** Without a dash, which divides it from the number. */
const createEpoch = (): string => randomBytes(6).toString("hex");

function toFrame<N extends EventName>(
  event: N,
  data: EventData<N> | SessionEvent["data"],
  at: number,
  id?: string,
): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify({ at, ...data })}\n\n`;
}

/** `after` is the last frame the reader has; null when it starts from the oldest, with the reason when it had asked for more. */
function toCursor(
  lastEventId: string | undefined,
  epoch: string,
  firstSeq: number,
  lastSeq: number,
): { after: number | null; reset: ResetReason | null } {
  if (lastEventId === undefined || lastEventId === "") return { after: null, reset: null };
  const found = /^([0-9a-z]+)-(\d{1,15})$/.exec(lastEventId);
  const seq = Number(found?.[2]);
  if (!found) return { after: null, reset: "cursor" };
  if (found[1] !== epoch) return { after: null, reset: "epoch" };
  if (seq > lastSeq) return { after: null, reset: "cursor" };
  if (seq < firstSeq - 1) return { after: null, reset: "evicted" };
  return { after: seq, reset: null };
}
