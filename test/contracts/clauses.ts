/** The clauses in our own words, one line each, and the files that keep them: what `docs/contracts.md` is made from. */
export interface Clause {
  id: string;
  says: string;
  keptIn: readonly string[];
}

export const contractTitles: Record<string, string> = {
  C1: "Reasoning stream",
  C2: "Thinking level",
  C3: "Join review",
  C4: "Ledger",
  C5: "Phase summary, version 2",
  C6: "SQL viewers",
  C7: "Turn state",
  C8: "Resume",
  C9: "Reconnecting in the browser",
  C10: "Keep-alive streams",
  C11: "Model activity panel",
  C12: "What may cross to the client about tools",
  C13: "Tailwind",
};

export const clauses: readonly Clause[] = [
  {
    id: "C1.1",
    says: "Each piece of reasoning becomes an `activity_delta`, in order; nothing is dropped, and blocks stay apart.",
    keptIn: ["src/bridge/to-events.ts"],
  },
  {
    id: "C1.2",
    says: "Each piece of answer text becomes a `text_delta`; reasoning and answer never mix.",
    keptIn: ["src/bridge/to-events.ts", "src/web/session/fold-session.ts"],
  },
  {
    id: "C1.3",
    says: "Server and browser share one list of event names, and the browser listens to each by name.",
    keptIn: ["src/protocol/events.ts", "src/web/session/event-stream.ts"],
  },
  {
    id: "C1.4",
    says: "What an attempt said before it was retried stays, marked as discarded, apart from the next attempt.",
    keptIn: ["src/bridge/to-events.ts", "src/web/session/fold-session.ts"],
  },
  {
    id: "C2.1",
    says: "A new session asks for the configured level, a resumed one for its own, each model change for it again; `off` only when it was chosen.",
    keptIn: [
      "src/server/sessions/open-session.ts",
      "src/server/sessions/launch-child.ts",
      "src/server/sessions/patch-session.ts",
      "src/runtime/child-command.ts",
    ],
  },
  {
    id: "C2.2",
    says: "Where a model can do less, the level in force is shown and the wish stays.",
    keptIn: ["src/server/sessions/launch-child.ts", "src/server/sessions/to-view.ts"],
  },
  {
    id: "C2.3",
    says: "With the level `off` the activity panel says so.",
    keptIn: ["src/web/activity/activity-panel.tsx"],
  },
  {
    id: "C3.1",
    says: "A proposal of joins alone is one complete set, shown read-only.",
    keptIn: ["src/workflow/proposals.ts", "src/web/widgets/join-review.tsx"],
  },
  {
    id: "C3.2",
    says: "Continue writes every join of the set, or none.",
    keptIn: ["src/workflow/gate-rules.ts", "src/ledger/ledger.ts"],
  },
  {
    id: "C3.3",
    says: "Other writes none, hands on the words, and holds back summary and later proposals until a set is accepted.",
    keptIn: [
      "src/workflow/gate-rules.ts",
      "src/workflow/proposals.ts",
      "src/workflow/fold-ledger.ts",
      "src/extension/ask-gate.ts",
    ],
  },
  {
    id: "C3.4",
    says: "A later accepted set replaces the earlier one whole, in one change; the ledger keeps both.",
    keptIn: ["src/workflow/gate-rules.ts", "src/server/sessions/live-session.ts"],
  },
  {
    id: "C3.5",
    says: "Joins beside other kinds are refused in fixed words.",
    keptIn: ["src/workflow/proposals.ts"],
  },
  {
    id: "C4.1",
    says: "Reading, numbering and replacing are one critical section across processes; readers take no lock and see a whole file.",
    keptIn: [
      "src/ledger/ledger.ts",
      "src/ledger/writer-lock.ts",
      "src/ledger/file-lock.ts",
      "src/ledger/replace-file.ts",
    ],
  },
  {
    id: "C4.2",
    says: "Numbers have no gap and only rise, however many write.",
    keptIn: ["src/ledger/ledger.ts"],
  },
  {
    id: "C4.3",
    says: "A killed writer leaves the old file or the new one, and no lock behind.",
    keptIn: ["src/ledger/replace-file.ts", "src/ledger/file-lock.ts"],
  },
  {
    id: "C4.4",
    says: "Two sessions never wait for each other.",
    keptIn: ["src/ledger/writer-lock.ts"],
  },
  {
    id: "C5.1",
    says: "Open questions are taken as they were sent or refused with what to mend, in the child and again at the server.",
    keptIn: ["src/extension/tools/summary-argument.ts", "src/workflow/gate-rules.ts", "src/protocol/summaries.ts"],
  },
  {
    id: "C5.2",
    says: "Whatever a ledger holds as a summary is shown as something readable; nothing can break the page.",
    keptIn: ["src/web/widgets/normalize-summary.ts", "src/web/elements/error-boundary.tsx"],
  },
  {
    id: "C6.1",
    says: "The layout control is there only with two or more blocks.",
    keptIn: ["src/web/elements/sql-viewer.tsx"],
  },
  {
    id: "C6.2",
    says: "A single CTE is shown through that viewer, without the control.",
    keptIn: ["src/web/elements/cte-result-viewer.tsx"],
  },
  {
    id: "C7.1",
    says: "A turn is idle, running, waiting or failed.",
    keptIn: ["src/runtime/turn.ts"],
  },
  {
    id: "C7.2",
    says: "A gate waits; an answer and steering go on. Steering closes the gate and keeps nothing of it.",
    keptIn: ["src/runtime/turn.ts", "src/server/sessions/answer-gate.ts", "src/server/sessions/say.ts"],
  },
  {
    id: "C7.3",
    says: "A provider's failure, silence and an unexpected end fail the turn with a fixed code and sentence; the raw words go to the log, without secrets.",
    keptIn: [
      "src/runtime/turn.ts",
      "src/runtime/classify-failure.ts",
      "src/runtime/watchdog.ts",
      "src/server/sessions/live-session.ts",
      "src/server/redact.ts",
    ],
  },
  {
    id: "C7.4",
    says: "Only settling ends a turn, and a failure outlives it until there is new work.",
    keptIn: ["src/runtime/turn.ts"],
  },
  {
    id: "C8.1",
    says: "Resume keeps a live child that runs or waits, with its buffer and readers.",
    keptIn: ["src/server/sessions/sessions.ts"],
  },
  {
    id: "C8.2",
    says: "Every other start goes one way: check, stop the old child, clear the stream, start.",
    keptIn: ["src/server/sessions/start-cold.ts", "src/server/sessions/session-stream.ts"],
  },
  {
    id: "C8.3",
    says: "A start uses the kept provider, model and level, and fails when the child reports another model.",
    keptIn: ["src/server/sessions/start-cold.ts", "src/server/sessions/launch-child.ts"],
  },
  {
    id: "C8.4",
    says: "A refused start clears nothing, starts nothing and names every problem with what to do.",
    keptIn: ["src/server/sessions/start-cold.ts", "src/server/app.ts"],
  },
  {
    id: "C9.1",
    says: "After a resume that went through, the same address is opened again, and its rows replace the old ones.",
    keptIn: ["src/web/review/use-actions.ts", "src/web/session/use-session.ts", "src/web/session/fold-session.ts"],
  },
  {
    id: "C9.2",
    says: "After a refused one the old stream goes on.",
    keptIn: ["src/web/review/use-actions.ts"],
  },
  {
    id: "C9.3",
    says: "Leaving, another session and a new generation each close the stream; there is never more than one, and a superseded one changes nothing.",
    keptIn: ["src/web/session/event-stream.ts", "src/web/session/use-session.ts"],
  },
  {
    id: "C10.1",
    says: "Streams stay open with a heartbeat, whatever the turn does, with or without a child.",
    keptIn: ["src/server/event-streams.ts", "src/server/sessions/session-stream.ts"],
  },
  {
    id: "C10.2",
    says: "What only looks ends its stream itself, and exits.",
    keptIn: ["src/cli/session-watch.ts", "src/cli/ask.ts"],
  },
  {
    id: "C11.1",
    says: "The panel shows prompt, reasoning, output, tools, gates, status and turns in the order they happened.",
    keptIn: ["src/web/session/fold-session.ts"],
  },
  {
    id: "C11.2",
    says: "Its first row is the question, made by the page; the echo never repeats it.",
    keptIn: ["src/web/session/fold-session.ts", "src/web/session/use-session.ts"],
  },
  {
    id: "C11.3",
    says: "It is kept nowhere and starts afresh after a cold resume.",
    keptIn: ["src/web/session/session-store.ts", "src/server/sessions/ring.ts"],
  },
  {
    id: "C12.1",
    says: "A tool event has a call's id, its name and running, completed or failed.",
    keptIn: ["src/bridge/to-events.ts"],
  },
  {
    id: "C12.2",
    says: "Everything else about tools stays on the server, but for what a gate's schema lists.",
    keptIn: ["src/bridge/to-events.ts", "src/server/sessions/gate-dialogs.ts", "src/workflow/ledger-view.ts"],
  },
  {
    id: "C13.1",
    says: "Every class token yields a rule of Tailwind 3.4 with defined variables, and computed paddings are what classes say.",
    keptIn: ["tailwind.config.ts", "src/web/styles/base.css"],
  },
];
