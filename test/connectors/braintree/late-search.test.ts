import { expect, it } from '@jest/globals';
import { openShop } from '../kit/shop.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import { startBraintree } from './start.ts';
import { had, HOUR_MS, SECOND_MS } from './world.ts';

// A running service at a Braintree whose search is an hour late, and which checks no repetitions.

const shop = await openShop((now) => startBraintree({ now, searchLagMs: HOUR_MS, duplicatesMs: 0 }));
const { double, harness } = shop;

const held = (): number => double.transactions().filter((each) => had(each, 'AUTHORIZED')).length;

it.each(['lose_answer', 'lose_request'] as const)('a payment is made once after %s', async (fault) => {
  const before = held();
  double.failNext([fault]);
  const { id, status } = await shop.paid({ intent: 'AUTHORIZE' });
  expect(status).toBe('PROCESSING');

  await reconcileAfter(harness, HOUR_MS / 2);
  expect(await shop.money(id)).toMatchObject({ status: 'PROCESSING' });
  expect(held() - before).toBe(fault === 'lose_answer' ? 1 : 0);

  await reconcileAfter(harness, 2 * HOUR_MS + 300 * SECOND_MS);
  expect(await shop.money(id)).toMatchObject({
    ...{ status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 1299 } },
  });
  await reconcileAfter(harness, 3 * HOUR_MS);
  expect(held() - before).toBe(1);
});
