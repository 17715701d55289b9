import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { AuthorizeRequest } from '../../../src/connectors/interface/requests.ts';
import { cardOptionsToWire } from '../../../src/connectors/stripe/wire/card-options-wire.ts';
import { networkTokenToWire } from '../../../src/connectors/stripe/wire/means-wire.ts';
import { CARD_PAYMENT, encodeForm } from './double-client.ts';
import { startDesk, USD } from './double-desk.ts';
import { ALONE, authorization, CARD, NETWORK_TOKEN, NOBODY } from './objects.ts';

const EARLIER = '119528868122817';
const RECURRING: AuthorizeRequest['series'] = {
  ...{ ...ALONE, source: 'recurring', merchantInitiated: true },
  ...{ isSubsequentPayment: true, schemeTransactionId: EARLIER },
};
const ON = { network_tokens: 'true', network_transaction_ids: 'true' };
const BY_TOKEN = { card: null, networkToken: NETWORK_TOKEN };

const open = await startDesk({ gates: ['network_tokens', 'network_transaction_ids'] });
const closed = await startDesk();
afterAll(() => Promise.all([open.close(), closed.close()]));

/** Counts the payments at the double. */
const countOf = ({ double }: typeof open): number => double.books().payments.length;

describe("the scheme's id of an earlier payment", () => {
  const optionsOf = (series: AuthorizeRequest['series'], fields: Readonly<Record<string, string>>) =>
    cardOptionsToWire(authorization({ series }), fields).payment_method_options?.card;

  it.each([
    ['without the buyer', RECURRING, ON, { mit_exemption: { network_transaction_id: EARLIER } }],
    ['without the field', RECURRING, {}, {}],
    ['with the field off', RECURRING, { network_transaction_ids: 'false' }, {}],
    ['without an id', { ...RECURRING, schemeTransactionId: null }, ON, {}],
  ])('of a payment %s', (_, series, fields, sent) => {
    expect(optionsOf(series, fields)).toEqual({ stored_credential_usage: 'recurring', ...sent });
  });

  it('stays here in a payment of the buyer', () => {
    expect(optionsOf({ ...RECURRING, merchantInitiated: false }, ON)).toBeUndefined();
  });

  it("reaches Stripe, and Stripe's own id of the payment comes back", async () => {
    const { reference, outcome } = await open.paid({ series: RECURRING }, open.contextOf('stripe-card', ON));

    expect(open.bookOf(reference)).toMatchObject({ earlierId: EARLIER, held: 1099 });
    expect(outcome).toMatchObject({ schemeTransactionId: expect.stringMatching(/^\d{15}$/) });
  });

  it('is unknown to an account that Stripe has not approved', async () => {
    const before = countOf(closed);

    const { outcome } = await closed.pay({ series: RECURRING }, closed.contextOf('stripe-card', ON));

    expect(outcome).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_service_request', rawResponseCode: 'parameter_unknown' },
    });
    expect(countOf(closed)).toBe(before);
    expect(await closed.paid({ series: RECURRING })).toMatchObject({ outcome: { kind: 'succeeded' } });
  });
});

