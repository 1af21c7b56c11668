/**
 * General English that the planner understands: cues, units, concepts and a small set of curated synonyms. Nothing
 * here may name a table, a column or a value of one database.
 */

/**
 * General English that the planner understands: question words, aggregates, comparisons, units and a small set of
 * curated synonyms. Nothing here may name a table, a column or a value of one database.
 */

import type { DateUnit } from "../../sql/query-dialect.ts";

/** What many numbers are folded into. */
export type Figure = "SUM" | "AVG" | "MIN" | "MAX" | "MEDIAN";
export type Aggregate = Figure | "COUNT";

export type Direction = "ASC" | "DESC";

export type Operator = "=" | "<>" | "<" | "<=" | ">" | ">=";

export type ConceptName =
  | "duration"
  | "size"
  | "price"
  | "age"
  | "date"
  | "weight"
  | "height"
  | "speed"
  | "population"
  | "distance"
  | "power"
  | "money"
  | "pay"
  | "quantity";

export type Cue =
  | { cue: "how-many" }
  | { cue: "how-much"; concept?: ConceptName }
  | { cue: "wh" }
  | { cue: "who" }
  | { cue: "when" }
  | { cue: "where" }
  | { cue: "command" }
  | { cue: "each" }
  | { cue: "all" }
  | { cue: "distinct" }
  | { cue: "only" }
  | { cue: "aggregate"; fn: Aggregate }
  /** `place`: 2 for "the second highest". */
  | { cue: "superlative"; direction: Direction; concept?: ConceptName; counting?: boolean; place?: number }
  | { cue: "top" }
  | { cue: "compare"; operator: Operator; concept?: ConceptName }
  | { cue: "between" }
  | { cue: "average-compare"; operator: Operator }
  | { cue: "not" }
  | { cue: "no" }
  | { cue: "null" }
  | { cue: "set" }
  | { cue: "order"; direction?: Direction }
  | { cue: "direction"; direction: Direction }
  | { cue: "alphabetical"; direction: Direction }
  | { cue: "share" }
  | { cue: "and" }
  | { cue: "or" }
  | { cue: "comma" }
  | { cue: "stop" }
  | { cue: "both" }
  | { cue: "preposition"; word: string }
  | { cue: "relative"; word: string }
  | { cue: "be" }
  | { cue: "do" }
  | { cue: "have" }
  | { cue: "include-none" }
  | { cue: "along" }
  | { cue: "sold" }
  | { cue: "ties" }
  | { cue: "filler" }
  | { cue: "same" }
  | { cue: "starts" }
  | { cue: "ends" }
  | { cue: "contains" }
  | { cue: "popular"; direction: Direction; place?: number }
  | { cue: "first-of" }
  | { cue: "contrast" }
  | { cue: "self" }
  | { cue: "bucket"; unit: DateUnit };

export type { DateUnit };

export const keyWords = {
  ids: new Set(["id", "key", "code", "no", "nr", "num", "uuid", "fk", "pk", "ref"]),
  /** Table name prefixes that carry no meaning. */
  prefixes: new Set(["tbl", "ref", "dim", "fact", "fct", "stg", "vw", "tb", "t"]),
};

export const measureWords = {
  money: new Set([
    "total",
    "amount",
    "revenue",
    "sales",
    "payment",
    "paid",
    "subtotal",
    "sum",
    "spend",
    "spent",
    "turnover",
    "income",
    "earnings",
    "charge",
    "charged",
    "bill",
    "gross",
    "net",
    "value",
  ]),
  price: new Set(["price", "cost", "rate", "fee", "unitprice", "charge"]),
  quantity: new Set(["quantity", "qty", "units", "pieces", "copies", "unit_count"]),
};

export const concepts: Record<ConceptName, { words: string[]; columns: string[] }> = {
  duration: {
    words: ["length", "duration", "runtime", "playtime", "playing time", "running time", "play time", "time"],
    columns: [
      "length",
      "runtime",
      "milliseconds",
      "duration",
      "seconds",
      "minutes",
      "ms",
      "millis",
      "secs",
      "mins",
      "hours",
      "time",
      "playtime",
      "pages",
      "word",
      "words",
    ],
  },
  size: {
    words: ["size", "file size", "storage", "disk space"],
    columns: ["bytes", "size", "filesize", "kb", "mb", "kilobytes", "megabytes"],
  },
  price: {
    words: ["price", "cost", "unit price", "priced", "fee"],
    columns: ["price", "cost", "fee", "rate", "amount", "unitprice", "charge", "budget"],
  },
  age: {
    words: ["age", "old", "years old", "year old", "years of age"],
    columns: ["age", "birthdate", "birth", "dob", "birthday", "born"],
  },
  date: { words: ["date", "day", "time"], columns: ["date", "day", "time", "datetime", "year", "timestamp"] },
  weight: { words: ["weight"], columns: ["weight", "kg", "grams", "pounds"] },
  height: { words: ["height"], columns: ["height", "cm"] },
  speed: { words: ["speed", "horsepower", "acceleration"], columns: ["speed", "mph", "kmh"] },
  power: { words: ["horsepower", "power"], columns: ["horsepower", "power", "hp"] },
  population: { words: ["population", "inhabitants", "residents"], columns: ["population", "inhabitants"] },
  distance: { words: ["distance"], columns: ["distance", "miles", "km", "kilometers"] },
  money: {
    words: [
      "money",
      "revenue",
      "sales",
      "sale",
      "spend",
      "spent",
      "spending",
      "earnings",
      "earn",
      "earned",
      "income",
      "turnover",
      "paid",
      "pay",
      "payment",
      "payments",
      "bring in",
      "brought in",
      "generated",
      "generate",
      "expenditure",
      "expenses",
      "takings",
      "proceeds",
      "gross",
      "amount",
      "amounts",
      "dollars spent",
      "made money",
      "sales revenue",
      "purchase value",
      "sales value",
      "sales amount",
      "total amount",
      "invoiced",
      "billed",
      "sales volume",
    ],
    columns: [],
  },
  pay: { words: [], columns: ["salary", "wage", "pay", "compensation", "earnings", "income"] },
  quantity: {
    words: [
      "units",
      "copies",
      "quantity",
      "pieces",
      "units sold",
      "copies sold",
      "quantity sold",
      "sales count",
      "items sold",
      "units of",
    ],
    columns: [...measureWords.quantity],
  },
};

