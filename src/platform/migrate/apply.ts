import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { errorCode } from '../error-code.ts';
import type { Migration } from './files.ts';
import { recordEnd, recordFailure, recordStart } from './history.ts';

/**
 * Applies one migration and records it, both in one transaction. A crash leaves nothing behind, so the next
 * start applies the migration again.
 *
 * Exception: a script that commits by itself, or that Postgres refuses inside a transaction. A crash then
 * leaves an unfinished row, and the next start refuses the database.
 *
 * Throws the error of Postgres after the rollback. Only the failure is recorded.
 */
export async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  const id = randomUUID();
  try {
    await client.query('BEGIN');
    await recordStart(client, id, migration);
    await client.query(migration.script);
    await recordEnd(client, id);
    await client.query('COMMIT');
  } catch (error) {
    // A lost connection has rolled back already and cannot record the failure.
    const open = await client.query('ROLLBACK').catch(() => null);
    if (open === null) throw error;
    await recordStart(client, id, migration);
    if (errorCode(error) === NO_TRANSACTION_ALLOWED) return await applyOutside(client, id, migration);
    await recordFailure(client, id, String(error));
    throw error;
  }
}

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
