/** Resident memory of a process in MiB, as Linux tells it. */
import { readFileSync } from "node:fs";

export const readMemory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
