import { describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { CARD_PAYMENT, openBench, type Given } from './double-client.ts';

const HOUR_MS = 3_600_000;
const PAYMENTS = 'POST /v1/payment_intents';

describe('idempotency of the double', () => {
  it('answers a repeat under a key with the first answer', async () => {
    const { call, double } = openBench();
    const first = await call(PAYMENTS, CARD_PAYMENT, 'key-1');
    const second = await call(PAYMENTS, CARD_PAYMENT, 'key-1');
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'original-request': first.headers['request-id'],
      'idempotency-key': 'key-1',
    });
    expect(double.books().payments).toHaveLength(1);
  });

  it('keeps a decline, and a server error with and without the work', async () => {
    const { call, double } = openBench();
    const declined = { ...CARD_PAYMENT, payment_method: 'pm_card_visa_chargeDeclined' };
    const first = await call(PAYMENTS, declined, 'declined');
    const again = await call(PAYMENTS, declined, 'declined');
    expect([first.status, again.status, again.text]).toEqual([402, 402, first.text]);

    for (const [key, fault] of [
      ['before', 'error_before_work'],
      ['after', 'error_after_work'],
    ] as const) {
      double.failNext([fault]);
      expect((await call(PAYMENTS, CARD_PAYMENT, key)).status).toBe(500);
      const replayed = await call(PAYMENTS, CARD_PAYMENT, key);
      expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([500, 'true']);
    }
    expect(double.books().payments.map(({ key, captured }) => [key, captured])).toEqual([
      ['declined', 0],
      ['after', 1000],
    ]);
  });

  it.each<readonly [string, string, Given]>([
    ['other parameters', PAYMENTS, { ...CARD_PAYMENT, amount: 1001 }],
    ['another endpoint', 'POST /v1/refunds', { payment_intent: 'pi_1' }],
  ])('refuses a key with %s', async (_, call, given) => {
    const bench = openBench();
    await bench.call(PAYMENTS, CARD_PAYMENT, 'key-1');
    expect(await bench.error(call, given, 'key-1')).toMatchObject({ status: 400, type: 'idempotency_error' });
    expect(bench.double.books().payments).toHaveLength(1);
  });

  it('refuses a key in use, and answers with the first answer afterwards', async () => {
    const { call, error, double } = openBench();
    double.failNext(['hang']);
    const first = call(PAYMENTS, CARD_PAYMENT, 'key-1');
    expect(await error(PAYMENTS, CARD_PAYMENT, 'key-1')).toMatchObject({
      status: 409,
      code: 'idempotency_key_in_use',
    });
    double.release();
    const { text } = await first;
    expect((await call(PAYMENTS, CARD_PAYMENT, 'key-1')).text).toBe(text);
    expect(double.books().payments).toHaveLength(1);
  });

  it('does not keep a refused validation, a rate limit or a lock', async () => {
    const { call, double } = openBench();
    expect((await call(PAYMENTS, { ...CARD_PAYMENT, amonut: 1 }, 'key-1')).status).toBe(400);
    double.failNext(['rate_limited', 'rate_limited_with_hint', 'lock_timeout']);
    const limited = await call(PAYMENTS, CARD_PAYMENT, 'key-1');
    const hinted = await call(PAYMENTS, CARD_PAYMENT, 'key-1');
    const locked = await call(PAYMENTS, CARD_PAYMENT, 'key-1');
    expect([limited.status, hinted.status, locked.status]).toEqual([429, 429, 429]);
    expect([limited.headers['retry-after'], hinted.headers['retry-after']]).toEqual([undefined, '2']);
    expect(locked.json['error']).toMatchObject({ code: 'lock_timeout' });
    expect((await call(PAYMENTS, CARD_PAYMENT, 'key-1')).status).toBe(200);
    expect(double.books().payments).toHaveLength(1);
  });

  it('keeps a refusal for the state of an object', async () => {
    const { call, pay } = openBench();
    const { id } = await pay();
    const first = await call(`POST /v1/payment_intents/${id}/capture`, {}, 'capture');
    const second = await call(`POST /v1/payment_intents/${id}/capture`, {}, 'capture');
    expect([first.status, second.status]).toEqual([400, 400]);
    expect(first.json['error']).toMatchObject({ code: 'payment_intent_unexpected_state' });
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('forgets a key after a day, and refuses a key of 256 characters', async () => {
    const { call, error, pass, double } = openBench();
    await call(PAYMENTS, CARD_PAYMENT, 'key-1');
    pass(24 * HOUR_MS - 1);
    await call(PAYMENTS, CARD_PAYMENT, 'key-1');
    expect(double.books().payments).toHaveLength(1);
    pass(1);
    await call(PAYMENTS, CARD_PAYMENT, 'key-1');
    expect(double.books().payments).toHaveLength(2);
    expect(await error(PAYMENTS, CARD_PAYMENT, 'x'.repeat(256))).toMatchObject({ status: 400 });
    expect((await call(PAYMENTS, CARD_PAYMENT, 'x'.repeat(255))).status).toBe(200);
    expect(double.books().payments).toHaveLength(3);
  });
});

describe('validation of the double', () => {
  const without = (name: string): Given =>
    Object.fromEntries(Object.entries(CARD_PAYMENT).filter(([key]) => key !== name));

  it.each<readonly [string, Given, Readonly<Record<string, string>>]>([
    ['an unknown parameter', { ...CARD_PAYMENT, captrue_method: 'manual' }, { code: 'parameter_unknown' }],
    [
      'a removed parameter',
      { ...CARD_PAYMENT, payment_method_types: ['card'] },
      { code: 'parameter_unknown', param: 'payment_method_types' },
    ],
    [
      'a nested unknown parameter',
      { ...CARD_PAYMENT, payment_method_options: { card: { mot: true } } },
      { code: 'parameter_unknown', param: 'payment_method_options[card][mot]' },
    ],
    [
      'a card in clear',
      { ...without('payment_method'), payment_method_data: { type: 'card', card: { number: '4' } } },
      { code: 'parameter_unknown', param: 'payment_method_data[card]' },
    ],
    ['no amount', without('amount'), { code: 'parameter_missing', param: 'amount' }],
    ['no currency', without('currency'), { code: 'parameter_missing', param: 'currency' }],
    ['a fraction', { ...CARD_PAYMENT, amount: '10.5' }, { code: 'parameter_invalid_integer' }],
    ['a decimal amount', { ...CARD_PAYMENT, amount: '10.00' }, { code: 'parameter_invalid_integer' }],
    ['a small amount', { ...CARD_PAYMENT, amount: 49 }, { code: 'amount_too_small' }],
    ['a large amount', { ...CARD_PAYMENT, amount: 100_000_000 }, { code: 'amount_too_large' }],
    ['an unknown currency', { ...CARD_PAYMENT, currency: 'xxy' }, { param: 'currency' }],
    ['a currency in upper case', { ...CARD_PAYMENT, currency: 'USD' }, { param: 'currency' }],
    [
      'three decimals',
      { ...CARD_PAYMENT, amount: 10_001, currency: 'kwd' },
      { code: 'invalid_charge_amount' },
    ],
    ['a wrong word', { ...CARD_PAYMENT, capture_method: 'later' }, { param: 'capture_method' }],
    ['a wrong truth', { ...CARD_PAYMENT, confirm: 'yes' }, { param: 'confirm' }],
    ['an empty text', { ...CARD_PAYMENT, description: '' }, { code: 'parameter_invalid_empty' }],
    ['an object as text', { ...CARD_PAYMENT, description: { a: 'b' } }, { param: 'description' }],
    ['a text as list', { ...CARD_PAYMENT, allowed_payment_method_types: 'card' }, {}],
    ['no way back', { ...without('allowed_payment_method_types'), return_url: '' }, {}],
    ['a statement of a card', { ...CARD_PAYMENT, statement_descriptor: 'SHOP' }, {}],
    ['a long statement', { ...CARD_PAYMENT, statement_descriptor_suffix: 'a'.repeat(23) }, {}],
    ['a missing customer', { ...CARD_PAYMENT, customer: 'cus_0' }, { code: 'resource_missing' }],
    ['a missing method', { ...CARD_PAYMENT, payment_method: 'pm_0' }, { code: 'resource_missing' }],
    ['a long value', { ...CARD_PAYMENT, metadata: { a: 'b'.repeat(501) } }, { param: 'metadata[a]' }],
    ['another type', { ...CARD_PAYMENT, allowed_payment_method_types: ['ideal'] }, {}],
  ])('refuses %s', async (_, given, expected) => {
    const { error, double } = openBench();
    expect(await error(PAYMENTS, given)).toMatchObject({
      ...{ status: 400, type: 'invalid_request_error', ...expected },
    });
    expect(double.books().payments).toEqual([]);
    expect(double.webhooks()).toEqual([]);
  });

  it('needs an address to return to when any payment method may redirect', async () => {
    const { error, call, double } = openBench();
    const open = Object.fromEntries(
      Object.entries(CARD_PAYMENT).filter(
        ([key]) => key !== 'return_url' && key !== 'allowed_payment_method_types',
      ),
    );
    expect(await error(PAYMENTS, open)).toMatchObject({ status: 400, type: 'invalid_request_error' });
    expect(double.books().payments).toEqual([]);
    expect((await call(PAYMENTS, { ...open, return_url: 'https://shop.example.com' })).status).toBe(200);
  });

  it('refuses the wrong key, version and address', async () => {
    const { send, double } = openBench();
    const statusOf = async (call: string, headers: Readonly<Record<string, string>>): Promise<unknown> =>
      (await send(call, CARD_PAYMENT, headers))?.status;
    expect(await statusOf(PAYMENTS, { authorization: 'Bearer sk_test_other' })).toBe(401);
    expect(await statusOf(PAYMENTS, { 'stripe-version': '2024-06-20' })).toBe(400);
    expect(await statusOf(PAYMENTS, { 'content-type': 'application/json' })).toBe(400);
    expect(await statusOf('POST /v1/payment_intent', {})).toBe(404);
    expect(double.books().payments).toEqual([]);
  });
});

describe('faults of the double', () => {
  it('loses a request before the work, and an answer after the work', async () => {
    const { send, double } = openBench();
    double.failNext(['lose_request', 'lose_answer']);
    expect(await send(PAYMENTS, CARD_PAYMENT)).toBeNull();
    expect(double.books().payments).toHaveLength(0);
    expect(await send(PAYMENTS, CARD_PAYMENT)).toBeNull();
    expect(double.books().payments).toHaveLength(1);
  });

  it('spoils an answer and keeps the true one', async () => {
    const { call, double } = openBench();
    double.failNext(['truncated', 'unknown_word', 'other_currency', 'other_amount'], 'POST /v1/pay');
    const texts: string[] = [];
    for (let index = 0; index < 5; index += 1) texts.push((await call(PAYMENTS, CARD_PAYMENT, 'key-1')).text);
    const [cut = '', word = '', currency = '', amount = '', whole = ''] = texts;
    expect(() => JSON.parse(cut) as unknown).toThrow();
    expect(JSON.parse(word)).toMatchObject({ status: 'quantum_state' });
    expect(JSON.parse(currency)).toMatchObject({ currency: 'eur' });
    expect(JSON.parse(amount)).toMatchObject({ amount: 1001, amount_received: 1001 });
    expect(JSON.parse(whole)).toMatchObject({ amount: 1000, currency: 'usd', status: 'succeeded' });
    expect(double.books().payments).toHaveLength(1);
  });

  it('answers with the page of a proxy, and refuses credentials and permissions', async () => {
    const { call, double } = openBench();
    double.failNext(['maintenance', 'unauthorized', 'forbidden']);
    const page = await call(PAYMENTS, CARD_PAYMENT);
    expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html']);
    expect((await call(PAYMENTS, CARD_PAYMENT)).status).toBe(401);
    expect((await call(PAYMENTS, CARD_PAYMENT)).status).toBe(403);
    expect(double.books().payments).toEqual([]);
  });
});

describe('webhooks of the double', () => {
  it('signs each event so that the SDK accepts the signature', async () => {
    const { double, pay } = openBench({ now: () => new Date() });
    const { id } = await pay();
    const owed = double.webhooks();
    expect(owed.map(({ type }) => type)).toEqual([
      ...['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'],
    ]);
    const last = owed.at(-1);
    const event = Stripe.webhooks.constructEvent(
      ...[last?.body ?? '', last?.headers['stripe-signature'] ?? '', double.webhookSecret],
    );
    expect(event.data.object).toMatchObject({ id, object: 'payment_intent', amount_received: 1000 });
    expect(double.webhooks()).toEqual([]);
  });

  it('serves the API over HTTP, and posts its webhooks', async () => {
    const { double } = openBench({ now: () => new Date() });
    const listening = await double.listen();
    const { hostname, port } = new URL(listening.url);
    const stripe = new Stripe(double.secretKey, { host: hostname, port: Number(port), protocol: 'http' });
    const intent = await stripe.paymentIntents.create(
      {
        ...{ amount: 1000, currency: 'usd', confirm: true, payment_method: 'pm_card_threeDSecure2Required' },
        ...{ allowed_payment_method_types: ['card'], return_url: 'https://shop.example.com/return' },
      },
      { idempotencyKey: 'key-1' },
    );
    expect(intent.status).toBe('requires_action');
    const url = intent.next_action?.redirect_to_url?.url ?? '';
    const back = await fetch(`${url}&decision=approve`, { redirect: 'manual' });
    expect(back.status).toBe(302);
    expect(back.headers.get('location')).toContain(`payment_intent=${intent.id}`);
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
    expect(await double.postTo(`${listening.url}/hooks`)).toEqual([401, 401, 401, 401]);
    await listening.close();
  });
});
