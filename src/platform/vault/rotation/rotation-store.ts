import type { Db } from '../../database/db.ts';
import { SEALED_COLUMNS, type SealContext, type SealedColumn } from '../sealed-columns.ts';
import { DATA_KEY_COLUMNS, type DataKeyRow } from '../store.ts';

/** A sealed value and its place. */
export type SealedValue = { readonly context: SealContext; readonly sealed: string };

/** The position of a walk over rows: merchant account and id of the last row. */
export type Position = readonly [merchantAccountId: string, id: string];
export const START: Position = ['', '00000000-0000-0000-0000-000000000000'];

const FACT = 'key_rotation';

/**
 * Records the start of a rotation and returns its id. Returns the id of an unfinished rotation instead, if there is
 * one.
 */
export async function beginRotation(db: Db, id: string, now: Date): Promise<string> {
  const text =
    'INSERT INTO installation_fact (name, value, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
  await run(db, text, [FACT, id, now]);
  return (await findRotation(db)) ?? id;
}

/** Returns the id of an unfinished rotation, or null. */
export async function findRotation(db: Db): Promise<string | null> {
  const rows = await run<{ value: string }>(db, 'SELECT value FROM installation_fact WHERE name = $1', [
    FACT,
  ]);
  return rows[0]?.value ?? null;
}

/** Forgets the rotation. The next rotation creates new versions. */
export async function endRotation(db: Db): Promise<void> {
  await run(db, 'DELETE FROM installation_fact WHERE name = $1', [FACT]);
}

/** Counts the data keys, also retired ones, that another key-encryption key wraps. */
export const countForeignKeys = (db: Db, keyId: string): Promise<number> =>
  count(db, 'SELECT count(*)::int AS count FROM data_key WHERE key_encryption_key <> $1', [keyId]);

/** Returns a page of the data keys that another key-encryption key wraps. */
export const findForeignKeys = (
  db: Db,
  keyId: string,
  after: Position,
  limit: number,
): Promise<readonly DataKeyRow[]> =>
  run(
    db,
    `SELECT ${DATA_KEY_COLUMNS} FROM data_key
     WHERE key_encryption_key <> $1 AND (merchant_account_id, id) > ($2, $3::uuid)
     ORDER BY merchant_account_id, id LIMIT $4`,
    [keyId, ...after, limit],
  );

/** Stores the new wrapping of a data key, unless another process has changed it. */
export async function replaceWrapped(db: Db, former: DataKeyRow, row: DataKeyRow): Promise<void> {
  await run(
    db,
    `UPDATE data_key SET key_encryption_key = $4, wrapped = $5
     WHERE merchant_account_id = $1 AND id = $2 AND wrapped = $3`,
    [row.merchantAccountId, row.id, former.wrapped, row.keyId, row.wrapped],
  );
}

const NEWEST = `SELECT DISTINCT ON (merchant_account_id) * FROM data_key WHERE purpose = 'data'
  ORDER BY merchant_account_id, version DESC`;

/**
 * Counts the merchant accounts with a `data` key but without a version of this rotation. With null, counts all with a
 * `data` key.
 */
export const countUnrotated = (db: Db, rotationId: string | null): Promise<number> =>
  count(
    db,
    `SELECT count(*)::int AS count FROM (${NEWEST}) newest WHERE $1::uuid IS NULL OR rotation_id IS DISTINCT FROM $1`,
    [rotationId],
  );

/** Returns a page of the newest `data` keys from before this rotation. */
export const findUnrotated = (db: Db, rotationId: string, limit: number): Promise<readonly DataKeyRow[]> =>
  run(
    db,
    `SELECT ${DATA_KEY_COLUMNS} FROM (${NEWEST}) newest WHERE rotation_id IS DISTINCT FROM $1::uuid LIMIT $2`,
    [rotationId, limit],
  );

// A value of a merchant account without any key counts as outdated too. Such a value is reported as unreadable.
const outdated = ({ table, column }: SealedColumn): string => `
  FROM "${table}" t LEFT JOIN (${NEWEST}) newest USING (merchant_account_id)
  WHERE t."${column}" IS NOT NULL AND split_part(t."${column}", '.', 2) IS DISTINCT FROM newest.id::text`;

