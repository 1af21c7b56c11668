/** The reviewer's answer to a gate: typed at the terminal, or `--yes`. */
import { randomUUID } from "node:crypto";
import type { Interface } from "node:readline/promises";
import type { GateAnswer } from "../protocol/index.ts";
import { parseGate, type ShownGate, toGateText } from "./gate-text.ts";

type Choice = Pick<GateAnswer, "answer" | "text" | "choice" | "acceptedDeviations">;

/** Accepts what is proposed, deviations of the final SQL included. */
export function acceptGate(gate: ShownGate): GateAnswer {
  return toAnswer(gate, { answer: "continue", ...deviationsOf(gate) });
}

/** Shows the gate and asks until there is an answer. Rejects when the terminal was closed or interrupted. */
export async function reviewGate(
  gate: ShownGate,
  terminal: Interface,
  write: (text: string) => void,
  signal: AbortSignal,
): Promise<GateAnswer> {
  write(`\n${toGateText(gate)}\n\n`);
  const options = optionsOf(gate);
  const deviations = deviationsOf(gate).acceptedDeviations?.length ?? 0;
  const word =
    deviations > 0
      ? `continue (accepts ${deviations === 1 ? "the deviation" : `all ${deviations} deviations`})`
      : "continue";
  const hint = options.length > 0 ? "a number, continue (what is proposed), or other" : `${word}, or other`;
  for (;;) {
    const said = (await terminal.question(`Your answer (${hint}): `, { signal })).trim();
    const typed = said.toLowerCase();
    const option = /^\d+$/.test(said) ? options[Number(said) - 1] : undefined;
    if (option !== undefined) return toAnswer(gate, { answer: "continue", choice: option });
    if (typed === "c" || typed === "continue") return toAnswer(gate, { answer: "continue", ...deviationsOf(gate) });
    if (typed === "o" || typed === "other") {
      const text = (await terminal.question("What should change: ", { signal })).trim();
      if (text !== "") return toAnswer(gate, { answer: "other", text });
    }
  }
}

function toAnswer(gate: ShownGate, choice: Choice): GateAnswer {
  return { answerId: randomUUID(), hash: gate.hash, ...choice };
}

function optionsOf(gate: ShownGate): string[] {
  const parsed = parseGate(gate);
  return parsed?.kind === "question" ? parsed.payload.options.map((option) => option.id) : [];
}

/** They were shown above, each with a mark; Continue takes them on as decisions. */
function deviationsOf(gate: ShownGate): Pick<Choice, "acceptedDeviations"> {
  const parsed = parseGate(gate);
  if (parsed?.kind !== "sql-review" || parsed.payload.conformance.deviations.length === 0) return {};
  return { acceptedDeviations: parsed.payload.conformance.deviations.map((deviation) => deviation.id) };
}
