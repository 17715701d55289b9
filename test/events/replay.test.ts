import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from './harness.ts';
import { allAre, ended, startReplays, type Merchant, type Replays } from './replays.ts';

const DAY_MS = 86_400_000;

let harness: Replays;
let receiver: Receiver;
let merchant: Merchant;

beforeAll(async () => {
  harness = await startReplays();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  [receiver, merchant] = await Promise.all([startReceiver(), harness.merchant()]);
  harness.work();
});
afterEach(async () => {
  await harness.rest();
  await receiver.close();
});

const idsReceived = (path = '/'): unknown[] =>
  receiver.received.filter((one) => one.path === path).map(({ headers }) => headers['webhook-id']);
const received = (count: number): Promise<void> =>
  until(() => receiver.received.length >= count, `${count} webhooks`);
const at = (path: string): string => receiver.url.replace(/\/$/, path);

/** Expires the waiting delivery: the receiver refuses once more at the end of the window. */
async function expire(endpointId: string): Promise<void> {
  harness.clock.advance(7 * DAY_MS + 60_000);
  await allAre(merchant, endpointId, 'EXPIRED');
}

describe('replayDelivery', () => {
  it('sends a delivered event again, byte for byte, with a whole schedule before it', async () => {
    const endpoint = await merchant.endpoint(receiver.url);
    const [eventId = ''] = await merchant.record('transaction.authorized');
    await allAre(merchant, endpoint, 'DELIVERED');
    const [before] = await merchant.deliveries(endpoint);
    harness.clock.advance(8 * DAY_MS);
    receiver.answer(500);
    const requested = Number(harness.clock.now());

    const { replayJob, userErrors, replayed } = await merchant.replay('delivery', {
      webhookEndpointId: endpoint,
      eventId,
    });
    await received(2);

    await until(async () => (await merchant.deliveries(endpoint))[0]?.attempts.length === 2, 'the attempt');
    expect({ userErrors, replayed }).toEqual({ userErrors: [], replayed: false });
    expect(replayJob).toMatchObject({
      ...{ state: 'DONE', scope: 'ALL', queuedCount: 1, totalCount: 1, progress: 1 },
      ...{ fromSequence: 1, untilSequence: 1, doneSequence: 1, webhookEndpoint: { id: endpoint } },
    });
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
    expect(idsReceived()).toEqual([eventId, eventId]);
    const [after] = await merchant.deliveries(endpoint);
    expect(after).toMatchObject({
      ...{ id: `${endpoint}:${eventId}`, state: 'PENDING', attemptCount: 2, settledAt: null },
      attempts: [
        { number: 2, statusCode: 500 },
        { number: 1, statusCode: 204 },
      ],
      createdAt: before?.createdAt,
    });
    const expiresIn = Date.parse(after?.expiresAt ?? '') - requested;
    expect(expiresIn).toBeGreaterThanOrEqual(7 * DAY_MS);
    expect(expiresIn).toBeLessThan(7 * DAY_MS + 60_000);
    // The schedule starts with its first pause again, although the delivery is eight days old.
    const retryIn = Date.parse(after?.nextAttemptAt ?? '') - requested;
    expect(retryIn).toBeGreaterThan(4_000);
    expect(retryIn).toBeLessThan(12_000);

    receiver.answer(204);
    harness.clock.advance(20_000);
    await allAre(merchant, endpoint, 'DELIVERED');
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it('delivers an expired event, and one without a delivery for the endpoint', async () => {
    const [older = ''] = await merchant.record('transaction.authorized');
    const endpoint = await merchant.endpoint(receiver.url, ['transaction.captured']);
    receiver.answer(500);
    const [failed = ''] = await merchant.record('transaction.captured');
    await received(1);
    await expire(endpoint);
    receiver.answer(204);
    await merchant.activate(endpoint, true);

    await merchant.replay('delivery', { webhookEndpointId: endpoint, eventId: failed });
    await merchant.replay('delivery', { webhookEndpointId: endpoint, eventId: older.toUpperCase() });
    await until(async () => (await merchant.deliveries(endpoint, ['DELIVERED'])).length === 2, 'deliveries');

    const deliveries = await merchant.deliveries(endpoint);
    expect(deliveries.map(({ event }) => event.id)).toEqual([failed, older]);
  });

  it('leaves a pending delivery alone', async () => {
    await harness.rest();
    const endpoint = await merchant.endpoint(receiver.url);
    const [eventId = ''] = await merchant.record('transaction.authorized');
    const before = await merchant.deliveries(endpoint);
    harness.clock.advance(DAY_MS);

    const { replayJob } = await merchant.replay('delivery', { webhookEndpointId: endpoint, eventId });

    expect(replayJob).toMatchObject({ state: 'DONE', queuedCount: 0 });
    expect(await merchant.deliveries(endpoint)).toEqual(before);
  });
});

describe('replayEvent', () => {
  it('sends an event to every endpoint that it matches now', async () => {
    const [eventId = ''] = await merchant.record('transaction.authorized');
    const deleted = await merchant.endpoint(at('/deleted'), []);
    const [one, two] = [
      await merchant.endpoint(at('/one')),
      await merchant.endpoint(at('/two'), ['transaction.*']),
    ];
    await merchant.endpoint(at('/other'), ['refund.*']);
    await merchant.ask('mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { deletedId } }', {
      id: deleted,
    });

    const { replayJobs } = await merchant.replay('event', { eventId });
    await received(2);

    expect(replayJobs.map((job) => job.webhookEndpoint?.id).sort()).toEqual([one, two].sort());
    expect(replayJobs.map(({ state, queuedCount }) => [state, queuedCount])).toEqual([
      ['DONE', 1],
      ['DONE', 1],
    ]);
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/one', '/two']);
    const [event] = (
      await merchant.ask<{ events: { nodes: { deliveries: { webhookEndpoint: { id: string } }[] }[] } }>(
        '{ events { nodes { deliveries { webhookEndpoint { id } } } } }',
      )
    ).events.nodes;
    expect(event?.deliveries.map((each) => each.webhookEndpoint.id)).toEqual([two, one]);
  });
});

describe('replayEvents', () => {
  it('of missing deliveries queues events from before the endpoint or its pattern, and of all, every event', async () => {
    const [before = ''] = await merchant.record('transaction.authorized');
    const endpoint = await merchant.endpoint(receiver.url, ['transaction.captured']);
    const [delivered = '', unwanted = '', never = ''] = await merchant.record(
      'transaction.captured',
      'transaction.voided',
      'refund.succeeded',
    );
    await allDelivered(endpoint, 1);
    await merchant.ask(
      'mutation ($id: ID!) { updateWebhookEndpoint(id: $id, input: { eventNames: ["transaction.*"] }) { userErrors { code } } }',
      { id: endpoint },
    );

    const missing = await merchant.replay('events', {
      input: { webhookEndpointId: endpoint, scope: 'MISSING' },
    });
    expect(await ended(merchant, missing.replayJob)).toMatchObject({
      queuedCount: 2,
      totalCount: 4,
      untilSequence: 4,
    });
    await allDelivered(endpoint, 3);
    expect(idsReceived()).toEqual([delivered, before, unwanted]);

    const again = await merchant.replay('events', {
      input: { webhookEndpointId: endpoint, scope: 'MISSING' },
    });
    expect(await ended(merchant, again.replayJob)).toMatchObject({ queuedCount: 0 });
    const all = await merchant.replay('events', { input: { webhookEndpointId: endpoint, scope: 'ALL' } });
    expect(await ended(merchant, all.replayJob)).toMatchObject({ queuedCount: 3 });
    await received(6);
    expect(idsReceived().slice(3).sort()).toEqual([before, delivered, unwanted].sort());
    expect(idsReceived()).not.toContain(never);
  });
});

const allDelivered = (endpointId: string, count: number): Promise<void> =>
  until(async () => (await merchant.deliveries(endpointId, ['DELIVERED'])).length === count, 'deliveries');