/** Counts the values of a column that an earlier version has sealed. */
export const countOutdated = (db: Db, place: SealedColumn): Promise<number> =>
  count(db, `SELECT count(*)::int AS count ${outdated(place)}`, []);

/** Counts the values of a column. */
export const countSealed = (db: Db, { table, column }: SealedColumn): Promise<number> =>
  count(db, `SELECT count("${column}")::int AS count FROM "${table}"`, []);

/** Returns a page of a column's values that an earlier version has sealed, or with `all` of all values. */
export async function findSealed(
  db: Db,
  place: SealedColumn,
  { after, limit, all }: { readonly after: Position; readonly limit: number; readonly all: boolean },
): Promise<readonly SealedValue[]> {
  const { table, column } = place;
  const which = all ? `FROM "${table}" t WHERE t."${column}" IS NOT NULL` : outdated(place);
  const rows = await run<{ merchantAccountId: string; rowId: string; sealed: string }>(
    db,
    `SELECT t.merchant_account_id AS "merchantAccountId", t.id::text AS "rowId", t."${column}" AS sealed ${which}
       AND (t.merchant_account_id, t.id) > ($1, $2::uuid)
     ORDER BY t.merchant_account_id, t.id LIMIT $3`,
    [...after, limit],
  );
  return rows.map(({ sealed, ...owner }) => ({ context: { ...place, ...owner }, sealed }));
}

/** A value and its newly sealed text. */
export type Resealed = SealedValue & { readonly resealed: string };

/**
 * Replaces unchanged values of one column, and returns their number. The statement skips locked rows and never waits.
 */
export async function replaceSealed(
  db: Db,
  { table, column }: SealedColumn,
  values: readonly Resealed[],
): Promise<number> {
  const rows = await run(
    db,
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[])
         AS given (merchant_account_id, id, former, resealed)
     ), free AS (
       SELECT merchant_account_id, id, resealed FROM "${table}" t JOIN given USING (merchant_account_id, id)
       WHERE t."${column}" = given.former FOR NO KEY UPDATE OF t SKIP LOCKED
     )
     UPDATE "${table}" t SET "${column}" = free.resealed FROM free
     WHERE t.merchant_account_id = free.merchant_account_id AND t.id = free.id RETURNING t.id`,
    [
      values.map(({ context }) => context.merchantAccountId),
      values.map(({ context }) => context.rowId),
      values.map(({ sealed }) => sealed),
      values.map(({ resealed }) => resealed),
    ],
  );
  return rows.length;
}

// The condition of an unused version: no value names it, and a newer version exists. The newest version seals, even if
// it is unused.
const UNUSED = `k.purpose = 'data' AND k.retired_at IS NULL AND EXISTS (
    SELECT FROM data_key newer WHERE newer.merchant_account_id = k.merchant_account_id
      AND newer.purpose = k.purpose AND newer.version > k.version)
  ${SEALED_COLUMNS.map(
    ({ table, column }) => `AND NOT EXISTS (SELECT FROM "${table}" t
    WHERE t.merchant_account_id = k.merchant_account_id AND split_part(t."${column}", '.', 2) = k.id::text)`,
  ).join('\n')}`;

/** Retires every unused version, and returns their number. */
export async function retireUnused(db: Db, now: Date): Promise<number> {
  const text = `UPDATE data_key k SET retired_at = $1 WHERE ${UNUSED} RETURNING id`;
  return (await run(db, text, [now])).length;
}

/** Counts the versions that no longer seal but still open. */
export const countFormer = (db: Db): Promise<number> =>
  count(
    db,
    `SELECT count(*)::int AS count FROM data_key k WHERE purpose = 'data' AND retired_at IS NULL AND EXISTS (
       SELECT FROM data_key newer WHERE newer.merchant_account_id = k.merchant_account_id
         AND newer.purpose = k.purpose AND newer.version > k.version)`,
    [],
  );

const run = <Row>(db: Db, text: string, values: readonly unknown[]): Promise<readonly Row[]> =>
  db.query<Row>({ name: null, text, values });

const count = async (db: Db, text: string, values: readonly unknown[]): Promise<number> =>
  (await run<{ count: number }>(db, text, values))[0]?.count ?? 0;
