/** The tables whose rows belong to a merchant account, with the column of the account. */
const OWNED = `WITH owned AS (
  SELECT c.oid, c.relname AS name, c.relkind, c.relispartition, a.attnum, a.atttypid, a.attnotnull
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
    AND a.attname = CASE c.relname WHEN 'merchant_account' THEN 'id' ELSE 'merchant_account_id' END
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p'))`;

const KEYS = `SELECT i.relname AS found FROM owned o JOIN pg_index x ON x.indrelid = o.oid
  JOIN pg_class i ON i.oid = x.indexrelid AND NOT i.relispartition
  WHERE (x.indisunique OR x.indisexclusion) AND o.attnum <> ALL ((x.indkey::int2[])[0:x.indnkeyatts - 1])`;

const FOREIGN_KEYS = `FROM owned o JOIN pg_constraint f ON f.conrelid = o.oid AND f.contype = 'f' AND f.conparentid = 0`;

/**
 * Statements that find the objects which break a rule of Citus for tables that it distributes by the account. Each names
 * the page of the documentation of Citus with the rule.
 */
export const RULES = {
  // Creating and Modifying Distributed Tables (DDL): primary keys and uniqueness constraints must include the distribution column.
  key: `${OWNED} ${KEYS}`,
  // The same page: a foreign key between distributed tables includes the distribution column. On both sides in the same place,
  // as the error message of Citus says.
  foreignKey: `${OWNED} SELECT f.conname AS found ${FOREIGN_KEYS} JOIN owned r ON r.oid = f.confrelid
    WHERE coalesce(array_position(f.conkey, o.attnum) <> array_position(f.confkey, r.attnum), true)`,
  // The same page: foreign keys from reference tables to distributed tables are not supported.
  foreignKeyOfInstallation: `${OWNED} SELECT f.conname AS found FROM pg_constraint f JOIN owned r ON r.oid = f.confrelid
    WHERE f.contype = 'f' AND f.conrelid NOT IN (SELECT oid FROM owned)`,
  // The error messages of Citus: a key with the distribution column refuses SET NULL and SET DEFAULT. ON UPDATE refuses
  // CASCADE, too.
  action: `${OWNED} SELECT f.conname AS found ${FOREIGN_KEYS}
    WHERE o.attnum = ANY (f.conkey) AND (f.confupdtype IN ('c', 'n', 'd') OR f.confdeltype IN ('n', 'd'))`,
  // The error message of Citus: triggers are not supported on distributed tables when "citus.enable_unsafe_triggers" is set to "false".
  trigger: `${OWNED} SELECT DISTINCT p.proname AS found FROM owned o
    JOIN pg_trigger t ON t.tgrelid = o.oid AND NOT t.tgisinternal AND t.tgparentid = 0 JOIN pg_proc p ON p.oid = t.tgfoid`,
  // SQL Support and Workarounds: sequences that are smaller than BIGINT might fail on worker nodes.
  sequence: `${OWNED} SELECT o.name || '.' || a.attname AS found FROM owned o
    JOIN pg_attribute a ON a.attrelid = o.oid AND a.atttypid <> 'bigint'::regtype
    LEFT JOIN pg_attrdef d ON d.adrelid = o.oid AND d.adnum = a.attnum
    WHERE a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE '%nextval(%'`,
  // The same page: multi-level partitioned tables are not supported.
  partition: `${OWNED} SELECT name AS found FROM owned WHERE relkind = 'p' AND relispartition`,
  // The same page: the rule system is not supported.
  rule: `${OWNED} SELECT r.rulename AS found FROM owned o JOIN pg_rewrite r ON r.ev_class = o.oid`,
  // Creating and Modifying Distributed Tables (DDL): tables are co-located by the same type of the distribution column.
  // An INSERT must give the column a value.
  column: `${OWNED} SELECT name AS found FROM owned WHERE atttypid <> 'text'::regtype OR NOT attnotnull`,
  // The same page: a table without the distribution column is a reference table, or stays on one node.
  installation: `${OWNED} SELECT c.relname AS found FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.oid NOT IN (SELECT oid FROM owned)`,
} as const;

export type Rule = keyof typeof RULES;
