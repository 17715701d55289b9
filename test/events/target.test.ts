import type { Statement } from '../../src/platform/database/statement.ts';
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
  const found = await readFeed(harness.app, viewer, { first: 20, ...args });
  if (!found.ok) throw new Error(JSON.stringify(found.refusals));
  const { items, hasNextPage, hasPreviousPage } = found.value;
  return { names: items.map(({ name }) => name), last: items.at(-1)?.cursor, hasNextPage, hasPreviousPage };
}

describe('the events of one record', () => {
  it('are read page by page in the order of the feed, and with its cursors', async () => {
    const [viewer, stranger] = [await harness.viewer(), await harness.viewer()];
    const [id, other] = [harness.app.ids.uuid(), harness.app.ids.uuid()];
    await recordAbout(viewer, id, 'transaction.authorized');
    await recordAbout(viewer, other, 'transaction.authorized', 'transaction.voided');
    await recordAbout(viewer, id, 'transaction.capture-pending', 'transaction.captured');
    await relayed();
    const target = { type: 'transaction', id };

    const first = await page(viewer, { target, first: 2 });
    const second = await page(viewer, { target, first: 2, after: first.last });
    const all = await page(viewer, { after: first.last });

    expect(first).toMatchObject({
      names: ['transaction.authorized', 'transaction.capture-pending'],
      hasNextPage: true,
      hasPreviousPage: false,
    });
    expect(second).toMatchObject({
      names: ['transaction.captured'],
      hasNextPage: false,
      hasPreviousPage: true,
    });
    expect(all.names).toEqual(['transaction.captured']);
    expect(await page(viewer, { target, types: ['*.captured'] }).catch(() => null)).toBeNull();
    expect(await page(viewer, { target, types: ['transaction.captured'] })).toMatchObject({
      names: ['transaction.captured'],
    });
    for (const nobody of [
      { type: 'refund', id },
      { type: 'transaction', id: harness.app.ids.uuid() },
    ])
      expect((await page(viewer, { target: nobody })).names).toEqual([]);
    expect((await page(stranger, { target })).names).toEqual([]);
  });

  it('are found without reading any other event, however many there are', async () => {
    const viewer = await harness.viewer();
    const id = harness.app.ids.uuid();
    await recordAbout(viewer, id, 'transaction.authorized');
    await query(harness.url, MANY, [viewer.merchantAccountId]);
    await recordAbout(viewer, id, 'transaction.captured');
    await relayed();

    for (const statistics of ['none', 'ANALYZE event, feed_entry']) {
      if (statistics !== 'none') await query(harness.url, statistics);
      const { plan, read } = await explained(viewer, id);
      // A partition that is empty by its statistics may be scanned.
      expect(plan).not.toMatch(/Seq Scan on (feed_entry|event_from_0)/);
      expect(read).toBeLessThanOrEqual(8);
    }
  });

  it('refuses an invalid target', async () => {
    const viewer = await harness.viewer();
    const found = await readFeed(harness.app, viewer, {
      first: 20,
      target: { type: '', id: 'x'.repeat(101) },
    });

    expect(found).toEqual({
      ok: false,
      refusals: [
        { kind: 'InvalidInput', path: ['target', 'type'], message: 'Must be 1 to 100 characters.' },
        { kind: 'InvalidInput', path: ['target', 'id'], message: 'Must be 1 to 100 characters.' },
      ],
    });
  });
});

describe('the API', () => {
  it('accepts a target, and refuses an expired cursor like the subscription, with the oldest valid one', async () => {
    const server = await startTestServer();
    const { token, id: merchantAccountId } = await server.createMerchantAccount();
    const viewer = { merchantAccountId } as Viewer;
    const [one, two] = [server.app.ids.uuid(), server.app.ids.uuid()];
    await server.app.db.transaction(async (tx) => {
      for (const id of [one, two, one]) await recordNamed(server.app, tx, viewer, 'transaction.captured', id);
    });
    const QUERY = `query ($after: String, $target: EventTargetInput) {
      events(after: $after, target: $target) { nodes { sequence cursor target { id } } } }`;
    type Found = { events: { nodes: { sequence: number; cursor: string; target: { id: string } }[] } };
    const ask = (variables: object) => server.graphql<Found>(QUERY, { ...variables }, { token });
    const nodesOf = async (variables: object) => (await ask(variables)).body.data?.events.nodes ?? [];
    await relayAll(server.app);
    while ((await nodesOf({})).length < 3) continue;
    const [first] = await nodesOf({});

    const about = await nodesOf({ target: { type: 'transaction', id: one } });
    expect(about.map(({ sequence }) => sequence)).toEqual([1, 3]);

    await server.app.db.prisma.feedHead.updateMany({ where: { merchantAccountId }, data: { floor: 2n } });
    const { body } = await ask({ after: first?.cursor });
    const socket = server.socket({ token });
    const live = socket.iterate({
      query: 'subscription ($after: String) { events(after: $after) { sequence } }',
      variables: { after: first?.cursor },
    });
    const refused = (await live.next()).value as { errors: unknown };
    await socket.dispose();
    await server.stop();

    const earliestCursor = encodeCursor(`feed.${merchantAccountId}.2`);
    const expired = [{ extensions: { code: 'CURSOR_EXPIRED', earliestCursor } }];
    expect(body.errors).toMatchObject(expired);
    expect(refused.errors).toMatchObject(expired);
  });
});

/** Returns the executed plan of the statement, and the number of rows that its scans read. */
async function explained({ merchantAccountId }: Viewer, id: string) {
  const { db } = harness.app;
  const requested: Statement[] = [];
  const spy = {
    ...db,
    query: <Row>(statement: Statement): Promise<readonly Row[]> => {
      if (statement.name === 'feed_range_about_whole') requested.push(statement);
      return db.query<Row>(statement);
    },
  };
  const target = { type: 'transaction', id };
  const given = { first: 20, target };
  const found = await readFeed({ ...harness.app, db: spy }, { merchantAccountId }, given);
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
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
    SELECT $1, gen_random_uuid(), 'test.common', 'transaction', gen_random_uuid()::text, '{}', now()
    FROM generate_series(1, 5000)`;
