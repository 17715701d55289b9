import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookElsewhere } from '../../../src/modules/transactions/elsewhere/book.ts';
import type { Operation } from '../../../src/modules/transactions/model/operation.ts';
import { takeBack } from '../../../src/modules/transactions/take-back/take-back.ts';
import { startThreeProviders } from '../kit/three-providers.ts';

let world: Awaited<ReturnType<typeof startThreeProviders>>;
beforeAll(async () => {
  world = await startThreeProviders();
});
afterAll(() => world.stop());

const share = (kind: 'RECIPIENT' | 'PLATFORM_FEE', account: string | null, amount: number) => ({
  ...{ kind, account, amount },
});

/** Returns the parameters of the last request to a path of Stripe. */
const sentToStripe = (end: string) =>
  Object.fromEntries(
    new URLSearchParams(world.stripe.requests.filter(({ path }) => path.endsWith(end)).at(-1)?.body),
  );

/** Returns the last body that Adyen got at the end of a path. */
const sentToAdyen = (end: string) =>
  JSON.parse(world.sentToAdyen.filter(({ path }) => path.endsWith(end)).at(-1)?.body ?? 'null') as unknown;

type Moved = { readonly capturedAmount: number; readonly refundedAmount: number };

/** Returns the parts of each account in captures and refunds. */
async function splitsOf(id: string): Promise<readonly Moved[]> {
  const document = 'query ($id: ID!) { transaction(id: $id) { splits { capturedAmount refundedAmount } } }';
  const { transaction } = await world.harness.ask<{
    readonly transaction: { readonly splits: readonly Moved[] };
  }>(document, { id });
  return transaction.splits;
}

