import { describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { CARD_PAYMENT, openBench, type Bench, type Given } from './double-client.ts';

const DAY_MS = 86_400_000;
const PAYMENTS = 'POST /v1/payment_intents';

const MANUAL: Given = { capture_method: 'manual' };

const typesOf = ({ double }: Bench): readonly string[] => double.webhooks().map(({ type }) => type);

describe('card payments of the double', () => {
  it('answers in the recorded shape, with ids unless they are expanded', async () => {
    const { pay, call } = openBench();
    const intent = await pay();
    expect(intent).toMatchObject({
      ...{ object: 'payment_intent', status: 'succeeded', amount: 1000, amount_received: 1000 },
      ...{ amount_capturable: 0, currency: 'usd', next_action: null, last_payment_error: null },
      latest_charge: expect.stringMatching(/^ch_\d+$/),
    });
    const { json } = await call(`GET /v1/payment_intents/${intent.id}`, { expand: ['latest_charge'] });
    expect(json).toMatchObject({
      latest_charge: {
        ...{ object: 'charge', amount: 1000, captured: true, payment_intent: intent.id },
        payment_method_details: {
          card: {
            ...{ brand: 'visa', last4: '4242', multicapture: { status: 'unavailable' } },
            checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
            network_transaction_id: expect.stringMatching(/^\d{15}$/),
          },
          type: 'card',
        },
      },
    });
    const { status } = await call(`GET /v1/payment_intents/${intent.id}`, { expand: ['amount'] });
    expect(status).toBe(400);
  });

  it.each([
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
    ['pm_card_radarBlock', 'card_declined', 'fraudulent'],
  ])('declines %s', async (payment_method, code, decline_code) => {
    const bench = openBench();
    const error = await bench.error(PAYMENTS, { ...CARD_PAYMENT, payment_method });
    expect(error).toMatchObject({
      ...{ status: 402, type: 'card_error', code, decline_code },
      charge: expect.stringMatching(/^ch_/),
      payment_intent: { status: 'requires_payment_method', payment_method: null, amount_received: 0 },
    });
    expect(typesOf(bench)).toEqual([
      ...['payment_intent.created', 'charge.failed', 'payment_intent.payment_failed'],
    ]);
    expect(bench.double.books().payments[0]).toMatchObject({ authorized: 0, captured: 0 });
  });

  it.each([
    ['4000000000009995', 402, 'card_declined'],
    ['4242424242424242', 200, undefined],
  ])('takes the number %s', async (number, status, code) => {
    const { call } = openBench();
    const card = { number, exp_month: 3, exp_year: 2030, cvc: '737' };
    const method = await call('POST /v1/payment_methods', { type: 'card', card });
    expect(method.json).toMatchObject({ card: { last4: number.slice(-4), exp_month: 3, exp_year: 2030 } });
    const paid = await call(PAYMENTS, { ...CARD_PAYMENT, payment_method: String(method.json['id']) });
    expect(paid.status).toBe(status);
    if (code !== undefined) expect(paid.json['error']).toMatchObject({ code });
  });

  it.each<readonly [Given, string]>([
    [{ number: '4242424242424241' }, 'incorrect_number'],
    [{ exp_month: 13 }, 'invalid_expiry_month'],
    [{ exp_year: 2025 }, 'invalid_expiry_year'],
    [{ cvc: '12' }, 'invalid_cvc'],
  ])('refuses the card %j', async (wrong, code) => {
    const { error } = openBench();
    const card = { number: '4242424242424242', exp_month: 3, exp_year: 2030, cvc: '737', ...wrong };
    const answer = await error('POST /v1/payment_methods', { type: 'card', card });
    expect(answer).toMatchObject({ status: 402, type: 'card_error', code });
  });

  it('refuses cards in clear of an account without the approval', async () => {
    const { error } = openBench({ takesRawCards: false });
    const card = { number: '4242424242424242', exp_month: 3, exp_year: 2030 };
    expect(await error('POST /v1/payment_methods', { type: 'card', card })).toMatchObject({
      ...{ status: 402, type: 'invalid_request_error' },
    });
  });

  it('captures once, at most the authorised amount', async () => {
    const bench = openBench();
    const { id, status, amount_capturable } = await bench.pay(MANUAL);
    expect([status, amount_capturable]).toEqual(['requires_capture', 1000]);
    const capture = `POST /v1/payment_intents/${id}/capture`;
    expect(await bench.error(capture, { amount_to_capture: 1001 })).toMatchObject({ status: 400 });
    expect(await bench.error(capture, { amount_to_capture: 400, final_capture: false })).toMatchObject({
      status: 400,
    });
    expect((await bench.call(capture, { amount_to_capture: 400 }, 'capture-1')).json).toMatchObject({
      ...{ status: 'succeeded', amount: 1000, amount_received: 400, amount_capturable: 0 },
    });
    expect(await bench.error(capture)).toMatchObject({ code: 'payment_intent_unexpected_state' });
    expect(await bench.error(`POST /v1/payment_intents/${id}/cancel`)).toMatchObject({
      ...{ status: 400, code: 'payment_intent_unexpected_state', payment_intent: { status: 'succeeded' } },
    });
    expect(bench.double.books().payments[0]).toMatchObject({
      ...{ authorized: 1000, held: 0, captured: 400, captures: [{ key: 'capture-1', amount: 400 }] },
    });
  });

  it('captures several times where the charge allows it', async () => {
    const bench = openBench();
    const { id } = await bench.pay({
      ...{ ...MANUAL, payment_method_options: { card: { request_multicapture: 'if_available' } } },
    });
    bench.double.webhooks();
    const capture = `POST /v1/payment_intents/${id}/capture`;
    const first = await bench.call(capture, { amount_to_capture: 300, final_capture: false });
    expect(first.json).toMatchObject({
      ...{ status: 'requires_capture', amount_capturable: 700, amount_received: 300 },
    });
    expect(typesOf(bench)).toEqual(['charge.captured', 'payment_intent.amount_capturable_updated']);
    const last = await bench.call(capture, { amount_to_capture: 500 });
    expect(last.json).toMatchObject({ status: 'succeeded', amount_capturable: 0, amount_received: 800 });
    expect(bench.double.books().payments[0]).toMatchObject({ captured: 800, held: 0 });
  });

  it('cancels an authorisation, and lets it expire after seven days', async () => {
    const bench = openBench();
    const { id } = await bench.pay(MANUAL);
    const cancel = `POST /v1/payment_intents/${id}/cancel`;
    expect((await bench.call(cancel)).json).toMatchObject({
      ...{ status: 'canceled', cancellation_reason: null, amount_capturable: 0 },
    });
    expect(await bench.error(cancel)).toMatchObject({ code: 'payment_intent_unexpected_state' });

    const other = await bench.pay(MANUAL);
    bench.double.webhooks();
    bench.pass(7 * DAY_MS);
    expect(typesOf(bench)).toEqual(['charge.expired', 'payment_intent.canceled']);
    expect((await bench.call(`GET /v1/payment_intents/${other.id}`)).json).toMatchObject({
      ...{ status: 'canceled', cancellation_reason: 'automatic' },
    });
  });

  it('raises an authorisation that allows it', async () => {
    const { pay, call, double } = openBench();
    const { id } = await pay({
      ...MANUAL,
      payment_method_options: { card: { request_incremental_authorization: 'if_available' } },
    });
    const raised = await call(`POST /v1/payment_intents/${id}/increment_authorization`, { amount: 1500 });
    expect(raised.json).toMatchObject({ amount: 1500, amount_capturable: 1500 });
    expect(double.books().payments[0]).toMatchObject({ authorized: 1500, held: 1500 });
  });
});

describe('refunds of the double', () => {
  it('refunds up to the captured amount and not more', async () => {
    const { pay, call, error, double } = openBench();
    const { id: payment_intent } = await pay();
    const first = await call('POST /v1/refunds', { payment_intent, amount: 600, metadata: { a: 'b' } });
    expect(first.json).toMatchObject({ object: 'refund', status: 'succeeded', amount: 600, payment_intent });
    expect(await error('POST /v1/refunds', { payment_intent, amount: 401 })).toMatchObject({ status: 400 });
    expect((await call('POST /v1/refunds', { payment_intent })).json).toMatchObject({ amount: 400 });
    expect(await error('POST /v1/refunds', { payment_intent })).toMatchObject({
      ...{ status: 400, code: 'charge_already_refunded' },
    });
    const { json } = await call('GET /v1/refunds', { payment_intent });
    expect((json['data'] as { amount: number }[]).map(({ amount }) => amount)).toEqual([400, 600]);
    expect(double.books().payments[0]).toMatchObject({ captured: 1000, refunded: 1000 });
  });

  it('refuses a refund of a payment that is not captured', async () => {
    const { pay, error, double } = openBench();
    const { id: payment_intent } = await pay(MANUAL);
    expect(await error('POST /v1/refunds', { payment_intent })).toMatchObject({ status: 400 });
    expect(double.books().payments[0]?.refunds).toEqual([]);
  });

  it('completes a pending refund, and fails another after its success', async () => {
    const bench = openBench();
    for (const [payment_method, before, after] of [
      ['pm_card_pendingRefund', 'pending', 'succeeded'],
      ['pm_card_refundFail', 'succeeded', 'failed'],
    ] as const) {
      const { id: payment_intent } = await bench.pay({ payment_method });
      const { json } = await bench.call('POST /v1/refunds', { payment_intent });
      expect(json['status']).toBe(before);
      bench.double.webhooks();
      bench.pass(60_000);
      const types = after === 'failed' ? ['refund.failed'] : [];
      expect(typesOf(bench)).toEqual([...types, 'refund.updated', 'charge.refund.updated']);
      expect((await bench.call(`GET /v1/refunds/${String(json['id'])}`)).json['status']).toBe(after);
    }
    expect(bench.double.books().payments.map(({ refunded }) => refunded)).toEqual([1000, 0]);
  });
});

describe('buyers of the double', () => {
  const ASKS = { payment_method: 'pm_card_threeDSecure2Required' };

  it.each([
    ['approve', 'succeeded', 'succeeded'],
    ['refuse', 'requires_payment_method', 'failed'],
  ] as const)('asks the buyer, who may %s', async (decision, status, redirect_status) => {
    const bench = openBench();
    const { id, next_action } = await bench.pay(ASKS);
    expect(next_action).toMatchObject({
      type: 'redirect_to_url',
      redirect_to_url: { return_url: 'https://shop.example.com/return' },
    });
    const back = bench.double.hands.decide(id, decision) ?? '';
    expect(Object.fromEntries(new URL(back).searchParams)).toMatchObject({
      payment_intent: id,
      redirect_status,
    });
    const { json } = await bench.call(`GET /v1/payment_intents/${id}`);
    expect(json['status']).toBe(status);
    if (decision === 'refuse')
      expect(json['last_payment_error']).toMatchObject({ code: 'payment_intent_authentication_failure' });
  });

  it('declines instead of asking', async () => {
    const bench = openBench();
    for (const given of [{ error_on_requires_action: true }, { off_session: true }]) {
      const error = await bench.error(PAYMENTS, { ...CARD_PAYMENT, ...ASKS, ...given });
      expect(error).toMatchObject({ status: 402, type: 'card_error', code: 'authentication_required' });
    }
    expect(bench.double.books().payments.map(({ authorized }) => authorized)).toEqual([0, 0]);
  });

  it('sends the buyer of a bank to the bank, and refuses another currency or a later capture', async () => {
    const { call, error } = openBench();
    const given: Given = {
      ...{ amount: 1000, currency: 'eur', confirm: true, return_url: 'https://shop.example.com/return' },
      ...{ allowed_payment_method_types: ['ideal'], payment_method_data: { type: 'ideal' } },
    };
    expect((await call(PAYMENTS, given)).json).toMatchObject({
      ...{ status: 'requires_action', next_action: { type: 'redirect_to_url' } },
    });
    expect(await error(PAYMENTS, { ...given, currency: 'usd' })).toMatchObject({
      code: 'payment_method_currency_mismatch',
    });
    expect(await error(PAYMENTS, { ...given, ...MANUAL })).toMatchObject({ param: 'capture_method' });
    const nowhere = Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'return_url'));
    expect(await error(PAYMENTS, nowhere)).toMatchObject({ code: 'parameter_missing', param: 'return_url' });
  });
});

