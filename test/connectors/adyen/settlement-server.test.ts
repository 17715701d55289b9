import { describe, expect, it } from '@jest/globals';
import { differencesOf, enableSettlements, linesOf, settleAfter } from '../../settlements/settle-after.ts';
import { openShop } from '../kit/shop.ts';
import { startAdyen } from './start.ts';

// A running service whose webhooks are lost, and a person in Adyen's Customer Area. The settlement reports alone tell.

const HOUR_MS = 3_600_000;

const SETTINGS = { multipleCaptures: true, captureDelay: 'manual' } as const;
const fields = { multiple_captures: 'true' };
const shop = await openShop((now) => startAdyen({ now, ...SETTINGS }), { fields });
const { double, deliver, harness, prisma } = shop;
await enableSettlements(harness, shop.service.id);
await settleAfter(harness, 0);

/** Authorises 12.99. Returns our id of the payment, and the reference that Adyen knows. */
async function authorized() {
  const { id } = await shop.paid();
  const operation = await prisma.operation.findFirstOrThrow({ where: { transactionId: id } });
  return { id, reference: operation.providerKey ?? operation.id };
}

/** Captures everything, as the merchant asked. */
async function captured() {
  const payment = await authorized();
  await harness.capture(payment.id);
  await deliver();
  return payment;
}

const booked = async (transactionId: string): Promise<readonly string[]> =>
  (
    await prisma.operation.findMany({
      where: { transactionId, kind: { in: ['capture', 'refund'] }, status: 'succeeded' },
      orderBy: { id: 'asc' },
    })
  ).map(({ origin, kind, amount }) => `${origin} ${kind} ${amount}`);

describe('an operation in the Customer Area whose webhook is lost', () => {
  it('is a refund of the report, booked and settled once', async () => {
    const { id, reference } = await captured();
    double.elsewhere.refund(reference, 400);
    const late = double.webhooks();
    double.closeBatch();

    await settleAfter(harness, HOUR_MS);

    expect(await booked(id)).toEqual(['requested capture 1299', 'provider refund 400']);
    expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 400, refundable: { amount: 899 } });
    expect(await linesOf(harness, id)).toEqual([
      ['CHARGE', 1299, null],
      ['REFUND', -400, null],
    ]);
    await deliver(late);
    expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 400 });
  });

  it('is a capture of the report', async () => {
    const { id, reference } = await authorized();
    double.elsewhere.capture(reference, 900);
    double.webhooks();
    double.closeBatch();

    await settleAfter(harness, HOUR_MS);

    expect(await booked(id)).toEqual(['provider capture 900']);
    expect(await linesOf(harness, id)).toEqual([['CHARGE', 900, null]]);
  });
});

it('a line of our own refund decides it an hour later, if its webhook is lost', async () => {
  const { id } = await captured();
  await harness.refund(id, { amount: 400 });
  double.webhooks();
  double.closeBatch();
  await settleAfter(harness, HOUR_MS);
  expect(await booked(id)).toEqual(['requested capture 1299']);

  await settleAfter(harness, 2 * HOUR_MS);
  await settleAfter(harness, HOUR_MS);

  expect(await booked(id)).toEqual(['requested capture 1299', 'requested refund 400']);
  expect(await linesOf(harness, id)).toEqual([
    ['CHARGE', 1299, null],
    ['REFUND', -400, null],
  ]);
});

describe('instalments', () => {
  it('of one capture are no difference, and settle it together', async () => {
    const { id } = await captured();
    for (const instalment of [500, 500, 500]) double.closeBatch({ instalment });

    await settleAfter(harness, HOUR_MS);

    expect(await linesOf(harness, id)).toEqual([
      ['CHARGE', 500, null],
      ['CHARGE', 500, null],
      ['CHARGE', 299, null],
    ]);
    expect(
      await prisma.settlement.count({ where: { transactionId: id, ledgerEntryId: { not: null } } }),
    ).toBe(1);
    expect(await differencesOf(harness, id)).toEqual([]);
  });

  it('of a capture that nobody told are listed once, and end with its webhook', async () => {
    const { id, reference } = await authorized();
    double.elsewhere.capture(reference, 900);
    const late = double.webhooks();
    for (const instalment of [500, 500]) double.closeBatch({ instalment });
    await settleAfter(harness, HOUR_MS);
    expect(await booked(id)).toEqual([]);
    const listed = { finding: 'UNKNOWN_OPERATION', source: 'SETTLEMENT', adoptable: false };
    expect(await differencesOf(harness, id)).toEqual([
      { ...listed, state: 'OPEN', reported: { amount: 500 } },
    ]);

    await deliver(late);
    await settleAfter(harness, HOUR_MS);

    expect(await booked(id)).toEqual(['provider capture 900']);
    expect(await linesOf(harness, id)).toEqual([
      ['CHARGE', 500, null],
      ['CHARGE', 400, null],
    ]);
    expect(await differencesOf(harness, id)).toMatchObject([{ ...listed, state: 'RESOLVED' }]);
  });
});
