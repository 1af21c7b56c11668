/** Which files can be read as tables, by their names. */
export type FileFormat = "csv" | "json" | "parquet";

const formats: Record<string, FileFormat> = {
  csv: "csv",
  tsv: "csv",
  json: "json",
  jsonl: "json",
  ndjson: "json",
  parquet: "parquet",
  pq: "parquet",
};

export function fileFormat(name: string): FileFormat | undefined {
  const ending = /\.([a-z]+)(\.gz)?$/i.exec(name);
  const format = formats[ending?.[1]?.toLowerCase() ?? ""];
  return format === "parquet" && ending?.[2] ? undefined : format;
}
