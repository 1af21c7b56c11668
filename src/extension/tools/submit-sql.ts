/** `submit_sql`: the final statement, run as it stands and held against everything accepted. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { type Static, Type } from "typebox";
import { measureAnswer } from "../../evidence/measure-answer.ts";
import { findTraps } from "../../evidence/traps/find-traps.ts";
import { type GatePayload, maxSql } from "../../protocol/index.ts";
import { conform } from "../../sql/conformance.ts";
import type { SessionState } from "../../workflow/fold-ledger.ts";
import { askGate } from "../ask-gate.ts";
import { plural, toFrame } from "../gate-frame.ts";
import { toPhaseResult } from "../phase-note.ts";
import { toKnown } from "../recall-knowledge.ts";
import type { SessionContext } from "../session-context.ts";
import { exactly } from "./exact-arguments.ts";
import { ownSqlExplanation } from "./own-sql.ts";
import { refuseMalformedSummary, SummaryArgument, toSummary } from "./summary-argument.ts";

const phase = "F6" as const;

interface Proposal {
  sql: string;
  explanation: string;
  summary?: Static<typeof SummaryArgument> | undefined;
  /** The reviewer wrote it. */
  own: boolean;
}

export function registerSubmitSql(pi: ExtensionAPI, session: SessionContext): void {
  pi.registerTool({
    name: "submit_sql",
    label: "Submit the SQL",
    description:
      "Submits the final SQL: accepted steps verbatim and a final SELECT. It is run and compared with every accepted decision.",
    ...exactly(
      Type.Object(
        {
          sql: Type.String({ minLength: 1, maxLength: maxSql }),
          explanation: Type.String({
            minLength: 1,
            maxLength: 2000,
            description: "what the statement does, in plain words",
          }),
          summary: Type.Optional(SummaryArgument),
        },
        { additionalProperties: false },
      ),
      ({ summary }) => refuseMalformedSummary(summary),
    ),
    executionMode: "sequential",
    async execute(_id, { sql, explanation, summary }, signal, _update, context) {
      let state = await session.state();
      if (state.phase !== phase) throw new Error(`The session is in ${state.phase}: the final SQL comes in F6.`);
      let proposal: Proposal = sql === state.ownSql ? toOwn(sql) : { sql, explanation, summary, own: false };
      for (;;) {
        const payload = await measureProposal(session, state, proposal);
        const reply = await askGate(pi, context, { kind: "sql-review", phase, tool: "submit_sql", payload }, signal);
        if (reply.answer !== "other" || reply.sql === undefined)
          return toPhaseResult(session, context, reply, phase, proposal.own ? toNote(proposal.sql) : "");
        // The reviewer's own text is the next proposal, and goes through the same checks.
        proposal = toOwn(reply.sql);
        state = await session.state();
      }
    },
  });
}

const toOwn = (sql: string): Proposal => ({ sql, explanation: ownSqlExplanation, own: true });
const toNote = (sql: string): string => `\nThis is about the SQL that the reviewer wrote in place of yours:\n${sql}`;

/** Gates that a verified query answered are said here: nobody has looked at them today. */
function toRepeatedWords(state: SessionState): string {
  const repeated = [...state.gates.values()].filter(
    ({ opened, answered }) => opened.seq > state.askedAt && answered?.by === "verified",
  );
  const file = repeated[0]?.answered?.verified?.file;
  if (file === undefined) return "";
  const phases = [...new Set(repeated.map(({ opened }) => opened.phase))];
  return `This question was verified before: ${file} answered the gates of ${phases.join(", ")} as they were answered then. `;
}

/** Throws with words for the model when the statement can't be run. */
async function measureProposal(
  session: SessionContext,
  state: SessionState,
  { sql, explanation, summary, own }: Proposal,
): Promise<GatePayload<"sql-review">> {
  const database = await session.database();
  const { catalog } = await session.catalog();
  const held = state.decisions.map(({ seq, decision }) => ({ seq, decision }));
  const measured = await measureAnswer(database, catalog, sql, held);
  if ("problem" in measured) {
    const whose = own ? `The SQL that the reviewer wrote could not be run; ask them how to go on. ` : "";
    throw new Error(`${whose}${measured.problem.code}: ${measured.problem.message}`);
  }
  // What the answer's own checks say already is not said twice.
  const traps = (await findTraps(database, catalog, sql, state.question)).filter(({ code }) => code !== "tie-cut");
  const conformance = await conform(sql, held, catalog);
  const deviations = conformance.deviations.length;
  const found = conformance.rows.filter((row) => row.status === "found").length;
  const intro =
    deviations === 0
      ? `All ${found} decisions that SQL must show are there, and nothing else is.`
      : `${found} accepted decisions are there. ${deviations} ${plural(deviations, "place")} ${plural(deviations, "differs", "differ")} from what you accepted.`;
  const { knowledge } = await toKnown(session, state, phase, []);
  const frame = toFrame(state, {
    phase,
    knowledge,
    title: "Is this SQL what you accepted?",
    intro: own ? `This is your SQL. ${intro}` : `${toRepeatedWords(state)}${intro}`,
    findings: [...measured.findings, ...traps],
    writes: [
      `sql      ${sql.split("\n").length} lines, ${measured.result.truncated ? "more than " : ""}${measured.result.rowCount} rows`,
    ],
    consequence: own ? "Writes your SQL as the answer" : "Writes the SQL as the answer",
    otherConsequence: "Writes nothing. The model gets your words and submits the SQL again.",
    summary: toSummary(phase, summary ?? { title: "Answer", summary: explanation }),
  });
  const { result, ms, checks } = measured;
  return { frame, sql, explanation, conformance, result, ms, checks, ...(own ? { by: "reviewer" as const } : {}) };
}
