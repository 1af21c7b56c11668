/** Which way of writing dates all values of a column share. Pure. */

const month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
const fullMonth = "(?:january|february|march|april|may|june|july|august|september|october|november|december)";
const dd = "(?:0?[1-9]|[12]\\d|3[01])";
const mm = "(?:0?[1-9]|1[0-2])";
const yyyy = "[12]\\d{3}";
const time = "(?:[01]?\\d|2[0-3]):[0-5]\\d";

/** Tried in order; the first that fits every value holds. Of two that fit, the reader must be told both. */
const formats: [name: string, pattern: RegExp][] = [
  ["YYYY-MM-DD", `${yyyy}-${mm}-${dd}`],
  ["YYYY-MM-DD HH:MM", `${yyyy}-${mm}-${dd} ${time}`],
  ["YYYY-MM-DD HH:MM:SS", `${yyyy}-${mm}-${dd} ${time}:[0-5]\\d(?:\\.\\d+)?(?:z|[+-]\\d\\d(?::?\\d\\d)?)?`],
  ["YYYY-MM-DDTHH:MM:SS", `${yyyy}-${mm}-${dd}t${time}(?::[0-5]\\d(?:\\.\\d+)?)?(?:z|[+-]\\d\\d(?::?\\d\\d)?)?`],
  ["YYYY/MM/DD", `${yyyy}/${mm}/${dd}`],
  ["YYYY-MM", `${yyyy}-(?:0[1-9]|1[0-2])`],
  ["DD Mon YYYY", `${dd} ${month} ${yyyy}`],
  ["DD Month YYYY", `${dd} ${fullMonth} ${yyyy}`],
  ["Mon DD, YYYY", `${month}\\.? ${dd},? ${yyyy}`],
  ["Month DD, YYYY", `${fullMonth} ${dd},? ${yyyy}`],
  ["DD-Mon-YYYY", `${dd}-${month}-${yyyy}`],
  ...["/", ".", "-"].flatMap((mark): [string, string][] => {
    const literal = mark === "." ? "\\." : mark;
    return [
      ["", ""],
      [" HH:MM", ` ${time}`],
      [" HH:MM:SS", ` ${time}:[0-5]\\d`],
    ].flatMap(([name, clock]): [string, string][] => [
      [`DD${mark}MM${mark}YYYY${name}`, `${dd}${literal}${mm}${literal}${yyyy}${clock}`],
      [`MM${mark}DD${mark}YYYY${name}`, `${mm}${literal}${dd}${literal}${yyyy}${clock}`],
      [`DD${mark}MM${mark}YY${name}`, `${dd}${literal}${mm}${literal}\\d\\d${clock}`],
      [`MM${mark}DD${mark}YY${name}`, `${mm}${literal}${dd}${literal}\\d\\d${clock}`],
    ]);
  }),
].map(([name = "", pattern = ""]) => [name, new RegExp(`^${pattern}$`, "i")]);

/** Eight or four digits may be anything: only a column whose name or type speaks of dates is believed. */
const hinted: [name: string, pattern: RegExp, hint: RegExp][] = [
  ["YYYYMMDD", /^(?:1[89]|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/, /date|time|day|_dt$|_at$|_on$/i],
  ["YYYY", /^[12]\d{3}$/, /year|yr|season/i],
];

/**
 * `undefined` when the values don't share a format. Where day and month can't be told apart both readings are named:
 * `DD/MM/YYYY or MM/DD/YYYY`. Empty texts are passed over. `words` are the column's name and declared type.
 */
export function findDateFormat(values: readonly string[], words: string): string | undefined {
  const filled = values.map((value) => value.trim()).filter((value) => value !== "");
  if (filled.length === 0) return undefined;
  const fits = (pattern: RegExp): boolean => filled.every((value) => pattern.test(value));
  const matching = formats.filter(([, pattern]) => fits(pattern)).map(([name]) => name);
  if (matching.length > 0) return matching.slice(0, 2).join(" or ");
  return hinted.find(([, pattern, hint]) => hint.test(words) && fits(pattern))?.[0];
}
