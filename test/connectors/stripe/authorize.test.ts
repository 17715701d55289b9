import { describe, expect, it } from '@jest/globals';
import { fitBuyer } from '../../../src/connectors/buyer/fit-buyer.ts';
import { stripeBuyer } from '../../../src/connectors/stripe/model/buyer.ts';
import type { AuthorizeRequest } from '../../../src/connectors/interface/requests.ts';
import {
  ALONE,
  authorization,
  captured,
  CARD,
  charge,
  errorOf,
  intent,
  KEY,
  NOBODY,
  setup,
} from './objects.ts';
import { openStub } from './stub.ts';

const stub = await openStub();

const METHOD = { body: { id: 'pm_1', object: 'payment_method' } };
const TOKEN = { card: null, token: 'pm_9' } as const;

const send = (changes: Partial<AuthorizeRequest> = {}, credentials = {}, definition = 'stripe-card') =>
  stub.connector.authorize(stub.context(definition, credentials), authorization(changes));

const sentTo = (call: string) => stub.arrived.find((each) => each.call === call);
const sentIntent = () => sentTo('POST /v1/payment_intents')?.form;

describe('an authorisation of a card', () => {
  it('makes a payment method, then confirms an intent under the bare key', async () => {
    stub.answer(METHOD, { body: intent() });

    expect(await send()).toEqual({
      ...{ kind: 'succeeded', reference: 'pi_1', money: { amount: 1099, currency: 'USD' } },
      ...{ rawResponseCode: null, rawResponseDescription: null, merchantAdviceCode: null },
      ...{ authResponseCode: '123456', avsResponseCode: 'match', cvvResponseCode: 'match' },
      cardCountry: 'US',
      schemeTransactionId: '119528868122817',
      card: { scheme: 'visa', bin: null, lastFour: '4242', expirationDate: '03/30' },
    });

    const [method, payment] = stub.arrived;
    expect(method?.call).toBe('POST /v1/payment_methods');
    expect(method?.form).toEqual({
      type: 'card',
      ...{ 'card[number]': '4242424242424242', 'card[exp_month]': '3', 'card[exp_year]': '2030' },
      'card[cvc]': '737',
    });
    expect(method?.headers).toMatchObject({
      'idempotency-key': `${KEY}:pm`,
      'stripe-version': '2026-10-28.endive',
      authorization: 'Bearer sk_test_stub',
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(method?.headers['stripe-account']).toBeUndefined();
    expect(payment?.headers['idempotency-key']).toBe(KEY);
    expect(payment?.form).toEqual({
      ...{ amount: '1099', currency: 'usd', confirm: 'true', capture_method: 'manual' },
      payment_method: 'pm_1',
      'allowed_payment_method_types[]': 'card',
      return_url: 'https://paygraph.example/return/abc',
      'metadata[paygraph_operation]': KEY,
      'metadata[paygraph_verb]': 'authorize',
      'metadata[paygraph_reference]': 'order-7',
      'metadata[paygraph_amount]': '1099',
      description: 'order-7',
      'expand[]': 'latest_charge',
    });
  });

  it('makes another payment method without the security code, for the same intent', async () => {
    const repeat = errorOf({ type: 'idempotency_error' });
    stub.answer(METHOD, { status: 400, body: repeat });

    expect(await send({ card: { ...CARD, securityCode: null } })).toEqual({
      ...{ kind: 'unknown', cause: 'server_error', arrived: true },
    });

    expect(stub.arrived.map(({ headers }) => headers['idempotency-key'])).toEqual([`${KEY}:pm2`, KEY]);
    expect(stub.arrived[0]?.form).not.toHaveProperty('card[cvc]');
  });

  it('is refused without a call where the account takes no card numbers', async () => {
    expect(await send({}, { raw_card_data: 'false' })).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unsupported_payment_method' },
      rawResponseDescription: expect.stringContaining('sends no card numbers to Stripe'),
    });
    expect(stub.arrived).toEqual([]);
  });

  it('that Stripe refuses as a number never becomes a payment', async () => {
    stub.answer({ status: 402, body: errorOf({ type: 'card_error', code: 'incorrect_number' }) });
    expect(await send()).toMatchObject({ kind: 'failed', errorCode: 'invalid_payment_method' });
    expect(stub.arrived).toHaveLength(1);
  });

  describe('that Stripe refuses on a repeat', () => {
    const refused = { status: 402, body: errorOf({ type: 'card_error', code: 'expired_card' }) };
    const repeat = () => send({ card: { ...CARD, securityCode: null }, isRepeat: true });
    const empty = intent({ id: 'pi_2', status: 'requires_payment_method', payment_method: null });

    it('ends the payment after an empty one has its key', async () => {
      stub.answer(refused, { body: empty }, { body: { ...empty, status: 'canceled' } });
      expect(await repeat()).toMatchObject({ kind: 'declined', errorCode: 'expired_payment_method' });
      expect(stub.arrived.map(({ call, headers }) => [call, headers['idempotency-key']])).toEqual([
        ['POST /v1/payment_methods', `${KEY}:pm2`],
        ['POST /v1/payment_intents', KEY],
        ['POST /v1/payment_intents/pi_2/cancel', `${KEY}:refuse`],
      ]);
      expect(stub.arrived[1]?.form).not.toHaveProperty('confirm');
    });

    it('says nothing about the first request, although the account takes no card numbers any more', async () => {
      stub.answer({ status: 400, body: errorOf({ type: 'idempotency_error' }) });
      const outcome = await send({ isRepeat: true }, { raw_card_data: 'false' });
      expect(outcome).toEqual({ kind: 'unknown', cause: 'server_error', arrived: true });
    });

    it.each([
      [{ status: 400, body: errorOf({ type: 'idempotency_error' }) }, { arrived: true }],
      [{ status: 500, body: errorOf({ type: 'api_error' }) }, {}],
    ])('says nothing about the first request after %j', async (answer, more) => {
      stub.answer(refused, answer);
      expect(await repeat()).toEqual({ kind: 'unknown', cause: 'server_error', ...more });
      expect(stub.arrived).toHaveLength(2);
    });
  });

  it('whose payment method has no answer was not sent', async () => {
    stub.answer({ status: 500, body: errorOf({ type: 'api_error' }) });
    expect(await send()).toEqual({ kind: 'unknown', cause: 'server_error', sent: false });
    expect(stub.arrived).toHaveLength(1);
  });

  it('captures at once when asked to', async () => {
    stub.answer(METHOD, { body: captured({ capture_method: 'automatic' }) });
    expect(await send({ capture: true })).toMatchObject({ kind: 'succeeded', money: { amount: 1099 } });
    expect(sentIntent()).toMatchObject({ capture_method: 'automatic' });
  });

  it.each([
    ['JPY', 1099, '1099', { amount: 1099, currency: 'jpy', amount_capturable: 1099 }],
    ['ISK', 1099, '109900', { amount: 109_900, currency: 'isk', amount_capturable: 109_900 }],
    ['KWD', 1090, '1090', { amount: 1090, currency: 'kwd', amount_capturable: 1090 }],
  ])('in %s goes out and comes back in the form of Stripe', async (currency, amount, sent, answered) => {
    stub.answer(METHOD, { body: intent(answered) });
    expect(await send({ money: { amount, currency } })).toMatchObject({ money: { amount, currency } });
    expect(sentIntent()).toMatchObject({ amount: sent, currency: currency.toLowerCase() });
  });

  it('in an amount that Stripe cannot express is refused without a call', async () => {
    expect(await send({ money: { amount: 1091, currency: 'KWD' } })).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_amount' },
    });
    expect(stub.arrived).toEqual([]);
  });

  it('carries the buyer, the statement and the connected account', async () => {
    const address = {
      ...{ line1: 'High Street', houseNumberOrName: '5', line2: null, city: 'London', postalCode: 'N1' },
      ...{ state: null, stateCode: null, country: 'GB', organization: null },
    };
    const buyer = {
      ...{ ...NOBODY, firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      ...{ billingAddress: address, shipping: { firstName: 'Ada', lastName: 'Lovelace', address } },
    };
    const statementDescriptor = {
      ...{ name: 'Café "Nord" 12345', description: null, city: null, country: null },
      ...{ phoneNumber: null, url: null, postalCode: null },
    };
    stub.answer(METHOD, { body: intent() });
    await send({ buyer: fitBuyer(buyer, stripeBuyer), statementDescriptor }, { stripe_account: 'acct_7' });
    expect(stub.arrived[0]?.form).toMatchObject({
      'billing_details[name]': 'Ada Lovelace',
      'billing_details[email]': 'ada@example.com',
      'billing_details[address][line1]': '5 High Street',
      'billing_details[address][postal_code]': 'N1',
    });
    expect(sentIntent()).toMatchObject({
      statement_descriptor_suffix: 'Cafe Nord',
      'shipping[name]': 'Ada Lovelace',
      'shipping[address][country]': 'GB',
    });
    expect(stub.arrived[1]?.headers['stripe-account']).toBe('acct_7');
  });

  it('carries an authentication from elsewhere, with its proof', async () => {
    const threeDSecure = {
      ...{ version: '2.2.0', eci: '5', cavv: 'AAABBBCCC=', directoryResponse: 'Y' },
      authenticationResponse: null,
      ...{ directoryTransactionId: 'ds-1', xid: null, cavvAlgorithm: null, scheme: 'visa' },
    };
    stub.answer(METHOD, { body: intent() }, METHOD, { body: intent() });
    await send({ threeDSecure });
    expect(sentIntent()).toMatchObject({
      'payment_method_options[card][three_d_secure][version]': '2.2.0',
      'payment_method_options[card][three_d_secure][cryptogram]': 'AAABBBCCC=',
      'payment_method_options[card][three_d_secure][transaction_id]': 'ds-1',
      'payment_method_options[card][three_d_secure][electronic_commerce_indicator]': '05',
      'payment_method_options[card][three_d_secure][ares_trans_status]': 'Y',
    });
    stub.arrived.length = 0;
    await send({ threeDSecure: { ...threeDSecure, cavv: null } });
    expect(Object.keys(sentIntent() ?? {}).filter((name) => name.includes('three_d_secure'))).toEqual([]);
  });

  it('asks for several captures only where the account may', async () => {
    stub.answer(METHOD, { body: intent() });
    await send({}, { multiple_captures: 'true', incremental_authorization: 'true' });
    expect(sentIntent()).toMatchObject({
      'payment_method_options[card][request_multicapture]': 'if_available',
      'payment_method_options[card][request_incremental_authorization]': 'if_available',
    });
  });
});

