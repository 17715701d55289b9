import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { query } from '../support/database.ts';
import { createService, startHarness, type Harness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

describe('increaseAuthorization', () => {
  it('adds to the authorised amount, which can then be captured', async () => {
    const id = await harness.authorized(1000);
    const since = await harness.since();

    const payload = await harness.increase(id, { amount: 250 });

    expect(payload).toMatchObject({
      operation: { kind: 'INCREASE', status: 'SUCCEEDED', amount: 250 },
      transaction: {
        ...{ status: 'AUTHORIZATION_SUCCEEDED', amount: 1000, authorizedAmount: 1250 },
        ...{ increasePendingAmount: 0, capturable: { amount: 1250 } },
      },
    });
    expect(harness.provider.calls.at(-1)).toMatchObject({
      operation: 'increase',
      amount: 250,
      total_amount: 1250,
    });
    expect(await since.eventNames()).toEqual(['transaction.authorization-increased']);
    expect((await harness.ledger()).at(-1)).toEqual({ kind: 'increase', amount: 250 });
    expect((await harness.increase(id, { amount: 50 })).transaction?.authorizedAmount).toBe(1300);
    expect((await harness.capture(id)).transaction).toMatchObject({ capturedAmount: 1300 });
    expect(await historyOf(id)).toContain(
      'payment-connector-response-transaction-authorization-increment-succeeded',
    );
  });

  it('leaves the payment as it was after a decline', async () => {
    const id = await harness.authorized(1000);
    const [since, ledger] = [await harness.since(), await harness.ledger()];

    const payload = await harness.increase(id, { amount: 530_002 });

    expect(payload).toMatchObject({
      operation: { status: 'DECLINED', errorCode: 'insufficient_funds' },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 1000, increasePendingAmount: 0 },
    });
    expect(await since.eventNames()).toEqual(['transaction.increase-declined']);
    expect(await harness.ledger()).toEqual(ledger);
    expect((await harness.capture(id, { amount: 1001 })).userErrors).toMatchObject([
      { code: 'CAPTURE_TOO_LARGE' },
    ]);
  });

  it.each([
    ['a captured payment', () => harness.captured(), 'OPERATION_NOT_ALLOWED'],
    ['a payment of zero', () => harness.authorized(0), 'OPERATION_NOT_ALLOWED'],
    ['more than the largest amount', () => harness.authorized(99_999_999), 'INVALID_INPUT'],
  ])('refuses %s and does nothing', async (_, make, code) => {
    const id = await make();
    const since = await harness.since();

    const { userErrors } = await harness.increase(id, { amount: 1 });

    expect(userErrors).toMatchObject([{ code }]);
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual([]);
  });

  it('refuses an amount of zero', async () => {
    const id = await harness.authorized();

    const { userErrors } = await harness.increase(id, { amount: 0 });

    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'amount'] }]);
  });

  it('needs a payment service with the feature', async () => {
    await createService(harness.server, harness.provider.url, {
      ...{ definitionId: 'mockds-card', currencies: ['SEK'] },
    });
    const { transaction } = await harness.create({ currency: 'SEK', country: 'US' });
    const id = transaction?.id ?? '';

    expect((await harness.increase(id, { amount: 5 })).userErrors).toMatchObject([
      { code: 'OPERATION_NOT_SUPPORTED', feature: 'incremental_authorization' },
    ]);
    expect((await harness.reauthorize(id)).userErrors).toMatchObject([
      { code: 'OPERATION_NOT_SUPPORTED', feature: 'reauthorization' },
    ]);
  });

  it('answers a repeated key from the record', async () => {
    const id = await harness.authorized(1000);
    const first = await harness.increase(id, { amount: 10 }, 'i1');
    const since = await harness.since();

    expect(await harness.increase(id, { amount: 10 }, 'i1')).toEqual({ ...first, replayed: true });
    expect((await harness.increase(id, { amount: 11 }, 'i1')).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.amount'] },
    ]);
    expect(since.calls()).toEqual([]);
  });

  it('keeps the unconfirmed part away from captures, and settles under the same key', async () => {
    const id = await harness.authorized(1000);
    harness.provider.failNext('lose_answer');
    const increase = await harness.increase(id, { amount: 300 });

    expect(increase.transaction).toMatchObject({ authorizedAmount: 1000, increasePendingAmount: 300 });
    expect((await harness.capture(id, { amount: 1001 })).userErrors).toMatchObject([
      { code: 'CAPTURE_TOO_LARGE', capturable: { amount: 1000 } },
    ]);
    expect(await unresolved()).toContain(increase.operation?.id);
    const since = await harness.since();
    harness.clock.advance(10_000);
    await reconcileDue(harness.server.app);

    expect(since.calls()).toEqual(['increase']);
    expect(keysOf(id)).toHaveLength(2);
    expect(new Set(keysOf(id)).size).toBe(1);
    expect(await harness.transaction(id)).toMatchObject({ authorizedAmount: 1300, increasePendingAmount: 0 });
  });

  it('lets nothing but a capture of the confirmed amount begin meanwhile', async () => {
    const id = await harness.authorized(1000);
    harness.provider.failNext('lose_answer');
    await harness.increase(id, { amount: 300 });
    const since = await harness.since();

    for (const refused of [
      await harness.void(id),
      await harness.increase(id, { amount: 1 }),
      await harness.reauthorize(id),
    ])
      expect(refused.userErrors).toMatchObject([{ __typename: 'AuthorizationHeld', path: ['id'] }]);
    expect(since.calls()).toEqual([]);
    expect((await harness.capture(id)).transaction).toMatchObject({ capturedAmount: 1000 });
    harness.clock.advance(10_000);
    await reconcileDue(harness.server.app);

    expect(await harness.transaction(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', authorizedAmount: 1300, capturedAmount: 1000 },
      capturable: { amount: 0 },
    });
  });

  it.each(['increase', 'reauthorize'] as const)(
    'is finished by reconciliation when the process dies after the %s',
    async (kind) => {
      const id = await harness.authorized(1000);
      const since = await harness.since();
      const remove = setFailpoint(`${kind}.called`, () => {
        throw new Error('The process died.');
      });
      const dying = kind === 'increase' ? harness.increase(id, { amount: 5 }) : harness.reauthorize(id);
      await expect(dying).rejects.toThrow('INTERNAL_SERVER_ERROR');
      remove();

      harness.clock.advance(60_000);
      await reconcileDue(harness.server.app);

      expect(await harness.transaction(id)).toMatchObject(
        kind === 'increase'
          ? { authorizedAmount: 1005, increasePendingAmount: 0 }
          : { authorizedAmount: 1000, reauthorizationPending: false, reauthorizedAt: expect.any(String) },
      );
      expect(await since.eventNames()).toHaveLength(1);
      expect(since.calls()).toEqual([kind, kind]);
    },
  );

  it('is done once when two are asked for at once under one key', async () => {
    const id = await harness.authorized(1000);
    const since = await harness.since();

    await Promise.all([1, 2].map(() => harness.increase(id, { amount: 100 }, 'twice')));

    expect((await harness.transaction(id))?.authorizedAmount).toBe(1100);
    expect(since.calls()).toEqual(['increase']);
  });
});

