/**
 * JSON Lines over bytes: a record ends at the byte 0x0A and nowhere else. Node's own `readline` also splits at U+2028,
 * which may stand raw inside a JSON string, so it is no use here. Each byte is looked at once, however long the line.
 */
export interface LineFramer {
  push(chunk: Uint8Array): void;
  /** Bytes of a line that has not ended. */
  pendingBytes(): number;
}

/** Longest record accepted from a child. */
export const maxLineBytes = 32 * 1024 * 1024;

/** After `onOverflow` nothing more is taken: the stream has lost its place. */
export function createLineFramer(
  onLine: (line: string) => void,
  onOverflow: () => void,
  maxBytes: number = maxLineBytes,
): LineFramer {
  let parts: Buffer[] = [];
  let pending = 0;
  let closed = false;

  const takeLine = (last: Buffer): string => {
    // Decoded once per line, so that a character cut by a chunk's end is whole again.
    const line =
      parts.length === 0
        ? last.toString("utf8")
        : Buffer.concat([...parts, last], pending + last.length).toString("utf8");
    parts = [];
    pending = 0;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };
  const overflow = (): void => {
    closed = true;
    parts = [];
    pending = 0;
    onOverflow();
  };

  return {
    push(bytes) {
      if (closed) return;
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
        if (pending + end - start > maxBytes) return overflow();
        const line = takeLine(chunk.subarray(start, end));
        start = end + 1;
        if (line !== "") onLine(line);
        if (closed) return;
      }
      if (start === chunk.length) return;
      if (pending + chunk.length - start > maxBytes) return overflow();
      parts.push(chunk.subarray(start));
      pending += chunk.length - start;
    },
    pendingBytes: () => pending,
  };
}
