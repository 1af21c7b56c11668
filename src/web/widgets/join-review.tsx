import { useMemo } from "react";
import { Boundary } from "../elements/error-boundary.tsx";
import type { GateProps } from "./gate-props.ts";
import { toJoinFacts, toJoinSentence } from "./join-facts.ts";
import { JoinGraph } from "./join-graph.tsx";
import { JoinList } from "./join-list.tsx";
import { JoinTable } from "./join-table.tsx";

/** The complete join set, read-only: a change goes through words, and the model proposes the whole set again. */
export function JoinReview({ payload }: GateProps<"join-review">) {
  const facts = useMemo(() => toJoinFacts(payload), [payload]);
  return (
    <>
      <Boundary what="the join graph">
        <div className="hidden lg:block">
          <JoinGraph facts={facts} evidence={payload.evidence} />
        </div>
        <JoinList facts={facts} evidence={payload.evidence} className="lg:hidden" />
      </Boundary>
      <JoinTable facts={facts} />
      <p className="max-w-[120ch] px-5 pt-1.5 text-xs tabular-nums text-ink-3">
        {toJoinSentence(facts, payload.evidence)}
      </p>
    </>
  );
}
