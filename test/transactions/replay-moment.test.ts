import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Operation } from '../../src/modules/transactions/index.ts';
import { redemptionsAt } from '../../src/modules/transactions/index.ts';
import type { Redemption } from '../../src/modules/transactions/model/redemption.ts';
import { startGiftCardPayments, METHOD, type GiftCardPayments } from './gift-card-payments.ts';
import { CARD, startHarness, type Harness } from './harness.ts';
import { operationOf } from './outcomes.ts';

const OPERATION = `id kind amount status attempts acceptedAt errorCode rawResponseCode paymentServiceReference settledAt
  createdAt updatedAt transaction { status capturedAmount refundedAmount }`;
const SHOWN = `transaction { id status authorizedAmount capturedAmount refundedAmount updatedAt
    captures { id amount status capturedAt paymentServiceCaptureId } refunds { id amount status paymentServiceRefundId }
    operations { ${OPERATION} } attempts { id status }
    giftCardRedeemedAmount giftCardRedemptions { id status amount refundedAmount refundable { amount } errorCode
      paymentServiceRedemptionId }
    events(first: 100) { nodes { id name context } pageInfo { hasNextPage } } }
  userErrors { code } replayed`;
const CREATE = `mutation ($input: CreateTransactionInput!, $key: String) {
  payload: createTransaction(input: $input, idempotencyKey: $key) { ${SHOWN} } }`;
const CAPTURE = `mutation ($id: ID!, $input: CaptureInput!, $key: String) {
  payload: captureTransaction(id: $id, input: $input, idempotencyKey: $key) { capture { id status } ${SHOWN} } }`;
const REFUND = `mutation ($id: ID!, $input: RefundInput!, $key: String) {
  payload: refundTransaction(id: $id, input: $input, idempotencyKey: $key) {
    refund { id status } refunds { id status amount } ${SHOWN} } }`;

type Shown = {
  readonly transaction: { readonly id: string; readonly refunds: readonly object[] } & Readonly<
    Record<string, unknown>
  >;
  readonly replayed: boolean;
} & Readonly<Record<string, unknown>>;
type Variables = Readonly<Record<string, unknown>>;

let harness: Harness;
let payments: GiftCardPayments;
beforeAll(async () => {
  [harness, payments] = await Promise.all([startHarness('mock-acquirer'), startGiftCardPayments()]);
});
afterAll(() => Promise.all([harness.stop(), payments.stop()]));

const send = async (from: Pick<Harness, 'ask'>, document: string, variables: Variables): Promise<Shown> =>
  (await from.ask<{ payload: Shown }>(document, variables)).payload;

const payment = (amount: number, more: object = {}): object => ({
  ...{ amount, currency: 'USD', paymentMethod: { card: CARD } },
  ...more,
});

