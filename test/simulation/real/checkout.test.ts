import { expect, it } from '@jest/globals';
import { paymentBody } from '../../connectors/checkout/double-client.ts';
import { createRandom } from '../random.ts';
import { createStage } from '../stage.ts';
import { drawWeather } from '../weather.ts';
import { openCheckout } from './checkout.ts';
import type { ConnectorCall } from './calls.ts';
import { accountOf } from './connectors.ts';

const KEY = '01b8dac4-c9a0-7000-8000-00c76ff085df';
const MONEY = { amount: 100, currency: 'EUR' };
const CANCEL: ConnectorCall = {
  ...{ verb: 'cancel', key: 'key of a cancel', money: MONEY, capture: false, captures: [] },
};

/** Opens the double of a history, with an authorised payment of 100. `cancel` reads the payment for a cancel. */
async function authorised() {
  const random = createRandom(1);
  const account = accountOf(0);
  const double = openCheckout(createStage(random, drawWeather(random, 1, null)), account);
  const headers = { authorization: `Bearer ${account.sandboxKey}`, 'content-type': 'application/json' };
  await double.serve(
    {
      ...{ method: 'POST', path: '/payments', headers: { ...headers, 'cko-idempotency-key': KEY } },
      body: JSON.stringify(paymentBody(account, { ...MONEY, capture: false })),
    },
    null,
    null,
  );
  const paymentId = double.effects()[0]?.paymentId ?? '';
  const read = (path: string, call: ConnectorCall) =>
    double.serve({ method: 'GET', path, headers, body: '' }, call, null);
  return {
    ...double,
    cancel: () => read(`/payments/${paymentId}`, CANCEL),
    lookUpCancel: () => read(`/payments/${paymentId}`, { ...CANCEL, verb: 'status', about: 'cancel' }),
    search: (call = CANCEL) => read(`/payments?reference=${KEY}0&limit=10`, call),
  };
}

it('the books of a history have the release of the rest after the final capture of a hand', async () => {
  const double = await authorised();

  expect(double.byHand({ what: 'capture', share: 0.3 })).toBe(true);

  expect(double.effects()).toMatchObject([
    { verb: 'authorize', key: KEY, amount: 100, result: 'approved' },
    { verb: 'capture', amount: 30, result: 'approved', byHand: { isOfRest: false } },
    { verb: 'void', amount: 70, result: 'approved', byHand: { isOfRest: true } },
  ]);
});

it('the books of a history have no release after a capture of everything, and the void of a hand once', async () => {
  const [captured, voided] = [await authorised(), await authorised()];

  captured.byHand({ what: 'capture', share: null });
  voided.byHand({ what: 'void', share: null });

  expect(captured.effects().map(({ verb, amount }) => [verb, amount])).toEqual([
    ['authorize', 100],
    ['capture', 100],
  ]);
  expect(voided.effects()).toMatchObject([
    { verb: 'authorize' },
    { verb: 'void', amount: 100, byHand: { isOfRest: false } },
  ]);
});

it('the books of a history have a cancel that found nothing held, and none of a payment that is held', async () => {
  const [ended, held] = [await authorised(), await authorised()];
  ended.byHand({ what: 'void', share: null });

  await ended.cancel();
  await held.cancel();

  expect(ended.effects()).toMatchObject([
    { verb: 'authorize' },
    { verb: 'void' },
    { verb: 'cancel', key: CANCEL.key, result: 'approved' },
  ]);
  expect(held.effects()).toMatchObject([{ verb: 'authorize' }]);
});

it('the books of a history have a cancel that found captured money as a refusal', async () => {
  const double = await authorised();
  double.byHand({ what: 'capture', share: null });

  await double.lookUpCancel();

  expect(double.effects()).toMatchObject([
    { verb: 'authorize' },
    { verb: 'capture' },
    { verb: 'cancel', key: CANCEL.key, result: 'declined' },
  ]);
});

it('the books of a history have a cancel whose search or look-up found nothing held', async () => {
  const [lost, ended, other] = [await authorised(), await authorised(), await authorised()];
  ended.byHand({ what: 'void', share: null });

  await lost.search();
  await ended.lookUpCancel();
  await other.search({ ...CANCEL, verb: 'authorize' });

  const cancel = { verb: 'cancel', key: CANCEL.key, paymentId: 'none', result: 'approved' };
  expect(lost.effects()).toMatchObject([{ verb: 'authorize' }, cancel]);
  expect(ended.effects()).toMatchObject([{ verb: 'authorize' }, { verb: 'void' }, cancel]);
  expect(other.effects()).toMatchObject([{ verb: 'authorize' }]);
});
