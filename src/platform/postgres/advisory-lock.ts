import { setTimeout as delay } from 'node:timers/promises';
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
    await takeAdvisoryLock(client, 'hashtext($1)', name);
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Takes a lock of the session, and waits for its turn. `key` is an SQL expression with the parameter `value`.
 *
 * Asks again and again. A statement that waits inside Postgres holds a snapshot. The process with the lock may build
 * an index concurrently, and would wait for the snapshot.
 */
export async function takeAdvisoryLock(
  client: pg.Client,
  key: string,
  value: string | number,
): Promise<void> {
  const isMine = async (): Promise<boolean> => {
    const text = `SELECT pg_try_advisory_lock(${key}) AS mine`;
    const { rows } = await client.query<{ mine: boolean }>(text, [value]);
    return rows[0]?.mine === true;
  };
  while (!(await isMine())) await delay(RETRY_MS);
}

const RETRY_MS = 50;
