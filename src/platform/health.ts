import type { Db } from './db.ts';
import { unappliedMigrations } from './migrate/migrate.ts';

/** True when the database answers a statement; throws when it cannot be reached. */
export async function databaseAnswers(db: Db): Promise<boolean> {
  await db.query({ name: 'health_answers', text: 'SELECT 1', values: [] });
  return true;
}

/** Whether the database has every migration of this code and no other; throws, saying why, when its history is not ours. */
export async function databaseIsCurrent(db: Db): Promise<boolean> {
  const client = await db.connect();
  try {
    return (await unappliedMigrations(client)).length === 0;
  } finally {
    client.release();
  }
}
