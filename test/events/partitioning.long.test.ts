import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { listPartitions } from '../support/partitions.ts';
import { settleDeliveries } from '../../src/modules/events/dispatch/store/settle.sql.ts';
import { openDb, type Db } from '../../src/platform/database/db.ts';
import { MIGRATIONS_FOLDER, readMigrations } from '../../src/platform/migrate/files.ts';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import { createEmptyDatabase, query, type TestDatabase } from '../support/database.ts';
import { PATIENCE } from '../support/patience.ts';

/** The first migration that knows of partitions. */
const FIRST = '20261125230000_attempts_bounded';
const ROWS = 20_000;
const ROLE = 'paygraph_test_reader';
const ENDPOINT = randomUUID();

let database: TestDatabase;
let db: Db;
let folder: string;
beforeEach(async () => {
  database = await createEmptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-migrations-'));
  for (const { name } of (await readMigrations()).filter((each) => each.name < FIRST))
    await cp(join(MIGRATIONS_FOLDER, name), join(folder, name), { recursive: true });
  await migrate(database.url, { folder });
  db = openDb({ url: database.url, connectionMax: 4, applicationName: 'former version' });
  await query(database.url, SEED);
  await query(database.url, DELIVER, [ENDPOINT, ROWS, 'done']);
  await query(
    database.url,
    `INSERT INTO delivery_attempt (merchant_account_id, id, endpoint_id, position, number, started_at, duration_ms)
     SELECT merchant_account_id, gen_random_uuid(), endpoint_id, position, 1, now(), 3 FROM delivery`,
  );
  await query(database.url, `SELECT setval('event_position_seq', 2600000)`);
});
afterEach(async () => {
  await db.close();
  await database.lose();
  await rm(folder, { recursive: true });
});

const SEED = `
  DO $$ BEGIN CREATE ROLE ${ROLE}; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
  GRANT SELECT ON delivery_attempt, event TO ${ROLE};
  INSERT INTO merchant_account (id, display_name, created_at, updated_at) VALUES ('default', 'Default', now(), now());
  INSERT INTO webhook_endpoint (merchant_account_id, id, url, event_names, header_names, created_gaps, state_changed_at, created_at, updated_at)
  VALUES ('default', '${ENDPOINT}', 'https://example.com', '{}', '{}', '{}', now(), now(), now())`;

/** Writes events with a feed entry and a delivery each. */
const DELIVER = `
  WITH made AS (
    INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
    SELECT 'default', gen_random_uuid(), 'test.seeded', 'transaction', 'none', '{}', now() FROM generate_series(1, $2)
    RETURNING position),
  fed AS (
    INSERT INTO feed_entry (merchant_account_id, sequence, position, created_at)
    SELECT 'default', position, position, now() FROM made)
  INSERT INTO delivery (merchant_account_id, endpoint_id, position, state, lease, next_at, deadline, created_at)
  SELECT 'default', $1::uuid, position, $3, $1::uuid, now(), now(), now() FROM made RETURNING position`;

/** Writes events and settles their deliveries as the former version does, on connections from before the migration. Returns the waits in ms. */
async function settleUntil(isOver: () => boolean): Promise<readonly number[]> {
  const waits: number[] = [];
  while (!isOver()) {
    const startedAt = performance.now();
    const rows = await query<{ position: string }>(database.url, DELIVER, [ENDPOINT, 3, 'leased']);
    const now = new Date();
    const attempts = rows.map(({ position }) => ({
      ...{
        id: randomUUID(),
        merchantAccountId: 'default',
        endpointId: ENDPOINT,
        position,
        lease: ENDPOINT,
        attempt: 0,
      },
      ...{ probe: false, startedAt: now, durationMs: 3, timing: NO_TIMING, statusCode: 204, error: null },
      ...{ replyStart: null, state: 'done' as const, nextAt: null, verdict: 'success' as const },
    }));
    await settleDeliveries(db, { attempts, reports: [], now, environment: 'sandbox' });
    waits.push(performance.now() - startedAt);
  }
  return waits;
}

const NO_TIMING = { lookupMs: null, connectMs: null, tlsMs: null, firstByteMs: null };

it('partitions events and attempts under load, without a lost row, while a backup reads them', async () => {
  let isOver = false;
  const writers = [settleUntil(() => isOver), settleUntil(() => isOver)];
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  await reader.query(
    'BEGIN; SELECT count(*) FROM delivery_attempt; SELECT count(*) FROM delivery; SELECT count(*) FROM event',
  );
  await delay(300);

  const migrated = migrate(database.url);
  await delay(2_000);
  await reader.query('COMMIT');
  await reader.end();
  expect((await migrated)[0]).toBe(FIRST);
  await delay(500);
  isOver = true;
  const waits = (await Promise.all(writers)).flat();

  expect(waits.length).toBeGreaterThan(50);
  // The migration waited for two seconds, and no writer waited behind the migration for more than one try.
  expect(Math.max(...waits)).toBeLessThan(1_500 * PATIENCE);
  const [counts] = await query(
    database.url,
    `SELECT count(*)::int AS attempts, count(DISTINCT position)::int AS deliveries,
       count(*) FILTER (WHERE tableoid <> 'delivery_attempt_from_0'::regclass)::int AS later,
       has_table_privilege('${ROLE}', 'delivery_attempt', 'SELECT') AS granted FROM delivery_attempt`,
  );
  const attempts = ROWS + 3 * waits.length;
  expect(counts).toEqual({ attempts, deliveries: attempts, later: 0, granted: true });
  const events = await query(
    database.url,
    `SELECT e.tableoid::regclass::text AS part, count(*)::int AS events, count(f.position)::int AS entries,
       has_table_privilege('${ROLE}', 'event', 'SELECT') AND has_table_privilege('${ROLE}', 'event_default', 'SELECT') AS granted
     FROM event e LEFT JOIN feed_entry f USING (position) GROUP BY 1`,
  );
  expect(events).toEqual([{ part: 'event_from_0', events: attempts, entries: attempts, granted: true }]);
  for (const table of ['event', 'delivery_attempt'] as const)
    expect((await listPartitions(database.url, table)).map(({ from, until }) => [from, until])).toEqual([
      [0n, 4_000_000n],
      [4_000_000n, 5_000_000n],
      [5_000_000n, 6_000_000n],
    ]);
  // The sequence belongs to the new table, so the drop of a partition leaves it.
  await query(database.url, 'DROP TABLE event_from_0');
  expect(await query(database.url, DELIVER, [ENDPOINT, 1, 'done'])).toHaveLength(1);
}, 120_000);
