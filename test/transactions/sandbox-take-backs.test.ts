import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SECRET, startTakeBacks, type TakeBacks } from './take-backs.ts';
import { inboundRows, until } from './inbox.ts';

let play: TakeBacks;

beforeAll(async () => {
  play = await startTakeBacks();
});
afterAll(() => play.harness.stop());

/** Lets the provider send its webhooks twice, and waits until all have ended. */
async function takeBack(): Promise<readonly number[]> {
  const statuses = await play.harness.provider.takeBack(play.inbox.url, SECRET, 2);
  await until(async () =>
    (await inboundRows(play.harness)).every(({ state }) => state !== 'parked') ? true : null,
  );
  return statuses;
}

it('reverses a sale, a capture and a refund by their amounts, and a part of one', async () => {
  const sale = await play.pay({ amount: 660_001, intent: 'CAPTURE' });
  const payment = await play.pay({ amount: 2_000_000 });
  await play.harness.capture(payment, { amount: 660_002, final: false });
  await play.harness.capture(payment, { amount: 1_000_000 });
  await play.harness.refund(payment, { amount: 670_001 });
  await play.harness.refund(payment, { amount: 670_002 });

  expect(await takeBack()).toEqual(Array.from({ length: 8 }, () => 200));

  expect(await play.money(sale)).toMatchObject({ capturedAmount: 0, captureReversedAmount: 660_001 });
  expect(await play.money(payment)).toMatchObject({
    ...{ capturedAmount: 1_660_001, captureReversedAmount: 1 },
    ...{ refundedAmount: 670_001, refundReversedAmount: 670_002 },
  });
});

it('lets an authorisation expire by its amount', async () => {
  const id = await play.pay({ amount: 680_001 });

  expect(await takeBack()).toEqual([200, 200]);

  expect(await play.money(id)).toMatchObject({
    ...{ status: 'AUTHORIZATION_VOIDED', errorCode: 'expired_authorization' },
  });
  expect(await play.ledger(id)).toEqual(['authorize 680001', 'expire 680001']);
});

it('sends nothing after any other amount', async () => {
  await play.pay({ intent: 'CAPTURE' });

  expect(await takeBack()).toEqual([]);
});
