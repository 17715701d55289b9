import type { Db } from './db.ts';
import { unappliedMigrations } from '../migrate/migrate.ts';
import { prepare } from './statement.ts';

const answers = prepare('health_answers', 'SELECT 1');

/** Returns true when the database answers a statement. Throws when it is unreachable. */
export async function databaseAnswers(db: Db): Promise<boolean> {
  await db.query(answers({}));
  return true;
}

/**
 * Returns true if the database has exactly the migrations of this code. Throws with the reason when its history does
 * not belong to Paygraph.
 */
export async function databaseIsCurrent(db: Db): Promise<boolean> {
  const client = await db.connect();
  try {
    return (await unappliedMigrations(client)).length === 0;
  } finally {
    client.release();
  }
}
