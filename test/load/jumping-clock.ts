/** Loaded before a server: its clock is off by the milliseconds that stand in `clock` in its home, and jumps with them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const file = join(process.env.THOTH_HOME ?? "", "clock");
const RealDate = Date;
let offset = 0;

setInterval(() => {
  try {
    offset = Number(readFileSync(file, "utf8"));
  } catch {
    offset = 0; // nobody has turned it yet
  }
}, 20).unref();

globalThis.Date = class extends RealDate {
  constructor(...given: []) {
    super(...(given.length === 0 ? ([RealDate.now() + offset] as unknown as []) : given));
  }
  static override now(): number {
    return RealDate.now() + offset;
  }
} as DateConstructor;
