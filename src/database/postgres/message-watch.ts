/**
 * Looks at the length of every message from the server before the driver collects it: a row of hundreds of megabytes
 * would be gathered in memory and, beyond the longest text that Node can hold, end our process.
 */
import type { Socket } from "node:net";

/** Bytes of one message, which is one row. */
const maxMessage = 128 * 1024 * 1024;
const headerLength = 5;

/** Must be called between two messages, that is when nothing is asked. */
export function watchMessages(socket: Pick<Socket, "prependListener">, onTooLong: (reason: string) => void): void {
  const header = Buffer.alloc(headerLength);
  let collected = 0;
  let skip = 0;
  socket.prependListener("data", (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length) {
      if (skip > 0) {
        const step = Math.min(skip, chunk.length - at);
        skip -= step;
        at += step;
        continue;
      }
      // The length counts itself (4 bytes), not the type.
      let length: number;
      if (collected === 0 && chunk.length - at >= headerLength) {
        length = chunk.readUInt32BE(at + 1);
        at += headerLength;
      } else {
        const copied = chunk.copy(header, collected, at, at + headerLength - collected);
        collected += copied;
        at += copied;
        if (collected < headerLength) return;
        collected = 0;
        length = header.readUInt32BE(1);
      }
      skip = Math.max(0, length - 4);
      if (length > maxMessage) {
        const size = Math.round(length / 1_048_576).toLocaleString("en-US");
        onTooLong(`One row of the result has ${size} MB, more than can be read. Select shorter parts of it.`);
        return;
      }
    }
  });
}