describe('an authorisation with a token', () => {
  it.each([
    ['cus_1/pm_9', { customer: 'cus_1', payment_method: 'pm_9' }],
    ['pm_9', { payment_method: 'pm_9' }],
  ])('%s names the payment method, and its customer', async (token, expected) => {
    stub.answer({ body: intent() });
    await send({ card: null, token });
    expect(stub.arrived).toHaveLength(1);
    expect(sentIntent()).toMatchObject(expected);
    expect('customer' in (sentIntent() ?? {})).toBe('customer' in expected);
  });

  it('that is not of Stripe is refused without a call', async () => {
    expect(await send({ card: null, token: 'tok_1/../x' })).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unknown_payment_method' },
    });
    expect(stub.arrived).toEqual([]);
  });

  it('without the buyer is off session, and has no page', async () => {
    const series = {
      ...ALONE,
      source: 'recurring',
      merchantInitiated: true,
      isSubsequentPayment: true,
    } as const;
    stub.answer({ body: intent() });
    await send({ card: null, token: 'cus_1/pm_9', series });
    expect(sentIntent()).toMatchObject({
      off_session: 'true',
      'payment_method_options[card][stored_credential_usage]': 'recurring',
    });
    expect(sentIntent()).not.toHaveProperty('return_url');
  });

  it('with the option refuses an approval by the buyer', async () => {
    const error = errorOf({ type: 'card_error', payment_intent: { id: 'pi_3', object: 'payment_intent' } });
    stub.answer({ status: 402, body: error });
    expect(await send({ ...TOKEN, options: { error_on_requires_action: true } })).toMatchObject({
      ...{ kind: 'failed', errorCode: 'requires_buyer_authentication', reference: 'pi_3' },
    });
    expect(sentIntent()).toMatchObject({ error_on_requires_action: 'true' });
  });
});

