/**
 * A key to one's own table by its own words: "the farm that recruited it" of `RecruitedBy`, "the person they report to",
 * "its parent category". All of them are said as managers are, which the clause tree reads.
 */
import type { Schema } from "../schema/schema.ts";
import { nameWords } from "./language.ts";
import { managerWords } from "./plainer-words.ts";

/** They hang on the schema alone, and each question needs them. */
const known = new WeakMap<Schema, [RegExp, string][]>();

/** Ways of speaking of whoever stands above or below in one's own table; none where no table refers to itself. */
export function ownTableWords(schema: Schema): [RegExp, string][] {
  let made = known.get(schema);
  if (!made) {
    const own = schema.relations.filter((relation) => relation.from === relation.to);
    // "mentor" of MentorID
    const titles = own.flatMap(({ fromColumns }) => {
      const words = nameWords(fromColumns[0] ?? "").filter((word) => word !== "id");
      return words.length === 1 ? words : [];
    });
    made = own.length > 0 ? [...ownKeyWords(schema), ...managerWords(titles)] : [];
    known.set(schema, made);
  }
  return made;
}

const said = /^(id|key|no|nr|number|code|by|to|of|the|is|manager|boss|supervisor|superior)$/;

function ownKeyWords(schema: Schema): [RegExp, string][] {
  const keys = schema.relations.filter(
    (relation) => relation.from === relation.to && relation.fromColumns.length === 1,
  );
  const [key, ...more] = keys;
  if (!key || more.length > 0) return [];
  const table = schema.table(key.from);
  const column = schema.column({ table: key.from, column: key.fromColumns[0] ?? "" });
  const roles = column.words.filter((word) => word.length > 3 && !said.test(word) && !table.words.includes(word));
  const verbs = column.words.map((word) => word.replace(/(ed|ors?|ers?|s)$/, "")).filter((root) => root.length > 3);
  const noun = "(?:person|people|one|employee|colleague|\\w+)";
  const asked = "(?:the )?((?:full |first |last |given )?(?:names?|surnames?|titles?|\\w+ names?))";
  const found: [RegExp, string][] = [
    [
      new RegExp(
        `\\b${asked} of (?:the )?${noun} (?:that |who |whom |to whom )?(?:they|he|she|each|he or she) reports?(?: to)?\\b`,
        "gi",
      ),
      "their manager's $1",
    ],
  ];
  // "the name of the farm" where a column is called farm name
  const heads = table.columns.flatMap(({ words }) =>
    words.length === 2 && words[1] === "name" ? [words[0] ?? ""] : [],
  );
  for (const verb of verbs)
    found.push(
      ...heads.map((head): [RegExp, string] => [
        new RegExp(
          `\\b(?:with )?the name of (?:the )?${head} (?:that|who|which) (?:has |had )?${verb}\\w* (?:it|them|him|her)\\b`,
          "gi",
        ),
        `with their manager's ${head} name`,
      ]),
      [
        new RegExp(
          `\\b(?:with )?${asked} of (?:the )?${noun} (?:that|who|which) (?:has |had )?${verb}\\w* (?:it|them|him|her|him or her)\\b`,
          "gi",
        ),
        "with their manager's $1",
      ],
      [
        new RegExp(`\\b${asked} of (?:the )?${noun} (?:they|it|he|she) (?:was|were) ${verb}\\w* by\\b`, "gi"),
        "their manager's $1",
      ],
      [
        new RegExp(
          `\\b((?:which|what) )\\w+(?: member)? (?:has |have )?${verb}\\w* the most (?:other )?(\\w+)(?=\\s*[?.!]*$)`,
          "i",
        ),
        "$1manager has the most $2",
      ],
    );
  const named = table.words.at(-1) ?? "";
  for (const role of roles.filter((word) => !/(ed|s)$/.test(word)))
    found.push([new RegExp(`\\b${role}s?(?: ${named}\\w*)?(?=['’]|\\s|[?.!,]|$)`, "gi"), "manager"]);
  return found;
}
