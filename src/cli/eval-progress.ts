/** How far an evaluation is: one line that changes on a terminal, a line now and then elsewhere. On stderr. */
import type { Outcome } from "../evaluation/report.ts";

export interface Progress {
  add(outcome: Outcome): void;
  end(): void;
}

/** Elsewhere than on a terminal, after this share of the questions. */
const step = 0.1;

export function showProgress(whole: number, before: readonly Outcome[]): Progress {
  const ends = [...before];
  const terminal = process.stderr.isTTY === true;
  const started = performance.now();
  let told = Math.floor(ends.length / Math.max(1, whole * step));
  const line = () => {
    const right = ends.filter((end) => end === "right").length;
    const done = ends.length - before.length;
    const left = done === 0 ? 0 : ((performance.now() - started) / done) * (whole - ends.length);
    return `${ends.length} of ${whole}, ${right} right${left > 0 ? `, about ${toDuration(left)} left` : ""}`;
  };
  if (before.length > 0) process.stderr.write(`Goes on after ${before.length} of ${whole} questions.\n`);
  return {
    add(outcome) {
      ends.push(outcome);
      const now = Math.floor(ends.length / Math.max(1, whole * step));
      if (terminal) process.stderr.write(`\r\u001b[K${line()}`);
      else if (now > told) process.stderr.write(`${line()}\n`);
      told = now;
    },
    end() {
      if (terminal && ends.length > before.length) process.stderr.write("\r\u001b[K");
    },
  };
}

function toDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