describe('reauthorizeTransaction', () => {
  it('renews the authorisation and moves no money', async () => {
    const id = await harness.authorized(1000);
    const [since, ledger] = [await harness.since(), await harness.ledger()];

    const payload = await harness.reauthorize(id);

    expect(payload).toMatchObject({
      operation: { kind: 'REAUTHORIZE', status: 'SUCCEEDED', amount: 1000 },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', reauthorizedAt: expect.any(String) },
    });
    expect(await since.eventNames()).toEqual(['transaction.reauthorized']);
    expect(await harness.ledger()).toEqual(ledger);
    expect((await harness.void(id)).transaction?.status).toBe('AUTHORIZATION_VOIDED');
    expect(await historyOf(id)).toContain('payment-connector-response-transaction-reauthorization-succeeded');
  });

  it('leaves the payment as it was after a decline', async () => {
    const id = await harness.authorized(540_002);
    const since = await harness.since();

    expect(await harness.reauthorize(id)).toMatchObject({
      operation: { status: 'DECLINED', errorCode: 'expired_authorization' },
      transaction: { reauthorizedAt: null, reauthorizationPending: false, capturable: { amount: 540_002 } },
    });
    expect(await since.eventNames()).toEqual(['transaction.reauthorize-declined']);
  });

  it('keeps captures and voids away while its outcome is unknown, until a person resolves it', async () => {
    const id = await harness.authorized(1000);
    harness.provider.failNext('lose_request');
    const { operation } = await harness.reauthorize(id);
    const since = await harness.since();

    for (const refused of [await harness.void(id), await harness.capture(id)])
      expect(refused.userErrors).toMatchObject([{ __typename: 'AuthorizationHeld', path: ['id'] }]);
    expect(since.calls()).toEqual([]);
    await harness.ask(RESOLVE, { id: operation?.id });

    expect(await harness.transaction(id)).toMatchObject({
      reauthorizationPending: false,
      reauthorizedAt: null,
    });
    expect((await harness.capture(id)).transaction?.capturedAmount).toBe(1000);
  });
});

