import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { watchMessages } from "./message-watch.ts";

/** A type, the length with itself, and so many bytes. */
function message(length: number): Buffer {
  const bytes = Buffer.alloc(5 + length, 0xff);
  bytes.write("D", 0);
  bytes.writeUInt32BE(length + 4, 1);
  return bytes;
}

function watch(chunks: Buffer[]): string[] {
  const socket = new EventEmitter();
  const reasons: string[] = [];
  watchMessages(socket as unknown as Socket, (reason) => reasons.push(reason));
  for (const chunk of chunks) socket.emit("data", chunk);
  return reasons;
}

test("finds the long message wherever the stream is cut", () => {
  const head = Buffer.from([0x44, 0x20, 0, 0, 0]);
  fc.assert(
    fc.property(fc.array(fc.nat(40)), fc.array(fc.integer({ min: 1, max: 17 }), { minLength: 1 }), (lengths, cuts) => {
      const short = Buffer.concat(lengths.map(message));
      const cut = (bytes: Buffer): Buffer[] => {
        const chunks: Buffer[] = [];
        for (let at = 0, n = 0; at < bytes.length; n += 1) {
          const size = cuts[n % cuts.length] ?? 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        return chunks;
      };
      expect(watch(cut(short))).toEqual([]);
      expect(watch(cut(Buffer.concat([short, head])))).toEqual([expect.stringContaining("512 MB")]);
    }),
  );
});
