/** Descriptions from a table of them: `table,column,description` and, for single values, `value,meaning`. Pure. */
import { maxDescription } from "../../protocol/index.ts";
import { type Imported, nothingImported, type SourceFile } from "./imported.ts";
import { parseCsv, toRecords } from "./parse-csv.ts";

const header = "Begin with the line table,column,description or table,column,description,value,meaning.";

/** An empty column stands for the table itself; a row may say what the column is, what a value means, or both. */
export function importCsv({ name: file, text }: SourceFile): Imported {
  const imported = nothingImported();
  const tell = (line: number, message: string, fix: string): void => {
    imported.faults.push({ file, line, message, fix });
  };
  const read = parseCsv(text);
  if (!read.ok) {
    imported.faults.push({ file, ...read.fault });
    return imported;
  }
  const { names, records } = toRecords(read.rows);
  if (!names.includes("table") || !(names.includes("description") || names.includes("meaning"))) {
    tell(1, "the first line doesn't name the columns", header);
    return imported;
  }
  for (const { line, of } of records) {
    const table = of("table");
    const column = of("column") || null;
    const [text, value, meaning] = [of("description"), of("value"), of("meaning")];
    if (table === "") tell(line, "no table is named", "Write its name in the column `table`.");
    else if (value !== "" && column === null)
      tell(line, "a value stands there without its column", "Write the column's name, too.");
    else if ((value === "") !== (meaning === ""))
      tell(line, "a value and its meaning go together", "Write both `value` and `meaning`, or none of them.");
    else if (text.length > maxDescription || meaning.length > maxDescription)
      tell(line, `a text has more than ${maxDescription} characters`, "Say it in fewer words.");
    else {
      if (text !== "") imported.descriptions.push({ table, column, text });
      if (value !== "") imported.descriptions.push({ table, column, value, text: meaning });
    }
  }
  return imported;
}
