import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SECRET } from '../transactions/take-backs.ts';
import { inboundRows, until } from '../transactions/inbox.ts';
import { startDisputes, type Disputes } from './harness.ts';

let disputes: Disputes;

beforeAll(async () => {
  disputes = await startDisputes();
});
afterAll(() => disputes.play.harness.stop());

/** Lets the provider send its webhooks twice, and waits until all have ended. */
async function dispute(): Promise<readonly number[]> {
  const { harness, inbox } = disputes.play;
  const statuses = await harness.provider.takeBack(inbox.url, SECRET, 2);
  await until(async () =>
    (await inboundRows(harness)).every(({ state }) => state !== 'parked') ? true : null,
  );
  return statuses;
}

it.each([
  [690_001, 'INQUIRY', 'NEEDS_RESPONSE', 0],
  [690_002, 'INQUIRY', 'CLOSED', 0],
  [690_003, 'CHARGEBACK', 'NEEDS_RESPONSE', 0],
  [690_004, 'CHARGEBACK', 'WON', 0],
  [690_005, 'CHARGEBACK', 'LOST', 690_005],
  [690_006, 'CHARGEBACK', 'LOST', 690_006],
  [690_007, 'PRE_ARBITRATION', 'NEEDS_RESPONSE', 690_007],
  [690_008, 'PRE_ARBITRATION', 'WON', 0],
  [690_009, 'CHARGEBACK', 'EXPIRED', 0],
])('the amount %s leads to a dispute %s %s', async (amount, stage, status, lost) => {
  const sale = await disputes.sale(amount);

  expect(new Set(await dispute())).toEqual(new Set([200]));

  expect(await disputes.of(sale)).toMatchObject([
    { stage, status, amount, lostAmount: lost, reason: 'PRODUCT_NOT_RECEIVED', reasonCode: '13.1' },
  ]);
  expect(await disputes.payment(sale)).toMatchObject({ disputeLostAmount: lost });
});

it('a capture of the amount leads to a dispute of the capture', async () => {
  const id = await disputes.play.pay({ amount: 1_000_000 });
  await disputes.play.harness.capture(id, { amount: 690_005 });

  await dispute();

  expect(await disputes.play.ledger(id)).toEqual([
    ...['authorize 1000000', 'capture 690005', 'dispute_loss 690005'],
  ]);
});

it('any other amount leads to no dispute', async () => {
  await disputes.sale();

  expect(await dispute()).toEqual([]);
});
