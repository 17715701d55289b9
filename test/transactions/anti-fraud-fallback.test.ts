import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { holdFirstAt } from '../support/hold.ts';
import { withShortDeadline } from '../support/short-deadline.ts';
import { buyerOf, openFraudHarness, type FraudHarness, type Shown } from './fraud-harness.ts';
import { startHarness, type Harness } from './harness.ts';
import { reconcileAfter } from './unresolved.ts';

let harness: Harness;
let fraud: FraudHarness;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
  fraud = await openFraudHarness(harness);
});
afterEach(() => fraud.set({ fallback: 'ACCEPT' }));
afterAll(async () => {
  await fraud.close();
  await harness.stop();
});

/** Pays while the third party hangs. Its answer would be `accept`. */
const payWithoutAnswer = () => {
  fraud.thirdParty.failNext('hang');
  return withShortDeadline(harness.server.app, () => fraud.pay('accept', { intent: 'CAPTURE' }));
};

const reasonOf = ({ steps }: Shown) =>
  steps.find(({ name }) => name === 'anti-fraud-decision-error')?.context;

describe('a payment whose anti-fraud service does not answer in time', () => {
  it.each([
    ['ACCEPT', 'ERROR', { status: 'CAPTURE_SUCCEEDED', pendingReview: false, errorCode: null }],
    [
      'REVIEW',
      'REVIEW',
      { status: 'AUTHORIZATION_SUCCEEDED', pendingReview: true, errorCode: null, capturedAmount: 0 },
    ],
    [
      'REJECT',
      'REJECT',
      { status: 'AUTHORIZATION_DECLINED', pendingReview: false, errorCode: 'suspected_fraud' },
    ],
  ])('ends as the merchant chose with %s', async (fallback, antiFraudDecision, ends) => {
    await fraud.set({ fallback });
    const since = await harness.since();

    const payment = await payWithoutAnswer();

    expect(payment).toMatchObject({ antiFraudDecision, ...ends });
    expect(reasonOf(payment)).toMatchObject({ decision: 'error', reason: 'timeout' });
    expect(reasonOf(payment)?.['fallback']).toBe(fallback === 'ACCEPT' ? undefined : fallback.toLowerCase());
    expect(since.calls()).toEqual(fallback === 'REJECT' ? [] : ['authorize']);
  });

  it('is captured when a person accepts its review', async () => {
    await fraud.set({ fallback: 'REVIEW' });
    const { id } = await payWithoutAnswer();

    const { transaction } = await fraud.resolve(id, { decision: 'ACCEPT' });

    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', reviewOutcome: 'ACCEPTED' });
  });
});

describe('a payment without a decision', () => {
  /** Longer than any lease. */
  const LEASE_MS = 5 * 60_000;

  const latestId = async (): Promise<string> => {
    const { prisma } = harness.server.app.db;
    return (await prisma.transaction.findFirstOrThrow({ orderBy: { id: 'desc' } })).id;
  };

  it('ends as the merchant chose after a crash, and the third party is not asked again', async () => {
    await fraud.set({ fallback: 'REJECT' });
    const since = await harness.since();
    fraud.thirdParty.failNext('server_error');
    const remove = setFailpoint('anti-fraud.deciding', () => {
      remove();
      throw new Error('The process died.');
    });
    await expect(fraud.pay('accept', { intent: 'CAPTURE' })).rejects.toThrow('INTERNAL_SERVER_ERROR');
    const asked = fraud.thirdParty.calls.length;

    await reconcileAfter(harness, LEASE_MS);

    expect(await fraud.show(await latestId())).toMatchObject({
      ...{ status: 'AUTHORIZATION_DECLINED', antiFraudDecision: 'REJECT', errorCode: 'suspected_fraud' },
    });
    expect(fraud.thirdParty.calls).toHaveLength(asked);
    expect(since.calls()).toEqual([]);
  });

  it('is decided once by two processes, also if the merchant changes the rule between them', async () => {
    await fraud.set({ fallback: 'REVIEW' });
    const since = await harness.since();
    fraud.thirdParty.failNext('server_error');
    const waiting = holdFirstAt('anti-fraud.deciding');
    const paying = harness.create({ ...buyerOf('accept'), intent: 'CAPTURE' });
    await waiting.reached;
    await fraud.set({ fallback: 'REJECT' });
    await reconcileAfter(harness, LEASE_MS);
    const id = await latestId();

    waiting.go();

    expect((await paying).transaction).toMatchObject({ id, status: 'AUTHORIZATION_DECLINED' });
    const { antiFraudDecision, steps } = await fraud.show(id);
    expect(antiFraudDecision).toBe('REJECT');
    expect(steps.filter(({ name }) => name.startsWith('anti-fraud'))).toHaveLength(1);
    expect(since.calls()).toEqual([]);
  });
});

describe('the rule of an anti-fraud service', () => {
  it.each([
    ['error', 'REJECT'],
    ['timeout', 'REJECT'],
    ['unavailable', 'REJECT'],
    ['accept', 'ACCEPT'],
    ['review', 'REVIEW'],
    [null, 'SKIPPED'],
  ])('decides on %s as %s', async (reported, antiFraudDecision) => {
    await fraud.set({ fallback: 'REJECT' });

    const payment = await fraud.pay(reported ?? '', reported === null ? { buyer: null } : {});

    expect(payment).toMatchObject({ antiFraudDecision });
  });

  it('decides when no connector serves the definition', async () => {
    await fraud.set({ fallback: 'REVIEW' });
    const { prisma } = harness.server.app.db;
    const called = (definitionId: string) =>
      prisma.antiFraudService.updateMany({ where: { id: fraud.serviceId }, data: { definitionId } });
    await called('gone');

    const payment = await fraud.pay('accept', { intent: 'CAPTURE' });
    await called('mock-anti-fraud');

    expect(payment).toMatchObject({ antiFraudDecision: 'REVIEW', pendingReview: true, capturedAmount: 0 });
    expect(reasonOf(payment)).toMatchObject({ reason: 'no_connector', fallback: 'review' });
  });
});
