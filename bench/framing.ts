/**
 * `node bench/framing.ts [--quick]`: one record of 16 MiB as the child's pipe gives it, through the client that reads
 * children, beside the least that anybody must do: one copy of the bytes into a text, and `JSON.parse`.
 */
import { PassThrough } from "node:stream";
import { createRpcClient } from "../src/runtime/rpc-client.ts";
import { type BenchOptions, type Row, runAlone, toRow } from "./bench-row.ts";
import { fitGrowth, median, toMs } from "./figures.ts";
import { processorMs } from "./processor-time.ts";

const mebi = 1024 * 1024;
/** What a pipe of Linux holds. */
const chunkBytes = 64 * 1024;

/** A message as Pi writes it: one long text with line ends, quotes and letters outside ASCII in it. */
function toRecord(bytes: number): Buffer {
  const sentence = 'A sentence with "quotes", a line end,\n and ünïcode so that decoding has work to do. ';
  const text = sentence.repeat(Math.floor(bytes / (Buffer.byteLength(JSON.stringify(sentence)) - 2)));
  return Buffer.from(`${JSON.stringify({ type: "message_end", message: { role: "assistant", content: text } })}\n`);
}

function toChunks(record: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < record.length; at += chunkBytes) chunks.push(Buffer.from(record.subarray(at, at + chunkBytes)));
  return chunks;
}

/** Fed without a stream's own scheduling, so that both sides are synchronous. */
function readOurs(chunks: readonly Buffer[]): number {
  const stdout = new PassThrough();
  let records = 0;
  createRpcClient({
    stdin: new PassThrough(),
    stdout,
    onRecord: () => {
      records += 1;
    },
    onFault: (fault) => {
      throw new Error(fault);
    },
  });
  const before = processorMs();
  for (const chunk of chunks) stdout.emit("data", chunk);
  const ms = processorMs() - before;
  if (records !== 1) throw new Error(`${records} records came through`);
  return ms;
}

function readBare(chunks: readonly Buffer[]): number {
  const before = processorMs();
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const ms = processorMs() - before;
  if (typeof value !== "object") throw new Error("no record");
  return ms;
}

function compare(bytes: number, rounds: number): { ours: number; bare: number } {
  const chunks = toChunks(toRecord(bytes));
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const [ours, bare] = [readOurs(chunks), readBare(chunks)];
    if (round === 0) continue; // compiled by now
    times.ours.push(ours);
    times.bare.push(bare);
  }
  return { ours: median(times.ours), bare: median(times.bare) };
}

export async function measure({ quick }: BenchOptions): Promise<{ rows: Row[] }> {
  const rounds = quick ? 21 : 41;
  const sizes = [1, 2, 4, 8, 16].map((size) => ({ size, ...compare(size * mebi, rounds) }));
  const { ours, bare } = sizes.at(-1) ?? { ours: 0, bare: 1 };
  const growth = fitGrowth(sizes.map(({ size, ours: ms }) => ({ size: size * mebi, ms })));
  return {
    rows: [
      toRow({
        group: "budget",
        what: "a JSONL record of 16 MiB",
        budget: "below 1.3 × JSON.parse plus the copy",
        figure: toMs(ours),
        reference: `bare ${toMs(bare)}`,
        ratio: ours / bare,
        holds: ours / bare < 1.3,
        values: { oursMs: ours, bareMs: bare },
      }),
      toRow({
        group: "budget",
        what: "records of 1 to 16 MiB, time by size",
        budget: "linear",
        figure: `size^${growth.exponent.toFixed(2)}`,
        holds: growth.exponent < 1.15,
        values: { exponent: growth.exponent, ms: sizes.map((one) => one.ours) },
      }),
    ],
  };
}

if (import.meta.main) await runAlone(measure);
