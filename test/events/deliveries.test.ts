import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from './harness.ts';
import { allAre, DELIVERY, startReplays, type Delivery, type Merchant, type Replays } from './replays.ts';

let harness: Replays;
let receiver: Receiver;
let merchant: Merchant;

beforeAll(async () => {
  [harness, receiver] = await Promise.all([startReplays(), startReceiver()]);
  merchant = await harness.merchant();
});
afterAll(async () => {
  await harness.stop();
  await receiver.close();
});

type Page = {
  readonly nodes: readonly Delivery[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
};

const PAGE = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $states: [WebhookDeliveryState!]) {
  webhookEndpoint(id: $id) {
    deliveries(first: $first, after: $after, last: $last, before: $before, states: $states) {
      nodes { ${DELIVERY} } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;

const page = async (id: string, args: Readonly<Record<string, unknown>>): Promise<Page> =>
  (await merchant.ask<{ webhookEndpoint: { deliveries: Page } }>(PAGE, { id, ...args })).webhookEndpoint
    .deliveries;
const sequences = ({ nodes }: Page): number[] => nodes.map(({ event }) => event.sequence);

describe('the log of deliveries', () => {
  it('shows waiting deliveries, past attempts, and their results', async () => {
    const account = await harness.merchant();
    const endpoint = await account.endpoint(receiver.url);
    receiver.answer((response) => response.writeHead(503).end('Later, please.'));
    const [eventId] = await account.record('test.a');
    const [waiting] = await account.deliveries(endpoint);
    harness.work();
    await until(async () => (await account.deliveries(endpoint))[0]?.attempts.length === 1, 'an attempt');
    const [tried] = await account.deliveries(endpoint);
    receiver.answer(204);
    harness.clock.advance(10_000);
    await allAre(account, endpoint, 'DELIVERED');
    await harness.rest();

    const [delivered] = await account.deliveries(endpoint);
    expect(waiting).toMatchObject({
      ...{
        id: `${endpoint}:${eventId ?? ''}`,
        state: 'PENDING',
        attemptCount: 0,
        settledAt: null,
        attempts: [],
      },
      ...{ event: { id: eventId, sequence: 1 }, webhookEndpoint: { id: endpoint } },
      nextAttemptAt: waiting?.createdAt,
    });
    expect(Date.parse(waiting?.expiresAt ?? '') - Date.parse(waiting?.createdAt ?? '')).toBe(168 * 3_600_000);
    expect(tried).toMatchObject({
      ...{ state: 'PENDING', attemptCount: 1 },
      attempts: [{ number: 1, statusCode: 503, error: null, replyStart: 'Later, please.', probe: false }],
    });
    expect(Date.parse(tried?.nextAttemptAt ?? '')).toBeGreaterThan(
      Date.parse(waiting?.createdAt ?? '') + 4_000,
    );
    expect(delivered).toMatchObject({
      ...{ state: 'DELIVERED', attemptCount: 2, nextAttemptAt: null, expiresAt: waiting?.expiresAt },
      attempts: [
        { number: 2, statusCode: 204, replyStart: '' },
        { number: 1, statusCode: 503 },
      ],
    });
    expect(delivered?.settledAt).not.toBeNull();
    expect(receiver.received.at(-1)?.body).toBe(delivered?.event.payload);
  });

  it('is read page by page both ways, newest event first', async () => {
    const endpoint = await merchant.endpoint(receiver.url);
    await merchant.record(...Array.from({ length: 5 }, () => 'test.a'));

    const one = await page(endpoint, { first: 2 });
    const two = await page(endpoint, { first: 2, after: one.pageInfo.endCursor });
    const three = await page(endpoint, { first: 2, after: two.pageInfo.endCursor });
    const back = await page(endpoint, { last: 2, before: three.pageInfo.startCursor });

    expect([one, two, three, back].map(sequences)).toEqual([[5, 4], [3, 2], [1], [3, 2]]);
    expect([one, two, three].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, true, false]);
    expect(back.pageInfo).toEqual(two.pageInfo);
    expect(back.pageInfo.hasPreviousPage).toBe(true);
    expect(sequences(await page(endpoint, { last: 2 }))).toEqual([2, 1]);
    for (const args of ['first: 0', 'first: 101', 'first: 1, last: 1', 'after: "c1.eA"', 'before: "x"']) {
      const [error] = await merchant.refused(
        `{ webhookEndpoint(id: "${endpoint}") { deliveries(${args}) { nodes { id } } } }`,
      );
      expect([args, error?.extensions.code]).toEqual([args, 'INVALID_INPUT']);
    }
  });

  it('is filtered by states, page by page', async () => {
    const endpoint = await merchant.endpoint(receiver.url);
    await merchant.record(...Array.from({ length: 6 }, () => 'test.a'));
    const stored = ['done', 'pending', 'expired', 'leased', 'done', 'cancelled'];
    await harness.server.app.db.prisma.$executeRawUnsafe(
      `UPDATE delivery d SET state = s.state FROM (
         SELECT position, ($2::text[])[row_number() OVER (ORDER BY position)] AS state FROM delivery
         WHERE endpoint_id = $1::uuid) s
       WHERE d.endpoint_id = $1::uuid AND d.position = s.position`,
      endpoint,
      stored,
    );
    const states = async (given: readonly string[] | null): Promise<string[]> =>
      (await merchant.deliveries(endpoint, given ?? undefined)).map(({ state }) => state);
    const every = ['CANCELLED', 'DELIVERED', 'IN_FLIGHT', 'EXPIRED', 'PENDING', 'DELIVERED'];

    expect(await states(null)).toEqual(every);
    expect(await states([])).toEqual(every);
    for (const each of new Set(every))
      expect(await states([each])).toEqual(every.filter((one) => one === each));
    expect(await states(['EXPIRED', 'DELIVERED', 'EXPIRED'])).toEqual(['DELIVERED', 'EXPIRED', 'DELIVERED']);
    const one = await page(endpoint, { first: 2, states: ['EXPIRED', 'DELIVERED'] });
    const two = await page(endpoint, {
      first: 2,
      states: ['EXPIRED', 'DELIVERED'],
      after: one.pageInfo.endCursor,
    });
    expect([one, two].map(({ nodes }) => nodes.map(({ state }) => state))).toEqual([
      ['DELIVERED', 'EXPIRED'],
      ['DELIVERED'],
    ]);
    expect(two.pageInfo.hasNextPage).toBe(false);
  });

  it('is read for many endpoints and many events at once with one statement each', async () => {
    const account = await harness.merchant();
    for (let each = 0; each < 5; each += 1) await account.endpoint(receiver.url);
    await account.record('test.a', 'test.b');
    const statements: string[] = [];
    const { readDb: db } = harness.server.app;
    const run = db.query.bind(db);
    Object.assign(db, {
      query: (statement: { text: string }) => {
        statements.push(statement.text);
        return run(statement as Parameters<typeof run>[0]);
      },
    });

    const answer = await account.ask<{ webhookEndpoints: { nodes: { deliveries: Page }[] } }>(
      '{ webhookEndpoints(first: 5) { nodes { deliveries(first: 5) { nodes { id attempts { number } } } } } }',
    );
    const events = await account.ask<{ events: { nodes: { deliveries: Delivery[] }[] } }>(
      '{ events(first: 5) { nodes { deliveries { id attempts { number } } } } }',
    );
    Object.assign(db, { query: run });

    expect(answer.webhookEndpoints.nodes.map(({ deliveries }) => deliveries.nodes.length)).toEqual([
      2, 2, 2, 2, 2,
    ]);
    expect(events.events.nodes.map(({ deliveries }) => deliveries.length)).toEqual([5, 5]);
    const reading = (table: string): number =>
      statements.filter((text) => text.includes(`FROM ${table}`)).length;
    expect([reading('delivery '), reading('delivery_attempt ')]).toEqual([2, 2]);
  });
});