describe('splits at Stripe', () => {
  const SPLITS = [share('RECIPIENT', 'acct_1Seller', 1169), share('PLATFORM_FEE', null, 130)];
  const paid = async (changes: object = {}): Promise<string> =>
    (await world.pay('stripe', { splits: SPLITS, ...changes }))?.id ?? '';

  it('are a transfer and a fee, which a capture and a refund of a part keep', async () => {
    const id = await paid();
    expect(sentToStripe('/payment_intents')).toMatchObject({
      ...{ application_fee_amount: '130', 'transfer_data[destination]': 'acct_1Seller' },
    });
    expect(Object.keys(sentToStripe('/payment_intents'))).not.toContain('on_behalf_of');
    expect((await world.harness.capture(id, { amount: 500 })).userErrors).toEqual([]);
    expect(sentToStripe('/capture')).toMatchObject({
      amount_to_capture: '500',
      application_fee_amount: '50',
    });
    const { operation } = await world.harness.refund(id, { amount: 250 });
    expect(operation).toMatchObject({ status: 'SUCCEEDED', amount: 250 });
    expect(sentToStripe('/refunds')).toMatchObject({
      ...{ amount: '250', reverse_transfer: 'true', refund_application_fee: 'true' },
    });
  });

  it('are multiples of the step of a currency', async () => {
    const splits = [share('RECIPIENT', 'acct_1Seller', 9_000), share('PLATFORM_FEE', null, 1_000)];
    const id = await paid({ amount: 10_000, currency: 'KWD', splits });
    expect((await world.harness.capture(id, { amount: 3_330 })).operation).toMatchObject({
      status: 'SUCCEEDED',
    });
    expect(sentToStripe('/capture')).toMatchObject({
      ...{ amount_to_capture: '3330', application_fee_amount: '330' },
    });
    const { userErrors } = await world.harness.refund(id, { amount: 335 });
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'amount'] }]);
  });

  it('fail with a fee that Stripe cannot express, with the reason', async () => {
    const before = world.stripe.requests.length;
    const splits = [share('RECIPIENT', 'acct_1Seller', 9_005), share('PLATFORM_FEE', null, 995)];
    const id = await paid({ amount: 10_000, currency: 'KWD', splits });
    const document = 'query ($id: ID!) { transaction(id: $id) { errorCode rawResponseDescription } }';
    expect(await world.harness.ask(document, { id })).toMatchObject({
      transaction: {
        errorCode: 'invalid_amount',
        rawResponseDescription: expect.stringContaining('cannot express the split of the platform'),
      },
    });
    expect(world.stripe.requests.length).toBe(before);
  });

  it('are multiples of the step in reports of the provider, too', async () => {
    const { app } = world.harness.server;
    const splits = [share('RECIPIENT', 'acct_1Seller', 9_000), share('PLATFORM_FEE', null, 1_000)];
    const id = await paid({ amount: 10_000, currency: 'KWD', splits });
    const about = {
      ...{ merchantAccountId: 'default', transactionId: id, paymentServiceId: world.services.stripe },
    };
    const words = { rawResponseCode: null, rawResponseDescription: null };
    const money = { amount: 3_330, currency: 'KWD' };
    const { operation } = (await bookElsewhere(app, about, {
      made: {
        ...{ kind: 'capture', reference: 'py_elsewhere', money, total: null, final: false },
        ...{ captureReference: null, occurredAt: null, ...words },
      },
      isLate: true,
    })) as { readonly operation: Operation };
    expect((await splitsOf(id)).map((each) => each.capturedAmount)).toEqual([3_000, 330]);
    await takeBack(app, operation, {
      ...{ kind: 'reversed', key: 'reversal 1', errorCode: 'service_error', ...words },
      money: { amount: 340, currency: 'KWD' },
    });
    // 306.3 and 33.7.
    expect((await splitsOf(id)).map((each) => each.capturedAmount)).toEqual([2_690, 300]);
    await takeBack(app, operation, {
      ...{ kind: 'reversed', key: 'reversal 2', errorCode: 'service_error', ...words },
      money: { amount: 2_990, currency: 'KWD' },
    });
    expect((await splitsOf(id)).map((each) => each.capturedAmount)).toEqual([0, 0]);
  });

  it('show the fee that Stripe keeps after a refund', async () => {
    const paidAtOnce = await world.pay('stripe', { splits: SPLITS, intent: 'CAPTURE' });
    const { id = '' } = paidAtOnce ?? {};
    for (const amount of [99, 250, 950]) {
      await world.harness.refund(id, { amount });
      const [, fee] = await splitsOf(id);
      expect(world.stripe.hands.keptFee(String(paidAtOnce?.['paymentServiceTransactionId']))).toBe(
        130 - (fee?.refundedAmount ?? 0),
      );
    }
  });

  it('give no fee back that the only capture did not take', async () => {
    const id = await paid();
    const splits = [share('RECIPIENT', 'acct_1Seller', 500)];
    expect((await world.harness.capture(id, { amount: 500, splits } as object)).userErrors).toEqual([]);
    expect(sentToStripe('/capture')).toMatchObject({ application_fee_amount: '0' });
    const { operation } = await world.harness.refund(id, { amount: 250 });
    expect(operation).toMatchObject({ status: 'SUCCEEDED' });
    expect(sentToStripe('/refunds')).toMatchObject({ reverse_transfer: 'true' });
    expect(Object.keys(sentToStripe('/refunds'))).not.toContain('refund_application_fee');
  });

  it('refuse splits of one of several captures before any request', async () => {
    const id = await paid();
    const before = world.stripe.requests.length;
    const splits = [share('RECIPIENT', 'acct_1Seller', 500)];
    const { operation } = await world.harness.capture(id, { amount: 500, final: false, splits } as object);
    expect(operation).toMatchObject({ status: 'FAILED', errorCode: 'invalid_request_parameters' });
    expect(world.stripe.requests.length).toBe(before);
  });

  it('refuse splits of the last of several captures before any request', async () => {
    const id = await paid();
    await world.harness.capture(id, { amount: 500, final: false });
    const before = world.stripe.requests.length;
    const splits = [share('RECIPIENT', 'acct_1Seller', 700)];
    const { operation } = await world.harness.capture(id, { amount: 700, splits } as object);
    expect(operation).toMatchObject({ status: 'FAILED', errorCode: 'invalid_request_parameters' });
    expect(world.stripe.requests.length).toBe(before);
  });

  it('refuse splits of a refund before any request', async () => {
    const id = await paid({ intent: 'CAPTURE' });
    const before = world.stripe.requests.length;
    const splits = [share('RECIPIENT', 'acct_1Seller', 50), share('PLATFORM_FEE', null, 50)];
    const { operation } = await world.harness.refund(id, { amount: 100, splits } as object);
    expect(operation).toMatchObject({ status: 'FAILED', errorCode: 'invalid_request_parameters' });
    expect(world.stripe.requests.length).toBe(before);
  });

  it.each([
    ['two recipients', [share('RECIPIENT', 'acct_1A', 1000), share('RECIPIENT', 'acct_1B', 299)]],
    ['a fee for others', [share('RECIPIENT', 'acct_1A', 1000), share('PLATFORM_FEE', 'acct_1B', 299)]],
  ])('fail with %s before any request', async (_, splits) => {
    const before = world.stripe.requests.length;
    expect(await world.pay('stripe', { splits })).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'invalid_request_parameters' },
    });
    expect(world.stripe.requests.length).toBe(before);
  });
});