describe('a change that the provider decides later', () => {
  it('is pending, and counts only after the decision', async () => {
    const acquirer = await startHarness('mock-acquirer');
    const id = await acquirer.authorized(690_003);
    const since = await acquirer.since();

    expect((await acquirer.increase(id, { amount: 690_001 })).operation?.status).toBe('PENDING');
    expect((await acquirer.transaction(id))?.authorizedAmount).toBe(690_003);
    await acquirer.sync(id);
    expect((await acquirer.transaction(id))?.authorizedAmount).toBe(1_380_004);
    await acquirer.increase(id, { amount: 690_002 });
    await acquirer.sync(id);

    expect(await acquirer.transaction(id)).toMatchObject({
      authorizedAmount: 1_380_004,
      increasePendingAmount: 0,
    });
    expect(await since.eventNames()).toEqual([
      ...['transaction.increase-pending', 'transaction.authorization-increased'],
      ...['transaction.increase-pending', 'transaction.increase-declined'],
    ]);
    await acquirer.stop();
  });
});

describe('the database', () => {
  it.each([
    ['an increase beyond the largest amount', 'increase_pending_amount = 99999999'],
    ['an increase beside a void', 'increase_pending_amount = 1, void_pending = true'],
    ['an increase beside a re-authorisation', 'increase_pending_amount = 1, reauthorize_pending = true'],
    ['a capture beside a re-authorisation', 'reauthorize_pending = true, capture_pending_amount = 1'],
  ])('refuses %s', async (_, set) => {
    const id = await harness.authorized(1000);

    await expect(
      query(harness.server.app.config.DATABASE_URL ?? '', `UPDATE transaction SET ${set} WHERE id = $1`, [
        id,
      ]),
    ).rejects.toThrow(/transaction_(increase|change)_check/);
  });
});

const RESOLVE = `mutation ($id: ID!) { resolveOperation(id: $id, input: { outcome: FAILED, reason: "Not there" }) {
  operation { status } userErrors { message } } }`;

const keysOf = (id: string) =>
  harness.provider.calls.flatMap((call) =>
    call.operation === 'increase' && call.payment_id === paymentIdOf(id) ? [call.idempotency_key] : [],
  );

const paymentIdOf = (id: string) => {
  const authorized = harness.provider.calls.find(
    (call) => call.operation === 'authorize' && call.merchant_reference === id,
  );
  return authorized && harness.provider.books.get(authorized.idempotency_key)?.id;
};

async function historyOf(id: string): Promise<readonly string[]> {
  const { transaction } = await harness.ask<{ transaction: { events: { nodes: { name: string }[] } } }>(
    'query ($id: ID!) { transaction(id: $id) { events { nodes { name } } } }',
    { id },
  );
  return transaction.events.nodes.map(({ name }) => name);
}

async function unresolved(): Promise<readonly string[]> {
  const { list } = await harness.ask<{ list: { nodes: { id: string }[] } }>(
    '{ list: unresolvedOperations { nodes { id } } }',
  );
  return list.nodes.map(({ id }) => id);
}
