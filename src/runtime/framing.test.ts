import { expect, it } from "vitest";
import { createLineFramer } from "./framing.ts";

function collect(chunks: Uint8Array[], max?: number) {
  const lines: string[] = [];
  let overflowed = 0;
  const framer = createLineFramer(
    (line) => lines.push(line),
    () => {
      overflowed += 1;
    },
    max,
  );
  for (const chunk of chunks) framer.push(chunk);
  return { lines, overflowed, pending: framer.pendingBytes() };
}

it("splits at LF only: line separators inside a record stay, cut at every offset", () => {
  const text = '{"a":"x\u2028y\u2029z\u0085é😀"}\n{"b":"\u2028"}\n';
  const bytes = Buffer.from(text);
  const expected = ['{"a":"x\u2028y\u2029z\u0085é😀"}', '{"b":"\u2028"}'];
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(collect([bytes.subarray(0, cut), bytes.subarray(cut)]).lines).toEqual(expected);
  }
  expect(collect([...bytes].map((byte) => Uint8Array.of(byte))).lines).toEqual(expected);
});

it("drops empty lines and a trailing CR, and keeps an unfinished line back", () => {
  expect(collect([Buffer.from("a\r\n\n\r\nb\nrest")])).toEqual({ lines: ["a", "b"], overflowed: 0, pending: 4 });
});

it("a line over the limit is told once and ends the reading, with or without its LF", () => {
  expect(collect([Buffer.from("ok\n123456"), Buffer.from("7890\nlater\n")], 8)).toEqual({
    lines: ["ok"],
    overflowed: 1,
    pending: 0,
  });
  expect(collect([Buffer.from("ok\n123456789\nlater\n")], 8)).toEqual({ lines: ["ok"], overflowed: 1, pending: 0 });
  expect(collect([Buffer.from("12345678\n")], 8).lines).toEqual(["12345678"]);
});

it("a 16 MiB record in 64 KiB chunks costs about what parsing it costs", () => {
  const record = Buffer.from(`${JSON.stringify({ text: "0123456789abcdef".repeat(1024 * 1024) })}\n`);
  const chunks: Buffer[] = [];
  for (let at = 0; at < record.length; at += 65_536) chunks.push(record.subarray(at, at + 65_536));
  const time = (work: () => void): number => {
    const runs = [0, 1, 2].map(() => {
      const started = performance.now();
      work();
      return performance.now() - started;
    });
    return Math.min(...runs);
  };
  const bare = time(() => JSON.parse(Buffer.concat(chunks).toString("utf8")));
  const framed = time(() => {
    const framer = createLineFramer(
      (line) => JSON.parse(line),
      () => undefined,
    );
    for (const chunk of chunks) framer.push(chunk);
  });
  // Assembly by concat-and-split takes dozens of times as long; the rest is noise of a busy machine.
  expect(framed).toBeLessThan(bare * 8 + 200);
});
