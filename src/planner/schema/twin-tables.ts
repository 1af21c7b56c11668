/** Tables of one name in several schemas: which is meant can't be read off the words, unless they name the schema. */

import type { Planned } from "../plan.ts";
import type { Attempt } from "../plan-question.ts";
import { ownName } from "../words/language.ts";

/** The question back, or nothing when no linked table has a twin, or the question names its schema. */
export function askAboutTwins(
  { linked, schema }: Attempt,
  question: string,
  settled: ReadonlySet<string>,
): Extract<Planned, { outcome: "ask" }> | undefined {
  const said = ` ${question.toLowerCase().replaceAll(/[^\p{L}\p{N}_]+/gu, " ")} `;
  for (const item of linked.items) {
    if (item.kind !== "table") continue;
    const { table } = item;
    const own = ownName(table).toLowerCase();
    const twins = schema.tables.filter((other) => other.name !== table && ownName(other.name).toLowerCase() === own);
    const id = `twins:${own}`;
    const inSchema = table.length > own.length ? table.slice(0, -own.length - 1).toLowerCase() : "";
    const named = inSchema !== "" && said.includes(` ${inSchema} `);
    if (twins.length === 0 || named || settled.has(id)) continue;
    return {
      outcome: "ask",
      phase: "F2",
      id,
      question: `Several tables are called ${own}. Which is meant?`,
      why: "They stand in different schemas and may hold different rows, and the question does not name a schema.",
      options: [
        { id: "keep", label: `Keep it at ${table}`, proposed: true },
        ...twins.slice(0, 5).map((twin, index) => ({
          id: `twin-${index + 1}`,
          label: `Use ${twin.name} instead of ${table}`,
        })),
      ],
    };
  }
  return undefined;
}
