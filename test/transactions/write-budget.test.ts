import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chainOnce } from '../../src/modules/audit/index.ts';
import { countAll } from '../reports/count-all.ts';
import { createUnusedDatabase, query } from '../support/database.ts';
import type { Verb } from '../support/payments.ts';
import { relayAll } from '../support/relay-all.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { startHarness, type Harness } from './harness.ts';
import { BATCHED, WRITE_BUDGET, type Versions } from './write-budget.ts';

/** The operations of each kind. Postgres counts row versions, and the counts of all are divided by this number. */
const COUNT = 10;

const POOL = 4;

const NONE: Versions = [0, 0, 0];

let harness: Harness;
let written: Readonly<Record<Verb, Readonly<Record<string, Versions>>>>;
beforeAll(async () => {
  // The key of the token is marked once, and all facts of the reports belong to one time.
  harness = await startHarness('mock-card', {
    clock: createSteppedClock(),
    database: await createUnusedDatabase(),
    settings: { DATABASE_POOL: String(POOL) },
  });
  // The first payment adds the words and the row of its card, which all others share.
  await harness.create({}, 'first');
  await finish();
  const ids: string[] = [];
  const measure = async (run: (nth: number) => Promise<unknown>): Promise<Record<string, Versions>> => {
    const before = await readVersions();
    for (let nth = 0; nth < COUNT; nth += 1) await run(nth);
    await finish();
    return perOperation(before, await readVersions());
  };
  const authorize = await measure(async (nth) => {
    const { transaction } = await harness.create({}, `authorize ${nth}`);
    ids.push(transaction?.id ?? '');
  });
  const others: string[] = [];
  for (let nth = 0; nth < COUNT; nth += 1) others.push(await harness.authorized());
  await finish();
  written = {
    authorize,
    capture: await measure((nth) => harness.capture(ids[nth] ?? '', {}, `capture ${nth}`)),
    refund: await measure((nth) => harness.refund(ids[nth] ?? '', {}, `refund ${nth}`)),
    void: await measure((nth) => harness.void(others[nth] ?? '', `void ${nth}`)),
  };
}, 60_000);
afterAll(() => harness.stop());

/** Lets the background work of the payments end. */
async function finish(): Promise<void> {
  const { app } = harness.server;
  await relayAll(app);
  await countAll(app);
  while (await chainOnce(app));
}

/** Reads the row versions that the tables have had so far. Each connection reports its counts first. */
async function readVersions(): Promise<Readonly<Record<string, Versions>>> {
  const { app } = harness.server;
  const connections = await Promise.all(Array.from({ length: POOL }, () => app.db.connect()));
  for (const connection of connections) {
    await connection.query('SELECT pg_stat_force_next_flush()');
    connection.release();
  }
  const rows = await query<{ table: string; inserts: number; updates: number; deletes: number }>(
    app.config.DATABASE_URL ?? '',
    `SELECT regexp_replace(relname, '_(from_\\d+|default)$', '') AS table, sum(n_tup_ins)::int AS inserts, sum(n_tup_upd)::int AS updates,
       sum(n_tup_del)::int AS deletes FROM pg_stat_user_tables GROUP BY 1`,
  );
  return Object.fromEntries(
    rows.map(({ table, inserts, updates, deletes }) => [table, [inserts, updates, deletes] as const]),
  );
}

function perOperation(
  before: Readonly<Record<string, Versions>>,
  after: Readonly<Record<string, Versions>>,
): Record<string, Versions> {
  const all = Object.entries(after).map(([table, versions]) => {
    const [inserts, updates, deletes] = versions.map((count, kind) => count - (before[table]?.[kind] ?? 0));
    return [table, [inserts ?? 0, updates ?? 0, deletes ?? 0].map((count) => count / COUNT)] as const;
  });
  return Object.fromEntries(
    all.filter(([, versions]) => versions.some((count) => count > 0)),
  ) as unknown as Record<string, Versions>;
}

const own = (versions: Readonly<Record<string, Versions>>) =>
  Object.fromEntries(Object.entries(versions).filter(([table]) => !BATCHED.includes(table)));

describe('the row versions of', () => {
  it.each<Verb>(['authorize', 'capture', 'refund', 'void'])('%s are those of the budget', (verb) => {
    expect(own(written[verb])).toEqual(WRITE_BUDGET[verb]);
  });

  it('a batch are few, however many operations it has', () => {
    for (const verb of Object.values(written))
      for (const table of ['feed_head', 'log_cursor', 'audit_block', 'audit_chain']) {
        const [inserts, updates, deletes] = verb[table] ?? NONE;
        if (table !== 'audit_chain') expect([table, inserts + updates]).not.toEqual([table, 0]);
        // Four readers of logs keep their place in one table.
        expect((inserts + updates + deletes) * COUNT).toBeLessThanOrEqual(4);
      }
  });
});
