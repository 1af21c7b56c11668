/**
 * Functions that act although a SELECT calls them: they read files, reach other servers, wait, lock, signal, run SQL
 * from a text or change the session. Named here so that they are refused on every engine that speaks the protocol;
 * `refused-functions.ts` asks the server's own catalogue for the rest.
 */

/** Families of the engine's own names; `pg_` is reserved for it. */
const families = new RegExp(
  `^(?:${[
    "pg_(?:read|ls|file|logdir|stat_file|logical|replication|create|drop|copy|sync|advisory|try_advisory|sleep|notify)",
    "pg_(?:terminate|cancel|reload|rotate|switch|promote|backup|start_backup|stop_backup|export|import|prewarm)",
    "pg_(?:stat_reset|stat_statements_reset|stat_clear|stat_force|log|wal_replay|buffercache|truncate|restore|clear)",
    "pg_(?:nextoid|extension_config|execute|hba_file|ident_file|show_all_file|get_wal|walinspect|set_)",
    "dblink",
    "binary_upgrade_",
    "(?:query|cursor|database|schema)_to_xml",
    "crosstab",
    "citus_|master_|run_command_on_",
    "http_(?:get|post|put|delete|patch|head|set)",
  ].join("|")})`,
);

const forbidden = new Set(
  `nextval setval set_config ts_stat ts_rewrite connectby xpath_table txid_current pg_current_xact_id loread lowrite
  lo_close lo_creat lo_create lo_export lo_from_bytea lo_get lo_import lo_lseek lo_lseek64 lo_open lo_put lo_tell
  lo_tell64 lo_truncate lo_truncate64 lo_unlink brin_summarize_new_values brin_summarize_range
  brin_desummarize_range gin_clean_pending_list http lambda_invoke table_import_from_s3 query_export_to_s3
  plpgsql_call_handler`.split(/\s+/),
);

/** Names arrive as the parser folded them; a quoted one in capitals can be no function of the engine. */
export const isForbiddenFunction = (name: string): boolean => forbidden.has(name) || families.test(name);

/**
 * Volatile by the catalogue, harmless by what they do: chance, clocks, sizes and places. `lo_get` and the like are
 * volatile too, which is why the catalogue's word alone decides against a function.
 */
export const harmlessVolatile: ReadonlySet<string> = new Set(
  `random random_normal normal_rand setseed clock_timestamp timeofday gen_random_uuid gen_random_bytes uuidv4 uuidv7
  uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4 currval lastval pg_relation_size pg_table_size pg_indexes_size
  pg_total_relation_size pg_database_size pg_tablespace_size pg_is_in_recovery st_generatepoints`.split(/\s+/),
);

const forbiddenRelations = new Set(
  `pg_authid pg_shadow pg_hba_file_rules pg_ident_file_mappings pg_file_settings pg_user_mapping pg_largeobject
  pg_subscription pg_backend_memory_contexts`.split(/\s+/),
);
/** Catalogue tables that hold password hashes or the server's configuration files. */
export const isForbiddenRelation = (name: string): boolean => forbiddenRelations.has(name);
