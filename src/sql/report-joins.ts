/** Joins of the report: each accepted one with its place or what differs, and those nobody accepted. */
import type { JoinDecision } from "../protocol/index.ts";
import { atLine, type DraftDeviation, type Report } from "./conformance-report.ts";
import { type JoinMatch, matchJoins } from "./match-joins.ts";
import { fold } from "./scope.ts";
import type { Snippets } from "./snippets.ts";
import type { EdgeFact } from "./statement-facts.ts";

export function reportJoins({ facts, accepted, snippets, rows, drafts }: Report): EdgeFact[] {
  const { matches, unexplained } = matchJoins(facts.edges, accepted);
  accepted.joins.forEach(({ seq, decision }, index) => {
    const match = matches[index] ?? { status: "missing", edges: [] };
    const places = match.edges.map((edge) => snippets.join(edge.at));
    const lines = [
      ...new Set(
        match.edges
          .map((edge, at) => (isSubquery(edge) ? snippets.line(edge.at) : places[at]?.line))
          .filter((line) => line !== undefined),
      ),
    ].sort((a, b) => a - b);
    const status = match.status === "found" ? "found" : match.status === "missing" ? "missing" : "deviates";
    rows.push({ seq, text: toJoinLabel(decision), status, lines });
    if (match.status !== "found") drafts.push({ seq, ...joinDeviation(decision, match, lines, snippets) });
  });
  const noted = unexplained.filter((edge) => {
    // A table that wasn't accepted is named once, as a table.
    const strange = [edge.left, edge.right].some(
      (side) => side.table !== undefined && !accepted.mayRead.has(fold(side.table)),
    );
    return !strange;
  });
  for (const edge of noted) {
    const place = isSubquery(edge)
      ? { text: snippets.condition(edge.at, edge.end), line: snippets.line(edge.at) ?? 1 }
      : snippets.join(edge.at);
    const nameOf = (side: EdgeFact["left"]) => side.table ?? (side.alias || "a subquery");
    const names = `${nameOf(edge.left)} and ${nameOf(edge.right)}`;
    const how =
      edge.pairs.length === 0 ? "without a condition" : `on ${edge.pairs.map((pair) => pair.text).join(" and ")}`;
    drafts.push({
      kind: "join-extra",
      title: `${atLine(place?.line)} joins ${names} ${how}, which you did not accept`.slice(0, 290),
      body: "No accepted join connects these two in this way.",
      lines: place ? [place.line] : [],
      ...(place ? { inSql: place.text } : {}),
    });
  }
  return unexplained;
}

const isSubquery = (edge: EdgeFact): boolean => edge.kind === "SEMI" || edge.kind === "ANTI";

function joinDeviation(join: JoinDecision, match: JoinMatch, lines: number[], snippets: Snippets): DraftDeviation {
  const edge = match.edges[0];
  const text = toJoinText(join);
  if (!edge || match.status === "missing" || match.status === "found") {
    return {
      kind: "join-missing",
      title: `The SQL doesn't join ${join.left.table} and ${join.right.table}, as you accepted`,
      body: `The accepted ${toWords(join.type)} is nowhere in the SQL.`,
      accepted: text,
      lines: [],
    };
  }
  const inSql = isSubquery(edge) ? snippets.condition(edge.at, edge.end) : (snippets.join(edge.at)?.text ?? "");
  const shared = { accepted: text, ...(inSql ? { inSql } : {}), lines };
  if (match.status === "type") {
    const kept = edge.kind === join.type ? "keeps the rows of the other side" : `says ${toWords(edge.kind)}`;
    return {
      kind: "join-type",
      title: `${atLine(lines[0])} ${kept}, you accepted ${toWords(join.type)}`,
      body: `Between ${join.left.table} and ${join.right.table} you accepted ${toWords(join.type)}${keeps(join)}.`,
      ...shared,
    };
  }
  const parts = [
    match.lacks.length > 0 ? `It lacks ${match.lacks.join(" and ")}.` : "",
    match.adds.length > 0 ? `It adds ${match.adds.join(" and ")}.` : "",
  ].filter(Boolean);
  return {
    kind: "join-pairs",
    title: `${atLine(lines[0])} joins ${join.left.table} and ${join.right.table} on other columns than you accepted`,
    body: parts.join(" "),
    ...shared,
  };
}

const keeps = (join: JoinDecision): string =>
  join.type === "LEFT" ? `, which keeps the rows of ${join.left.table} without a partner` : "";

function toWords(type: string): string {
  const words: Record<string, string> = {
    INNER: "JOIN",
    LEFT: "LEFT JOIN",
    FULL: "FULL JOIN",
    CROSS: "CROSS JOIN",
    SEMI: "EXISTS",
    ANTI: "NOT EXISTS",
  };
  return words[type] ?? type;
}

function toJoinLabel(join: JoinDecision): string {
  const side = (part: JoinDecision["left"]) => (part.role ? `${part.table} (${part.role})` : part.table);
  return `${side(join.left)} to ${side(join.right)}, ${join.type}`;
}

/** The join as SQL, for reading. */
export function toJoinText(join: JoinDecision): string {
  const on = join.pairs
    .map((pair) => `${join.right.alias}.${pair.right} = ${join.left.alias}.${pair.left}`)
    .join(" AND ");
  if (join.type === "SEMI" || join.type === "ANTI") {
    return `${join.type === "ANTI" ? "NOT " : ""}EXISTS (${join.right.table} ${join.right.alias}${on ? ` WHERE ${on}` : ""})`;
  }
  return `${toWords(join.type)} ${join.right.table} AS ${join.right.alias}${on ? ` ON ${on}` : ""}`;
}