describe('a payment that stores its method', () => {
  const series = { ...ALONE, store: true, tokenizes: true, source: 'recurring' } as const;

  it('makes a customer, and answers both names as one token', async () => {
    const stored = { customer: 'cus_7', setup_future_usage: 'off_session' };
    stub.answer(METHOD, { body: { id: 'cus_7', object: 'customer' } }, { body: intent(stored) });
    expect(await send({ series })).toMatchObject({ kind: 'succeeded', recurringToken: 'cus_7/pm_1' });
    expect(sentTo('POST /v1/customers')?.headers['idempotency-key']).toBe(`${KEY}:cus`);
    expect(sentIntent()).toMatchObject({
      ...{ customer: 'cus_7', setup_future_usage: 'off_session' },
      'payment_method_options[card][setup_credential_usage]': 'recurring',
    });
  });

  it('uses the customer of the merchant when one is given', async () => {
    stub.answer(METHOD, { body: intent() });
    await send({ series, options: { customer_id: 'cus_own' } });
    expect(stub.arrived).toHaveLength(2);
    expect(sentIntent()).toMatchObject({ customer: 'cus_own' });
  });

  it('of nothing stores with a setup intent', async () => {
    stub.answer(METHOD, { body: { id: 'cus_1', object: 'customer' } }, { body: setup() });
    expect(await send({ series, money: { amount: 0, currency: 'USD' } })).toEqual({
      ...{ kind: 'succeeded', reference: 'seti_1', money: { amount: 0, currency: 'USD' } },
      ...{ recurringToken: 'cus_1/pm_1', rawResponseCode: null, rawResponseDescription: null },
    });
    const sent = sentTo('POST /v1/setup_intents');
    expect(sent?.headers['idempotency-key']).toBe(KEY);
    expect(sent?.form).toMatchObject({
      confirm: 'true',
      usage: 'off_session',
      customer: 'cus_1',
      payment_method: 'pm_1',
    });
    expect(sent?.form).not.toHaveProperty('amount');
  });
});

