import { describe, expect, it } from '@jest/globals';
import { mollieDefinitions } from '../../../src/connectors/mollie/definitions.ts';
import { authorization, RETURN_URL } from '../contract-calls.ts';
import { openStand } from './stand.ts';

/** The methods as Mollie names them, with a currency of each, from Mollie's list. */
const METHODS: Readonly<Record<string, readonly [word: string, currency: string]>> = {
  'mollie-ideal': ['ideal', 'EUR'],
  'mollie-bancontact': ['bancontact', 'EUR'],
  'mollie-blik': ['blik', 'PLN'],
  'mollie-eps': ['eps', 'EUR'],
  'mollie-p24': ['przelewy24', 'PLN'],
  'mollie-paybybank': ['paybybank', 'GBP'],
  'mollie-paypal': ['paypal', 'USD'],
  'mollie-swish': ['swish', 'SEK'],
  'mollie-trustly': ['trustly', 'SEK'],
  'mollie-vipps': ['vipps', 'NOK'],
};

const stand = await openStand();
const { connector, contextOf, double, begin, sent } = stand;

it('has a row for each redirect method', () => {
  const redirects = mollieDefinitions.filter(({ method }) => method !== 'card');
  expect(redirects.map(({ id }) => id).toSorted()).toEqual(Object.keys(METHODS).toSorted());
});

describe.each(Object.entries(METHODS))('%s', (id, [word, currency]) => {
  const money = { amount: 1299, currency };
  const leave = () => begin({ money, capture: true }, id);
  const resume = ({ key, reference }: { readonly key: string; readonly reference: string }) =>
    connector.resume?.(contextOf(id), { key, reference, money, capture: true, returned: {} });

  it('is paid on the page, and refunded in parts', async () => {
    const away = await leave();
    expect(away.outcome).toMatchObject({ kind: 'accepted', approvalUrl: expect.stringMatching(/checkout/) });
    expect(sent('/v2/payments')).toMatchObject({ method: word, amount: { currency, value: '12.99' } });
    expect(sent('/v2/payments')).not.toHaveProperty('captureMode');

    double.hands.decide(away.reference, 'approve');
    expect(await resume(away)).toMatchObject({ kind: 'succeeded', money });

    const part = { ...money, amount: 99 };
    const refund = {
      ...{ key: authorization(money).key, reference: away.reference, money: part },
      captures: [{ key: away.key, reference: away.reference, amount: 99 }],
    };
    expect(await connector.refund(contextOf(id), refund)).toMatchObject({ kind: 'accepted' });
    double.hands.decideOpen();
    expect(
      await connector.lookup(contextOf(id), {
        ...{ verb: 'refund', key: refund.key, reference: away.reference, money: part },
        ...{ createdAt: stand.now(), approval: null, resuming: false },
      }),
    ).toMatchObject({ kind: 'succeeded', money: part });
  });

  it.each([
    ['refuses', 'cancelled_buyer_approval'],
    ['never pays', 'incomplete_buyer_approval'],
    ['fails to pay', 'other_decline'],
  ])('ends when the buyer %s: %s', async (what, errorCode) => {
    const away = await leave();
    if (what === 'refuses') double.hands.decide(away.reference, 'refuse');
    else if (what === 'never pays') double.hands.expire(away.reference);
    else double.hands.fail(away.reference);

    expect(await resume(away)).toMatchObject({ reference: away.reference, errorCode });
  });

  it('takes its currencies, and Mollie refuses another', async () => {
    const { supportedCurrencies } = contextOf(id).definition;
    expect(supportedCurrencies).toContain(currency);
    if (!['ideal', 'bancontact', 'blik', 'eps', 'przelewy24', 'swish', 'vipps'].includes(word)) return;

    const request = authorization({ amount: 1299, currency: 'CHF' }, { card: null, returnUrl: RETURN_URL });
    expect(await connector.authorize(contextOf(id), request)).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unsupported_payment_method' },
    });
  });
});
