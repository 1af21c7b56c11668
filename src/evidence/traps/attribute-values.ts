/** Tables of attribute and value: one thing has a row for each of its properties. */

import type { Column, Table } from "../../protocol/index.ts";
import { figure, toCount } from "../ask.ts";
import { nameOf } from "./amend.ts";
import { additive, isUsed, pairsOf, tablesOf } from "./column-use.ts";
import { isUnique, squash, wordSet, wordsOf } from "./column-words.ts";
import type { Trap } from "./trap.ts";

const attributeNames = wordSet(
  "attribute attributename attr attrname attributeid attributecode attrid attributekey property propertyname propertyid propertykey propertycode key metakey field fieldname fieldid param parameter parametername parameterid metric metricname indicator indicatorname indicatorcode indicatorid measure measurename merkmal merkmalname eigenschaft attributo proprieta nomeattributo atributo propiedad attribut propriete nomattribut setting settingname settingkey tagkey optionname configkey variable variablename testname analyte featurename feature question questionid questioncode",
);
const valueNames = wordSet(
  "value val attributevalue attrvalue propertyvalue metavalue fieldvalue paramvalue metricvalue valuetext valuenum valuenumeric numericvalue textvalue valuestring valuenumber numvalue strvalue wert merkmalswert valore valor valeur settingvalue optionvalue configvalue result datavalue answer answervalue",
);

function partsOf(table: Table): { attribute: Column; values: Column[] } | undefined {
  const attribute = table.columns.find(
    (column) =>
      attributeNames.has(squash(column.name)) &&
      !(table.primaryKey.length === 1 && table.primaryKey[0] === column.name),
  );
  const values = table.columns.filter(
    (column) =>
      valueNames.has(squash(column.name)) ||
      ([wordsOf(column.name)[0], wordsOf(column.name).at(-1)].includes("value") && column !== attribute),
  );
  return attribute && values.length > 0 && table.columns.length <= 9 ? { attribute, values } : undefined;
}

export const attributeValues: Trap = {
  code: "attribute-mixed",
  look(context) {
    const { statement, dialect } = context;
    return tablesOf(statement).flatMap(({ table, block, alias }) => {
      const parts = partsOf(table);
      if (!parts || isUsed(statement, table, parts.attribute, "condition", "group", "output")) return [];
      const { attribute, values } = parts;
      const partners = pairsOf(block, alias);
      // The attribute's name may stand in a table of its own, and be filtered there.
      const named = partners.some(
        ({ own, other }) =>
          own.column === attribute &&
          other.table?.columns.some((column) =>
            isUsed(statement, other.table as Table, column, "condition", "group", "output"),
          ),
      );
      if (named) return [];
      const summed = block.aggregates.some(
        ({ name, columns }) =>
          name !== "count" &&
          columns.some((side) => side.table === table && side.column && values.includes(side.column)),
      );
      const repeats = additive(block).some(
        ({ star, columns }) => star || columns.some((side) => side.table && side.table !== table),
      );
      const joined = partners.filter(({ own }) => own.column && own.column !== attribute);
      const link = joined.find(({ own }) => own.column && !isUnique(table, [own.column.name]));
      if (!summed && !link) return [];
      const compared = values.some((column) => isUsed(statement, table, column, "condition"));
      const entity =
        link?.own.column ?? table.columns.find((column) => column !== attribute && !values.includes(column));
      if (!entity) return [];
      const [what, thing] = [attribute.name, entity.name].map(dialect.quote);
      const counted = `SELECT COUNT(DISTINCT ${what}), COUNT(DISTINCT ${thing}), COUNT(*) FROM ${nameOf(context, table)}`;
      const listed = `SELECT ${what} FROM ${nameOf(context, table)} WHERE ${what} IS NOT NULL GROUP BY ${what} ORDER BY COUNT(*) DESC LIMIT 4`;
      return [
        {
          asks: [counted, listed],
          judge([read, names]) {
            const [attributes, things, rows] = [0, 1, 2].map((at) => toCount(read, at));
            if ((attributes ?? 0) < 2) return undefined;
            const list = names?.ok ? names.result.rows.map(([name]) => String(name)).join(", ") : "";
            const sure = (summed || repeats) && !compared;
            const how = summed
              ? `${values.map(({ name }) => name).join(", ")} of all of them would be taken together`
              : `each ${entity.name} is repeated for each of its attributes`;
            return {
              severity: sure ? "warning" : "notice",
              title: `${table.name} holds ${figure(attributes ?? 0)} different ${attribute.name}, and the statement takes them all`,
              body: `${figure(rows ?? 0)} rows describe ${figure(things ?? 0)} ${entity.name} (${list}): ${how}.`,
              waysOut: [`Take one ${attribute.name} of ${table.name}`, `Group by ${attribute.name} of ${table.name}`],
            };
          },
        },
      ];
    });
  },
};
