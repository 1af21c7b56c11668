/** Figures for a monitor, in Prometheus' text format. They hold counts and sizes only: no names, words or rows. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type TurnState, turnStates } from "../protocol/index.ts";
import { version } from "./project.ts";

/** What the sessions of this server are doing now. */
export interface SessionFigures {
  turns: Record<TurnState, number>;
  children: { session: number; reserved: number };
  openGates: number;
}

export interface Metrics {
  countAnswer(status: number): void;
  /** `code` of a problem as it was sent; one per kind of fault. */
  countProblem(code: string): void;
  toText(now: SessionFigures & { streams: number }): string;
}

export function createMetrics(): Metrics {
  const answers = new Map<string, number>();
  const problems = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  // From the first time that somebody looks: a server that nobody watches shouldn't measure itself.
  let delay: Delay | undefined;

  return {
    countAnswer: (status) => add(answers, `${Math.floor(status / 100)}xx`),
    countProblem: (code) => add(problems, code),
    toText({ turns, children, openGates, streams }) {
      const { rss, heapUsed, external } = process.memoryUsage();
      const lag = toLag(delay);
      delay?.reset();
      delay ??= monitorEventLoopDelay({ resolution: 20 });
      delay.enable();
      const families = [
        gauge("thoth_info", "Versions, as labels.", [[{ version, node: process.versions.node }, 1]]),
        gauge("thoth_uptime_seconds", "Since the server's process began.", [[{}, process.uptime()]]),
        gauge(
          "thoth_sessions",
          "Sessions that this server has opened, by turn.",
          turnStates.map((turn) => [{ turn }, turns[turn]]),
        ),
        gauge("thoth_children", "Pi processes: of sessions, and ready for the next one.", [
          [{ use: "session" }, children.session],
          [{ use: "reserved" }, children.reserved],
        ]),
        gauge("thoth_gates_open", "Gates that wait for the reviewer.", [[{}, openGates]]),
        gauge("thoth_streams", "Event streams that are open.", [[{}, streams]]),
        counter("thoth_http_answers_total", "HTTP answers by class of status.", "status", answers),
        counter("thoth_problems_total", "Problems that were answered with, by code.", "code", problems),
        gauge(
          "thoth_event_loop_delay_seconds",
          "Delay of the event loop since these figures were last read.",
          lag.map(([quantile, seconds]) => [{ quantile }, seconds]),
        ),
        gauge("thoth_memory_bytes", "Memory of the server's process.", [
          [{ kind: "resident" }, rss],
          [{ kind: "heap" }, heapUsed],
          [{ kind: "external" }, external],
        ]),
      ];
      return `${families.join("\n")}\n`;
    },
  };
}

type Delay = ReturnType<typeof monitorEventLoopDelay>;
type Labels = Record<string, string>;

function toLag(delay: Delay | undefined): [string, number][] {
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  const at = (percentile: number) => (delay && delay.count > 0 ? seconds(delay.percentile(percentile)) : 0);
  return [
    ["0.5", at(50)],
    ["0.99", at(99)],
    ["1", delay && delay.count > 0 ? seconds(delay.max) : 0],
  ];
}

const counter = (name: string, help: string, label: string, counts: ReadonlyMap<string, number>): string =>
  family(
    name,
    help,
    "counter",
    [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [{ [label]: key }, value]),
  );
const gauge = (name: string, help: string, values: [Labels, number][]): string => family(name, help, "gauge", values);

function family(name: string, help: string, type: "gauge" | "counter", values: [Labels, number][]): string {
  const lines = values.map(([labels, value]) => `${name}${toLabels(labels)} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
}

function toLabels(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (found) => (found === "\n" ? "\\n" : `\\${found}`))}"`,
  );
  return parts.length > 0 ? `{${parts.join(",")}}` : "";
}
