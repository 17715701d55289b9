import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Db } from './db.ts';
import { isOfThisVersion, unappliedMigrations } from '../migrate/migrate.ts';
import { prepare } from './statement.ts';

const answers = prepare('health_answers', 'SELECT 1');

/** Returns true when the database answers a statement. Throws when it is unreachable. */
export async function databaseAnswers(db: Db): Promise<boolean> {
  await db.query(answers({}));
  return true;
}

/**
 * Returns true if the database has all migrations of this code. Throws with the reason when its history does not belong to Paygraph.
 * The same holds for migrations of a later version that does not let this one go on.
 */
export const databaseFits = (db: Db): Promise<boolean> =>
  withClient(db, async (client) => (await unappliedMigrations(client)).length === 0);

/** Returns true if the database has exactly the migrations of this code. Throws like `databaseFits`. */
export const databaseIsCurrent = (db: Db): Promise<boolean> => withClient(db, isOfThisVersion);

async function withClient<Value>(db: Db, ask: (client: pg.PoolClient) => Promise<Value>): Promise<Value> {
  const client = await db.connect();
  try {
    return await ask(client);
  } finally {
    client.release();
  }
}

const clockStatement = prepare('database_clock', 'SELECT clock_timestamp() AS now');

/**
 * Measures how far the clock of this process is ahead of the clock of the database, in milliseconds. Negative if it is behind.
 * The statement takes some time. The result is the least difference that
 * the three moments prove, so that a slow database looks like none.
 */
export async function clockOffsetMs(clock: Clock, db: Pick<Db, 'query'>): Promise<number> {
  const before = clock.now().getTime();
  const [row] = await db.query<{ readonly now: Date }>(clockStatement({}));
  const after = clock.now().getTime();
  if (!row) throw new Error('The database told no time.');
  const ofDatabase = row.now.getTime();
  if (ofDatabase < before) return before - ofDatabase;
  return ofDatabase > after ? after - ofDatabase : 0;
}

/**
 * The largest offset of a ready process. A lease outlasts its call by 5 s, and its end is compared with the clock of another
 * process. Two processes that are each off by this much in opposite directions still agree on leases.
 */
export const CLOCK_OFFSET_MAX_MS = 2_500;

/** Returns true if the clock of this process fits the clock of the database, or a sentence with the difference. */
export async function clockFits(clock: Clock, db: Pick<Db, 'query'>): Promise<true | string> {
  const offsetMs = await clockOffsetMs(clock, db);
  if (Math.abs(offsetMs) <= CLOCK_OFFSET_MAX_MS) return true;
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
  return `The clock of this process is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the clock of the database.`;
}
