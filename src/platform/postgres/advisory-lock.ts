import type pg from 'pg';
import { connectOnce } from './connect.ts';

/**
 * Runs `work` while no other process does so on this database under the same name, waiting for its turn. The lock is of
 * a connection of its own, which `work` may use too; a process that dies frees it.
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
