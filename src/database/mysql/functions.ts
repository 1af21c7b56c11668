/**
 * The servers' own functions that compute and nothing else. Every other call is refused: functions stored in the
 * database or loaded into the server may write, wait, lock or reach out whatever their names are.
 */

const known = new Set(
  // numbers
  (
    "abs acos asin atan atan2 bin bit_count ceil ceiling conv cos cot crc32 crc32c degrees exp floor format greatest hex least ln log log10 log2 mod oct " +
    "pi pow power radians rand round sign sin sqrt tan truncate unhex cbrt square trunc fmod " +
    // text
    "ascii bit_length char char_length character_length charset chr coercibility collation concat concat_ws convert elt export_set field find_in_set " +
    "from_base64 insert instr lcase left length lengthb locate lower lpad ltrim make_set mid natural_sort_key octet_length ord position quote repeat replace " +
    "reverse right rpad rtrim sformat soundex space strcmp substr substring substring_index to_base64 to_char to_number trim ucase upper weight_string " +
    "regexp_instr regexp_like regexp_replace regexp_substr split_part starts_with ends_with initcap translate char2hexint strleft strright ilike " +
    "extractvalue updatexml " +
    // dates
    "adddate addtime add_months convert_tz curdate current_date current_time current_timestamp curtime date date_add date_format date_sub datediff day " +
    "dayname dayofmonth dayofweek dayofyear extract from_days from_unixtime get_format hour last_day localtime localtimestamp makedate maketime microsecond " +
    "minute month monthname months_between now period_add period_diff quarter sec_to_time second str_to_date subdate subtime sysdate time time_format " +
    "time_to_sec timediff timestamp timestampadd timestampdiff to_date to_days to_seconds unix_timestamp utc_date utc_time utc_timestamp week weekday " +
    "weekofyear year yearweek date_trunc time_slice years_diff months_diff weeks_diff days_diff hours_diff minutes_diff seconds_diff years_add months_add " +
    "weeks_add days_add hours_add minutes_add seconds_add years_sub months_sub weeks_sub days_sub hours_sub minutes_sub seconds_sub next_day date_diff " +
    // choices and conversions
    "case cast coalesce decode decode_oracle default if ifnull interval isnull nullif nvl nvl2 values value row any_value grouping try_cast " +
    // aggregates and windows
    "avg bit_and bit_or bit_xor count cume_dist dense_rank first_value group_concat json_arrayagg json_objectagg lag last_value lead listagg max median min " +
    "nth_value ntile percent_rank percentile_cont percentile_disc rank row_number std stddev stddev_pop stddev_samp sum var_pop var_samp variance " +
    "approx_count_distinct ndv array_agg multi_distinct_count percentile_approx percentile string_agg corr covar_pop covar_samp regr_slope max_by min_by " +
    "bool_or bool_and count_if bitmap_union bitmap_union_count bitmap_count hll_union_agg hll_cardinality approx_percentile " +
    // geometry and full text
    "match geometrycollection geomcollection linestring multilinestring multipoint multipolygon point polygon mbrcontains mbrcoveredby mbrcovers " +
    "mbrdisjoint mbrequal mbrequals mbrintersects mbroverlaps mbrtouches mbrwithin vec_distance vec_distance_euclidean vec_distance_cosine vec_fromtext " +
    "vec_totext vector_dim string_to_vector vector_to_string distance " +
    "area asbinary astext aswkb aswkt buffer centroid contains convexhull crosses dimension disjoint endpoint envelope equals exteriorring geometryn " +
    "geometrytype geomfromtext geomfromwkb glength interiorringn intersects isclosed isempty issimple numgeometries numinteriorrings numpoints overlaps pointn " +
    "srid startpoint touches within x y " +
    // hashes and other codes
    "aes_decrypt aes_encrypt encrypt kdf uuid_v4 uuid_v7 compress uncompress uncompressed_length md5 sha sha1 sha2 random_bytes password old_password uuid uuid_short uuid_to_bin bin_to_uuid " +
    "is_uuid inet_aton inet_ntoa inet6_aton inet6_ntoa is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6 sys_guid murmur_hash3_32 xx_hash3_64 tidb_shard vitess_hash " +
    // about the session
    "connection_id current_role current_user database found_rows last_insert_id row_count schema session_user system_user user version is_free_lock " +
    "is_used_lock tidb_version format_bytes format_pico_time gtid_subset gtid_subtract name_const rownum statement_digest statement_digest_text " +
    // dynamic columns
    "column_add column_check column_create column_delete column_exists column_get column_json column_list " +
    // expressions of other kinds
    "member exists array map named_struct element_at array_contains array_length array_join array_sort array_distinct explode unnest generate_series"
  ).split(" "),
);
/** Whole families that only compute. */
const knownFamily = /^(json|st|mbr)_[a-z0-9_]+$/;

/** Known ones that do more than compute, for a message that says so. */
const reaching = new Set(
  (
    "sleep benchmark load_file get_lock release_lock release_all_locks master_pos_wait master_gtid_wait source_pos_wait wait_for_executed_gtid_set " +
    "wait_until_sql_thread_after_gtids wsrep_sync_wait_upto_gtid nextval lastval setval currval sys_exec sys_eval sys_get sys_set lib_mysqludf_sys_info " +
    "http_get http_post files table_function binlog_gtid_pos"
  ).split(" "),
);

/** Words that may stand before a parenthesis without being a call. */
const keywords = new Set(
  (
    "AND OR XOR NOT IN ANY SOME ALL EXISTS AS ON USING WHEN THEN ELSE CASE WHERE HAVING SELECT DISTINCT DISTINCTROW FROM JOIN BY OVER WITH RECURSIVE UNION " +
    "EXCEPT INTERSECT MINUS LIKE RLIKE REGEXP BETWEEN IS DIV BINARY OF INDEX KEY PARTITION LATERAL ROLLUP STRAIGHT_JOIN OFFSET LIMIT TABLE COLUMNS AGAINST " +
    "VARCHAR VARBINARY DECIMAL DEC NUMERIC FIXED FLOAT DOUBLE REAL DATETIME INT INTEGER BIGINT SMALLINT TINYINT NCHAR NVARCHAR BIT TEXT BLOB SIGNED UNSIGNED " +
    "ESCAPE GROUP SETS CUBE INTERVAL RETURNING ROWS RANGE TABLESAMPLE FILTER QUALIFY SEPARATOR CHARACTER"
  ).split(" "),
);

/** `written` is a word or quoted name that stands before a parenthesis. */
export function judgeCall(name: string, quoted: boolean): "harmless" | "reaching" | "unknown" {
  if (!quoted && keywords.has(name.toUpperCase())) return "harmless";
  const lower = name.toLowerCase();
  if (reaching.has(lower)) return "reaching";
  return known.has(lower) || knownFamily.test(lower) ? "harmless" : "unknown";
}
