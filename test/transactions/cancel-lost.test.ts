import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { holdFirstAt } from '../support/hold.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { createClassProvider, type Fault } from './class-provider.ts';
import { KEYS, LOOKUP, SECOND } from './class-meetings.ts';
import { createService, startHarness, type Harness } from './harness.ts';
import { keyAtProvider, reconcileAfter } from './unresolved.ts';

// A payment whose request is lost or late, and that the merchant cancels before anybody knows of the loss.

const clock = createShiftedClock();
const EVERY = { authorize: LOOKUP, capture: LOOKUP, refund: LOOKUP, void: LOOKUP, cancel: LOOKUP } as const;
const ended = createClassProvider('ended', EVERY, clock);
const needing = createClassProvider('needing', { ...EVERY, cancel: KEYS }, clock);

let harness: Harness;
let services: ReadonlyMap<string, string>;
beforeAll(async () => {
  harness = await startHarness(ended.definitionId, {
    clock,
    connectors: [ended.connector, needing.connector],
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: '150' },
  });
  const create = async ({ definitionId }: typeof ended) =>
    [definitionId, await createService(harness.server, harness.provider.url, { definitionId })] as const;
  services = new Map([await create(ended), await create(needing)]);
});
afterAll(() => harness.stop());

/** Sends a payment that meets a fault. */
async function send(provider: typeof ended, fault: Fault) {
  provider.failNext(fault);
  const paymentServiceId = services.get(provider.definitionId);
  const { transaction } = await harness.create({ amount: 1000, paymentServiceId });
  const id = transaction?.id ?? '';
  const { prisma } = harness.server.app.db;
  const operation = await prisma.operation.findFirstOrThrow({ where: { transactionId: id } });
  const key = await keyAtProvider(harness, operation.id);
  return {
    id,
    operation: () => prisma.operation.findFirstOrThrow({ where: { id: operation.id } }),
    /** Counts how often the payment was sent, and how often it was done. */
    counts: () => ({
      sent: provider.requested.filter((each) => each.key === key && each.what === 'authorize').length,
      done: provider.effectsOf(key),
    }),
    /** Requests a cancel. Its first request is lost. */
    cancel: () => {
      provider.failNext('lose_request');
      return harness.cancel(id);
    },
  };
}

const CANCELED = { status: 'AUTHORIZATION_FAILED', errorCode: 'canceled', authorizedAmount: 0 };

describe('a lost payment at a provider that looks up payments and cancels', () => {
  it('is not sent again during its cancel, which ends the payment', async () => {
    const payment = await send(ended, 'lose_request');
    await harness.pass(60 * SECOND);
    await payment.cancel();

    await reconcileAfter(harness, LOOKUP.quiescenceMs - 30 * SECOND);
    expect(await harness.transaction(payment.id)).toMatchObject({ status: 'PROCESSING' });
    // The usual schedule asks again, and no lease keeps the payment.
    expect(await payment.operation()).toMatchObject({ status: 'pending', leaseUntil: null });
    expect(payment.counts()).toEqual({ sent: 1, done: 0 });
    await reconcileAfter(harness, 60 * SECOND);

    expect(await harness.transaction(payment.id)).toMatchObject(CANCELED);
    await reconcileAfter(harness, 2 * LOOKUP.quiescenceMs);
    expect(payment.counts()).toEqual({ sent: 1, done: 0 });
  });

  it('is not sent again if its cancel comes between the look-up and the sending', async () => {
    const payment = await send(ended, 'lose_request');
    await reconcileAfter(harness, LOOKUP.quiescenceMs - SECOND);
    ended.atNextLook(async () => void (await payment.cancel()));

    await reconcileAfter(harness, 30 * SECOND);

    expect(payment.counts()).toEqual({ sent: 1, done: 0 });
    await reconcileAfter(harness, LOOKUP.quiescenceMs + 30 * SECOND);
    expect(await harness.transaction(payment.id)).toMatchObject(CANCELED);
    expect(payment.counts()).toEqual({ sent: 1, done: 0 });
  });

  it('is sent again after its cancel has failed', async () => {
    const payment = await send(ended, 'lose_request');
    ended.refuseNext({ kind: 'failed', errorCode: 'service_error' });

    expect((await harness.cancel(payment.id)).operation).toMatchObject({ status: 'FAILED' });
    await reconcileAfter(harness, LOOKUP.quiescenceMs + 30 * SECOND);

    expect(await harness.transaction(payment.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(payment.counts()).toEqual({ sent: 2, done: 1 });
  });
});

describe('a slow request of a payment under cancellation', () => {
  it('that arrives late is released by the repeat of the cancel, and not before', async () => {
    const payment = await send(ended, 'late');
    await payment.cancel();
    await reconcileAfter(harness, LOOKUP.quiescenceMs - 60 * SECOND);
    ended.arrive();

    await reconcileAfter(harness, 30 * SECOND);
    expect(await harness.transaction(payment.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 0 } },
    });
    await reconcileAfter(harness, 60 * SECOND);

    expect(await harness.transaction(payment.id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
    expect(payment.counts()).toEqual({ sent: 1, done: 1 });
  });

  it('that another process was about to repeat arrives well before the repeat of the cancel', async () => {
    const payment = await send(ended, 'lose_request');
    await harness.pass(LOOKUP.quiescenceMs + 30 * SECOND);
    const held = holdFirstAt('authorize.resending');
    const repeated = reconcileDue(harness.server.app);
    await held.reached;
    await payment.cancel();
    held.go();
    await repeated;

    expect(payment.counts()).toEqual({ sent: 2, done: 1 });
    await reconcileAfter(harness, LOOKUP.quiescenceMs - 30 * SECOND);
    expect(await harness.transaction(payment.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    await reconcileAfter(harness, 60 * SECOND);
    expect(await harness.transaction(payment.id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
  });
});

describe('a lost payment at a provider that needs the payment for its cancel', () => {
  it('is sent again during its cancel', async () => {
    const payment = await send(needing, 'lose_request');
    // No cancel arrives before the payment.
    needing.failNext(...Array<Fault>(20).fill('lose_request'));
    await harness.cancel(payment.id);

    await reconcileAfter(harness, LOOKUP.quiescenceMs + 30 * SECOND);

    expect(payment.counts().sent).toBe(2);
  });
});
