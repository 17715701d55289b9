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
    await active(endpoint, true);

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
  it('of failed deliveries queues only the expired ones in the given period', async () => {
    const endpoint = await merchant.endpoint(receiver.url, ['transaction.*']);
    const [fine = ''] = await merchant.record('transaction.authorized');
    await allAre(merchant, endpoint, 'DELIVERED');
    receiver.answer(500);
    harness.clock.advance(60_000);
    const [early = ''] = await merchant.record('transaction.captured');
    harness.clock.advance(60_000);
    const from = harness.clock.now();
    const [during = ''] = await merchant.record('transaction.voided');
    const end = harness.clock.now();
    harness.clock.advance(60_000);
    const [late = ''] = await merchant.record('transaction.declined');
    await received(3);
    harness.clock.advance(7 * DAY_MS + 180_000);
    await until(async () => (await merchant.deliveries(endpoint, ['EXPIRED'])).length === 3, 'expiry');
    receiver.answer(204);
    await active(endpoint, true);
    const sent = receiver.received.length;

    const range = await merchant.replay('events', {
      input: { webhookEndpointId: endpoint, scope: 'FAILED', from, until: end },
    });
    expect(range).toMatchObject({ userErrors: [], dryRunCount: null, replayed: false });
    expect(range.replayJob).toMatchObject({
      scope: 'FAILED',
      fromSequence: 3,
      untilSequence: 3,
      totalCount: 1,
    });
    expect(await ended(merchant, range.replayJob)).toMatchObject({
      state: 'DONE',
      queuedCount: 1,
      progress: 1,
    });
    await received(sent + 1);
    expect(idsReceived().slice(sent)).toEqual([during]);

    await allDelivered(endpoint, 2);
    const rest = await merchant.replay('events', { input: { webhookEndpointId: endpoint, scope: 'FAILED' } });
    // The endpoint's own event of its failures is anywhere after the third failure.
    const untilSequence = rest.replayJob?.untilSequence ?? 0;
    expect(untilSequence).toBeGreaterThanOrEqual(4);
    expect(await ended(merchant, rest.replayJob)).toMatchObject({
      queuedCount: 2,
      totalCount: untilSequence,
    });
    await allDelivered(endpoint, 4);
    expect(
      idsReceived()
        .slice(sent + 1)
        .sort(),
    ).toEqual([early, late].sort());
    expect(idsReceived().filter((id) => id === fine)).toHaveLength(1);
  });

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

  it('queues at most 200 at a time, so that other deliveries and new events continue', async () => {
    await merchant.record(...Array.from({ length: 260 }, () => 'transaction.authorized'));
    const endpoint = await merchant.endpoint(receiver.url);
    await active(endpoint, false);
    const { replayJob } = await merchant.replay('events', {
      input: { webhookEndpointId: endpoint, scope: 'ALL' },
    });
    const other = await merchant.endpoint(at('/other'), ['transaction.review-accepted']);
    await until(async () => (await merchant.job(replayJob?.id ?? '')).queuedCount > 0, 'the first chunk');
    const [live = ''] = await merchant.record('transaction.review-accepted');
    await until(() => idsReceived('/other').length === 1, 'the other endpoint');

    expect(await merchant.job(replayJob?.id ?? '')).toMatchObject({
      ...{ state: 'RUNNING', queuedCount: 200, doneSequence: 200, totalCount: 260, endedAt: null },
      progress: 200 / 260,
    });
    expect(await merchant.deliveries(other)).toHaveLength(1);
    await active(endpoint, true);
    expect(await ended(merchant, replayJob)).toMatchObject({
      state: 'DONE',
      queuedCount: 260,
      doneSequence: 260,
    });
    await until(() => idsReceived().length === 261, 'all deliveries');
    expect(new Set(idsReceived()).size).toBe(261);
    expect(idsReceived().indexOf(live)).toBeLessThan(220);
  });
});

describe('cancelReplayJob', () => {
  it('ends a replay for good, and its queued deliveries are sent', async () => {
    await merchant.record(...Array.from({ length: 210 }, () => 'transaction.authorized'));
    const endpoint = await merchant.endpoint(receiver.url);
    await active(endpoint, false);
    const { replayJob } = await merchant.replay('events', {
      input: { webhookEndpointId: endpoint, scope: 'ALL' },
    });
    const id = replayJob?.id ?? '';
    await until(async () => (await merchant.job(id)).queuedCount > 0, 'the first chunk');

    const cancelled = await merchant.replay('cancel', { id });
    const again = await merchant.replay('cancel', { id });

    expect(cancelled).toMatchObject({ replayJob: { state: 'CANCELLED', queuedCount: 200 }, userErrors: [] });
    expect(cancelled.replayJob?.endedAt).not.toBeNull();
    expect(again).toEqual(cancelled);
    await active(endpoint, true);
    await received(200);
    await allAre(merchant, endpoint, 'DELIVERED');
    expect(await merchant.job(id)).toEqual(cancelled.replayJob);
    expect(receiver.received).toHaveLength(200);
  });

  it('also happens at the deletion of the endpoint', async () => {
    await merchant.record(...Array.from({ length: 210 }, () => 'transaction.authorized'));
    const endpoint = await merchant.endpoint(receiver.url);
    await active(endpoint, false);
    const { replayJob } = await merchant.replay('events', {
      input: { webhookEndpointId: endpoint, scope: 'ALL' },
    });
    await until(async () => (await merchant.job(replayJob?.id ?? '')).queuedCount > 0, 'the first chunk');

    await merchant.ask('mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { deletedId } }', {
      id: endpoint,
    });

    expect(await ended(merchant, replayJob)).toMatchObject({
      state: 'CANCELLED',
      queuedCount: 200,
      webhookEndpoint: null,
    });
    expect(receiver.received).toEqual([]);
  });
});

const active = (id: string, is: boolean): Promise<unknown> =>
  merchant.ask(
    'mutation ($id: ID!, $is: Boolean) { updateWebhookEndpoint(id: $id, input: { active: $is }) { userErrors { code } } }',
    { id, is },
  );

const allDelivered = (endpointId: string, count: number): Promise<void> =>
  until(async () => (await merchant.deliveries(endpointId, ['DELIVERED'])).length === count, 'deliveries');
