/** Every sentence that the reviewer who knows gold can say, and when; `{…}` are names and values shown at the gate. */
export const templates = {
  "use-table": {
    says: "Use the table {table} instead of {other}.",
    when: "Gold reads a table that is not used, and a used table that gold does not read stands in its place.",
  },
  "add-table": { says: "Also table {table}.", when: "Gold reads a table that is not used." },
  "drop-table": { says: "Without table {table}.", when: "A table is used that gold does not read." },
  "use-column": {
    says: "Use the column {column} instead of {other}.",
    when: "Another column than gold's is shown, measured or compared.",
  },
  show: { says: "Also show {column}.", when: "Gold shows a column that is missing." },
  hide: { says: "Don't show {column}.", when: "A column is shown that gold does not show." },
  "show-only": {
    says: "Show only {columns}.",
    when: "Several shown columns differ from gold's, which are all stored ones.",
  },
  "join-type": { says: "Use {type} JOIN in {n}.", when: "Gold joins the same tables the other way, INNER or LEFT." },
  "join-pair": { says: "Use {left} = {right} instead.", when: "Gold joins the same tables on other columns." },
  "only-value": { says: "Only '{value}'.", when: "Gold keeps the rows of one stored value, and nothing does so yet." },
  "leave-out-value": { says: "Leave out '{value}'.", when: "Gold leaves out the rows of one stored value." },
  "add-value": { says: "Add '{value}' to filter {n}.", when: "Gold's list of values has one more." },
  "take-value": { says: "Leave '{value}' out of filter {n}.", when: "Gold's list of values has one less." },
  "drop-filter": { says: "Without the filter on {column}.", when: "A condition stands there that gold does not have." },
  compare: {
    says: "Only those with {column} {comparison} {value}.",
    when: "Gold compares a column with a value, and nothing does so yet, or another way.",
  },
  "compare-average": {
    says: "Only those with {column} {comparison} the average.",
    when: "Gold compares a column with its average.",
  },
  "at-least": {
    says: "Only those with {comparison} {value} {things}.",
    when: "Gold keeps the groups with so many rows.",
  },
  aggregate: { says: "Use the {aggregate} instead.", when: "Gold measures by another aggregate." },
  "count-distinct": { says: "Count distinct {column}.", when: "Gold counts what is different and not every row." },
  "group-by": { says: "By {column} instead.", when: "Gold's rows are told apart by another column." },
  sort: { says: "Sort by {column} {direction}.", when: "Gold sorts by another column, or the other way round." },
  direction: { says: "Sort {direction}.", when: "Gold sorts the other way round." },
  top: { says: "Top {count}.", when: "Gold cuts after so many rows." },
  "no-limit": { says: "No limit.", when: "Rows are cut off, and gold cuts none." },
  distinct: { says: "No duplicates.", when: "Gold shows every row once." },
} as const satisfies Record<string, { says: string; when: string }>;
export type TemplateId = keyof typeof templates;

/** The template that stands for a choice among the options shown. */
export const optionTemplate = "option";

export function say(template: TemplateId, slots: Readonly<Record<string, string>>): string {
  return templates[template].says.replaceAll(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? "");
}
