/** What a reviewer should know about a join set, from its figures. Pure. */
import type { Catalog, Finding, JoinEvidence, Severity } from "../protocol/index.ts";
import { cut, figure, listing, rowsOf } from "./ask.ts";
import { findBridges } from "./find-bridges.ts";
import { findChangedMeasures } from "./find-changed-measures.ts";
import { type AddFinding, type Draft, nameOf, toChip } from "./finding-draft.ts";
import { connectedGroups, type Join, type JoinedTable, type JoinGraph, mixedTypes, same } from "./join-graph.ts";
import type { KeyUse } from "./key-use.ts";
import { type Doubled, isSafe } from "./measure-doubles.ts";

export interface JoinFacts {
  join: Join;
  evidence: JoinEvidence;
  /** Declared keys between its two tables. */
  keys: KeyUse[];
  /** Rows of each side that meet more than one row of the other. */
  repeated: { left: number; right: number };
  /** Matches its inferred pairs take away from what the declared ones match. */
  removedByInferred?: number;
}

const pairText = (join: Join): string =>
  join.decision.pairs
    .map((pair) => `${nameOf(join.left)}.${pair.left} = ${nameOf(join.right)}.${pair.right}`)
    .join(" and ");

export function findJoins(
  graph: JoinGraph,
  facts: readonly JoinFacts[],
  doubles: readonly Doubled[],
  catalog: Catalog,
): Finding[] {
  const findings: Finding[] = [];
  const add = (severity: Severity, draft: Draft) => {
    const { waysOut = [], title, body, ...rest } = draft;
    const id = [
      draft.code,
      draft.where ?? "set",
      findings.filter((finding) => finding.code === draft.code && finding.where === draft.where).length,
    ].join("-");
    findings.push({
      id,
      severity,
      title: cut(title, 300),
      body: cut(body, 1000),
      waysOut: waysOut.filter((way) => way !== undefined),
      ...rest,
    });
  };
  findDisconnected(graph, facts, add);
  findBridges(graph, facts, catalog, add);
  findChangedMeasures(doubles, facts, add);
  findFanOut(graph, facts, doubles, add);
  for (const fact of facts) findKeys(fact, add);
  findDangling(facts, add);
  findLeftOut(facts, add);
  findRoles(graph, add);
  for (const fact of facts) findInferred(fact, add);
  const order: Severity[] = ["problem", "warning", "notice", "info"];
  return findings.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

function findDisconnected(graph: JoinGraph, facts: readonly JoinFacts[], add: AddFinding): void {
  for (const alias of graph.conflicts) {
    add("problem", {
      code: "alias-conflict",
      title: `The alias ${alias} stands for two tables`,
      body: "SQL needs one alias per table.",
      waysOut: [toChip(`Give each table its own alias instead of ${alias}`)],
    });
  }
  const [first, ...others] = connectedGroups(graph);
  if (!first || others.length === 0) return;
  const accepted = facts.every((fact) => fact.join.decision.type !== "CROSS" || fact.join.decision.pairs.length > 0);
  const names = others.map((group) => listing(group.map(nameOf)));
  const after = facts.at(-1)?.evidence.after ?? 0;
  const [lone] = others;
  const where = facts.find((fact) => lone?.includes(fact.join.right) || lone?.includes(fact.join.left))?.join.n;
  add("problem", {
    code: "disconnected",
    title: `${listing(names)} ${others.flat().length === 1 ? "is" : "are"} joined to nothing`,
    body: `Every row meets every other: a cross product of ${rowsOf(after)}.${accepted ? "" : " The set asks for it with CROSS."}`,
    waysOut: [
      toChip(
        `Join ${lone ? nameOf(lone[0] ?? (first[0] as JoinedTable)) : ""} to ${nameOf(first[0] as JoinedTable)} on a key`,
      ),
      toChip(`Without ${listing(others.flat().map(nameOf))}`),
    ],
    ...(where === undefined ? {} : { where }),
  });
}

/** Two branches that each hold several rows for one row of a table multiply each other. */
function findFanOut(graph: JoinGraph, facts: readonly JoinFacts[], doubles: readonly Doubled[], add: AddFinding): void {
  const open = facts.filter(({ join }) => join.decision.type !== "SEMI" && join.decision.type !== "ANTI");
  for (const table of graph.tables) {
    const branches = open.flatMap((fact) => {
      if (fact.join.decision.pairs.length === 0) return [];
      const far = fact.join.left === table ? fact.join.right : fact.join.right === table ? fact.join.left : undefined;
      return far && isToMany(fact, table, far, open, new Set([table])) ? [{ fact, far }] : [];
    });
    // A pair of tables joined twice in one set is one branch.
    const distinct = branches.filter(
      (branch, index) => branches.findIndex((other) => other.far === branch.far) === index,
    );
    if (distinct.length < 2) continue;
    const numbers = distinct.map(({ fact }) => fact.join.n).sort((a, b) => a - b);
    const names = distinct.map(({ far }) => nameOf(far));
    const [first, second] = names;
    const safe = doubles.length > 0 && doubles.every((double) => isSafe(double.measure.aggregate));
    add(safe ? "info" : "warning", {
      code: "fan-out",
      title: `Joins ${listing(numbers.map(String))} multiply each other`,
      body: `One row of ${nameOf(table)} meets several rows of ${listing(names)}, so each combination becomes a row and sums repeat.${safe ? " COUNT DISTINCT, MIN and MAX stay right." : ""}`,
      proof: {
        columns: ["Join", `Most rows per ${nameOf(table)}`],
        rows: distinct.map(({ fact, far }) => [
          `${fact.join.n} ${nameOf(far)}`,
          figure(fact.join.left === table ? fact.evidence.maxRight : fact.evidence.maxLeft),
        ]),
      },
      waysOut: [
        toChip(`Sum ${first} per ${nameOf(table)} before joining ${second}`),
        toChip(`Take ${second} in its own step`),
      ],
      ...(numbers.at(-1) === undefined ? {} : { where: numbers.at(-1) }),
    });
  }
}

function isToMany(
  fact: JoinFacts,
  near: JoinedTable,
  far: JoinedTable,
  facts: readonly JoinFacts[],
  seen: Set<JoinedTable>,
): boolean {
  const most = fact.join.left === near ? fact.evidence.maxRight : fact.evidence.maxLeft;
  if (most > 1) return true;
  const back = fact.join.left === near ? fact.evidence.maxLeft : fact.evidence.maxRight;
  // Many near rows share one far row: what hangs there is counted from the far table.
  if (back > 1) return false;
  seen.add(far);
  return facts.some((next) => {
    const beyond = next.join.left === far ? next.join.right : next.join.right === far ? next.join.left : undefined;
    return beyond !== undefined && next !== fact && !seen.has(beyond) && isToMany(next, far, beyond, facts, seen);
  });
}

function findKeys({ join, keys, evidence }: JoinFacts, add: AddFinding): void {
  if (mixedTypes(join)) {
    const types = evidence.pairs.map((pair) => `${pair.left} ${pair.leftType} = ${pair.right} ${pair.rightType}`);
    add("warning", {
      code: "type-mismatch",
      title: `Join ${join.n} compares different types`,
      body: `${listing(types)}: values may only be equal after a conversion, or never.`,
      waysOut: [toChip(`Convert the types in ${join.n} explicitly`)],
      where: join.n,
    });
  }
  if (keys.length === 0 || keys.some((key) => key.complete) || join.decision.pairs.length === 0) return;
  const text = (key: KeyUse) => {
    const [child, parent] = key.from === "left" ? [join.left, join.right] : [join.right, join.left];
    return key.key.columns
      .map((column, at) => `${nameOf(child)}.${column} = ${nameOf(parent)}.${key.key.tableColumns[at] ?? ""}`)
      .join(" and ");
  };
  const partial = keys.find((key) => key.pairs.length > 0);
  if (partial) {
    add("warning", {
      code: "key-partial",
      title: `Join ${join.n} uses ${partial.pairs.length} of ${partial.key.columns.length} pairs of a key`,
      body: `The declared key is ${text(partial)}. With a part of it one row meets up to ${figure(Math.max(evidence.maxLeft, evidence.maxRight))} rows.`,
      waysOut: [toChip(`Use ${text(partial)} in ${join.n}`)],
      where: join.n,
    });
    return;
  }
  add("warning", {
    code: "key-skipped",
    title: `Join ${join.n} does not use the declared key`,
    body: `${nameOf(join.left)} and ${nameOf(join.right)} have a declared key, but the join compares ${pairText(join)}.`,
    waysOut: keys.map((key) => toChip(`Use ${text(key)} in ${join.n}`)),
    where: join.n,
  });
}

/** Rows that refer to something that isn't there; the referring side is the key's, or the one with many rows. */
function findDangling(facts: readonly JoinFacts[], add: AddFinding): void {
  for (const { join, evidence, keys } of facts) {
    if (join.decision.pairs.length === 0 || join.decision.type === "ANTI") continue;
    const from =
      keys.find((key) => key.complete)?.from ??
      (evidence.cardinality === "N:1" ? "left" : evidence.cardinality === "1:N" ? "right" : undefined);
    if (!from) continue;
    const [child, parent] = from === "left" ? [join.left, join.right] : [join.right, join.left];
    const lost =
      from === "left"
        ? evidence.leftRows - evidence.leftNullKeys - evidence.leftMatched
        : evidence.rightRows - evidence.rightNullKeys - evidence.rightMatched;
    if (lost <= 0) continue;
    const total = from === "left" ? evidence.leftRows : evidence.rightRows;
    const drops = join.decision.type === "INNER" || (join.decision.type === "LEFT" && from === "right");
    add("warning", {
      code: "dangling",
      title: `${evidence.estimated ? "About " : ""}${rowsOf(lost)} of ${nameOf(child)} ${lost === 1 ? "refers" : "refer"} to no row of ${nameOf(parent)}`,
      body: `${figure(lost)} of ${rowsOf(total)} hold a key that ${nameOf(parent)} does not have.${drops ? ` Join ${join.n} drops them.` : ""}`,
      waysOut: drops
        ? [toChip(from === "left" ? `Use LEFT JOIN in ${join.n}` : `Use LEFT JOIN from ${nameOf(child)} in ${join.n}`)]
        : [],
      where: join.n,
    });
  }
}

function findLeftOut(facts: readonly JoinFacts[], add: AddFinding): void {
  const lost = facts.filter(
    ({ join, evidence }) =>
      join.decision.type === "INNER" && join.decision.pairs.length > 0 && evidence.leftRows > evidence.leftMatched,
  );
  if (lost.length > 0) {
    const sentences = lost.map(
      ({ join, evidence }) =>
        `join ${join.n} leaves out ${evidence.estimated ? "about " : ""}${figure(evidence.leftRows - evidence.leftMatched)} of ${rowsOf(evidence.leftRows)} of ${nameOf(join.left)} that have no ${nameOf(join.right)}`,
    );
    const text = listing(sentences);
    add("notice", {
      code: "rows-left-out",
      title:
        lost.length === 1
          ? `Inner join ${lost[0]?.join.n} leaves rows out`
          : `${figure(lost.length)} inner joins leave rows out`,
      body: `${text[0]?.toUpperCase()}${text.slice(1)}.`,
      waysOut: lost.map(({ join }) => toChip(`Use LEFT JOIN in ${join.n}`)),
      ...(lost.length === 1 && lost[0] ? { where: lost[0].join.n } : {}),
    });
  }
  // Rows on the other side without a partner: an answer "per genre" would miss a genre without tracks.
  const others = facts.filter(
    ({ join, evidence }) =>
      (join.decision.type === "INNER" || join.decision.type === "LEFT") &&
      join.decision.pairs.length > 0 &&
      evidence.rightRows > evidence.rightMatched &&
      evidence.cardinality !== "1:N",
  );
  if (others.length === 0) return;
  const text = listing(
    others.map(
      ({ join, evidence }) =>
        `${figure(evidence.rightRows - evidence.rightMatched)} of ${rowsOf(evidence.rightRows)} of ${nameOf(join.right)} (join ${join.n})`,
    ),
  );
  add("info", {
    code: "partners-unused",
    title: `Some rows on the right have no partner`,
    body: `Not in the joined set: ${text}.`,
    waysOut: others.slice(0, 3).map(({ join }) => toChip(`Keep all ${nameOf(join.right)} in ${join.n}`)),
    ...(others.length === 1 && others[0] ? { where: others[0].join.n } : {}),
  });
}

function findRoles(graph: JoinGraph, add: AddFinding): void {
  const names = new Set(graph.tables.map(nameOf));
  for (const name of names) {
    const copies = graph.tables.filter((table) => same(nameOf(table), name));
    if (copies.length < 2) continue;
    const roles = copies.map((copy) => copy.role?.toLowerCase());
    if (roles.every((role) => role !== undefined) && new Set(roles).size === copies.length) continue;
    add("notice", {
      code: "joined-twice",
      title: `${name} is joined ${copies.length === 2 ? "twice" : `${copies.length} times`} without different roles`,
      body: `It stands in the set as ${listing(copies.map((copy) => copy.alias))}; names of their roles would say which is which.`,
      waysOut: [toChip(`Name the roles of ${listing(copies.map((copy) => copy.alias))}`), toChip(`Join ${name} once`)],
    });
  }
}

function findInferred({ join, evidence, removedByInferred }: JoinFacts, add: AddFinding): void {
  const inferred = evidence.pairs.filter((pair) => pair.origin === "inferred");
  if (inferred.length === 0) return;
  const text = inferred.map((pair) => `${nameOf(join.left)}.${pair.left} = ${nameOf(join.right)}.${pair.right}`);
  const effect = removedByInferred === undefined ? "" : ` It removes ${figure(removedByInferred)} matches today.`;
  add("notice", {
    code: "pair-inferred",
    title:
      inferred.length === 1
        ? `One pair in join ${join.n} is inferred`
        : `${inferred.length} pairs in join ${join.n} are inferred`,
    body: `${listing(text)} ${inferred.length === 1 ? "is" : "are"} no declared key: ${inferred[0]?.why ?? ""}.${effect}`,
    waysOut:
      removedByInferred === undefined
        ? []
        : [toChip(`Without the ${inferred.map((pair) => pair.left).join(" and ")} pair in ${join.n}`)],
    where: join.n,
  });
}
