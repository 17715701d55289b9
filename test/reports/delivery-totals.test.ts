import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { relayAll } from '../support/relay-all.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';

let harness: Harness;
let endpoint: string;

beforeAll(async () => {
  harness = await startHarness();
  for (let payment = 0; payment < STATES.length; payment += 1) await harness.captured(100);
  await relayAll(harness.server.app);
  // The endpoint is new, so the relay has made no deliveries to it.
  endpoint = await createEndpoint();
  await deliver(endpoint);
});
afterAll(() => harness.stop());

const prisma = () => harness.server.app.db.prisma;

async function createEndpoint(): Promise<string> {
  const { id } = await prisma().webhookEndpoint.create({
    data: {
      ...{
        merchantAccountId: 'default',
        id: randomUUID(),
        url: 'https://example.com',
        eventNames: [],
        headerNames: [],
      },
      ...{ stateChangedAt: new Date(), createdAt: new Date(), updatedAt: new Date() },
    },
  });
  return id;
}

const STATES = ['done', 'done', 'pending', 'expired', 'cancelled'] as const;

/** Makes a delivery of each of the first events, a minute after the one before. Each has attempts up to its number. */
async function deliver(endpointId: string): Promise<void> {
  const events = await prisma().event.findMany({ orderBy: { position: 'asc' }, take: STATES.length });
  for (const [index, { position }] of events.entries()) {
    const state = STATES[index] ?? 'done';
    const key = { merchantAccountId: 'default', endpointId, position };
    await prisma().delivery.create({
      data: {
        ...{
          ...key,
          state,
          attemptsMade: index + 1,
          nextAt: at(index),
          deadline: at(9),
          createdAt: at(index),
        },
        settledAt: state === 'pending' ? null : at(index),
      },
    });
    for (let number = 1; number <= index + 1; number += 1)
      await prisma().deliveryAttempt.create({
        data: { ...key, id: randomUUID(), number, startedAt: at(index), durationMs: 100 * index + number },
      });
  }
}

const at = (minute: number): Date => new Date(Date.UTC(2027, 0, 1, 0, minute));

const DOCUMENT = `query ($id: ID!, $since: DateTime, $latest: Int!) {
  webhookDeliveryTotals(webhookEndpointId: $id, since: $since, latest: $latest) {
    delivered pending inFlight expired cancelled attempts successRate oldestOpenAt isComplete answerTime { p50 p90 p95 p99 } } }`;

const totals = async (changes: Readonly<Record<string, unknown>> = {}) =>
  (await harness.ask<{ webhookDeliveryTotals: unknown }>(DOCUMENT, { id: endpoint, latest: 100, ...changes }))
    .webhookDeliveryTotals;

it('counts the states and attempts of the latest deliveries', async () => {
  expect(await totals()).toEqual({
    ...{ delivered: 2, pending: 1, inFlight: 0, expired: 1, cancelled: 1, attempts: 15, isComplete: true },
    ...{ successRate: 2 / 3, oldestOpenAt: at(2).toISOString() },
    // The first succeeded at its first attempt, and the second at its second.
    answerTime: { p50: 1, p90: 102, p95: 102, p99: 102 },
  });
});

it('says that earlier deliveries may lie in the asked time', async () => {
  expect(await totals({ latest: 2 })).toMatchObject({
    expired: 1,
    cancelled: 1,
    attempts: 9,
    isComplete: false,
  });
  expect(await totals({ latest: 3, since: at(3) })).toMatchObject({
    ...{ pending: 0, expired: 1, cancelled: 1, successRate: 0, answerTime: null, isComplete: true },
  });
});

it('has nothing for an endpoint without deliveries, and null for one of another account', async () => {
  expect(await totals({ id: await createEndpoint() })).toMatchObject({
    ...{ delivered: 0, attempts: 0, successRate: null, oldestOpenAt: null, isComplete: true },
  });
  expect(await totals({ id: randomUUID() })).toBeNull();
  const { token } = await harness.server.createMerchantAccount();
  const { body } = await harness.server.graphql(DOCUMENT, { id: endpoint, latest: 1 }, { token });
  expect(body).toEqual({ data: { webhookDeliveryTotals: null } });
});

it.each([
  ['more than 5000 deliveries', { latest: 5001 }, 'at most 5000'],
  ['a word instead of an id', { id: 'mine' }, 'id of a webhook endpoint'],
])('refuses %s, and says what to do', async (_, changes, message) => {
  const { body } = await harness.server.graphql(DOCUMENT, { id: endpoint, latest: 1, ...changes });
  expect(body.errors?.[0]?.message).toContain(message);
});
