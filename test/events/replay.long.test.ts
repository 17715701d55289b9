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
    await merchant.activate(endpoint, true);
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

  it('queues at most 200 at a time, so that other deliveries and new events continue', async () => {
    await merchant.record(...Array.from({ length: 260 }, () => 'transaction.authorized'));
    const endpoint = await merchant.endpoint(receiver.url);
    await merchant.activate(endpoint, false);
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
    await merchant.activate(endpoint, true);
    expect(await ended(merchant, replayJob)).toMatchObject({
      state: 'DONE',
      queuedCount: 260,
      doneSequence: 260,
    });
    await until(() => idsReceived().length === 261, 'all deliveries');
    expect(new Set(idsReceived()).size).toBe(261);
    // The second part of the replay waits for the first, and the live event does not.
    expect(idsReceived().indexOf(live)).toBeLessThan(260);
  });
});

describe('cancelReplayJob', () => {
  it('ends a replay for good, and its queued deliveries are sent', async () => {
    await merchant.record(...Array.from({ length: 210 }, () => 'transaction.authorized'));
    const endpoint = await merchant.endpoint(receiver.url);
    await merchant.activate(endpoint, false);
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
    await merchant.activate(endpoint, true);
    await received(200);
    await allAre(merchant, endpoint, 'DELIVERED');
    expect(await merchant.job(id)).toEqual(cancelled.replayJob);
    expect(receiver.received).toHaveLength(200);
  });

  it('also happens at the deletion of the endpoint', async () => {
    await merchant.record(...Array.from({ length: 210 }, () => 'transaction.authorized'));
    const endpoint = await merchant.endpoint(receiver.url);
    await merchant.activate(endpoint, false);
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

const allDelivered = (endpointId: string, count: number): Promise<void> =>
  until(async () => (await merchant.deliveries(endpointId, ['DELIVERED'])).length === count, 'deliveries');
