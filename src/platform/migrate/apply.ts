import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode } from '../error-code.ts';
import type { Migration } from './files.ts';
import { isRecorded, recordEnd, recordFailure, recordStart } from './history.ts';

/**
 * Applies one migration and records it, both in one transaction. A crash leaves nothing behind, so the next
 * start applies the migration again.
 *
 * A lock that is not available in time ends the transaction. The migration then begins anew after a pause. Others
 * therefore wait at most as long behind the migration. Tries go on without end, because a backup may hold a lock for hours.
 *
 * Exception: a script that commits by itself, or that Postgres refuses inside a transaction. A crash then
 * leaves an unfinished row, and the next start refuses the database. Such a script waits for its locks.
 *
 * Throws the error of Postgres after the rollback. Only the failure is recorded.
 */
export async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  const id = randomUUID();
  for (let tries = 1; !(await tryToApply(client, { id, migration, tries })); tries += 1)
    await delay(PAUSE_MS);
}

/** The longest wait for a lock. Payments that need the table wait as long. */
const LOCK_WAIT_MS = 200;

/** A wait in which Postgres ends an automatic vacuum that is in the way. Postgres does so after a second. */
const LONG_LOCK_WAIT_MS = 1_500;

/** One try among so many has the long wait. */
const LONG_WAIT_EVERY = 10;

/** The pause in which those who waited behind the migration pass. */
const PAUSE_MS = 200;

type Try = { readonly id: string; readonly migration: Migration; readonly tries: number };

/** Returns false, with nothing changed, when a lock was not available in time. */
async function tryToApply(client: pg.Client, { id, migration, tries }: Try): Promise<boolean> {
  const waitMs = tries % LONG_WAIT_EVERY === 0 ? LONG_LOCK_WAIT_MS : LOCK_WAIT_MS;
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = ${waitMs}`);
    await recordStart(client, id, migration);
    await client.query(migration.script);
    await recordEnd(client, id);
    await client.query('COMMIT');
  } catch (error) {
    // A lost connection has rolled back already and cannot record the failure.
    const open = await client.query('ROLLBACK').catch(() => null);
    if (open === null) throw error;
    // The row is there if the script has committed by itself.
    if (errorCode(error) === LOCK_NOT_AVAILABLE && !(await isRecorded(client, id))) return false;
    await recordStart(client, id, migration);
    if (errorCode(error) === NO_TRANSACTION_ALLOWED) await applyOutside(client, id, migration);
    else {
      await recordFailure(client, id, String(error));
      throw error;
    }
  }
  return true;
}

/** Postgres returns this code when a lock is not available before the end of `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Postgres returns this code for statements such as CREATE INDEX CONCURRENTLY inside a transaction. */
const NO_TRANSACTION_ALLOWED = '25001';

async function applyOutside(client: pg.Client, id: string, { script }: Migration): Promise<void> {
  try {
    await client.query(script);
  } catch (error) {
    await recordFailure(client, id, String(error));
    throw error;
  }
  await recordEnd(client, id);
}
