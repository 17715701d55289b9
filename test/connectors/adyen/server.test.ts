import { beforeEach, describe, expect, it } from '@jest/globals';
import { applyAfter } from '../../transactions/inbox.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import { openShop } from '../kit/shop.ts';
import { LATER } from './decisions.ts';
import { startAdyen } from './start.ts';

/** Longer than the deadline of Adyen, after which recovery takes over. */
const AFTER_MS = 120_000;

/** The webhooks of changes name the payment here. Only Adyen's id of a change names the operation. */
const SETTINGS = { multipleCaptures: true, modificationReference: 'payment' } as const;

const fields = { multiple_captures: 'true', incremental_authorization: 'true' };
const shop = await openShop((now) => startAdyen({ now, ...SETTINGS }), { fields });
const { double, deliver, harness } = shop;
beforeEach(() => {
  double.behave();
  double.webhooks();
});

const paid = async (input: Readonly<Record<string, unknown>> = {}) => (await shop.paid(input)).id;

const amountsOf = async (id: string) => {
  const transaction = await harness.transaction(id);
  const captures = (transaction?.['captures'] ?? []) as readonly { amount: number; status: string }[];
  return { ...transaction, captures: captures.map(({ amount, status }) => [amount, status]) };
};

describe('two captures at once, under the reference of their payment', () => {
  it('are each decided by the webhook with their own id of Adyen', async () => {
    const id = await paid();
    await harness.capture(id, { amount: 500, final: false });
    await harness.capture(id, { amount: 500, final: false });
    double.decideNext('capture', 'succeeds');
    double.decideNext('capture', 'fails');

    await deliver(double.webhooks().toReversed());

    expect(await amountsOf(id)).toMatchObject({
      capturedAmount: 500,
      captures: expect.arrayContaining([
        [500, 'SUCCEEDED'],
        [500, 'FAILED'],
      ]),
    });
  });

  it('wait for the answers that were lost, and are then decided', async () => {
    const id = await paid();
    double.failNext('lose_answer', 'lose_answer');
    await harness.capture(id, { amount: 400, final: false });
    await harness.capture(id, { amount: 400, final: false });

    await deliver();
    expect(await amountsOf(id)).toMatchObject({ capturedAmount: 0 });
    await reconcileAfter(harness, AFTER_MS);
    await applyAfter(harness, AFTER_MS);

    expect(await amountsOf(id)).toMatchObject({
      capturedAmount: 800,
      captures: [
        [400, 'SUCCEEDED'],
        [400, 'SUCCEEDED'],
      ],
    });
  });

  it('are decided after a repeat, also when the webhook of a refusal came before the repeat', async () => {
    const id = await paid();
    double.failNext('lose_answer', 'lose_answer');
    double.decideNext('capture', 'fails');
    await harness.capture(id, { amount: 400, final: false });
    await harness.capture(id, { amount: 400, final: false });

    await deliver();
    await reconcileAfter(harness, AFTER_MS);
    await applyAfter(harness, AFTER_MS);

    expect(await amountsOf(id)).toMatchObject({
      capturedAmount: 400,
      captures: expect.arrayContaining([
        [400, 'FAILED'],
        [400, 'SUCCEEDED'],
      ]),
    });
  });
});

it('a sale that is decided later keeps the id of its payment, when its capture is told first', async () => {
  const id = await paid({ intent: 'CAPTURE', amount: LATER.pendingThenAuthorised });
  const { pspReference, reference, amount, merchantAccount } = double.books().at(-1) ?? {};
  double.webhooks();

  const captured = double.sign({
    ...{ eventCode: 'CAPTURE', success: 'true', reason: '', eventDate: harness.clock.now().toISOString() },
    ...{ pspReference: 'CAPTUREOFASALE01', originalReference: pspReference ?? '' },
    ...{ merchantReference: reference ?? '', merchantAccountCode: merchantAccount ?? '' },
    amount: amount ?? { value: 0, currency: '' },
  });
  await deliver([captured]);

  expect(await harness.transaction(id)).toMatchObject({
    ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: LATER.pendingThenAuthorised },
    paymentServiceTransactionId: pspReference,
  });
});

describe('an increase', () => {
  it('is decided by its webhook, and its part can then be captured', async () => {
    const id = await paid();

    await harness.increase(id, { amount: 701 });
    expect(await amountsOf(id)).toMatchObject({ authorizedAmount: 1299, increasePendingAmount: 701 });
    await deliver();
    expect(await amountsOf(id)).toMatchObject({ authorizedAmount: 2000, increasePendingAmount: 0 });
    expect(double.books().at(-1)?.authorised).toBe(2000);
    double.decideNext('amount_update', 'fails');
    await harness.increase(id, { amount: 1 });
    await deliver();
    expect(await amountsOf(id)).toMatchObject({ authorizedAmount: 2000, increasePendingAmount: 0 });

    await harness.capture(id);
    await deliver();
    expect(await amountsOf(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 2000 });
  });

  it('whose answer was lost is not decided by the change of a person, of another total', async () => {
    const id = await paid();
    double.failNext('lose_answer');
    await harness.increase(id, { amount: 701 });
    const own = double.webhooks();
    const byHand = own.map(({ item }) =>
      double.sign({
        ...item,
        ...{ merchantReference: 'by hand', pspReference: 'CHANGEBYAPERSON1' },
        amount: { ...item.amount, value: 1500 },
      }),
    );
    await harness.pass(AFTER_MS);

    await deliver(byHand);
    expect(await amountsOf(id)).toMatchObject({ authorizedAmount: 1299, increasePendingAmount: 701 });
    await deliver(own);

    expect(await amountsOf(id)).toMatchObject({ authorizedAmount: 2000, increasePendingAmount: 0 });
  });
});