describe('an authorisation with a wallet', () => {
  it('of Google Pay uses the token of Stripe inside', async () => {
    const token = JSON.stringify({ id: 'tok_google', object: 'token', card: { last4: '4242' } });
    stub.answer(METHOD, { body: intent() });
    await send({ card: null, wallet: { wallet: 'google_pay', token } });
    expect(stub.arrived[0]?.form).toEqual({ type: 'card', 'card[token]': 'tok_google' });
  });

  it('of Google Pay for another gateway is refused without a call', async () => {
    const token = JSON.stringify({ signature: 'MEUCIQ', protocolVersion: 'ECv2', signedMessage: '{}' });
    expect(await send({ card: null, wallet: { wallet: 'google_pay', token } })).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_payment_method' },
    });
    expect(stub.arrived).toEqual([]);
  });

  it('of Apple Pay turns the payment data into a token first', async () => {
    const data = JSON.stringify({ data: 'aGVsbG8=', version: 'EC_v1' });
    stub.answer({ body: { id: 'tok_apple', object: 'token' } }, METHOD, { body: intent() });
    expect(await send({ card: null, wallet: { wallet: 'apple_pay', token: data } })).toMatchObject({
      kind: 'succeeded',
    });
    expect(stub.arrived.map(({ call }) => call)).toEqual([
      ...['POST /v1/tokens', 'POST /v1/payment_methods', 'POST /v1/payment_intents'],
    ]);
    expect(stub.arrived[0]?.form).toEqual({ pk_token: data });
  });
});

