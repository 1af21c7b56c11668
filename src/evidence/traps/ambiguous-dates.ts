/** The question says only "in 2024", the table has several dates that could be meant. */
import type { Column, Table } from "../../protocol/index.ts";
import { codePointOffsets } from "../../sql/parser.ts";
import { listOf, nameOf as nameIn, spansOf } from "../../sql/tree.ts";
import { bare, change, differ } from "./amend.ts";
import { columnsIn, nodesIn, tablesOf } from "./column-use.ts";
import { hasWord, isDate, singular, wordSet, wordsOf } from "./column-words.ts";
import type { Trap, TrapContext } from "./trap.ts";
import { rangeOf } from "./validity-ranges.ts";

const timeWords =
  /\b((19|20)\d\d|(last|this|past|previous|current|next) (\w+ )?(day|week|month|quarter|year)s?|yesterday|today|ytd|per (day|week|month|quarter|year)|(by|each|every) (day|week|month|quarter|year)|daily|weekly|monthly|quarterly|yearly|annual(ly)?|(in|since|before|after|during|until) (january|february|march|april|may|june|july|august|september|october|november|december)|letzte[nrs]? (monat|jahr|woche)|im jahr|l'anno|nel|ultimo mese|el ano|en (19|20)|mes pasado|dernier|annee)\b/;
const auditWords = wordSet(
  "created updated modified inserted changed loaded etl sync synced deleted lastupdate lastmodified createdat updatedat timestamp last erstellt geaendert creato modificato creado modificado cree modifie birth birthdate birthday dob geburtsdatum nascita nacimiento naissance",
);
const generic = wordSet("date dates datum data fecha time at on day ts timestamp dt the of am il el le jour giorno");
/** What people say for a date's own word. */
const spoken: Record<string, RegExp> = {
  order: /order|purchas|bought|placed|bestell|ordin|pedid|command/,
  ship: /ship|sent|dispatch|versand|geliefert|sped|envi|exped/,
  deliver: /deliver|arriv|receiv|liefer|consegn|entreg|livr/,
  due: /\bdue|deadline|overdue|faellig|scaden|venc|echeance/,
  pay: /pa(y|id)|settl|bezahl|pag|pay/,
  invoice: /invoic|bill|rechnung|fattur|factur/,
  create: /creat|regist|open|sign|add|erstell|crea/,
  update: /updat|modif|chang/,
  hire: /hir|join|start|employ/,
  start: /start|begin|began|open/,
  end: /end|finish|clos|complet/,
};

export const ambiguousDates: Trap = {
  code: "date-ambiguous",
  look(context) {
    const { statement, sql } = context;
    if (!timeWords.test(context.question)) return [];
    return tablesOf(statement).flatMap(({ table, block }) => {
      const dates = table.columns.filter(isDate);
      if (dates.length < 2) return [];
      const within = [...block.conditions, ...block.groups];
      const used = new Set(
        columnsIn(within, block)
          .filter((column) => column.table === table.name)
          .map(({ column }) => column),
      );
      const chosen = dates.filter((column) => used.has(column.name.toLowerCase()));
      const [own] = chosen;
      const range = rangeOf(table);
      if (!own || chosen.length > 1 || range?.from === own || range?.to === own) return [];
      const audit = hasWord(own.name, auditWords);
      const others = dates.filter((column) => column !== own && (audit || !hasWord(column.name, auditWords)));
      const [other] = others;
      if (!other || isSaid(context, own, table)) return [];
      const swapped = swap(context, own, other);
      const asks = swapped === undefined ? [] : [bare(sql), swapped];
      const entity = wordsOf(table.name).map(singular);
      // `order_date` of `orders` is the one that people mean unless they say otherwise.
      const natural = wordsOf(own.name).every((word) => generic.has(word) || entity.includes(singular(word)));
      return [
        {
          asks,
          judge([before, after]) {
            const differs = differ(before, after);
            if (differs === false && others.length === 1) return undefined;
            return {
              severity: natural ? "info" : differs && !audit ? "warning" : "notice",
              title: `The question doesn't say which date: ${[own, ...others].map(({ name }) => name).join(", ")}`,
              body: `${table.name} has ${dates.length} dates and the statement takes ${own.name}.${differs ? change(before, after).replace("it would", `by ${other.name} it would`) : ""}`,
              waysOut: [own, ...others].slice(0, 4).map(({ name }) => `Use ${name} of ${table.name}`),
            };
          },
        },
      ];
    });
  },
};

/** A word of the question names this date. */
function isSaid({ question }: TrapContext, column: Column, table: Table): boolean {
  const entity = wordsOf(table.name).map(singular);
  return wordsOf(column.name)
    .filter((word) => !generic.has(word))
    .some((word) => {
      const stem = word.replace(/(ed|ing|ment|ery|s)$/, "");
      const known = Object.entries(spoken).find(([key]) => stem.startsWith(key) || key.startsWith(stem));
      if (entity.includes(singular(word))) return false;
      return known ? known[1].test(question) : question.includes(stem);
    });
}

/** The statement with the other column wherever the first is named; undefined when a place can't be told. */
function swap({ sql, statement, dialect }: TrapContext, own: Column, other: Column): string | undefined {
  const at = codePointOffsets(sql);
  const spans = statement.blocks.flatMap((block) =>
    nodesIn(listOf(Object.values(block.select)), (kind) => kind === "column").flatMap(({ value }) =>
      nameIn(value.name)?.toLowerCase() === own.name.toLowerCase() ? spansOf(value.name).slice(0, 1) : [],
    ),
  );
  const places = [...new Map(spans.map((span) => [span.start, span])).values()].sort((a, b) => b.start - a.start);
  if (places.length === 0) return undefined;
  let text = sql;
  for (const { start, end } of places) {
    let [from, to] = [at(start), at(end)];
    while (/["`[]/.test(text[from - 1] ?? "")) from -= 1;
    while (/["`\]]/.test(text[to] ?? "")) to += 1;
    if (
      text
        .slice(from, to)
        .replace(/["`[\]]/g, "")
        .toLowerCase() !== own.name.toLowerCase()
    )
      return undefined;
    text = text.slice(0, from) + dialect.name(other.name) + text.slice(to);
  }
  return bare(text);
}
