/** One accepted decision as a sentence. */
import type { Decision } from "../../protocol/index.ts";

export function toDecisionWords(decision: Decision): string {
  switch (decision.kind) {
    case "interpretation":
      return `${decision.aspect}: ${decision.text}`;
    case "table":
      return `${decision.use === "used" ? "Table" : "Left out: table"} ${decision.table}: ${decision.reason}`;
    case "column":
      return `Column ${decision.table}.${decision.column} (${decision.role}): ${decision.reason}`;
    case "join": {
      const pairs = decision.pairs.map(
        (pair) => `${decision.left.alias}.${pair.left} = ${decision.right.alias}.${pair.right}`,
      );
      const on = pairs.length > 0 ? ` on ${pairs.join(" and ")}` : "";
      return `${decision.left.table} as ${decision.left.alias} ${decision.type} JOIN ${decision.right.table} as ${decision.right.alias}${on}`;
    }
    case "filter":
      return `“${decision.words}” is ${decision.condition}`;
    case "cte":
      return `Step ${decision.name}: ${decision.purpose}`;
    case "sql":
      return `Final SQL: ${decision.explanation}`;
    case "deviation":
      return `Accepted deviation: ${decision.text}`;
  }
}
