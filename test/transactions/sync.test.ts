import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { holdAt } from '../support/hold.ts';
import { unresolvedOn, historyOf, reconcileAfter } from './unresolved.ts';
import { createService, startHarness, type Harness, type Since } from './harness.ts';

const DEADLINE_MS = 10_000;
const LEASE_MS = DEADLINE_MS + 5_000;

let harness: Harness;
/** A payment service without status inquiries. The other service comes first. */
let atOnce: string;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mock-acquirer', {
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
  });
  atOnce = await createService(harness.server, harness.provider.url);
});
afterAll(() => harness.stop());
beforeEach(async () => {
  since = await harness.since();
});

/** Makes the provider lose its next answers. */
const loseAnswers = (count: number): void =>
  harness.provider.failNext(...Array.from({ length: count }, () => 'lose_answer' as const));

describe('syncTransaction', () => {
  it('finds an unknown outcome at once, and records the look-up', async () => {
    const id = await harness.authorized(1000);
    loseAnswers(1);
    const { operation } = await harness.capture(id, { amount: 400 }, 'unknown outcome');

    const payload = await harness.sync(id);

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
    expect((await historyOf(harness, id)).slice(1)).toMatchObject([
      { name: 'payment-connector-outcome-unknown', context: { operation_id: operation?.id } },
      { name: 'payment-connector-response-transaction-capture-succeeded' },
      {
        name: 'transaction-sync-event',
        context: { operations: [{ id: operation?.id, kind: 'capture', status: 'succeeded' }] },
      },
    ]);
    expect(await harness.capture(id, { amount: 400 }, 'unknown outcome')).toMatchObject({
      operation: { id: operation?.id, status: 'SUCCEEDED' },
      replayed: true,
    });
  });

  it('leaves an unknown outcome to a later look-up when the provider cannot tell', async () => {
    const id = await harness.authorized(1000);
    loseAnswers(2);
    const { operation } = await harness.capture(id);

    const payload = await harness.sync(id);

    expect(payload).toMatchObject({
      operations: [{ id: operation?.id, status: 'PENDING', unknown: { cause: 'CONNECTION' } }],
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 0 } },
      userErrors: [],
    });
    const found = await unresolvedOn(harness, id);
    expect(found).toMatchObject({ id: operation?.id, attempts: 2 });
    expect(new Date(found?.unknown?.nextAttemptAt ?? 0).getTime()).toBeGreaterThan(
      new Date(operation?.unknown?.nextAttemptAt ?? 0).getTime(),
    );
    expect((await historyOf(harness, id)).at(-1)).toMatchObject({
      name: 'transaction-sync-failed-event',
      context: { operations: [{ id: operation?.id, status: 'pending' }] },
    });
    await reconcileAfter(harness, 10_000);
    expect(await harness.transaction(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });

  it('looks up everything that is pending, also operations that the provider is deciding', async () => {
    const id = await harness.captured(1_000_000);
    loseAnswers(2);
    await harness.refund(id, { amount: 100 });
    await harness.refund(id, { amount: 200 });
    await harness.refund(id, { amount: 630_002 });

    const { operations, transaction } = await harness.sync(id);

    expect(operations.map(({ kind, status, unknown }) => [kind, status, unknown]).sort()).toEqual([
      ['REFUND', 'DECLINED', null],
      ['REFUND', 'SUCCEEDED', null],
      ['REFUND', 'SUCCEEDED', null],
    ]);
    expect(transaction).toMatchObject({ refundedAmount: 300, refundable: { amount: 999_700 } });
    expect(since.calls().slice(4).sort()).toEqual(['refund', 'refund', 'status']);
  });

  it('leaves operations with a running call alone', async () => {
    const id = await harness.authorized();
    const held = holdAt('capture.called');
    const capture = harness.capture(id);
    await held.reached;

    const during = await harness.sync(id);
    held.go();

    expect(during).toMatchObject({ operations: [], userErrors: [] });
    expect((await capture).operation?.status).toBe('SUCCEEDED');
    expect(since.calls()).toEqual(['authorize', 'capture']);
  });

  it('claims operations that a dead process has left', async () => {
    const id = await harness.authorized();
    const remove = setFailpoint('capture.called', () => {
      throw new Error('The process died.');
    });
    await expect(harness.capture(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    remove();
    expect((await harness.sync(id)).operations).toEqual([]);

    await harness.pass(LEASE_MS);

    expect((await harness.sync(id)).operations).toMatchObject([{ kind: 'CAPTURE', status: 'SUCCEEDED' }]);
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture']);
  });

  it('is finished by reconciliation when the process dies in it', async () => {
    const id = await harness.authorized();
    loseAnswers(1);
    await harness.capture(id);
    const remove = setFailpoint('capture.resent', () => {
      remove();
      throw new Error('The process died.');
    });

    await expect(harness.sync(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    await reconcileAfter(harness, LEASE_MS);

    expect(await harness.transaction(id)).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      capturedAmount: 1299,
    });
    expect(await since.eventNames()).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ]);
  });

  it('and reconciliation at once: one looks up, and the operation settles once', async () => {
    const id = await harness.authorized();
    loseAnswers(1);
    await harness.capture(id);
    await harness.pass(2_000);

    await Promise.all([
      ...Array.from({ length: 5 }, () => harness.sync(id)),
      reconcileDue(harness.server.app),
      reconcileDue(harness.server.app),
    ]);

    expect(await harness.transaction(id)).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      capturedAmount: 1299,
    });
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture']);
    expect(await since.eventNames()).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ]);
  });

  it('calls no provider when nothing is pending', async () => {
    const id = await harness.captured();

    expect(await harness.sync(id)).toMatchObject({
      operations: [],
      transaction: { id, status: 'CAPTURE_SUCCEEDED' },
      userErrors: [],
    });
    expect(since.calls()).toEqual(['authorize']);
  });

  it('is refused by a payment service without inquiries, and nothing happens', async () => {
    const { transaction } = await harness.create({ paymentServiceId: atOnce });
    const id = transaction?.id ?? '';
    loseAnswers(1);
    await harness.capture(id);

    const payload = await harness.sync(id);

    expect(payload).toMatchObject({
      transaction: null,
      operations: [],
      userErrors: [{ code: 'OPERATION_NOT_SUPPORTED', path: ['id'], feature: 'sync' }],
    });
    expect(since.calls()).toEqual(['authorize', 'capture']);
    expect((await historyOf(harness, id)).map(({ name }) => name)).not.toContain('transaction-sync-event');
    await reconcileAfter(harness, 10_000);
  });

  it('does not reach the transaction of another merchant account', async () => {
    const id = await harness.authorized();
    loseAnswers(1);
    await harness.capture(id);
    const { id: merchantAccountId } = await harness.server.createMerchantAccount();
    const token = await harness.server.mint({ merchantAccountId });

    const { body } = await harness.server.graphql(
      'mutation ($id: ID!) { syncTransaction(id: $id) { transaction { id } userErrors { code path } } }',
      { id },
      { token },
    );

    expect(body.data).toEqual({
      syncTransaction: { transaction: null, userErrors: [{ code: 'NOT_FOUND', path: ['id'] }] },
    });
    expect(since.calls()).toEqual(['authorize', 'capture']);
    expect(await unresolvedOn(harness, id)).toMatchObject({ attempts: 1 });
    await reconcileAfter(harness, 10_000);
  });
});
