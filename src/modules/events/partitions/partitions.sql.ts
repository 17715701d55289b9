import { queryOn, sqlState, SQLSTATE, type Db } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';

// A partition has the positions from `from`, below `until`. Positions grow with time, so a range of positions is a range of time.
// A bound reads `FOR VALUES FROM ('0') TO ('1000000')`.
/** The partitions of the attempts. */
export const PARTITIONS = `
  SELECT c.relname AS name, substring(b.bound FROM $$FROM \\('?(\\d+)$$)::bigint AS "from",
         substring(b.bound FROM $$TO \\('?(\\d+)$$)::bigint AS until
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
  WHERE i.inhparent = 'delivery_attempt'::regclass`;

const room = prepare(
  'partitions_room',
  `SELECT coalesce(min(p."from"), 0) AS "from", coalesce(max(p.until), 0) AS until,
     (SELECT coalesce(max(position), 0) FROM event) AS last,
     coalesce((SELECT position FROM delivery ORDER BY position LIMIT 1) < min(p."from"), false) AS "isShort"
   FROM (${PARTITIONS}) p`,
);

/** The positions with a partition, and the positions in use. */
export type Room = {
  /** The start of the first partition. */
  readonly from: bigint;
  /** The end of the last partition. */
  readonly until: bigint;
  /** The last committed position of the log. */
  readonly last: bigint;
  /** True if a delivery is before the first partition. Its event was committed after the drop of its partition. */
  readonly isShort: boolean;
};

export async function readRoom(db: Pick<Db, 'query'>): Promise<Room> {
  const [row] = await db.query<{
    from: string;
    until: string;
    last: string;
    isShort: boolean;
  }>(room({}));
  const { from = 0, until = 0, last = 0, isShort = false } = row ?? {};
  return { from: BigInt(from), until: BigInt(until), last: BigInt(last), isShort };
}

/**
 * Creates partitions of `size` positions until `ahead` positions after the end of the log have one. Also creates one
 * partition for all positions before the first one, if a delivery is there. Returns the room then. Reads and writes go
 * on meanwhile. Another process that creates partitions leaves nothing to do.
 *
 * Throws when the database role may not create the table, or does not own the partitioned table.
 */
export async function createPartitions(
  db: Db,
  { size, ahead }: { readonly size: bigint; readonly ahead: bigint },
): Promise<Room> {
  const found = await readRoom(db);
  if (found.until - found.last >= ahead && !found.isShort) return found;
  return await locked(db, async (client) => {
    const { query } = queryOn(client);
    const { from, until: first, last, isShort } = await readRoom({ query });
    if (isShort) await client.query(createText(0n, from));
    for (let until = first; until - last < ahead; until += size)
      await client.query(createText(until, until + size));
    return await readRoom({ query });
  });
}

// A table created as a partition would lock out all statements on attempts. An attached table does not.
const createText = (from: bigint, until: bigint): string => `
  CREATE TABLE delivery_attempt_from_${from} (LIKE delivery_attempt INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
  ALTER TABLE delivery_attempt ATTACH PARTITION delivery_attempt_from_${from} FOR VALUES FROM (${from}) TO (${until});
  ${likeItsTable(`delivery_attempt_from_${from}`)}`;

/**
 * Gives a partition the owner and the grants of its table. A backup reads each partition by the partition's own grants, and
 * only the owner may drop a partition.
 */
const likeItsTable = (name: string): string => `
  DO $$
  DECLARE
    wanted record;
  BEGIN
    FOR wanted IN SELECT c.relowner::regrole::text AS role FROM pg_class c
      WHERE c.oid = 'delivery_attempt'::regclass AND c.relowner <> current_user::regrole
    LOOP EXECUTE format('ALTER TABLE ${name} OWNER TO %s', wanted.role); END LOOP;
    FOR wanted IN
      SELECT a.privilege_type, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS role,
        CASE WHEN a.is_grantable THEN 'WITH GRANT OPTION' ELSE '' END AS further
      FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = 'delivery_attempt'::regclass AND a.grantee <> c.relowner
    LOOP EXECUTE format('GRANT %s ON ${name} TO %s %s', wanted.privilege_type, wanted.role, wanted.further); END LOOP;
  END $$`;

/** The time that statements on attempts may have to wait behind a drop. */
const DROP_WAIT_MS = 100;

/**
 * Drops the oldest partition if all events of its positions are removed. Returns its name. Null when there is no such
 * partition, or when a long read or a backup uses the attempts. A later round then drops the partition.
 *
 * A transaction that is open meanwhile may have such a position. So the next partition must have an event that reached
 * the feed before `settledBefore`, some hours ago. An event that is committed even later gets a new partition.
 */
export async function dropPartition(db: Db, settledBefore: Date): Promise<string | null> {
  if ((await findEmpty(db, settledBefore)) === null) return null;
  try {
    return await locked(db, async (client) => {
      const name = await findEmpty(queryOn(client), settledBefore);
      if (name !== null) await client.query(`SET LOCAL lock_timeout = ${DROP_WAIT_MS}; DROP TABLE "${name}"`);
      return name;
    });
  } catch (error) {
    if (sqlState(error) === SQLSTATE.lockTimeout) return null;
    throw error;
  }
}

const empty = prepare(
  'partitions_empty',
  `SELECT p.name FROM (${PARTITIONS}) p
   WHERE p.until <= (SELECT position FROM event ORDER BY position LIMIT 1)
     AND (SELECT created_at FROM feed_entry WHERE position >= p.until ORDER BY position LIMIT 1) < @settledBefore
   ORDER BY p.until LIMIT 1`,
);

async function findEmpty(db: Pick<Db, 'query'>, settledBefore: Date): Promise<string | null> {
  const [row] = await db.query<{ name: string }>(empty({ settledBefore }));
  return row?.name ?? null;
}

const wholeBelow = prepare(
  'partitions_whole_below',
  `SELECT coalesce(max(p.until), 0) AS until FROM (${PARTITIONS}) p
   CROSS JOIN LATERAL (SELECT created_at FROM feed_entry WHERE position >= p.until ORDER BY position LIMIT 1) f
   WHERE f.created_at < @before`,
);

/** Returns the end of the last partition whose events all reached the feed before a moment. Returns 0 without one. */
export async function readWholeBelow(db: Db, before: Date): Promise<bigint> {
  const [row] = await db.query<{ until: string }>(wholeBelow({ before }));
  return BigInt(row?.until ?? 0);
}

/** The lock of the process that changes the partitions. No other advisory lock has this number. */
const lock = prepare('partitions_lock', 'SELECT pg_advisory_xact_lock(7020584530100233)');

type Client = Awaited<ReturnType<Db['connect']>>;

/** Runs work in one transaction, one process at a time. A frozen process loses its connection and its locks. */
async function locked<Value>(db: Db, work: (client: Client) => Promise<Value>): Promise<Value> {
  const client = await db.connect();
  try {
    await client.query(
      'BEGIN; SET LOCAL lock_timeout = 5000; SET LOCAL idle_in_transaction_session_timeout = 500',
    );
    await queryOn(client).query(lock({}));
    const value = await work(client);
    await client.query('COMMIT');
    client.release();
    return value;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
