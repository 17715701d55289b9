import { expect, it } from '@jest/globals';
import { paymentBody } from '../../connectors/checkout/double-client.ts';
import { createRandom } from '../random.ts';
import { createStage } from '../stage.ts';
import { drawWeather } from '../weather.ts';
import { openCheckout } from './checkout.ts';
import { accountOf } from './connectors.ts';

const KEY = '01b8dac4-c9a0-7000-8000-00c76ff085df';

/** Opens the double of a history, with an authorised payment of 100. */
async function authorised() {
  const random = createRandom(1);
  const account = accountOf(0);
  const double = openCheckout(createStage(random, drawWeather(random, 1, null)), account);
  await double.serve(
    {
      ...{ method: 'POST', path: '/payments' },
      headers: {
        ...{ authorization: `Bearer ${account.sandboxKey}`, 'content-type': 'application/json' },
        'cko-idempotency-key': KEY,
      },
      body: JSON.stringify(paymentBody(account, { amount: 100, capture: false })),
    },
    null,
    null,
  );
  return double;
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
