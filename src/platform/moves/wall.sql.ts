import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isLockTimeout, sqlState, SQLSTATE } from '../database/db.ts';
import { OperatorError } from '../operator-error.ts';
import { inTransaction } from './moves.sql.ts';
import { LEFT_BEHIND, WRITTEN_FROM_LOGS, type Table } from './tables.sql.ts';

const TRIGGER = 'account_away';

/** Returns the names of the tables that refuse changes of moving accounts. */
export const walledTables = (tables: readonly Table[]): readonly string[] =>
  tables.map(({ name }) => name).filter((name) => !LEFT_BEHIND.includes(name) || name === 'report_pending');

/**
 * Puts the trigger that refuses changes of moving accounts on each table, or switches it on, one transaction for each. Reads go
 * on. Writers of other accounts wait at most `LOCK_MS` at a time.
 */
export async function raiseWall(client: pg.Client, tables: readonly Table[]): Promise<void> {
  await hurryVacuum(client);
  for (const name of walledTables(tables)) {
    await patiently(client, RAISE_MS, async () => {
      const state = await stateOf(client, name);
      const kind = WRITTEN_FROM_LOGS.includes(name) ? `'log'` : '';
      if (state === null)
        await client.query(`CREATE TRIGGER ${TRIGGER} BEFORE INSERT OR UPDATE OR DELETE ON "${name}"
          FOR EACH ROW EXECUTE FUNCTION refuse_while_away(${kind})`);
      else if (state === OFF) await client.query(`ALTER TABLE "${name}" ENABLE TRIGGER ${TRIGGER}`);
    });
  }
}

/**
 * Switches the triggers off, unless an account is on the way or its rows are still there. Drops none, because that would stop
 * the readers too. Returns false if a long transaction kept a table busy. Nothing is wrong then, and the next command tries
 * again.
 */
export async function lowerWall(client: pg.Client): Promise<boolean> {
  await hurryVacuum(client);
  try {
    for (const name of await readRaised(client)) {
      await patiently(client, LOWER_MS, async () => {
        if (!(await isNeeded(client))) await client.query(`ALTER TABLE "${name}" DISABLE TRIGGER ${TRIGGER}`);
      });
    }
    return true;
  } catch (error) {
    if (error instanceof OperatorError) return false;
    throw error;
  }
}

async function isNeeded(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM account_move WHERE state NOT IN ('open', 'forgotten') LIMIT 1`,
  );
  return rows.length > 0;
}

const OFF = 'D';

/** Returns the state of a table's trigger in the catalogue. Null without a trigger. */
async function stateOf(client: pg.Client, table: string): Promise<string | null> {
  const text = 'SELECT tgenabled AS state FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2';
  return (await client.query<{ state: string }>(text, [`"${table}"`, TRIGGER])).rows[0]?.state ?? null;
}

/** Lists the tables whose trigger is on. */
async function readRaised(client: pg.Client): Promise<readonly string[]> {
  const text = `SELECT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE t.tgname = $1 AND t.tgenabled <> $2 AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    ORDER BY c.relname`;
  return (await client.query<{ name: string }>(text, [TRIGGER, OFF])).rows.map(({ name }) => name);
}

/** A table waits for its writers at most so long, because new writers wait behind. */
const LOCK_MS = 50;
const PAUSE_MS = { first: 100, longest: 2_000 };

/** The longest time for one table. */
const RAISE_MS = 60_000;
const LOWER_MS = 5_000;

/**
 * Works in one transaction with short waits for locks, and tries again after growing pauses. Two commands never raise and lower
 * at the same time, so none acts on a state that the other changes.
 */
async function patiently(client: pg.Client, longestMs: number, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + longestMs;
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    try {
      return await inTransaction(client, async () => {
        await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
        await client.query(`SELECT pg_advisory_xact_lock(hashtext('${TRIGGER}'))`);
        await work();
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
    if (performance.now() > end)
      throw new OperatorError('A long transaction keeps a table busy. Run the command again after its end.');
    await delay(pauseMs);
  }
}

/** Postgres ends an automatic vacuum that is in the way after this time, by default a second. */
async function hurryVacuum(client: pg.Client): Promise<void> {
  await client.query(`SET deadlock_timeout = '20ms'`).catch((error: unknown) => {
    // Not every role may set it. The command then waits for the end of the vacuum.
    if (sqlState(error) !== SQLSTATE.notAllowed) throw error;
  });
}
