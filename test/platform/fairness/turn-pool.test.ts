import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDb, type Db } from '../../../src/platform/database/db.ts';
import { workFor } from '../../../src/platform/fairness/owner.ts';
import { TurnPool } from '../../../src/platform/fairness/turn-pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, connectionMax: 4, applicationName: 'turns' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const sleep = { name: null, text: 'SELECT pg_sleep(0.2)', values: [] };
const one = { name: null, text: 'SELECT 1 AS one', values: [] };

describe('a pool with turns', () => {
  it('serves a second account before the queue of the first, by statements, Prisma and transactions', async () => {
    let done = 0;
    const flood = Promise.all(
      Array.from({ length: 24 }, () => workFor('a', () => db.query(sleep).then(() => void (done += 1)))),
    );
    await workFor('b', async () => {
      await db.query(one);
      await db.prisma.merchantAccount.count();
      await db.transaction((tx) => tx.merchantAccount.count());
    });
    const before = done;
    await flood;

    expect(done).toBe(24);
    // One connection after another becomes free after the first four statements.
    expect(before).toBeLessThan(12);
  });

  it('runs on after failures', async () => {
    const failing = { name: null, text: 'SELECT 1 / 0', values: [] };
    const failed = await Promise.allSettled(Array.from({ length: 20 }, () => db.query(failing)));

    expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await Promise.all(Array.from({ length: 20 }, () => db.query(one)))).toHaveLength(20);
  });

  it('gives up a wait after the time of the pool, as the driver does', async () => {
    const pool = new TurnPool({ connectionString: database.url, max: 1, connectionTimeoutMillis: 3_000 });
    const held = await pool.connect();

    await expect(pool.query('SELECT 1')).rejects.toThrow('timeout exceeded when trying to connect');

    held.release();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('refuses all that waits once it has ended', async () => {
    const pool = new TurnPool({ connectionString: database.url, max: 1, connectionTimeoutMillis: 10_000 });
    const held = await pool.connect();
    const waiting = Promise.allSettled(Array.from({ length: 3 }, () => pool.query('SELECT 1')));
    const ended = pool.end();
    held.release();
    await ended;

    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('ends the turn of a connection that could not be made', async () => {
    const pool = new TurnPool({
      connectionString: 'postgresql://nobody@127.0.0.1:1/none',
      max: 1,
      connectionTimeoutMillis: 1_000,
    });
    let refused = 0;
    for (let nth = 0; nth < 3; nth += 1) void pool.query('SELECT 1').catch(() => void (refused += 1));

    await until(() => refused === 3);
    await pool.end();
  });
});
