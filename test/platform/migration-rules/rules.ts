/** A rule that a migration can break: the fault of a statement, and the way that has no fault. */
export type Rule = { readonly fault: string; readonly instead: string };

/** Every rule by its name. A contributor reads both sentences. */
export const RULES = {
  index: {
    fault: 'The build of the index stops all writes to the table.',
    instead:
      'Write CREATE INDEX CONCURRENTLY in a migration of its own. A partitioned table has CREATE INDEX … ON ONLY, and each ' +
      'partition has an index of its own, which ALTER INDEX … ATTACH PARTITION joins.',
  },
  alone: {
    fault: 'Postgres refuses CONCURRENTLY beside other statements, and no transaction undoes them.',
    instead: 'Write each statement with CONCURRENTLY in a migration of its own.',
  },
  default: {
    fault: 'Postgres computes the value of each row, and rewrites the table meanwhile.',
    instead: 'Add the column without a default. Then set the default in a statement of its own.',
  },
  required: {
    fault: 'The present rows and new rows of the former release have no value, so Postgres refuses them.',
    instead: 'Give the column a constant default, and keep it. Or let the column have nulls.',
  },
  'column-constraint': {
    fault: 'Postgres reads the whole table to check the constraint of the new column.',
    instead: 'Add the column alone. Then add the constraint with NOT VALID, or the index concurrently.',
  },
  type: {
    fault: 'The change of the type rewrites the table, and the former release may not read the new type.',
    instead:
      'Add a column of the new type. Let one release write both columns, and drop the old one in a later release.',
  },
  constraint: {
    fault: 'Postgres reads the whole table to check the constraint, and stops all writes meanwhile.',
    instead: 'Add the constraint with NOT VALID. Write VALIDATE CONSTRAINT in the next migration.',
  },
  key: {
    fault: 'The build of the index of the key stops all reads and writes.',
    instead: 'Build a unique index concurrently in a migration before. Then add the key with USING INDEX.',
  },
  validate: {
    fault: 'The lock of an earlier statement of the migration lasts until every row is read.',
    instead: 'Write VALIDATE CONSTRAINT in a migration of its own.',
  },
  'not-null': {
    fault: 'Postgres reads the whole table to find a null, and stops all reads and writes meanwhile.',
    instead:
      'Add CHECK (column IS NOT NULL) NOT VALID, and validate the check in the next migration. SET NOT NULL then reads no row.',
  },
  rename: {
    fault: 'The former release reads the old name, and runs beside the new release during an upgrade.',
    instead: 'Add the new name beside the old one. Drop the old one in a later release.',
  },
  drop: {
    fault:
      'The former release may need the dropped part, also a key for ON CONFLICT, and runs beside the new release during an upgrade.',
    instead:
      'Remove the readers first. Name the part and the version without readers in UNREAD of tables.ts. Drop the part in a later version.',
  },
  rows: {
    fault: 'The rows stay locked until the migration ends, and payments wait for them.',
    instead:
      'Let a background loop change the rows in batches. Or read a missing value as the old meaning, and write the value at the next change.',
  },
  rewrite: {
    fault: 'The statement rewrites or empties the table, and stops all reads and writes meanwhile.',
    instead:
      'Leave the table as it is. Rebuild an index with REINDEX CONCURRENTLY in a migration of its own.',
  },
  lock: {
    fault: 'The lock lasts until the migration ends.',
    instead:
      'Leave LOCK TABLE out. Each statement takes its own lock, and the migration begins anew without it.',
  },
  timeout: {
    fault: 'Without the time-out of the migration, its wait for a lock holds up all who come later.',
    instead:
      'Leave lock_timeout, BEGIN and COMMIT to the command migrate. It applies each migration in a transaction.',
  },
  hidden: {
    fault: 'No test sees the statements inside DO.',
    instead: 'Write the statements outside of DO.',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;
