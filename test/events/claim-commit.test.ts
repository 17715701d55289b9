import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { claimDeliveries } from '../../src/modules/events/dispatch/store/claim.sql.ts';
import { startRelay } from '../../src/modules/events/index.ts';
import { createRoomReader } from '../../src/modules/events/partitions/keep-partitions.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import { startEvents, until, type EventsHarness } from './harness.ts';

let harness: EventsHarness;
beforeAll(async () => {
  harness = await startEvents();
});
afterAll(() => harness.stop());

it('A claim waits for no disk, and leaves the setting of its connection as it was', async () => {
  const { app } = harness;
  const viewer = await harness.viewer();
  await harness.endpoint(viewer, 'https://example.com/');
  await harness.record(viewer, 'transaction.captured');
  const relay = startRelay(app);
  await until(async () => (await app.db.prisma.delivery.count()) === 1, 'the delivery');
  await relay.stop();

  const connection = await app.db.connect();
  await connection.query('SET synchronous_commit = on');
  const setting = async (): Promise<string> =>
    (await connection.query<{ synchronous_commit: string }>('SHOW synchronous_commit')).rows[0]
      ?.synchronous_commit ?? '';
  const now = app.clock.now();
  const room = await createRoomReader(app)();
  await connection.query('BEGIN');
  const db: Db = {
    ...app.db,
    query: async <Row>({ text, values }: Statement) =>
      (await connection.query(text, [...values])).rows as Row[],
  };
  const claimed = await claimDeliveries(db, {
    now,
    lease: randomUUID(),
    leaseUntil: now,
    limit: 1,
    mine: [],
    ...room,
  });
  const during = await setting();
  await connection.query('COMMIT');

  expect(claimed).toHaveLength(1);
  expect({ during, afterwards: await setting() }).toEqual({ during: 'off', afterwards: 'on' });
  await connection.query('RESET synchronous_commit');
  connection.release();
});
