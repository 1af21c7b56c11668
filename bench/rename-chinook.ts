/** A dictionary of other names for Chinook, to show that nothing in the planner hangs on its names. */
import { DatabaseSync } from "node:sqlite";

/** Whole names, longest first; the words of questions follow in their own list. */
const tables: Record<string, string> = {
  PlaylistTrack: "MixSong",
  InvoiceLine: "BillItem",
  MediaType: "Format",
  Playlist: "Mix",
  Invoice: "Bill",
  Customer: "Client",
  Employee: "Worker",
  Artist: "Performer",
  Album: "Record",
  Track: "Song",
  Genre: "Style",
};
const columns: Record<string, string> = {
  PlaylistId: "MixId",
  InvoiceLineId: "BillItemId",
  MediaTypeId: "FormatId",
  InvoiceId: "BillId",
  CustomerId: "ClientId",
  EmployeeId: "WorkerId",
  ArtistId: "PerformerId",
  AlbumId: "RecordId",
  TrackId: "SongId",
  GenreId: "StyleId",
  SupportRepId: "CareWorkerId",
  ReportsTo: "AnswersTo",
  InvoiceDate: "BillDate",
  BillingCountry: "PayerCountry",
  BillingCity: "PayerCity",
  BillingState: "PayerState",
  BillingAddress: "PayerAddress",
  BillingPostalCode: "PayerPostalCode",
  UnitPrice: "PiecePrice",
  Composer: "Songwriter",
  Company: "Firm",
  Country: "Nation",
  Bytes: "FileBytes",
};
const words: [RegExp, string][] = [
  [/\bsupport representative\b/gi, "care worker"],
  [/\bmedia type\b/gi, "format"],
  [/\bcustomer country\b/gi, "client nation"],
  [/\bbilling countr(y|ies)\b/gi, "payer nation"],
  [/\bplaylist/gi, "mix"],
  [/\bmixs\b/gi, "mixes"],
  [/\binvoice/gi, "bill"],
  [/\bcustomer/gi, "client"],
  [/\bemployee/gi, "worker"],
  [/\bartist/gi, "performer"],
  [/\balbum/gi, "record"],
  [/\btrack/gi, "song"],
  [/\bgenre/gi, "style"],
  [/\bcomposer/gi, "songwriter"],
  [/\bcompany\b/gi, "firm"],
  [/\bcountries\b/gi, "nations"],
  [/\bcountry\b/gi, "nation"],
  [/\bunit price/gi, "piece price"],
];
const fixes: [RegExp, string][] = [
  [/Sales Support Agent/g, "Sales Support Agent"],
  [/payer nation/g, "payer country"],
];

export function renameDatabase(file: string): void {
  const database = new DatabaseSync(file);
  try {
    for (const [from, to] of Object.entries(tables)) {
      const names = (database.prepare(`SELECT name FROM pragma_table_info('${from}')`).all() as { name: string }[]).map(
        (row) => row.name,
      );
      for (const name of names)
        if (columns[name]) database.exec(`ALTER TABLE "${from}" RENAME COLUMN "${name}" TO "${columns[name]}"`);
      database.exec(`ALTER TABLE "${from}" RENAME TO "${to}"`);
    }
  } finally {
    database.close();
  }
}

/** Works on questions and on SQL: names in SQL are whole words with capitals, quoted values stay as they are. */
export function renameText(text: string): string {
  if (/^\s*(SELECT|WITH)\b/.test(text)) {
    return text
      .split(/('(?:[^']|'')*')/)
      .map((part, index) =>
        index % 2 === 1 ? part : part.replace(/\b[A-Z][A-Za-z]+\b/g, (word) => columns[word] ?? tables[word] ?? word),
      )
      .join("");
  }
  return text
    .split(/('[^']*')/)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      let renamed = part;
      for (const [from, to] of words) renamed = renamed.replace(from, to);
      for (const [from, to] of fixes) renamed = renamed.replace(from, to);
      return renamed;
    })
    .join("");
}