describe('a repeat under the same key', () => {
  it('of an authorisation shows no later capture and refund, in no list', async () => {
    const create = { input: payment(1299), key: 'whole' };
    const first = await send(harness, CREATE, create);
    const { id } = first.transaction;
    await harness.capture(id, { amount: 1000 });
    await harness.refund(id, { amount: 300 });

    const again = await send(harness, CREATE, create);

    expect(again).toEqual({ ...first, replayed: true });
    expect(again.transaction).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', captures: [], refunds: [] },
      operations: [{ kind: 'AUTHORIZE', transaction: { capturedAmount: 0 } }],
    });
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 1000, refunds: [{ amount: 300 }] });
  });

  it('of a capture shows the earlier capture, and not the later one', async () => {
    const { transaction } = await send(harness, CREATE, { input: payment(1299) });
    const { id } = transaction;
    await harness.capture(id, { amount: 100, final: false });
    const second = { id, input: { amount: 200, final: false }, key: 'second' };
    const first = await send(harness, CAPTURE, second);
    await harness.capture(id, { amount: 300, final: false });

    const again = await send(harness, CAPTURE, second);

    expect(again).toEqual({ ...first, replayed: true });
    expect(again.transaction).toMatchObject({
      capturedAmount: 300,
      captures: [{ amount: 200 }, { amount: 100 }],
    });
  });

  it('shows a refund as pending that the provider decided later', async () => {
    const id = await harness.captured(1_000_000);
    await harness.refund(id, { amount: 630_001 });
    const known = { id, input: { amount: 100 }, key: 'beside' };
    const first = await send(harness, REFUND, known);
    await harness.sync(id);

    const again = await send(harness, REFUND, known);

    const refunds = [
      { amount: 100, status: 'SUCCEEDED' },
      { amount: 630_001, status: 'PROCESSING' },
    ];
    expect(first.transaction).toMatchObject({ refundedAmount: 100, refunds });
    expect(again).toMatchObject({ replayed: true, refund: first['refund'] });
    expect(withoutOverwritten(again)).toEqual(withoutOverwritten(first));
    expect((await harness.transaction(id))?.refundedAmount).toBe(630_101);
  });

  it('of a pending operation shows the present state in its values and in its lists', async () => {
    const create = { input: payment(600_001), key: 'later' };
    const first = await send(harness, CREATE, create);

    expect(await send(harness, CREATE, create)).toEqual({ ...first, replayed: true });
    expect(first.transaction).toMatchObject({ status: 'PROCESSING', operations: [{ status: 'PENDING' }] });
  });

  it('shows the shares of gift cards as they were, and the parts of a refund to all instruments', async () => {
    const giftCards = [payments.card(200), payments.card(300)];
    const input = { ...payment(1000, { intent: 'CAPTURE' }), paymentMethod: METHOD, giftCards };
    const paid = await send(payments, CREATE, { input, key: 'shares' });
    const { id } = paid.transaction;
    const part = { id, input: { target: 'ALL' }, key: 'all' };
    const refunded = await send(payments, REFUND, part);

    const again = await send(payments, CREATE, { input, key: 'shares' });

    expect(again).toEqual({ ...paid, replayed: true });
    expect(again.transaction).toMatchObject({
      ...{ giftCardRedeemedAmount: 500, refunds: [] },
      giftCardRedemptions: [{ refundedAmount: 0 }, { refundedAmount: 0 }],
    });
    expect(await send(payments, REFUND, part)).toEqual({ ...refunded, replayed: true });
    expect(refunded['refunds']).toHaveLength(3);
    expect(refunded.transaction).toMatchObject({
      giftCardRedemptions: [{ refundedAmount: 200 }, { refundedAmount: 300 }],
    });
  });
});

/** Leaves out the count, the last change and the words of a pending operation. The end of the operation overwrites them. */
function withoutOverwritten({ transaction }: Shown): unknown {
  const operations = transaction['operations'] as readonly Readonly<Record<string, unknown>>[];
  return {
    ...transaction,
    operations: operations.map((one) => ({
      ...one,
      ...(one['status'] === 'PENDING' && { attempts: 0, updatedAt: null, rawResponseCode: null }),
    })),
  };
}

describe('a redemption of a stored answer', () => {
  const [early, at, late] = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => new Date(day)) as [
    Date,
    Date,
    Date,
  ];
  const redemption = {
    ...{ id: 'redeem', reversalId: 'reversal', amount: 500, refundPendingAmount: 0, refundedAmount: 0 },
    ...{ status: 'reversed', createdAt: early, updatedAt: late, providerReference: 'ref' },
  } as Redemption;
  const stored = { at, operation: operationOf({ id: 'answered' }) };
  const ended = (id: string, createdAt: Date, settledAt: Date, more: Partial<Operation> = {}): Operation =>
    operationOf({
      id,
      kind: 'redeem',
      status: 'succeeded',
      createdAt,
      settledAt,
      updatedAt: settledAt,
      ...more,
    });
  const statusOf = (...operations: readonly Operation[]) =>
    redemptionsAt([redemption], operations, stored)[0]?.status;

  it.each([
    ['created', []],
    ['created', [ended('redeem', late, late)]],
    ['pending', [ended('redeem', early, late)]],
    ['succeeded', [ended('redeem', early, at)]],
    ['failed', [ended('redeem', early, at, { status: 'declined' })]],
    ['reversing', [ended('redeem', early, early), ended('reversal', at, late, { kind: 'unredeem' })]],
    ['reversed', [ended('redeem', early, early), ended('reversal', early, at, { kind: 'unredeem' })]],
  ] as const)('is %s after these operations', (status, operations) => {
    expect(statusOf(...operations)).toBe(status);
  });

  it('reserves a refund that ended later, and stays as it is without a later change', () => {
    const refund = (id: string, settledAt: Date): Operation =>
      ended(id, early, settledAt, { kind: 'refund', redemptionId: 'redeem', amount: 100 });
    const operations = [ended('redeem', early, early), refund('one', at), refund('two', late)];
    const unchanged = { ...redemption, updatedAt: at };

    expect(redemptionsAt([redemption], operations, stored)).toMatchObject([
      { status: 'succeeded', refundedAmount: 100, refundPendingAmount: 100 },
    ]);
    expect(redemptionsAt([unchanged], operations, stored)).toEqual([unchanged]);
  });
});
