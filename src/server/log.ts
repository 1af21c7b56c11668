/** The server's log: to stderr, quiet unless THOTH_LOG says otherwise, and with secrets taken out of every line. */
import { pino } from "pino";
import { createRedactor } from "./redact.ts";

/** What the rest of the server needs of it; detail first, then the sentence. */
export interface Log {
  debug(detail: object, message: string): void;
  info(detail: object, message: string): void;
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

export interface LogOptions {
  level?: string | undefined;
  /** Known secrets and the home folder, see `createRedactor`. */
  secrets?: readonly string[];
  home?: string;
  /** One line for people instead of JSON; by default when stderr is a terminal. */
  short?: boolean;
  write?: (line: string) => void;
}

export function createLog(options: LogOptions = {}): Log {
  const redact = createRedactor(options.secrets ?? [], options.home);
  const short = options.short ?? process.stderr.isTTY === true;
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const level = options.level && levels.includes(options.level) ? options.level : "warn";
  return pino({ level, base: null }, { write: (line: string) => write(redact(short ? toShortLine(line) : line)) });
}

/** `14:03:22 warn The catalog could not be read. {"workspace":"demo"}` */
function toShortLine(line: string): string {
  const { level, time, msg, ...detail } = JSON.parse(line) as { level: number; time: number; msg?: string };
  const name = pino.levels.labels[level] ?? "log";
  const rest = Object.keys(detail).length > 0 ? ` ${JSON.stringify(detail)}` : "";
  return `${new Date(time).toTimeString().slice(0, 8)} ${name} ${msg ?? ""}${rest}\n`;
}
