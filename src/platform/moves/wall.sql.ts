import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isLockTimeout } from '../database/db.ts';
import { OperatorError } from '../operator-error.ts';
import { inTransaction } from './moves.sql.ts';
import { LEFT_BEHIND, WRITTEN_FROM_LOGS, type Table } from './tables.sql.ts';

const TRIGGER = 'account_away';

/** A table waits for its writers at most so long, because new writers wait behind. */
const LOCK_MS = 500;
const TRIES = 60;
const PAUSE_MS = 250;

/**
 * Puts the trigger that refuses changes of moving accounts on each table, one transaction for each. The lock waits for the
 * writers under way, so none that has not seen the move remains. Other accounts wait at most half a second.
 */
export async function raiseWall(client: pg.Client, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables.filter(
    (table) => !LEFT_BEHIND.includes(table.name) || table.name === 'report_pending',
  )) {
    const done = await patiently(client, async () => {
      await client.query(`LOCK TABLE "${name}" IN SHARE ROW EXCLUSIVE MODE`);
      if (await hasTrigger(client, name)) return;
      const kind = WRITTEN_FROM_LOGS.includes(name) ? `'log'` : '';
      await client.query(`CREATE TRIGGER ${TRIGGER} BEFORE INSERT OR UPDATE OR DELETE ON "${name}"
        FOR EACH ROW EXECUTE FUNCTION refuse_while_away(${kind})`);
    });
    if (!done)
      throw new OperatorError(`A long transaction keeps ${name} busy. Run the command again after its end.`);
  }
}

/**
 * Takes the triggers away, unless another account is on the way or its rows are still there. A trigger that stays costs a
 * little, and refuses nothing. So a busy table is left to the end of the next move.
 */
export async function lowerWall(
  { client, say }: { readonly client: pg.Client; readonly say: (line: string) => void },
  tables: readonly Table[],
): Promise<void> {
  for (const { name } of tables) {
    const done = await patiently(client, async () => {
      if (!(await hasTrigger(client, name))) return;
      // A move that begins now waits for the lock to look for its trigger.
      await client.query(`LOCK TABLE "${name}" IN ACCESS EXCLUSIVE MODE`);
      if (!(await isNeeded(client))) await client.query(`DROP TRIGGER IF EXISTS ${TRIGGER} ON "${name}"`);
    });
    if (!done) say(`The trigger of the move stays on the busy table ${name}, until the next move ends.`);
  }
}

async function isNeeded(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM account_move WHERE state NOT IN ('open', 'forgotten') LIMIT 1`,
  );
  return rows.length > 0;
}

async function hasTrigger(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2', [
    `"${table}"`,
    TRIGGER,
  ]);
  return rows.length > 0;
}

/** Runs work under a short limit for locks, again and again. Returns false if the locks were never free. */
async function patiently(client: pg.Client, work: () => Promise<void>): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      await inTransaction(client, async () => {
        await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
        await work();
      });
      return true;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await delay(PAUSE_MS);
    }
  }
  return false;
}
