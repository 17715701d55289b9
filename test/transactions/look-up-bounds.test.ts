import { describe, expect, it } from '@jest/globals';
import { lookUpDue } from '../../src/modules/transactions/index.ts';
import { openLookUpShop } from './look-up-shop.ts';

// Anybody who knows the address can send webhooks. They lead to few calls at once.

const shop = await openLookUpShop();
const { double, harness, post, knock, calls, called, paid, moneyOf, noted, lookUp } = shop;

const READ = /^GET \/v2\/payments\/\w+(\?|$)/;

const several = async (count: number) => {
  const made: Awaited<ReturnType<typeof paid>>[] = [];
  while (made.length < count) made.push(await paid());
  return made;
};

describe('look-ups at a silent provider', () => {
  it('hold eight places, and the others are made later', async () => {
    const made = await several(12);
    for (const { payment } of made) double.hands.refund(payment, 300);
    double.failNext(
      Array.from({ length: 12 }, () => 'hang' as const),
      READ,
    );
    calls();

    for (const { payment } of made) expect(await post(payment)).toBe(200);
    await called(8);
    // The loop finds no free place either.
    await harness.pass(61_000);
    expect(await lookUpDue(harness.server.app)).toBe(false);
    expect(calls()).toHaveLength(8);
    double.behave();
    double.release();
    await harness.server.http.webhooksApplied();

    await lookUp();
    for (const { id, payment } of made) {
      expect((await moneyOf(id)).refundedAmount).toBe(300);
      expect(await noted(payment)).toEqual([]);
    }
  });

  it('pause after three look-ups without an answer', async () => {
    const made = await several(4);
    for (const { payment } of made) double.hands.refund(payment, 300);
    double.failNext(['error_before_work', 'error_before_work', 'error_before_work'], READ);
    calls();

    for (const { payment } of made) await knock(payment);

    expect(calls()).toHaveLength(3);
    await lookUp();
    for (const { id } of made) expect((await moneyOf(id)).refundedAmount).toBe(300);
  });
});

describe('the end of a process', () => {
  it('waits for the look-ups under way, and begins none', async () => {
    const { payment } = await paid();
    double.failNext(['hang'], READ);
    calls();
    await post(payment);
    await called(1);
    await post(payment);

    const closed = harness.server.http.close();
    double.release();
    await closed;

    expect(calls()).toEqual([`GET /v2/payments/${payment}`]);
    expect(await noted(payment)).toMatchObject([{ reports: 2, leasedUntil: null }]);
  });
});
