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
    when: "What is shown differs from gold in more than one missing or one superfluous column.",
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
  condition: {
    says: "Only those with {condition}.",
    when: "Gold has a condition on a figure, on two columns, on the highest or the average, or one of several, that is not there.",
  },
  partners: {
    says: "Only those {condition}.",
    when: "Gold keeps rows that have some partner in another table, or none.",
  },
  "drop-condition": {
    says: "Without the condition on the number of {things}.",
    when: "Rows are counted in a condition, and gold has none.",
  },
  aggregate: { says: "Use the {aggregate} instead.", when: "Gold measures by another aggregate." },
  "count-rows": { says: "Count {things} instead.", when: "Gold counts the rows of another table." },
  "count-distinct": { says: "Count distinct {column}.", when: "Gold counts what is different and not every row." },
  "group-by": { says: "By {column} instead.", when: "Gold's rows are told apart by other columns." },
  ungroup: { says: "Not for each {columns}.", when: "Gold has one figure, or one best row, over all." },
  sort: { says: "Sort by {keys}.", when: "Gold sorts by something else, or the other way round." },
  direction: { says: "Sort {direction}.", when: "Gold sorts the other way round." },
  top: { says: "Top {count}.", when: "Gold cuts after so many rows." },
  "no-limit": { says: "No limit.", when: "Rows are cut off, and gold cuts none." },
  distinct: { says: "No duplicates.", when: "Gold shows every row once." },
  repeat: { says: "With duplicates.", when: "Gold shows the same rows, some of them more than once." },
  means: {
    says: "{word} means {column}.",
    when: "A word is said to be missing, and one column or table of gold alone is named by no word of the question.",
  },
  "start-over": {
    says: "Start over with {tables}: {clauses}.",
    when: "Nothing is proposed that could be corrected, or single corrections have not led to gold's rows.",
  },
} as const satisfies Record<string, { says: string; when: string }>;
export type TemplateId = keyof typeof templates;

/** The template that stands for a choice among the options shown. */
export const optionTemplate = "option";

export function say(template: TemplateId, slots: Readonly<Record<string, string>>): string {
  return templates[template].says.replaceAll(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? "");
}
