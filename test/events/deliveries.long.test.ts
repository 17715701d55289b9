import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { DeliveryState } from '../../src/modules/events/index.ts';
import { deliveriesStatement } from '../../src/modules/events/delivery/deliveries.sql.ts';
import { nodesOf } from '../support/plan.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startReplays, type Merchant, type Replays } from './replays.ts';

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
};

const EMPTY = ['event_from_1000000', 'event_from_2000000', 'event_default'];

let harness: Replays;
let receiver: Receiver;

beforeAll(async () => {
  [harness, receiver] = await Promise.all([startReplays(), startReceiver()]);
});
afterAll(async () => {
  await harness.stop();
  await receiver.close();
});

describe('a page of the log among 40 000 deliveries', () => {
  let client: pg.Client;
  let account: Merchant;
  let endpoint: string;
  beforeAll(async () => {
    account = await harness.merchant();
    endpoint = await account.endpoint(receiver.url, ['gift-card.*']);
    client = new pg.Client({ connectionString: harness.server.app.config.DATABASE_URL });
    await client.connect();
    await client.query(
      `INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
       SELECT '${account.id}', gen_random_uuid(), 'test.a', 'test', 'x', '{"type":"event"}', now() FROM generate_series(1, 40000)`,
    );
    await client.query(
      `INSERT INTO feed_entry (merchant_account_id, sequence, position, created_at)
       SELECT merchant_account_id, row_number() OVER (ORDER BY position), position, created_at FROM event
       WHERE merchant_account_id = '${account.id}'`,
    );
    await client.query(
      `INSERT INTO delivery (merchant_account_id, endpoint_id, position, state, next_at, deadline, created_at)
       SELECT merchant_account_id, '${endpoint}', position, CASE WHEN sequence <= 30 THEN 'expired' ELSE 'done' END,
         created_at, created_at, created_at FROM feed_entry WHERE merchant_account_id = '${account.id}'`,
    );
    await client.query('ANALYZE event, feed_entry, delivery');
  });
  afterAll(() => client.end());

  it.each<[string, readonly DeliveryState[]]>([
    ['in any state', []],
    ['of a rare state at its end', ['expired']],
    ['of a common state', ['delivered']],
    ['of states that none has', ['pending', 'in_flight']],
    ['of several states', ['expired', 'delivered', 'cancelled']],
  ])('%s reads little more than the page', async (_, states) => {
    const [middle] = (
      await client.query<{ id: string }>(
        `SELECT id FROM event JOIN feed_entry USING (position)
         WHERE event.merchant_account_id = $1 AND sequence = 20000`,
        [account.id],
      )
    ).rows;
    for (const direction of ['forward', 'backward'] as const) {
      for (const cursor of [null, middle?.id ?? '']) {
        const request = { page: { direction, limit: 20, cursor }, states, columns: 'whole' } as const;
        const { text, values } = deliveriesStatement(account.id, [endpoint], request);
        const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: Node }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          [...values],
        );
        const plan = rows[0]?.['QUERY PLAN'][0].Plan;
        if (!plan) throw new Error('There is no plan.');

        // A partition that is empty by its statistics may be scanned.
        const scans = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan');
        const scanned = new Set(scans.map((node) => node['Relation Name']));
        EMPTY.forEach((name) => scanned.delete(name));
        expect([...scanned]).toEqual([]);
        const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        expect(buffers).toBeLessThan(500);
      }
    }
  });
});
