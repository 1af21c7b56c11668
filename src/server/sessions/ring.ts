/** The last frames of one epoch, bounded in number and bytes; the oldest go first. Numbers start at 1 and have no gaps. */
export interface Ring {
  /** Number that the next frame gets. */
  readonly nextSeq: number;
  /** Oldest number still held; `nextSeq` when none is. */
  readonly firstSeq: number;
  push(frame: string): void;
  get(seq: number): string | undefined;
  clear(): void;
}

export interface RingLimits {
  frames: number;
  bytes: number;
}

export const ringLimits: RingLimits = { frames: 4096, bytes: 8 * 1024 * 1024 };

export function createRing(limits: RingLimits = ringLimits): Ring {
  let slots: (string | undefined)[] = [];
  /** Index in `slots` of the oldest frame; what lies before it is empty and cut off now and then. */
  let head = 0;
  let firstSeq = 1;
  let bytes = 0;

  const evict = (): void => {
    bytes -= sizeOf(slots[head] ?? "");
    slots[head] = undefined;
    head += 1;
    firstSeq += 1;
    if (head > limits.frames) {
      slots = slots.slice(head);
      head = 0;
    }
  };

  return {
    get nextSeq() {
      return firstSeq + slots.length - head;
    },
    get firstSeq() {
      return firstSeq;
    },
    push(frame) {
      slots.push(frame);
      bytes += sizeOf(frame);
      // The newest frame always stays, however large: otherwise nobody could ever be given it.
      while (slots.length - head > 1 && (slots.length - head > limits.frames || bytes > limits.bytes)) evict();
    },
    get: (seq) => slots[head + seq - firstSeq],
    clear() {
      slots = [];
      head = 0;
      firstSeq = 1;
      bytes = 0;
    },
  };
}

const sizeOf = (frame: string): number => Buffer.byteLength(frame);
