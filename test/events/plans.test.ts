import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimDeliveries } from '../../src/modules/events/dispatch/store/claim.sql.ts';
import { readLanes, readRange, readRangeAbout } from '../../src/modules/events/feed/store/feed.sql.ts';
import { readEventsOfRecords } from '../../src/modules/events/feed/store/payment-events.sql.ts';
import { settleDeliveries } from '../../src/modules/events/dispatch/store/settle.sql.ts';
import { sweepDeliveries } from '../../src/modules/events/dispatch/store/sweep.sql.ts';
import { openDb, type Db } from '../../src/platform/database/db.ts';
import { preparedTexts, type Statement } from '../../src/platform/database/statement.ts';
import { readPrepared } from '../statements/prepared.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { nodesOf } from '../support/plan.ts';

let database: TestDatabase;
let db: Db;
/** The index of a partitioned table, by the index of a partition. */
const ofTable = new Map<string, string>();
const statements = new Map<string | null, Statement>();

beforeAll(async () => {
  await readPrepared();
  database = await createTestDatabase();
  // The worst case for a plan: the statistics say for certain that the tables are empty.
  await query(database.url, 'VACUUM ANALYZE');
  const parts = await query<{ part: string; whole: string }>(
    database.url,
    `SELECT inhrelid::regclass AS part, inhparent::regclass AS whole FROM pg_inherits JOIN pg_index ON indexrelid = inhrelid`,
  );
  parts.forEach(({ part, whole }) => ofTable.set(part, whole));
  db = openDb({ url: database.url, connectionMax: 1, applicationName: 'plans' });
  const recording: Db = {
    ...db,
    query: (statement) => {
      statements.set(statement.name, statement);
      return db.query(statement);
    },
  };
  const now = new Date();
  const room = { from: 0n, until: 1_000n };
  await claimDeliveries(recording, {
    now,
    lease: randomUUID(),
    leaseUntil: now,
    mine: [],
    limit: 100,
    ...room,
  });
  await settleDeliveries(recording, { attempts: [], reports: [], now, environment: 'sandbox' });
  await sweepDeliveries(recording, now);
  await readLanes(recording)([{ merchantAccountId: 'none', after: 0n }]);
  const target = { type: 'transaction', id: 'none' };
  for (const columns of SETS) {
    for (const order of ['oldest', 'newest'] as const) {
      const stretch = { after: 0n, until: 1n, patterns: [], limit: 1, order, columns };
      await readRange(recording, 'none', stretch);
      await readRange(recording, 'none', { ...stretch, patterns: ['transaction.*'] });
      await readRangeAbout(recording, 'none', target, stretch);
    }
    const ofRecord = { targets: [target], after: null, order: 'oldest', limit: 1 } as const;
    await readEventsOfRecords(recording, 'none', [ofRecord], columns);
  }
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** The indexes that lead from a place in the feed to its event. */
const AT_PLACE: readonly string[] = ['feed_entry_pkey', 'event_pkey'];

/** The indexes that lead from a record to its events and their places in the feed. */
const OF_RECORD: readonly string[] = [
  'event_merchant_account_id_target_type_target_id_position_idx',
  'feed_entry_position_key',
];

/** The column sets of events. */
const SETS = ['line', 'whole'] as const;

/** Returns a row of a table for the statement of each column set. */
const ofSets = (name: string, expected: readonly string[]) =>
  SETS.map((set): readonly [string, readonly string[]] => [`${name}_${set}`, expected]);

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Node[];
};

/** Lists the table scans in the cached plan of a connection, by their conditions. The partitions of a table are one scan. */
async function scansOf(
  name: string,
): Promise<readonly { readonly index: string; readonly looksFor: string }[]> {
  const statement = statements.get(name) ?? preparedTexts().find((each) => each.name === name);
  if (!statement) throw new Error(`No statement has the name ${name}.`);
  const text = `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement.text}`;
  const [row] = await db.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>({
    name: null,
    text,
    values: [],
  });
  if (!row) throw new Error('There is no plan.');
  return (
    nodesOf(row['QUERY PLAN'][0].Plan)
      .filter((node) => node['Relation Name'] !== undefined && node['Node Type'].includes('Scan'))
      // The table has a row for each account that ever moved, and is read once.
      .filter((node) => node['Relation Name'] !== 'account_move')
      .map((node) => ({ index: indexOf(node), looksFor: node['Index Cond'] ?? 'nothing' }))
      .filter(
        ({ index }, nth, all) => ![...ofTable.values()].includes(index) || all[nth - 1]?.index !== index,
      )
  );
}

const indexOf = (node: Node): string => {
  const index = node['Index Name'] ?? `${node['Node Type']} on ${node['Relation Name']}`;
  return ofTable.get(index) ?? index;
};

describe('plans that a connection made while the tables were empty', () => {
  it.each([
    // The first delivery of all, from which one endpoint leads to the next.
    ['delivery_claim', ['delivery_due_idx']],
    ['delivery_settle', []],
    ['delivery_release', ['delivery_leased_idx']],
    ['delivery_cancel', ['delivery_due_idx']],
    ['delivery_expire', ['delivery_due_idx']],
    ['delivery_drain', []],
    ['feed_lanes', []],
    ...ofSets('feed_range', []),
    ...ofSets('feed_range_newest', []),
    ...ofSets('feed_range_filtered', []),
    ...ofSets('feed_range_filtered_newest', []),
    ...ofSets('feed_range_about', []),
    ...ofSets('feed_range_about_newest', []),
    ...ofSets('feed_events_of_records', []),
  ])('of %s scan no index from end to end', async (name, walked) => {
    const scans = await scansOf(name);
    expect(scans.length).toBeGreaterThan(1);
    expect(scans.filter(({ looksFor }) => looksFor === 'nothing').map(({ index }) => index)).toEqual(walked);
  });

  it('find events and deliveries by their keys', async () => {
    const scans = [...(await scansOf('delivery_claim')), ...(await scansOf('delivery_settle'))];
    const used = new Map(scans.map(({ index, looksFor }) => [index, looksFor]));
    expect(used.get('event_pkey')).toContain('"position" =');
    expect(used.get('feed_entry_position_key')).toContain('"position" =');
    expect(used.get('delivery_position_endpoint_id_idx')).toMatch(/"position" = .* AND \(endpoint_id = /);
    expect([...used.keys()]).not.toContain('event_merchant_account_id_target_type_target_id_position_idx');
  });

  it.each([
    ['feed_lanes', ['feed_head_pkey', 'feed_entry_pkey', 'event_pkey']],
    ...ofSets('feed_range', ['feed_entry_pkey', 'event_pkey']),
    ...ofSets('feed_range_newest', ['feed_entry_pkey', 'event_pkey']),
    ...ofSets('feed_range_filtered', ['feed_entry_pkey', 'event_pkey']),
    ...ofSets('feed_range_filtered_newest', ['feed_entry_pkey', 'event_pkey']),
    ...ofSets('feed_range_about', OF_RECORD),
    ...ofSets('feed_events_of_records', OF_RECORD),
    ['feed_bounds', ['feed_head_pkey', ...AT_PLACE, ...AT_PLACE]],
    ['feed_place_before', AT_PLACE],
    ['feed_range_counted', AT_PLACE],
    ['feed_range_about_counted', OF_RECORD],
    ['retention_choose', ['feed_head_pkey', 'feed_entry_pkey', 'delivery_position_endpoint_id_idx']],
  ])('of %s read the feed by its places and events by their keys', async (name, indexes) => {
    expect((await scansOf(name)).map(({ index }) => index)).toEqual(indexes);
  });

  it.each([
    ...SETS.flatMap((set) => [`feed_events_by_id_${set}`, `deliveries_of_events_${set}`]),
    'replay_place',
  ])('of %s find the place of an event by its position', async (name) => {
    const scans = await scansOf(name);
    const ofFeed = scans.filter(({ index }) => index.startsWith('feed_entry'));
    expect(ofFeed).toEqual([
      {
        index: 'feed_entry_position_key',
        looksFor: expect.stringMatching(/^\("position" = ANY \(ARRAY\[.*\]\)\)$/),
      },
    ]);
  });
});
