import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { holdFirstAt } from '../support/hold.ts';
import { reconcileAfter } from './unresolved.ts';
import { buyerOf, openFraudHarness, type FraudHarness } from './fraud-harness.ts';
import { startHarness, type Harness } from './harness.ts';

const SECOND = 1_000;
const DEADLINE_MS = 10_000;
const LEASE_MS = DEADLINE_MS + 5 * SECOND;

let harness: Harness;
let fraud: FraudHarness;

/** Kills the first process that reaches a failpoint. The returned function tells whether one has died. */
function dieAt(point: string): () => boolean {
  let died = false;
  const remove = setFailpoint(point, () => {
    remove();
    died = true;
    throw new Error('The process died.');
  });
  return () => died;
}

const latestId = async (): Promise<string> => {
  const { prisma } = harness.server.app.db;
  const [row] = await prisma.transaction.findMany({ orderBy: { id: 'desc' }, take: 1 });
  return row?.id ?? '';
};

const ENDS = {
  accept: { status: 'CAPTURE_SUCCEEDED', antiFraudDecision: 'ACCEPT', pendingReview: false },
  review: { status: 'AUTHORIZATION_SUCCEEDED', antiFraudDecision: 'REVIEW', pendingReview: true },
  reject: { status: 'AUTHORIZATION_DECLINED', antiFraudDecision: 'REJECT', pendingReview: false },
} as const;

const BEFORE = [
  'anti_fraud_check.claimed',
  'anti_fraud_check.called',
  'anti-fraud.deciding',
  'anti-fraud.decided',
];
const PAID = ['authorize.claimed', 'authorize.called', 'authorize.settling', 'authorize.settled'];

type Death = readonly [reported: keyof typeof ENDS, point: string];

/** Every verdict, and every point at which a process may die. */
export const DEATHS: readonly Death[] = [
  ...[...BEFORE, ...PAID].map((point) => ['accept', point] as const),
  ...[...BEFORE, ...PAID].map((point) => ['review', point] as const),
  ...[...BEFORE, 'anti-fraud.rejected', 'authorize.settling', 'authorize.settled'].map(
    (point) => ['reject', point] as const,
  ),
];