describe('stored methods of the double', () => {
  const methodOf = ({ payment_method }: Stripe.PaymentIntent): string =>
    typeof payment_method === 'string' ? payment_method : '';

  it('lets a method pay again only with its customer', async () => {
    const { call, pay, error } = openBench();
    const customer = String((await call('POST /v1/customers')).json['id']);
    const stored = methodOf(await pay({ customer, setup_future_usage: 'off_session' }));
    expect(await error(PAYMENTS, { ...CARD_PAYMENT, payment_method: stored })).toMatchObject({ status: 400 });
    expect((await pay({ customer, payment_method: stored, off_session: true })).status).toBe('succeeded');
    await call(`POST /v1/payment_methods/${stored}/detach`);
    const again = await error(PAYMENTS, { ...CARD_PAYMENT, customer, payment_method: stored });
    expect(again).toMatchObject({ status: 400 });
    const alone = await pay();
    const twice = { ...CARD_PAYMENT, payment_method: methodOf(alone) };
    expect(await error(PAYMENTS, twice)).toMatchObject({ status: 400, param: 'payment_method' });
  });

  it('stores without a payment, and then pays without the buyer', async () => {
    const { call, pay, error, double } = openBench();
    const customer = String((await call('POST /v1/customers')).json['id']);
    const payment_method = 'pm_card_authenticationRequiredOnSetup';
    const off = { ...CARD_PAYMENT, customer, payment_method, off_session: true };
    expect(await error(PAYMENTS, off)).toMatchObject({ code: 'authentication_required' });
    const setup = await call('POST /v1/setup_intents', {
      ...{ confirm: true, customer, payment_method, usage: 'off_session' },
      ...{ allowed_payment_method_types: ['card'], return_url: 'https://shop.example.com/return' },
    });
    expect(setup.json['status']).toBe('requires_action');
    double.hands.decide(String(setup.json['id']), 'approve');
    const { json } = await call(`GET /v1/setup_intents/${String(setup.json['id'])}`);
    expect(json['status']).toBe('succeeded');
    const paid = await pay({ customer, payment_method: String(json['payment_method']), off_session: true });
    expect(paid.status).toBe('succeeded');
  });
});
