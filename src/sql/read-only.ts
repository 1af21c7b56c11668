/**
 * Whether a text is exactly one statement that only reads. The engine refuses writes too; this check is the one that
 * can say why in words, before anything runs. What can't be parsed is not run.
 */
import { findCommentFault } from "./comment-faults.ts";
import { parseStatements, type Token, type Tree, tokenize } from "./parser.ts";

/** Longest text looked at; a parser can be kept busy for seconds by longer ones. */
export const maxSqlLength = 100_000;
/** More operators than any statement written for a person; 20,000 of them keep the parser busy for seconds. */
const maxTokens = 20_000;

export type ReadOnlyCheck = { ok: true } | { ok: false; reason: string };

const refuse = (reason: string): ReadOnlyCheck => ({ ok: false, reason });

/** Kinds of node that may stand where a whole query stands. */
const queries = new Set(["select", "union", "intersect", "except", "values", "subquery", "paren"]);

/** Kinds of node that are statements or reach out of the query: none of them may stand anywhere. */
const statements = new Set(
  (
    "insert update delete merge truncate truncate_table replace_partition copy load_data export install attach detach pragma vacuum analyze command raw " +
    "execute prepare declare set_statement show describe use kill grant revoke comment transaction commit rollback lock locking_statement cache uncache " +
    "refresh undrop clone conditional_insert multitable_inserts flashback_table semantic_view predict generate_embedding m_l_forecast m_l_translate a_i_agg " +
    "a_i_classify read_c_s_v read_parquet next_value_for uri put get stage_reference into_clause return_stmt with_procedure_options parameter placeholder " +
    "create_table create_view create_index create_schema create_database create_function create_procedure create_sequence create_synonym create_task " +
    "create_trigger create_type alter_table alter_view alter_index alter_sequence alter_session alter_set drop_table drop_view drop_index drop_schema " +
    "drop_database drop_function drop_procedure drop_sequence drop_trigger drop_type drop_namespace drop_partition add_partition alter_column " +
    "rename_column sql_comment on_conflict returning"
  ).split(" "),
);

/** SQLite's own functions that neither write nor reach out; others are refused by name. */
const sqliteFunctions = new Set(
  (
    "abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling changes char coalesce concat concat_ws cos cosh count cume_dist current_date current_time " +
    "current_timestamp date datetime degrees dense_rank exp first_value floor format glob group_concat hex highlight if ifnull iif instr json json_array " +
    "json_array_length json_each json_error_position json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote " +
    "json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_array jsonb_each jsonb_extract jsonb_group_array jsonb_group_object " +
    "jsonb_object jsonb_tree julianday lag last_value lead length like likelihood likely ln log log10 log2 lower ltrim match max median min mod now nth_value ntile " +
    "nullif octet_length percent_rank percentile percentile_cont percentile_disc pi pow power printf quote radians random rank regexp replace round " +
    "row_number rtrim sign sin sinh snippet soundex sqrt stddev strftime string_agg subtype substr substring sum tan tanh time timediff total trim trunc " +
    "typeof unhex unicode unixepoch unlikely upper rollup cube row cast extract exists"
  ).split(" "),
);
/** Other engines: functions that write, wait, lock, read files, run other statements or speak to the network. */
const reachingFunctions = new RegExp(
  `^(${[
    "pg_(read|ls|stat_file|stat_reset|terminate|cancel|notify|sleep|reload|rotate|switch|create|drop|promote|logical|replication|advisory|try_advisory|write|file|export|import|log_|prewarm|backup|start_backup|stop_backup|wal_replay|sync|copy)",
    "lo_|dblink|(query|cursor|table|schema|database)_to_xml|nextval|setval|lastval|set_config|setseed|txid_|current_setting$",
    "sleep$|benchmark$|load_file|get_lock$|release_(lock|all_locks)$|(master|source)_pos_wait|wait_for_executed|sys_|xp_",
    "read_|st_read|parquet_|sniff_csv|glob$|query$|query_table$|(sqlite|postgres|mysql|iceberg|delta)_(scan|query|attach|execute)|duckdb_secrets|which_secret|(force_)?checkpoint$|write_log|enable_|disable_",
    "http|url$|file$|s3|remote|mysql$|postgresql$|jdbc|odbc|sqlite_|load_extension|getenv|install|load$",
  ].join("|")})`,
);

