/** Sends the answers of the open gate and says what became of them; the widget itself stands in `widgets/`. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import type { GateAnswer, OpenGate } from "../../protocol/gates.ts";
import { Icon } from "../elements/icon.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { type ApiProblem, api, asProblem, offline } from "../session/api.ts";
import { ledgerKey, reviewedKey } from "../session/query-keys.ts";
import { GateView } from "../widgets/gate-view.tsx";
import { toLostWords } from "./lost-words.ts";
import { toAnswerBody } from "./to-answer-body.ts";
import { WordsForm } from "./words-form.tsx";

export interface GateHostProps {
  sessionId: string;
  gate: OpenGate;
  live: boolean;
  /** ThothII does not answer at all. */
  gone: boolean;
  onChanged: () => void;
  /** Another answer came first; said where it stays when this gate is taken away. */
  onLost: (words: string) => void;
  children: ReactNode;
}

type Answer = Omit<GateAnswer, "answerId" | "hash">;

export function GateHost({ sessionId, gate, live, gone, onChanged, onLost, children }: GateHostProps) {
  const [sending, setSending] = useState(false);
  const [lost, setLost] = useState<string | undefined>();
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  /** The last answer and its id: sent again unchanged it must count once. */
  const sent = useRef<GateAnswer | null>(null);
  const shown = `${gate.gateId} ${gate.hash}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another gate begins anew
  useEffect(() => {
    setSending(false);
    setLost(undefined);
    setProblem(null);
    sent.current = null;
  }, [shown]);

  const client = useQueryClient();
  useEffect(() => {
    // A gate that was kept in another form must not fail here, outside of what stands behind it.
    if (gate.kind === "sql-review" && gate.payload?.result?.truncated === false)
      client.setQueryData(reviewedKey(sessionId, gate.payload.sql), gate.payload.result);
  }, [client, sessionId, gate]);
  useEffect(() => {
    if (!gone) setProblem((fault) => (fault?.code === offline ? null : fault));
  }, [gone]);

  const ledger = useQuery({ queryKey: ledgerKey(sessionId), queryFn: () => api.ledger(sessionId) });
  const phases = useMemo(() => new Map(ledger.data?.entries.map(({ seq, phase }) => [seq, phase])), [ledger.data]);
  const phaseOf = useCallback((seq: number) => phases.get(seq), [phases]);

  const send = async (answer: Answer) => {
    if (sending) return;
    const body = toAnswerBody(sent.current, gate.hash, answer);
    sent.current = body;
    setSending(true);
    setProblem(null);
    try {
      await api.answer(sessionId, gate.gateId, body);
      // Stays "on its way" until the stream or the route takes this gate away.
      onChanged();
    } catch (cause) {
      const fault = asProblem(cause);
      setSending(false);
      if (fault.status === 409 || fault.status === 410 || fault.status === 404) {
        const words = toLostWords(fault);
        setLost(words);
        onLost(words);
        onChanged();
      } else setProblem(fault);
    }
  };

  return (
    <ErrorBoundary
      resetKeys={[shown]}
      onError={(error) => console.error("Could not show this gate", error)}
      fallback={<BrokenGate problem={problem} onSend={(text) => send({ answer: "other", text })} />}
    >
      <GateView
        gate={gate}
        live={live}
        sending={sending}
        lost={lost}
        phaseOf={phaseOf}
        refused={problem && isOfSql(problem) ? [problem.message, problem.action].filter(Boolean).join(" ") : undefined}
        onAnswer={(answer) => void send(answer)}
        blocked={gone ? "ThothII is not running. Start it again; the session goes on from the ledger." : undefined}
      >
        {problem && !isOfSql(problem) && !(gone && problem.code === offline) ? (
          <ProblemNotice problem={problem} className="mx-5 my-3" />
        ) : null}
        {children}
      </GateView>
    </ErrorBoundary>
  );
}

/** Said beside the SQL that the reviewer wrote, not below it. */
const isOfSql = ({ code }: ApiProblem): boolean => code === "sql-refused" || code === "sql-unchanged";

/** What was not shown can't be accepted, so only the way back to the model is open. */
function BrokenGate({ problem, onSend }: { problem: ApiProblem | null; onSend: (text: string) => Promise<void> }) {
  const [text, setText] = useState("This proposal could not be shown. Propose it again.");
  return (
    <section id="review" aria-label="Review" className="px-5 py-4">
      <h2 className="flex items-center gap-2 text-lg font-semibold tracking-[-0.01em]">
        <Icon name="problem" className="h-5 w-5 text-problem" />
        This gate cannot be shown
      </h2>
      <p className="mb-3 mt-0.5 text-sm text-ink-2">
        Nothing is lost: it stays in the ledger. It can only go back to the model, with your words.
      </p>
      {problem ? <ProblemNotice problem={problem} className="mb-3" /> : null}
      <WordsForm
        id="what-should-change"
        label="What should change"
        button="Send"
        primary
        placeholder="What should change"
        text={text}
        onText={setText}
        send={onSend}
        className="bg-transparent"
      />
    </section>
  );
}
