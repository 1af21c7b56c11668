import { live, type Mutation, races, stream } from "./mutation.ts";

export const keepAlive: Mutation[] = [
  {
    clause: "C10.1",
    sentence: "a heartbeat",
    fault: "none",
    ...stream,
    find: "beat ??= setInterval(beatAll, heartbeatMs).unref();",
    replace: "",
  },
  {
    clause: "C10.1",
    sentence: "nobody ends the stream at the end of a turn",
    fault: "idle ends it",
    ...live,
    find: '    this.#markWorking(next.state !== "idle");',
    replace:
      '    this.#markWorking(next.state !== "idle");\n    if (next.state === "idle") queueMicrotask(() => this.stream.close());',
    tests: [races],
  },
  {
    clause: "C10.1",
    sentence: "nor at a failure",
    fault: "failed ends it",
    ...live,
    find: '    this.#markWorking(next.state !== "idle");',
    replace:
      '    this.#markWorking(next.state !== "idle");\n    if (next.state === "failed") queueMicrotask(() => this.stream.close());',
    tests: [races],
  },
  {
    clause: "C10.1",
    sentence: "a known session always answers, child or not",
    fault: "only with a child",
    file: "src/server/sessions/sessions.ts",
    find: "      return session.stream.subscribe(",
    replace:
      '      if (!session.runtime && session.turn.state !== "running") throw new ThothError("session-unknown", "It rests.", "Resume it.");\n      return session.stream.subscribe(',
    tests: [races],
  },
  {
    clause: "C10.1",
    sentence: "always 200",
    fault: "204",
    file: "src/server/event-streams.ts",
    find: "outgoing.writeHead(200,",
    replace: "outgoing.writeHead(206,",
    tests: ["src/server/event-streams.test.ts"],
  },
  {
    clause: "C10.2",
    sentence: "a probe ends its stream",
    fault: "the command waits for the stream's end",
    file: "src/cli/session-watch.ts",
    find: "      stop.abort();\n",
    replace: "",
    tests: ["test/contracts/probes.test.ts"],
  },
];