describe('a network token', () => {
  it('is the data of a payment method, and the cryptogram is an option', () => {
    expect(networkTokenToWire(NETWORK_TOKEN, NOBODY)).toEqual({
      type: 'card',
      card: {
        ...{ exp_month: 3, exp_year: 2030, last4: '4242' },
        network_token: { number: NETWORK_TOKEN.number, exp_month: 3, exp_year: 2030 },
      },
      billing_details: {},
    });
    expect(cardOptionsToWire(authorization(BY_TOKEN), ON).payment_method_options?.card).toEqual({
      network_token: { cryptogram: NETWORK_TOKEN.cryptogram, electronic_commerce_indicator: '05' },
    });
    const bare = { ...NETWORK_TOKEN, cryptogram: null, eci: '05' };
    expect(cardOptionsToWire(authorization({ card: null, networkToken: bare }), ON)).toEqual({});
  });

  it('pays, and its digits are not told as those of the card', async () => {
    const { key, reference, outcome } = await open.paid(BY_TOKEN, open.contextOf('stripe-card', ON));

    expect(open.bookOf(reference)).toMatchObject({ isByNetworkToken: true, held: 1099 });
    const card = { scheme: 'visa', bin: null, lastFour: null, expirationDate: null };
    expect(outcome).toMatchObject({ kind: 'succeeded', money: USD(1099), card });
    expect(await open.look('authorize', key, reference)).toMatchObject({ kind: 'succeeded', card });
    const notices = open.told().filter((notice) => 'key' in notice && notice.key === key);
    expect(notices).not.toEqual([]);
    // The quotes tell the digits from an id that happens to have them.
    expect(JSON.stringify(notices)).not.toContain(`"${NETWORK_TOKEN.number.slice(-4)}"`);
  });

  it('pays without a cryptogram where the merchant pays without the buyer', async () => {
    const networkToken = { ...NETWORK_TOKEN, cryptogram: null };
    const context = open.contextOf('stripe-card', ON);

    const { outcome: absent } = await open.pay({ card: null, networkToken, series: RECURRING }, context);
    const { outcome: present } = await open.pay({ card: null, networkToken }, context);

    expect(absent).toMatchObject({ kind: 'succeeded' });
    expect(present).toMatchObject({ kind: 'declined' });
  });

  it('is found after a lost answer, and pays once', async () => {
    const context = open.contextOf('stripe-card', ON);
    const before = countOf(open);
    const key = randomUUID();
    open.double.failNext(['lose_answer'], /payment_intents$/);
    expect(await open.pay({ key, ...BY_TOKEN }, context)).toMatchObject({ outcome: { kind: 'unknown' } });
    const networkToken = { ...NETWORK_TOKEN, cryptogram: null };

    const { outcome } = await open.pay({ key, card: null, networkToken, isRepeat: true }, context);

    expect(outcome).toMatchObject({ kind: 'unknown', arrived: true });
    expect(await open.look('authorize', key, null)).toMatchObject({ kind: 'succeeded' });
    expect(countOf(open)).toBe(before + 1);
  });

  it('of a service without the field is refused before any call', async () => {
    const { requests } = open.double;
    const before = requests.length;

    const { outcome } = await open.pay(BY_TOKEN);

    expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'unsupported_payment_method' });
    expect(requests).toHaveLength(before);
  });

  it('of a repeat without the field is refused once nothing can pay any more', async () => {
    const key = randomUUID();

    const { outcome } = await open.pay({ key, ...BY_TOKEN, isRepeat: true });

    expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'unsupported_payment_method' });
    const late = await open.pay({ key, ...BY_TOKEN }, open.contextOf('stripe-card', ON));
    expect(late.outcome).toMatchObject({ kind: 'unknown', arrived: true });
  });

  it('does not check a card with a payment of nothing', async () => {
    const nothing = { ...BY_TOKEN, money: USD(0) };

    const { outcome } = await open.pay(nothing, open.contextOf('stripe-card', ON));

    expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'unsupported_payment_method' });
  });

  it('is unknown to an account that Stripe has not approved', async () => {
    const before = countOf(closed);

    const { outcome } = await closed.pay(BY_TOKEN, closed.contextOf('stripe-card', ON));

    expect(outcome).toMatchObject({ kind: 'failed', rawResponseCode: 'parameter_unknown' });
    expect(countOf(closed)).toBe(before);
  });
});

describe('the double', () => {
  it.each([
    [
      'a token without its number',
      '[network_token][number]',
      { network_token: { exp_month: 3, exp_year: 2030 } },
      {},
    ],
    ['a token without the last digits', '[card][last4]', { last4: '' }, {}],
    [
      'a cryptogram that is not in base64',
      '[network_token][cryptogram]',
      {},
      { network_token: { cryptogram: 'not base64' } },
    ],
    [
      'an id in a payment of the buyer',
      '[mit_exemption]',
      {},
      { mit_exemption: { network_transaction_id: EARLIER } },
    ],
    ['an empty id', '[network_transaction_id]', {}, { mit_exemption: { network_transaction_id: '' } }],
    ['an unknown part of the exemption', '[mit_exemption][claim]', {}, { mit_exemption: { claim: 'true' } }],
  ])('refuses %s', async (_name, param, card, options) => {
    const before = countOf(open);
    const data = networkTokenToWire(NETWORK_TOKEN, NOBODY);
    const { payment_method: _, ...payment } = CARD_PAYMENT;
    const form = {
      ...payment,
      payment_method_data: { type: 'card', card: { ...data.card, ...card } },
      payment_method_options: { card: options },
    };

    const answer = await open.double.handle({
      ...{ method: 'POST', path: '/v1/payment_intents', body: encodeForm(form) },
      headers: {
        authorization: `Bearer ${open.double.secretKey}`,
        ...{ 'stripe-version': '2026-10-28.endive', 'content-type': 'application/x-www-form-urlencoded' },
      },
    });

    expect(answer?.status).toBe(400);
    expect(answer?.body).toContain(param);
    expect(countOf(open)).toBe(before);
  });

  it('takes cards in clear beside the gated parameters', async () => {
    expect(await open.paid({ card: CARD })).toMatchObject({ outcome: { kind: 'succeeded' } });
  });
});