/** Defines the tests of processes that die beside an anti-fraud check, in a payment at these points. */
export function describeFraudCrashes(deaths: readonly Death[]): void {
  beforeAll(async () => {
    harness = await startHarness('mock-acquirer', {
      settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
    });
    fraud = await openFraudHarness(harness);
  });
  afterAll(async () => {
    await fraud.close();
    await harness.stop();
  });

  describe('a process that dies', () => {
    it.each(deaths)(
      'with a payment to %s (%s) leaves what reconciliation completes, once',
      async (reported, point) => {
        const since = await harness.since();
        const hasDied = dieAt(point);
        const key = `${reported} ${point}`;
        const pay = () => harness.create({ ...buyerOf(reported), intent: 'CAPTURE' }, key);

        await expect(pay()).rejects.toThrow('INTERNAL_SERVER_ERROR');
        expect(hasDied()).toBe(true);
        const id = await latestId();
        // The decision comes before any request: the provider received no call.
        if (BEFORE.includes(point)) expect(since.calls()).toEqual([]);
        for (let round = 0; round < 2; round++) await reconcileAfter(harness, LEASE_MS);

        const payment = await fraud.show(id);
        expect(payment).toMatchObject(ENDS[reported]);
        const decided = payment.steps.filter(({ name }) => name === 'anti-fraud-decision');
        expect(decided).toHaveLength(1);
        const notified = await since.eventNames();
        expect(notified.filter((name) => name === 'transaction.anti-fraud-decided')).toHaveLength(1);
        expect(new Set(since.calls())).toEqual(new Set(reported === 'reject' ? [] : ['authorize']));
        const requested = fraud.thirdParty.calls.filter(({ idempotencyKey }) => idempotencyKey === id);
        expect(requested).toHaveLength(point === 'anti_fraud_check.called' ? 2 : 1);
        expect(await pay()).toMatchObject({ replayed: true, transaction: { id } });
      },
    );

    it.each([
      ['ACCEPT', 'capture', 'CAPTURE_SUCCEEDED'],
      ['REJECT', 'void', 'AUTHORIZATION_VOIDED'],
    ])('with a review to %s leaves the %s to reconciliation, once', async (decision, verb, status) => {
      for (const point of ['claimed', 'called', 'settling', 'settled']) {
        const { id } = await fraud.pay('review', { intent: 'CAPTURE' });
        const hasDied = dieAt(`${verb}.${point}`);
        const key = `${verb} ${point}`;

        await expect(fraud.resolve(id, { decision }, key)).rejects.toThrow('INTERNAL_SERVER_ERROR');
        expect([hasDied(), (await fraud.show(id)).pendingReview]).toEqual([true, false]);
        for (let round = 0; round < 2; round++) await reconcileAfter(harness, LEASE_MS);

        expect(await fraud.show(id)).toMatchObject({ status });
        expect(await fraud.resolve(id, { decision }, key)).toMatchObject({
          ...{ replayed: true, userErrors: [], operation: { kind: verb.toUpperCase(), status: 'SUCCEEDED' } },
          transaction: { status },
        });
      }
    });
  });

  describe('a release whose anti-fraud connector is missing', () => {
    it.each([
      [
        'the anti-fraud service had not been called',
        'anti_fraud_check.claimed',
        'ERROR',
        'anti-fraud-decision-error',
      ],
      ['the third party had decided', 'anti-fraud.deciding', 'REVIEW', 'anti-fraud-decision'],
    ])('continues with a payment that was left when %s', async (_, point, antiFraudDecision, name) => {
      dieAt(point);
      await expect(harness.create({ ...buyerOf('review'), intent: 'AUTHORIZE' })).rejects.toThrow(
        'INTERNAL_SERVER_ERROR',
      );
      const id = await latestId();
      const requested = fraud.thirdParty.calls.length;
      await harness.pass(LEASE_MS);

      await reconcileDue({ ...harness.server.app, antiFraudConnectors: [] });

      const payment = await fraud.show(id);
      expect(payment).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', antiFraudDecision });
      const decided = payment.steps.filter((step) => step.name.startsWith('anti-fraud'));
      expect(decided.map((step) => step.name)).toEqual([name]);
      if (antiFraudDecision === 'ERROR')
        expect(decided[0]?.context).toMatchObject({ reason: 'no_connector' });
      expect(fraud.thirdParty.calls).toHaveLength(requested);
    });
  });

  describe('a process that resumes late', () => {
    it('after the anti-fraud check changes nothing that another process has done since', async () => {
      const since = await harness.since();
      const waiting = holdFirstAt('anti-fraud.deciding');
      const paying = harness.create({ ...buyerOf('review'), intent: 'CAPTURE' });
      await waiting.reached;
      await reconcileAfter(harness, LEASE_MS);
      const id = await latestId();
      expect(await fraud.show(id)).toMatchObject(ENDS.review);

      waiting.go();

      expect((await paying).transaction).toMatchObject({ id, status: 'AUTHORIZATION_SUCCEEDED' });
      expect(since.calls()).toEqual(['authorize']);
      expect(await since.eventNames()).toEqual(['transaction.anti-fraud-decided', 'transaction.authorized']);
    });

    it('records the verdict on a payment that was cancelled meanwhile, and requests no money', async () => {
      const waiting = holdFirstAt('anti-fraud.deciding');
      const paying = harness.create({ ...buyerOf('accept'), intent: 'CAPTURE' });
      await waiting.reached;
      const id = await latestId();
      const since = await harness.since();
      expect((await harness.cancel(id)).transaction).toMatchObject({ status: 'AUTHORIZATION_FAILED' });

      waiting.go();

      expect((await paying).transaction).toMatchObject({
        status: 'AUTHORIZATION_FAILED',
        errorCode: 'canceled',
      });
      expect(await fraud.show(id)).toMatchObject({ antiFraudDecision: 'ACCEPT' });
      expect(since.calls()).toEqual(['cancel']);
    });

    it('requests no money during a cancel or after one', async () => {
      const waiting = holdFirstAt('anti-fraud.deciding');
      const paying = harness.create({ ...buyerOf('accept'), intent: 'CAPTURE' });
      await waiting.reached;
      const id = await latestId();
      const since = await harness.since();
      harness.provider.failNext('lose_request');
      await harness.cancel(id);

      waiting.go();

      expect((await paying).transaction).toMatchObject({ status: 'PROCESSING' });
      expect(since.calls()).toEqual(['cancel']);
      await reconcileAfter(harness, LEASE_MS);
      expect(await fraud.show(id)).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' });
      expect(since.calls()).toEqual(['cancel', 'cancel']);
    });
  });
}
