/** Which recalled pieces stand behind a proposal: those that say something about what it decides. */
import type { PhaseId, ProposedDecision, RestsOnItem, RestsOnKnowledge } from "../protocol/index.ts";
import type { RecalledPiece } from "./recall.ts";

/** Further ones are counted in the last item. */
const mostItems = 12;
const mostExcerpt = 800;

/** Nothing is dropped unsaid: what has no room is named in the last item. */
export function toKnowledgeRests(
  phase: PhaseId,
  recalled: readonly RecalledPiece[],
  decisions: readonly ProposedDecision[],
): RestsOnItem[] {
  const resting = recalled.filter((piece) => rests(phase, piece, decisions));
  const shown = resting.slice(0, mostItems);
  const left = resting.slice(mostItems);
  const items = shown.map(
    (piece): RestsOnItem => ({
      seqs: [],
      label: cut(piece.title, 60),
      knowledge: {
        kind: piece.kind,
        title: cut(piece.title, 200),
        file: piece.file,
        line: piece.line,
        excerpt: toExcerpt(piece),
        why: cut(
          piece.stale === undefined ? piece.why : `${piece.why}; stale, so it is only named: ${piece.stale}`,
          500,
        ),
      },
    }),
  );
  const [first] = left;
  if (!first) return items;
  const files = [...new Set(left.map(({ file }) => file))].join(", ");
  return [
    ...items,
    {
      seqs: [],
      label: `${left.length} more`,
      knowledge: {
        kind: first.kind,
        title: `${left.length} more`,
        file: cut(files, 1000),
        excerpt: cut(left.map(({ title }) => title).join("\n"), 1900),
        why: "they have no room here",
      },
    },
  ];
}

function rests(phase: PhaseId, piece: RecalledPiece, decisions: readonly ProposedDecision[]): boolean {
  const of = <K extends ProposedDecision["kind"]>(kind: K) =>
    decisions.filter((one): one is Extract<ProposedDecision, { kind: K }> => one.kind === kind);
  const isOn = (table: string, column?: string) =>
    of("table").some((one) => one.use === "used" && same(one.table, table) && column === undefined) ||
    of("column").some((one) => same(one.table, table) && (column === undefined || same(one.column, column)));
  const [table = ""] = piece.tables;
  const isSaid = piece.why.startsWith("the question says");
  switch (piece.kind) {
    case "directive":
      return phase === "F1";
    case "verified":
      return phase === "F1" ? piece.nearness !== undefined : phase === "F6" && piece.nearness === "same";
    case "evidence":
      return (phase === "F1" || phase === "F2" || phase === "F4") && isSaid;
    case "synonym":
      if (phase === "F1") return isSaid;
      if (phase === "F2") return isOn(table, piece.column);
      return phase === "F4" && of("filter").some((one) => isFilterOn(one, piece));
    case "description":
      if (phase === "F2") return piece.value === undefined && piece.score > 2 && isOn(table, piece.column);
      return phase === "F4" && piece.value !== undefined && of("filter").some((one) => isFilterOn(one, piece));
    case "relation":
      return phase === "F3" && of("join").some((join) => isJoin(join, piece));
  }
}

type Filter = Extract<ProposedDecision, { kind: "filter" }>;
type Join = Extract<ProposedDecision, { kind: "join" }>;

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const isFilterOn = (filter: Filter, { tables: [table = ""], column = "", value }: RecalledPiece): boolean =>
  same(filter.table, table) &&
  same(filter.column, column) &&
  (value === undefined || filter.values.length === 0 || filter.values.some((one) => String(one) === value));

function isJoin({ left, right, pairs }: Join, { relation }: RecalledPiece): boolean {
  if (!relation) return false;
  const key = (from: string, to: string, columns: [string, string][]) =>
    `${from} ${to} ${columns
      .map((pair) => pair.join("="))
      .sort()
      .join()}`.toLowerCase();
  const wanted = key(
    relation.from.table,
    relation.to.table,
    relation.from.columns.map((column, at) => [column, relation.to.columns[at] ?? ""]),
  );
  return [
    key(
      left.table,
      right.table,
      pairs.map((pair) => [pair.left, pair.right]),
    ),
    key(
      right.table,
      left.table,
      pairs.map((pair) => [pair.right, pair.left]),
    ),
  ].includes(wanted);
}

function toExcerpt({ text, file }: RecalledPiece): RestsOnKnowledge["excerpt"] {
  const whole = text.trim();
  return whole.length <= mostExcerpt
    ? whole
    : `${whole.slice(0, mostExcerpt)}… (${whole.length - mostExcerpt} more characters in ${file})`;
}

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
