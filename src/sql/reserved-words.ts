/**
 * Words that don't stand as a bare name. The first list is kept away from on every engine, so that one plan reads alike
 * everywhere; the others hold what an engine refuses besides, by its own keyword tables.
 */
import type { Engine } from "../protocol/index.ts";

const words = (text: string): string[] => text.split(" ");

const everywhere = words(
  "abort action add after all alter analyze and as asc attach before begin between by cascade case cast check collate column commit " +
    "constraint create cross current database default delete desc detach distinct do drop each else end escape except exists explain fail " +
    "filter first following for foreign from full glob group having if ignore in index inner insert instead intersect into is isnull join " +
    "key last left like limit match natural no not notnull null of offset on or order outer over partition plan pragma primary query raise " +
    "range recursive references regexp reindex release rename replace restrict right rollback row rows savepoint select set table temp then " +
    "to transaction trigger union unique update using vacuum values view virtual when where window with without user date time year month day count sum",
);

const postgres = words(
  "analyse any array asymmetric authorization binary both collation concurrently current_catalog current_date current_role current_schema " +
    "current_time current_timestamp current_user deferrable false fetch freeze grant ilike initially lateral leading localtime localtimestamp only " +
    "overlaps placing returning session_user similar some symmetric system_user tablesample trailing true variadic verbose",
);

const further: Record<Engine, readonly string[]> = {
  sqlite: [],
  postgres,
  duckdb: [
    ...postgres,
    ...words(
      "anti asof at columns describe generated lambda map pivot pivot_longer pivot_wider positional qualify semi show struct summarize try_cast unpack unpivot",
    ),
  ],
  mysql: words(
    "accessible any asensitive bigint binary blob both call change char character condition continue convert cube cume_dist current_date " +
      "current_role current_time current_timestamp current_user cursor databases day_hour day_microsecond day_minute day_second dec decimal declare " +
      "delayed dense_rank describe deterministic distinctrow div double dual elseif empty enclosed escaped exit false fetch first_value float float4 " +
      "float8 force fulltext function generated get grant grouping groups high_priority hour_microsecond hour_minute hour_second infile inout " +
      "insensitive int int1 int2 int3 int4 int8 integer interval io_after_gtids io_before_gtids iterate json_table keys kill lag last_value lateral " +
      "lead leading leave linear lines load localtime localtimestamp lock long longblob longtext loop low_priority manual master_bind " +
      "master_heartbeat_period maxvalue mediumblob mediumint mediumtext middleint minute_microsecond minute_second mod modifies no_write_to_binlog " +
      "nth_value ntile numeric optimize optimizer_costs option optionally out outfile page_checksum parallel parse_vcol_expr percent_rank period " +
      "precision procedure purge qualify rank read reads read_write real ref_system_id repeat require resignal return returning revoke rlike " +
      "row_number rownum schema schemas second_microsecond sensitive separator show signal smallint spatial specific sql sqlexception sqlstate " +
      "sqlwarning sql_big_result sql_calc_found_rows sql_small_result ssl starting stored straight_join system tablesample terminated tinyblob " +
      "tinyint tinytext trailing true undo unlock unsigned usage use utc_date utc_time utc_timestamp varbinary varchar varcharacter varying vector " +
      "while write xor year_month zerofill",
  ),
};

const made = new Map<Engine, ReadonlySet<string>>();

/** Lower case. */
export function reservedWords(engine: Engine): ReadonlySet<string> {
  const known = made.get(engine);
  if (known) return known;
  const set = new Set([...everywhere, ...further[engine]]);
  made.set(engine, set);
  return set;
}