/** Time and size units with their value in the smallest one. */
export const units: Record<string, { kind: "time" | "size" | "money" | ConceptName; factor: number }> = {
  lb: { kind: "weight", factor: 1 },
  lbs: { kind: "weight", factor: 1 },
  pound: { kind: "weight", factor: 1 },
  kg: { kind: "weight", factor: 1 },
  kilogram: { kind: "weight", factor: 1 },
  gram: { kind: "weight", factor: 1 },
  mph: { kind: "speed", factor: 1 },
  kmh: { kind: "speed", factor: 1 },
  hp: { kind: "power", factor: 1 },
  mile: { kind: "distance", factor: 1 },
  kilometer: { kind: "distance", factor: 1 },
  km: { kind: "distance", factor: 1 },
  cm: { kind: "height", factor: 1 },
  foot: { kind: "height", factor: 1 },
  inch: { kind: "height", factor: 1 },
  millisecond: { kind: "time", factor: 1 },
  ms: { kind: "time", factor: 1 },
  milli: { kind: "time", factor: 1 },
  second: { kind: "time", factor: 1000 },
  sec: { kind: "time", factor: 1000 },
  minute: { kind: "time", factor: 60_000 },
  min: { kind: "time", factor: 60_000 },
  hour: { kind: "time", factor: 3_600_000 },
  byte: { kind: "size", factor: 1 },
  kilobyte: { kind: "size", factor: 1024 },
  kb: { kind: "size", factor: 1024 },
  megabyte: { kind: "size", factor: 1_048_576 },
  mb: { kind: "size", factor: 1_048_576 },
  gigabyte: { kind: "size", factor: 1_073_741_824 },
  gb: { kind: "size", factor: 1_073_741_824 },
  dollar: { kind: "money", factor: 1 },
  usd: { kind: "money", factor: 1 },
  euro: { kind: "money", factor: 1 },
};

export const numberWords: Record<string, number> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  hundred: 100,
  once: 1,
  twice: 2,
  dozen: 12,
};

/** Words that may stand for a word of a name; each group is symmetric. */
const synonymGroups = [
  "customer client buyer shopper purchaser",
  "employee staff worker colleague staffmember",
  "song track tune",
  "film movie picture",
  "album record",
  "artist performer musician band singer act",
  "invoice bill receipt order purchase",
  "price cost",
  "country nation",
  "city town",
  "state province",
  "zip postal postcode zipcode",
  "phone telephone mobile cell",
  "email mail e-mail",
  "company firm organisation organization employer",
  "job position role occupation title",
  "salary wage pay",
  "name title",
  "genre style category",
  "product item article good",
  "teacher instructor",
  "student pupil",
  "car vehicle auto automobile",
  "author writer",
  "shop store",
  "kind type",
  "hometown birthplace",
  "nationality citizenship",
  "begin start",
  "end finish",
  "address street",
  "sex gender",
  "rep representative agent",
  "manager boss supervisor",
  "stadium arena venue",
  "publication paper",
  "concert show gig",
  "course class subject",
  "maker manufacturer producer company",
  "killed died dead death",
  "injured wounded",
  "doctor physician",
  "place location venue",
  "place city",
  "place hometown",
  "town hometown",
  "quantity amount",
  "birthday birthdate birth",
].map((group) => group.split(" "));

const synonymIndex = new Map<string, Set<string>>();

for (const group of synonymGroups) {
  for (const word of group) {
    const known = synonymIndex.get(word) ?? new Set<string>();
    for (const other of group) if (other !== word) known.add(other);
    synonymIndex.set(word, known);
  }
}

export const synonymsOf = (word: string): ReadonlySet<string> => synonymIndex.get(word) ?? new Set();

/** Nouns that ask for something no linked column needs to explain. */
export const emptyNouns = new Set(
  (
    "thing things way ways case cases kind kinds sort sorts type system data store shop business catalog catalogue collection library " +
    "dataset record entry row rows item person people individual name names part total sum column result field set group time times order top others rest one " +
    "place basis regard term terms overview breakdown figure figures end beginning pair pairs end amount level list use different day"
  ).split(" "),
);

/** Figures that counting, adding up, averaging and ranking can't give. */
export const unsupportedFigures =
  /\b(standard deviation|std ?dev|variance|percentiles?|quartiles?|deciles?|correlation|correlate[sd]?|moving average|running (total|sum|average)|cumulative|year[- ]over[- ]year|month[- ]over[- ]month|growth( rate)?|trend|forecast|predict(ed|ion)?|regression)\b/i;

export const isAgentive = (word: string): boolean => /(er|or|ist|ian|band|group|singer)$/.test(word) && word.length > 4;

/** The nearer a place says where something is, the earlier it stands. */
export const placeWords = new Set([
  "hometown",
  "city",
  "town",
  "location",
  "place",
  "country",
  "nation",
  "nationality",
  "state",
  "province",
  "county",
  "region",
  "continent",
  "area",
  "address",
]);
