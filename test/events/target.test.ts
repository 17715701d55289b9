import type { Statement } from '../../src/platform/statement.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { encodeCursor } from '../../src/kernel/page.ts';
import { readFeed, type FeedPageArguments } from '../../src/modules/events/index.ts';

import { startTestServer } from '../support/server.ts';
import { query } from '../support/database.ts';
import { recordNamed, startEvents, type EventsHarness } from './harness.ts';
import { relayAll } from '../support/relay-all.ts';

let harness: EventsHarness;
beforeAll(async () => void (harness = await startEvents()));
afterAll(() => harness.stop());

const relayed = async (): Promise<void> => {
  await relayAll(harness.app);
};

async function recordAbout(viewer: Viewer, id: string, ...names: readonly string[]): Promise<void> {
  for (const name of names)
    await harness.app.db.transaction((tx) => recordNamed(harness.app, tx, viewer, name, id));
}

async function page(viewer: Viewer, args: Partial<FeedPageArguments>) {
  const page = { first: 20, target };
  const found = await readFeed({ ...harness.app, db: spy }, { merchantAccountId }, page);
  expect(found.ok && found.value.items).toHaveLength(2);
  const [{ text, values }] = requested as [Statement];
  const lines = await query<{ 'QUERY PLAN': string }>(
    harness.url,
    `EXPLAIN (ANALYZE, TIMING OFF) ${text}`,
    values,
  );
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
  const scans = plan.split('\n').filter((line) => line.includes('Scan'));
  const read = scans.reduce(
    (sum, line) =>
      sum +
      Number(
        /actual rows=([\d.]+) loops=(\d+)/
          .exec(line)
          ?.slice(1)
          .reduce((a, b) => String(Number(a) * Number(b))) ?? 0,
      ),
    0,
  );
  return { plan, read };
}

/** Inserts 5000 events about 5000 other records. */
const MANY = `
  WITH written AS (
    INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
    SELECT $1, gen_random_uuid(), 'test.common', 'transaction', gen_random_uuid()::text, '{}', now()
    FROM generate_series(1, 5000)
    RETURNING position)
  INSERT INTO event_pending (position) SELECT position FROM written`;
