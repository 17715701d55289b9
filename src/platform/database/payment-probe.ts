import type pg from 'pg';
import { isDiskFull, isReadOnly } from './database-faults.ts';
import type { Db } from './db.ts';

/**
 * Returns true if a payment could be written now, or a sentence with the reason if not.
 *
 * Takes a connection for money, and commits as a payment does. The probe finds a full disk, a standby and a commit that
 * hangs. Leaves one row of `installation_fact`, which each probe changes.
 */
export async function probePayments(db: Db): Promise<true | string> {
  const connecting = db.connect();
  const client = await within(CONNECT_MS, connecting).catch(() => UNREACHABLE);
  if (client === null) {
    // The connection may still come. Nobody needs the connection then.
    connecting.then(
      (late) => late.release(),
      () => undefined,
    );
    return NO_CONNECTION;
  }
  return typeof client === 'string' ? client : write(client);
}

async function write(client: pg.PoolClient): Promise<true | string> {
  try {
    const written = await within(WRITE_MS, client.query(PROBE));
    // A connection that does not answer is given up.
    client.release(written === null);
    return written === null ? TOO_SLOW : true;
  } catch (error) {
    client.release(true);
    if (isDiskFull(error)) return DISK_FULL;
    return isReadOnly(error) ? READ_ONLY : UNREACHABLE;
  }
}

/** The time for a connection, and the time for the write. Together they end before the time of a check. */
const CONNECT_MS = 1_000;
const WRITE_MS = 900;

const NO_CONNECTION = 'No connection to the database was free within a second.';
const UNREACHABLE = 'The database cannot be reached.';
const TOO_SLOW = 'The database took too long to commit.';
const DISK_FULL = 'The disk of the database is full.';
const READ_ONLY = 'The database takes no writes.';

/**
 * One request of several statements, so that the probe makes one round trip.
 *
 * A full disk does not refuse a small change, which finds room in an existing page. The series is larger than
 * `work_mem`, so Postgres must write new blocks to a temporary file. The file is gone after the statement.
 */
const PROBE = [
  'BEGIN',
  "SET LOCAL work_mem = '64kB'",
  "SET LOCAL temp_tablespaces = ''",
  'SELECT count(*) FROM generate_series(1, 30000)',
  `INSERT INTO installation_fact (name, value, created_at) VALUES ('ready.last_write', '', now())
    ON CONFLICT (name) DO UPDATE SET created_at = excluded.created_at`,
  'COMMIT',
].join('; ');

/** Returns the value, or null when the value takes longer. */
async function within<Value>(ms: number, waiting: Promise<Value>): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => void (timer = setTimeout(resolve, ms, null)));
  try {
    return await Promise.race([waiting, late]);
  } finally {
    clearTimeout(timer);
  }
}
