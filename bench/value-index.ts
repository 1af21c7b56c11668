/**
 * Measures the value index on made-up values: time to build, size against the text, processor time of lookups and searches.
 *
 *   node bench/value-index.ts [--values 1000000] [--queries 400] [--keep FILE]
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openReadable, openWritable } from "../src/catalog/value-files.ts";
import { createValueSearch, type ValueSearch } from "../src/catalog/value-search.ts";
import { createSchema, createValueStore } from "../src/catalog/value-store.ts";
import { createValueWriter } from "../src/catalog/value-writer.ts";

const columns = ["person", "title", "city", "code", "product"].map((column) => ({
  table: "made_up",
  column,
  partial: false,
}));
const syllables =
  "ba be bi bo ca co da de di do fa fe ga ge gi go ha he hi jo ka ke ko la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi wa ya zo são ño lé mü rå ça ön şi".split(
    " ",
  );
const endings = ["", "n", "r", "s", "t", "l", "nd", "rt", "ński", "berg", "sson", "é"];

/** Milliseconds of processor time: other work on the machine doesn't count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The same numbers on every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function createMaker(random: (below: number) => number): (column: number) => string {
  const upper = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
  // Few words are common and many rare, as in real texts.
  const vocabulary = Array.from({ length: 120_000 }, () =>
    Array.from({ length: 2 + random(3) }, () => syllables[random(syllables.length)])
      .join("")
      .concat(endings[random(endings.length)] ?? ""),
  );
  const word = () => vocabulary[Math.floor(vocabulary.length * (random(1_000_000) / 1_000_000) ** 2.5)] ?? "";
  const digits = (count: number) => String(random(10 ** count)).padStart(count, "0");
  return (column) => {
    if (column === 0) return `${upper(word())} ${upper(word())}`;
    if (column === 1) return upper(Array.from({ length: 3 + random(4) }, word).join(" "));
    if (column === 2) return upper(word()) + (random(2) ? ` ${upper(word())}` : ` ${digits(4)}`);
    if (column === 3) return `${upper(syllables[random(20)] ?? "").toUpperCase()}-${digits(4)}-${digits(5)}`;
    return `${upper(word())} ${word()} ${digits(3)}`;
  };
}

interface Sample {
  query: string;
  column?: string;
}

/** What a person would write who half remembers a value. */
function toQueries(kind: string, value: string, column: string, random: (below: number) => number): Sample {
  const words = value.split(" ");
  const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? value;
  const typo = (word: string) => {
    const at = 1 + random(Math.max(1, word.length - 2));
    return word.slice(0, at) + word.slice(at + 1);
  };
  if (kind === "whole value") return { query: value };
  if (kind === "without case, accents") return { query: value.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "") };
  if (kind === "beginning") return { query: value.slice(0, 5) };
  if (kind === "two letters") return { query: value.slice(0, 2) };
  if (kind === "one word") return { query: longest };
  if (kind === "word in a column") return { query: longest, column };
  if (kind === "middle") return { query: value.slice(2, 8) };
  if (kind === "three letters") return { query: longest.slice(1, 4) };
  if (kind === "words turned") return { query: words.toReversed().join(" ") };
  if (kind === "typo in a word") return { query: typo(longest) };
  if (kind === "typo in the value")
    return { query: words.map((word) => (word === longest ? typo(word) : word)).join(" ") };
  return { query: `zqx${longest.slice(2)}wq` };
}
const kinds = [
  "whole value",
  "without case, accents",
  "beginning",
  "two letters",
  "one word",
  "word in a column",
  "middle",
  "three letters",
  "words turned",
  "typo in a word",
  "typo in the value",
  "nothing like it",
];

function build(file: string, count: number, random: (below: number) => number): { bytes: number; kept: Sample[] } {
  const database = openWritable(file);
  createSchema(database, "bench", columns);
  const writer = createValueWriter(database);
  const make = createMaker(random);
  const kept: Sample[] = [];
  let bytes = 0;
  columns.forEach(({ column }, index) => {
    const most = Math.floor(count / columns.length);
    const seen = new Set<string>();
    while (seen.size < most) {
      const entries = [];
      while (entries.length < 50_000 && seen.size < most) {
        const value = make(index);
        if (seen.has(value)) continue;
        seen.add(value);
        bytes += Buffer.byteLength(value);
        entries.push({ column: index + 1, value, rows: random(3) ? 1 : 1 + random(500) });
        if (random(most) < 400) kept.push({ query: value, column });
      }
      writer.add({
        entries,
        progress: [{ column: index + 1, found: entries.length, done: seen.size === most }],
      });
    }
  });
  writer.finish();
  database.close();
  return { bytes, kept };
}

const percentile = (values: readonly number[], at: number): string => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0).toFixed(2).padStart(8);
};

function measure(search: ValueSearch, kept: readonly Sample[], count: number, random: (below: number) => number): void {
  const print = (name: string, times: readonly number[], hits: number) =>
    process.stdout.write(
      `${name.padEnd(32)} p50 ${percentile(times, 0.5)} ms  p99 ${percentile(times, 0.99)} ms  max ${percentile(times, 1)} ms  found something ${Math.round((100 * hits) / times.length)} %\n`,
    );
  const all: number[] = [];
  const clock: number[] = [];
  for (const kind of ["lookup", ...kinds]) {
    const times: number[] = [];
    let hits = 0;
    for (let n = 0; n < count; n++) {
      const value = kept[random(kept.length)];
      if (!value) continue;
      const { query, column } = toQueries(
        kind === "lookup" ? "whole value" : kind,
        value.query,
        value.column ?? "",
        random,
      );
      const [started, worked] = [performance.now(), processorMs()];
      const found = kind === "lookup" ? search.lookup(query) : search.search(query, { column });
      times.push(processorMs() - worked);
      clock.push(performance.now() - started);
      if (found.length > 0) hits += 1;
    }
    if (kind !== "lookup") all.push(...times);
    print(kind === "lookup" ? kind : `search, ${kind}`, times, hits);
  }
  print("all searches", all, all.length);
  print("lookups and searches by the clock", clock, clock.length);
}

const { values: flags } = parseArgs({
  options: {
    values: { type: "string", default: "1000000" },
    queries: { type: "string", default: "400" },
    keep: { type: "string" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "value-index-"));
const file = flags.keep ?? join(folder, "values.sqlite");
const random = createRandom(1);
const started = performance.now();
const cpuBefore = process.cpuUsage();
const { bytes, kept } = build(file, Number(flags.values), random);
const cpu = process.cpuUsage(cpuBefore);
const { size } = statSync(file);
const mega = (value: number) => `${(value / 1e6).toFixed(1)} MB`;
process.stdout.write(
  `${Number(flags.values).toLocaleString("en-US")} values built in ${((performance.now() - started) / 1000).toFixed(1)} s (${((cpu.user + cpu.system) / 1e6).toFixed(1)} s of processor)\n` +
    `text ${mega(bytes)}, index ${mega(size)}: ${(size / bytes).toFixed(2)} times the text\n`,
);
const database = openReadable(file);
if (!database) throw new Error(`no index in ${file}`);
const store = createValueStore(database);
measure(createValueSearch(store), kept, Number(flags.queries), random);
database.close();
rmSync(folder, { recursive: true });
