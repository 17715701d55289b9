import type pg from 'pg';
import { connectOnce } from './connect.ts';

/**
 * Runs `work` under an advisory lock of this name on this database, and waits for its turn. The lock belongs to a
 * separate connection, which `work` may use too. A process that dies frees the lock.
 */
export async function withAdvisoryLock<Value>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = await connectOnce(url);
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    return await work(client);
  } finally {
    await client.end();
  }
}