/** `dialect` is the engine's name as the catalog has it, e.g. `sqlite`. */
export function checkReadOnly(sql: string, dialect: string): ReadOnlyCheck {
  if (sql.trim() === "") return refuse("The statement is empty.");
  if (sql.length > maxSqlLength)
    return refuse(`The statement is longer than ${maxSqlLength.toLocaleString("en")} characters.`);
  if (sql.includes("\0")) return refuse("The statement holds a NUL character.");
  const tokens = tokenize(sql, dialect);
  if (!tokens.ok) return refuse(toUnread(tokens.reason));
  const surface = checkTokens(sql, tokens.value, dialect);
  if (!surface.ok) return surface;
  const parsed = parseStatements(sql, dialect);
  if (!parsed.ok) return refuse(toUnread(parsed.reason));
  const [root, ...more] = parsed.value;
  if (!root || more.length > 0) return refuse("Exactly one statement is allowed.");
  const kind = Object.keys(root)[0] ?? "";
  if (!queries.has(kind)) return refuse(`Only reading is allowed; this is ${kind.replaceAll("_", " ")}.`);
  const fault = findFault(root, dialect);
  return fault ? refuse(fault) : { ok: true };
}

/**
 * A text that can't be read is a fault of the text, or one of the few things that the database would take and the
 * parser doesn't know: nothing proves that it only reads, so it isn't run, and the way out is to say it otherwise.
 */
const toUnread = (reason: string): string =>
  `The statement can't be parsed, so nothing shows that it only reads, and it is not run: ${reason.replace(/[.\s]+$/, "")}. If that is valid here, write it in a more common way.`;

/** What the tree would hide: comments that a server runs, a second statement, a first word that isn't a query's. */
function checkTokens(sql: string, tokens: readonly Token[], dialect: string): ReadOnlyCheck {
  if (tokens.length > maxTokens)
    return refuse(`The statement has more than ${maxTokens.toLocaleString("en")} words and signs.`);
  const first = tokens.find((token) => token.type !== "L_PAREN");
  if (!first) return refuse("The statement is empty.");
  const starts = dialect === "duckdb" ? /^(select|with|values|from)$/i : /^(select|with|values)$/i;
  if (!starts.test(first.text) || first.type === "QUOTED_IDENTIFIER" || first.type === "STRING") {
    return refuse(
      `Only SELECT, WITH and VALUES can start a statement; this one starts with ${first.text.slice(0, 40)}.`,
    );
  }
  const comment = findCommentFault(sql, tokens, dialect);
  if (comment) return refuse(comment);
  const semicolon = tokens.findIndex((token) => token.type === "SEMICOLON");
  if (semicolon >= 0 && tokens.slice(semicolon).some((token) => token.type !== "SEMICOLON")) {
    return refuse("Exactly one statement is allowed.");
  }
  return { ok: true };
}

/** First thing in the tree that isn't reading, in words; undefined when there is none. */
function findFault(root: Tree, dialect: string): string | undefined {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (Array.isArray(node)) {
      for (const item of node) stack.push(item);
      continue;
    }
    if (typeof node !== "object" || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (value === null || value === undefined || value === false) continue;
      const fault = faultOf(key, value, dialect);
      if (fault) return fault;
      if (typeof value === "object") stack.push(value);
    }
  }
  return undefined;
}

function faultOf(key: string, value: unknown, dialect: string): string | undefined {
  if (key === "into") return "SELECT … INTO writes a table.";
  if (key === "locks" && Array.isArray(value) && value.length > 0) return "FOR UPDATE and FOR SHARE take locks.";
  if (typeof value !== "object" || value === null) return undefined;
  if (statements.has(key) && !Array.isArray(value) && isKind(key, value)) {
    return `Only reading is allowed; the statement holds ${key.replaceAll("_", " ").toUpperCase()}.`;
  }
  if (key === "ctes" && Array.isArray(value)) {
    for (const cte of value) {
      const body = (cte as Tree).this;
      const kind = typeof body === "object" && body !== null ? (Object.keys(body)[0] ?? "") : "";
      if (!queries.has(kind)) return `A step must be a query; this one is ${kind.replaceAll("_", " ").toUpperCase()}.`;
    }
  }
  if (
    key === "function" ||
    key === "aggregate_function" ||
    key === "anonymous" ||
    key === "combined_agg_func" ||
    key === "table_function"
  ) {
    const name = nameOf(value);
    if (name === undefined) return undefined;
    const folded = name.toLowerCase();
    const allowed =
      dialect === "sqlite" ? sqliteFunctions.has(folded) : !reachingFunctions.test(folded.split(".").at(-1) ?? folded);
    if (!allowed) return `The function ${name} is not allowed.`;
  }
  if (key === "table") {
    const table = (value as Tree).name;
    const name = nameOf(table);
    if (name && /^pragma_/i.test(name)) return `The table ${name} is not allowed.`;
  }
  return undefined;
}

/** `{update: true}`-like properties of other nodes share names with statements: a statement's value is a node. */
function isKind(key: string, value: object): boolean {
  // `lock: {update: …}` is caught as a lock already; a `comment` on a node is text, not an object.
  return key !== "update" || "table" in value || "set" in value;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const name = (value as Tree).name ?? (value as Tree).this;
  return typeof name === "string" ? name : nameOf(name);
}