describe('splits at Adyen', () => {
  const SPLITS = [
    { ...share('RECIPIENT', 'BA1', 700), reference: 'seller-1' },
    { ...share('RECIPIENT', 'BA2', 469), reference: 'seller-2' },
    { ...share('PLATFORM_FEE', null, 130), reference: 'fee' },
  ];
  const wire = (amounts: readonly number[]) => [
    { amount: { value: amounts[0] }, type: 'BalanceAccount', account: 'BA1', reference: 'seller-1' },
    { amount: { value: amounts[1] }, type: 'BalanceAccount', account: 'BA2', reference: 'seller-2' },
    { amount: { value: amounts[2] }, type: 'Commission', reference: 'fee' },
  ];

  it('are balance accounts and the commission, which a capture and a refund of a part keep', async () => {
    const { id = '' } = (await world.pay('adyen', { splits: SPLITS })) ?? {};
    expect(sentToAdyen('/payments')).toMatchObject({ splits: wire([700, 469, 130]) });
    expect((await world.harness.capture(id, { amount: 500 })).operation).toMatchObject({ status: 'PENDING' });
    // 269.43, 180.52 and 50.04.
    expect(sentToAdyen('/captures')).toMatchObject({ splits: wire([269, 181, 50]) });
  });

  it('have a reference of their own without one of the merchant', async () => {
    await world.pay('adyen', { splits: [share('RECIPIENT', 'BA1', 1000), share('PLATFORM_FEE', null, 299)] });
    const { reference, splits } = sentToAdyen('/payments') as {
      readonly reference: string;
      readonly splits: readonly { readonly reference: string }[];
    };
    expect(splits.map((each) => each.reference)).toEqual([`${reference}-1`, `${reference}-2`]);
  });

  it('fail with an account of the fee before any request', async () => {
    const before = world.sentToAdyen.length;
    const splits = [share('RECIPIENT', 'BA1', 1000), share('PLATFORM_FEE', 'BA3', 299)];
    expect(await world.pay('adyen', { splits })).toMatchObject({ errorCode: 'invalid_request_parameters' });
    expect(world.sentToAdyen.length).toBe(before);
  });
});

describe('splits at PayPal', () => {
  const APPROVED = {
    paymentMethod: { redirect: { method: 'paypal' } },
    redirectUrl: 'https://shop.example/back',
  };
  const sent = () =>
    JSON.parse(
      world.paypal.double.requests.filter(({ path }) => path === '/v2/checkout/orders').at(-1)?.body ?? '{}',
    ) as object;
  const SPLITS = [share('RECIPIENT', 'SELLER2222222', 1169), share('PLATFORM_FEE', null, 130)];
  const fee = { platform_fees: [{ amount: { currency_code: 'USD', value: '1.30' } }] };

  it('are a payee and a platform fee of an order that is captured at once', async () => {
    const paid = await world.pay('paypal', { ...APPROVED, splits: SPLITS, intent: 'CAPTURE' });
    expect(paid).toMatchObject({ status: 'BUYER_APPROVAL_PENDING' });
    expect(sent()).toMatchObject({
      purchase_units: [{ payee: { merchant_id: 'SELLER2222222' }, payment_instruction: fee }],
    });
  });

  it('tell the fee with the capture of an order that is authorised first', async () => {
    await world.pay('paypal', { ...APPROVED, splits: SPLITS });
    expect(sent()).toMatchObject({ purchase_units: [{ payee: { merchant_id: 'SELLER2222222' } }] });
    expect(JSON.stringify(sent())).not.toContain('payment_instruction');
  });

  it('fail with two recipients before any request', async () => {
    const before = world.paypal.double.requests.length;
    const splits = [share('RECIPIENT', 'SELLER2222222', 1000), share('RECIPIENT', 'SELLER3333333', 299)];
    expect(await world.pay('paypal', { ...APPROVED, splits })).toMatchObject({
      errorCode: 'invalid_request_parameters',
    });
    expect(world.paypal.double.requests.length).toBe(before);
  });
});
