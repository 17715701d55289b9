import { queryOn, sqlState, SQLSTATE, type Db } from '../../../platform/database/db.ts';
import { prepare, prepareFile } from '../../../platform/database/statement.ts';

// A partition has the positions from `from`, below `until`. Positions grow with time, so a range of positions is a range of time.
// A bound reads `FOR VALUES FROM ('0') TO ('1000000')`.
/** The partitions of events and of attempts, by their tables. */
export const PARTITIONS = `
  SELECT CASE i.inhparent WHEN 'event'::regclass THEN 'event' ELSE 'delivery_attempt' END AS "table", c.relname AS name,
         substring(b.bound FROM $$FROM \\('?(\\d+)$$)::bigint AS "from", substring(b.bound FROM $$TO \\('?(\\d+)$$)::bigint AS until
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
  WHERE i.inhparent IN ('event'::regclass, 'delivery_attempt'::regclass) AND b.bound <> 'DEFAULT'`;

const room = prepareFile(import.meta, 'partitions-room.sql');

/** The positions with a partition of attempts, and the positions in use. */
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

/** The size of new partitions, and the number of positions after the end of the log that need one. */
export type Sizes = { readonly size: bigint; readonly ahead: bigint };

/**
 * Creates partitions of events and attempts. Reads and writes go on meanwhile. Another process that creates partitions
 * leaves nothing to do. Returns the room of attempts then.
 *
 * Throws when the database role may not create the tables, or does not own the partitioned tables.
 */
export async function createPartitions(db: Db, sizes: Sizes): Promise<Room> {
  const room = await createForAttempts(db, sizes);
  while (await createForEvents(db)) continue;
  return room;
}

/**
 * Creates the partitions of attempts alone. Also creates one partition for all positions before the first one, if a
 * delivery is there.
 */
export async function createForAttempts(db: Db, { size, ahead }: Sizes): Promise<Room> {
  const found = await readRoom(db);
  if (found.until - found.last >= ahead && !found.isShort) return found;
  return await locked(db, async (client) => {
    const { query } = queryOn(client);
    const { from, until: first, last, isShort } = await readRoom({ query });
    if (isShort) await client.query(attemptsText({ from: 0n, until: from }));
    for (let from = first; from - last < ahead; from += size)
      await client.query(attemptsText({ from, until: from + size }));
    return await readRoom({ query });
  });
}

/** A range of positions: from `from`, below `until`. */
export type Range = { readonly from: bigint; readonly until: bigint };

// A table created as a partition would lock out all statements on its table. An attached table does not.
const attemptsText = ({ from, until }: Range): string => `
  CREATE TABLE delivery_attempt_from_${from} (LIKE delivery_attempt INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
  ALTER TABLE delivery_attempt ATTACH PARTITION delivery_attempt_from_${from} FOR VALUES FROM (${from}) TO (${until});
  ${likeItsTable('delivery_attempt', `delivery_attempt_from_${from}`)}`;

const uncovered = prepareFile(import.meta, 'partitions-uncovered.sql');

async function findUncovered(db: Pick<Db, 'query'>): Promise<Range | null> {
  const [row] = await db.query<{ from: string; until: string }>(uncovered({}));
  return row ? { from: BigInt(row.from), until: BigInt(row.until) } : null;
}

/**
 * Creates the next partition of events. Returns false when there is nothing to do, or when a long read or a backup uses
 * the events. Their default partition then takes the events.
 */
async function createForEvents(db: Db): Promise<boolean> {
  if ((await findUncovered(db)) === null) return false;
  return await briefly(
    db,
    async (client) => {
      const range = await findUncovered(queryOn(client));
      if (range !== null) await client.query(eventsText(range));
      return range !== null;
    },
    false,
  );
}

/** Returns the statements that create a partition of events. They lock the default partition, where no event is. */
export const eventsText = ({ from, until }: Range): string => `
  CREATE TABLE event_from_${from} (LIKE event INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
  CREATE UNIQUE INDEX event_from_${from}_id_key ON event_from_${from} (merchant_account_id, id);
  CREATE TRIGGER event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event_from_${from}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();
  ALTER TABLE event ATTACH PARTITION event_from_${from} FOR VALUES FROM (${from}) TO (${until});
  ${likeItsTable('event', `event_from_${from}`)}`;

/**
 * Gives a partition the owner and the grants of its table. A backup reads each partition by the partition's own grants, and
 * only the owner may drop a partition.
 */
function likeItsTable(table: string, name: string): string {
  return `
  DO $$
  DECLARE
    wanted record;
  BEGIN
    FOR wanted IN SELECT c.relowner::regrole::text AS role FROM pg_class c
      WHERE c.oid = '${table}'::regclass AND c.relowner <> current_user::regrole
    LOOP EXECUTE format('ALTER TABLE ${name} OWNER TO %s', wanted.role); END LOOP;
    FOR wanted IN
      SELECT a.privilege_type, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS role,
        CASE WHEN a.is_grantable THEN 'WITH GRANT OPTION' ELSE '' END AS further
      FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = '${table}'::regclass AND a.grantee <> c.relowner
    LOOP EXECUTE format('GRANT %s ON ${name} TO %s %s', wanted.privilege_type, wanted.role, wanted.further); END LOOP;
  END $$`;
}

/**
 * Drops the oldest partition of events or of attempts if all feed entries of its positions are removed. Returns its
 * name. Null when there is no such partition, or when a long read or a backup uses the table. A later round then drops
 * the partition. The attempts of a range follow its events.
 *
 * No open transaction has written an event at that time, because such a transaction holds a lock of the events. The next
 * partition must have an event that reached the feed before `settledBefore`, some hours ago. So no transaction is about
 * to write an event there either.
 */
export async function dropPartition(db: Db, settledBefore: Date): Promise<string | null> {
  if ((await findExpired(db, settledBefore)) === null) return null;
  return await briefly(
    db,
    async (client) => {
      const { query } = queryOn(client);
      const name = await findExpired({ query }, settledBefore);
      if (name === null) return null;
      await client.query('LOCK TABLE ONLY delivery_attempt, ONLY event IN ACCESS EXCLUSIVE MODE');
      if ((await findExpired({ query }, settledBefore)) !== name) return null;
      await client.query(`DROP TABLE "${name}"`);
      return name;
    },
    null,
  );
}

const expired = prepareFile(import.meta, 'partitions-expired.sql');

async function findExpired(db: Pick<Db, 'query'>, settledBefore: Date): Promise<string | null> {
  const [row] = await db.query<{ name: string }>(expired({ settledBefore }));
  return row?.name ?? null;
}

const whole = prepareFile(import.meta, 'partitions-whole.sql');

/** Returns the partitions whose events all reached the feed before a moment. */
export async function readWhole(db: Db, before: Date): Promise<readonly Range[]> {
  const rows = await db.query<{ from: string; until: string }>(whole({ before }));
  return rows.map(({ from, until }) => ({ from: BigInt(from), until: BigInt(until) }));
}

/** The time that other statements may have to wait behind a change of the partitions. */
const WAIT_MS = 100;

/** Runs work as `locked` does. Returns `otherwise` if a lock is not free soon. */
async function briefly<Value>(
  db: Db,
  work: (client: Client) => Promise<Value>,
  otherwise: Value,
): Promise<Value> {
  try {
    return await locked(db, async (client) => {
      await client.query(`SET LOCAL lock_timeout = ${WAIT_MS}`);
      return await work(client);
    });
  } catch (error) {
    if (sqlState(error) === SQLSTATE.lockTimeout) return otherwise;
    throw error;
  }
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
