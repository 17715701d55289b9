import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { holdAt } from '../support/hold.ts';
import { doubtOn, historyOf, reconcileAfter } from './doubt.ts';
import { createService, startHarness, type Harness, type Since } from './harness.ts';

const DEADLINE_MS = 500;
const LEASE_MS = DEADLINE_MS + 5_000;

let house: Harness;
/** A payment service without status inquiries. The other service comes first. */
let atOnce: string;
let since: Since;

beforeAll(async () => {
  house = await startHarness('mock-acquirer', {
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
  });
  atOnce = await createService(house.server, house.provider.url);
});
afterAll(() => house.stop());
beforeEach(async () => {
  since = await house.since();
});

/** Makes the provider lose its next answers. */
const loseAnswers = (count: number): void =>
  house.provider.failNext(...Array.from({ length: count }, () => 'lose_answer' as const));

describe('syncTransaction', () => {
  it('finds an unknown outcome at once, and records the look-up', async () => {
    const id = await house.authorized(1000);
    loseAnswers(1);
    const { operation } = await house.capture(id, { amount: 400 }, 'in doubt');

    const payload = await house.sync(id);

    expect(payload).toMatchObject({
      operations: [{ id: operation?.id, kind: 'CAPTURE', status: 'SUCCEEDED', unknown: null }],
      transaction: { id, status: 'CAPTURE_SUCCEEDED', capturedAmount: 400 },
      userErrors: [],
    });
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture']);
    expect(await since.eventNames()).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ]);
    expect((await historyOf(house, id)).slice(1)).toMatchObject([
      { name: 'payment-connector-outcome-unknown', context: { operation_id: operation?.id } },
      { name: 'payment-connector-response-transaction-capture-succeeded' },
      {
        name: 'transaction-sync-event',
        context: { operations: [{ id: operation?.id, kind: 'capture', status: 'succeeded' }] },
      },
    ]);
    expect(await house.capture(id, { amount: 400 }, 'in doubt')).toMatchObject({
      operation: { id: operation?.id, status: 'SUCCEEDED' },
      replayed: true,
    });
  });

  it('leaves an unknown outcome to a later look-up when the provider cannot tell', async () => {
    const id = await house.authorized(1000);
    loseAnswers(2);
    const { operation } = await house.capture(id);

    const payload = await house.sync(id);

    expect(payload).toMatchObject({
      operations: [{ id: operation?.id, status: 'PENDING', unknown: { cause: 'CONNECTION' } }],
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 0 } },
      userErrors: [],
    });
    const doubt = await doubtOn(house, id);
    expect(doubt).toMatchObject({ id: operation?.id, attempts: 2 });
    expect(new Date(doubt?.unknown?.nextAttemptAt ?? 0).getTime()).toBeGreaterThan(
      new Date(operation?.unknown?.nextAttemptAt ?? 0).getTime(),
    );
    expect((await historyOf(house, id)).at(-1)).toMatchObject({
      name: 'transaction-sync-failed-event',
      context: { operations: [{ id: operation?.id, status: 'pending' }] },
    });
    await reconcileAfter(house, 10_000);
    expect(await house.transaction(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });

  it('looks up everything that is pending, also operations that the provider is deciding', async () => {
    const id = await house.captured(1_000_000);
    loseAnswers(2);
    await house.refund(id, { amount: 100 });
    await house.refund(id, { amount: 200 });
    await house.refund(id, { amount: 630_002 });

    const { operations, transaction } = await house.sync(id);

    expect(operations.map(({ kind, status, unknown }) => [kind, status, unknown]).sort()).toEqual([
      ['REFUND', 'DECLINED', null],
      ['REFUND', 'SUCCEEDED', null],
      ['REFUND', 'SUCCEEDED', null],
    ]);
    expect(transaction).toMatchObject({ refundedAmount: 300, refundable: { amount: 999_700 } });
    expect(since.calls().slice(4).sort()).toEqual(['refund', 'refund', 'status']);
  });

  it('leaves operations with a running call alone', async () => {
    const id = await house.authorized();
    const held = holdAt('capture.called');
    const capture = house.capture(id);
    await held.reached;

    const during = await house.sync(id);
    held.go();

    expect(during).toMatchObject({ operations: [], userErrors: [] });
    expect((await capture).operation?.status).toBe('SUCCEEDED');
    expect(since.calls()).toEqual(['authorize', 'capture']);
  });

  it('claims operations that a dead process has left', async () => {
    const id = await house.authorized();
    const remove = setFailpoint('capture.called', () => {
      throw new Error('The process died.');
    });
    await expect(house.capture(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    remove();
    expect((await house.sync(id)).operations).toEqual([]);

    await house.pass(LEASE_MS);

    expect((await house.sync(id)).operations).toMatchObject([{ kind: 'CAPTURE', status: 'SUCCEEDED' }]);
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture']);
  });

  it('is finished by reconciliation when the process dies in it', async () => {
    const id = await house.authorized();
    loseAnswers(1);
    await house.capture(id);
    const remove = setFailpoint('capture.resent', () => {
      remove();
      throw new Error('The process died.');
    });

    await expect(house.sync(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    await reconcileAfter(house, LEASE_MS);

    expect(await house.transaction(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    expect(await since.eventNames()).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ]);
  });

  it('and reconciliation at once: one looks up, and the operation settles once', async () => {
    const id = await house.authorized();
    loseAnswers(1);
    await house.capture(id);
    await house.pass(2_000);

    await Promise.all([
      ...Array.from({ length: 5 }, () => house.sync(id)),
      reconcileDue(house.server.app),
      reconcileDue(house.server.app),
    ]);

    expect(await house.transaction(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture']);
    expect(await since.eventNames()).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ]);
  });

  it('calls no provider when nothing is pending', async () => {
    const id = await house.captured();

    expect(await house.sync(id)).toMatchObject({
      operations: [],
      transaction: { id, status: 'CAPTURE_SUCCEEDED' },
      userErrors: [],
    });
    expect(since.calls()).toEqual(['authorize']);
  });

  it('is refused by a payment service without inquiries, and nothing happens', async () => {
    const { transaction } = await house.create({ paymentServiceId: atOnce });
    const id = transaction?.id ?? '';
    loseAnswers(1);
    await house.capture(id);

    const payload = await house.sync(id);

    expect(payload).toMatchObject({
      transaction: null,
      operations: [],
      userErrors: [{ code: 'OPERATION_NOT_SUPPORTED', path: ['id'], feature: 'sync' }],
    });
    expect(since.calls()).toEqual(['authorize', 'capture']);
    expect((await historyOf(house, id)).map(({ name }) => name)).not.toContain('transaction-sync-event');
    await reconcileAfter(house, 10_000);
  });

  it('does not reach the transaction of another merchant account', async () => {
    const id = await house.authorized();
    loseAnswers(1);
    await house.capture(id);
    const { id: merchantAccountId } = await house.server.createMerchantAccount();
    const token = await house.server.mint({ merchantAccountId });

    const { body } = await house.server.graphql(
      'mutation ($id: ID!) { syncTransaction(id: $id) { transaction { id } userErrors { code path } } }',
      { id },
      { token },
    );

    expect(body.data).toEqual({
      syncTransaction: { transaction: null, userErrors: [{ code: 'NOT_FOUND', path: ['id'] }] },
    });
    expect(since.calls()).toEqual(['authorize', 'capture']);
    expect(await doubtOn(house, id)).toMatchObject({ attempts: 1 });
    await reconcileAfter(house, 10_000);
  });
});