describe('the answer to an authorisation', () => {
  it('with a page waits for the buyer there', async () => {
    const next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { url: 'https://hooks.stripe.com/3ds', return_url: null },
    };
    stub.answer({
      body: intent({ status: 'requires_action', next_action, amount_capturable: 0, latest_charge: null }),
    });
    expect(await send(TOKEN)).toMatchObject({
      ...{ kind: 'accepted', reference: 'pi_1', approvalUrl: 'https://hooks.stripe.com/3ds' },
    });
  });

  it('without a page for the buyer is canceled at once', async () => {
    const next_action = { type: 'use_stripe_sdk', use_stripe_sdk: {} };
    const waiting = intent({ status: 'requires_action', next_action, latest_charge: null });
    stub.answer({ body: waiting }, { body: intent({ status: 'canceled' }) });
    expect(await send(TOKEN)).toMatchObject({ kind: 'failed', errorCode: 'requires_buyer_authentication' });
    expect(stub.arrived[1]).toMatchObject({
      call: 'POST /v1/payment_intents/pi_1/cancel',
      headers: { 'idempotency-key': `${KEY}:trap` },
    });
    stub.clear();
    stub.answer({ body: waiting }, { status: 500, body: {} });
    expect(await send(TOKEN)).toEqual({ kind: 'unknown', cause: 'server_error' });
  });

  it.each([
    ['processing', { kind: 'accepted', reference: 'pi_1' }],
    ['canceled', { kind: 'failed', errorCode: 'canceled' }],
    ['requires_confirmation', { kind: 'unknown', cause: 'unreadable' }],
    ['a_new_word', { kind: 'unknown', cause: 'unreadable' }],
    // The request asked for an authorisation only.
    ['succeeded', { kind: 'unknown', cause: 'unreadable' }],
  ])('%s is %j', async (status, expected) => {
    stub.answer({ body: intent({ status }) });
    expect(await send(TOKEN)).toMatchObject(expected);
  });

  it('that declines in the intent is read like an error', async () => {
    const last_payment_error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
    };
    stub.answer({ body: intent({ status: 'requires_payment_method', last_payment_error }) });
    expect(await send(TOKEN)).toMatchObject({
      kind: 'declined',
      errorCode: 'insufficient_funds',
      reference: 'pi_1',
    });
  });

  it('402 declines', async () => {
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor', message: 'No.' };
    stub.answer({ status: 402, body: errorOf({ ...error, payment_intent: intent(), charge: 'ch_1' }) });
    expect(await send(TOKEN)).toMatchObject({
      ...{ kind: 'declined', errorCode: 'issuer_decline', reference: 'pi_1' },
      rawResponseCode: 'do_not_honor',
    });
  });

  it.each([
    [500, {}, {}, { cause: 'server_error' }],
    [500, {}, { 'idempotent-replayed': 'true' }, { cause: 'server_error', arrived: true }],
    [503, {}, { 'stripe-should-retry': 'false' }, { cause: 'server_error' }],
    [503, 'no JSON', { 'stripe-should-retry': 'true' }, { cause: 'server_error' }],
    [424, errorOf({ type: 'api_error' }), {}, { cause: 'server_error' }],
    [
      409,
      errorOf({ type: 'idempotency_error', code: 'idempotency_key_in_use' }),
      {},
      { cause: 'server_error' },
    ],
    [400, errorOf({ type: 'idempotency_error' }), {}, { cause: 'server_error', arrived: true }],
    [429, errorOf({ code: 'lock_timeout' }), {}, { cause: 'server_error' }],
    [
      402,
      errorOf({ type: 'card_error', code: 'payment_method_provider_timeout' }),
      {},
      { cause: 'server_error' },
    ],
    [400, 'no JSON', {}, { cause: 'unreadable' }],
    [200, 'no JSON', {}, { cause: 'unreadable' }],
    [200, { object: 'list', data: [] }, {}, { cause: 'unreadable' }],
    [302, {}, {}, { cause: 'server_error' }],
  ])('%i %j %j is unknown: %j', async (status, body, headers, expected) => {
    stub.answer({ status, body, headers });
    expect(await send(TOKEN)).toEqual({ kind: 'unknown', ...expected });
  });

  it.each([
    [401, 'invalid_service_credentials'],
    [403, 'insufficient_service_permissions'],
    [429, 'service_rate_limit'],
  ])('%i comes before any work, and does not speak of an earlier request', async (status, refusedAs) => {
    stub.answer({ status, body: errorOf({ message: 'No.' }) });
    expect(await send(TOKEN)).toEqual({ kind: 'unknown', cause: 'server_error', sent: false, refusedAs });
  });

  it.each([
    ['sandbox', 'sk_live_1'],
    ['production', 'sk_test_1'],
    ['production', 'rk_test_1'],
  ] as const)('is never asked for in %s with the key %s', async (environment, secret_key) => {
    const context = { ...stub.context('stripe-card', { secret_key }), environment };
    expect(await stub.connector.authorize(context, authorization(TOKEN))).toEqual({
      ...{ kind: 'unknown', cause: 'server_error', sent: false, refusedAs: 'invalid_service_credentials' },
    });
    expect(stub.arrived).toEqual([]);
  });

  it('shows the checks of a card', async () => {
    const checks = { address_line1_check: 'pass', address_postal_code_check: 'fail', cvc_check: null };
    stub.answer({ body: intent({ latest_charge: charge({}, { checks }) }) });
    expect(await send(TOKEN)).toMatchObject({
      ...{ kind: 'succeeded', avsResponseCode: 'partial_match_address', cvvResponseCode: 'not_provided' },
    });
  });
});

describe('the return of a buyer', () => {
  const resume = (capture: boolean) =>
    stub.connector.resume?.(stub.context(), {
      ...{ key: KEY, reference: 'pi_1', money: { amount: 1099, currency: 'USD' }, capture, returned: {} },
    });
  it('reads the intent, whatever the browser brings', async () => {
    stub.answer({ body: intent() });
    expect(await resume(false)).toMatchObject({ kind: 'succeeded', reference: 'pi_1' });
    expect(stub.arrived.map(({ call }) => call)).toEqual(['GET /v1/payment_intents/pi_1']);
  });
  it('after a failed authentication declines', async () => {
    const last_payment_error = {
      code: 'payment_intent_authentication_failure',
      type: 'invalid_request_error',
    };
    stub.answer({
      body: intent({ status: 'requires_payment_method', last_payment_error, latest_charge: null }),
    });
    expect(await resume(true)).toMatchObject({ kind: 'failed', errorCode: 'failed_buyer_approval' });
  });
  it('to the payment of somebody else is unknown', async () => {
    stub.answer({ body: intent({ metadata: {} }) });
    expect(await resume(false)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });
});
