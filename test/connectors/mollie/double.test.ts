import { describe, expect, it } from '@jest/globals';
import { API_KEY, createMollieDouble } from './double.ts';

type Body = Readonly<Record<string, unknown>>;

/** Opens a double with a clock that the test moves, and the calls of a client with the API key. */
function openBench() {
  let nowMs = Date.UTC(2026, 10, 1);
  const double = createMollieDouble({ now: () => new Date(nowMs) });
  const call = async (name: string, body: Body | string | null = null, key?: string, apiKey = API_KEY) => {
    const [method = '', path = ''] = name.split(' ');
    const answer = await double.handle({
      ...{ method, path },
      headers: { authorization: `Bearer ${apiKey}`, ...(key !== undefined && { 'idempotency-key': key }) },
      body: body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = answer?.body ?? '';
    return {
      status: answer?.status,
      headers: answer?.headers,
      json: (text === '' ? {} : JSON.parse(text)) as Body & { readonly id: string; readonly field?: string },
    };
  };
  const pay = async (more: Body = {}): Promise<string> => {
    const { json } = await call('POST /v2/payments', { ...PAYMENT, ...more });
    double.hands.decide(json.id, 'approve');
    return json.id;
  };
  return { double, call, pay, pass: (ms: number): void => void (nowMs += ms) };
}

const AMOUNT = { currency: 'EUR', value: '10.00' };

const PAYMENT = {
  amount: AMOUNT,
  description: 'Order 7',
  redirectUrl: 'https://shop.example/',
  method: 'ideal',
};

const HELD = { method: 'creditcard', captureMode: 'manual' };

describe('the double refuses a payment', () => {
  it.each<[string, Body, string]>([
    ['without an amount', { amount: undefined }, 'amount'],
    ['of nothing', { amount: { ...AMOUNT, value: '0.00' } }, 'amount'],
    ['with too few decimals', { amount: { ...AMOUNT, value: '10.0' } }, 'amount.value'],
    ['with decimals of yen', { amount: { currency: 'JPY', value: '10.00' } }, 'amount.value'],
    ['with a number as amount', { amount: { ...AMOUNT, value: 10 } }, 'amount.value'],
    ['in an unknown currency', { amount: { ...AMOUNT, currency: 'XXX' } }, 'amount.currency'],
    ['without a description', { description: undefined }, 'description'],
    ['without a way back', { redirectUrl: undefined }, 'redirectUrl'],
    ['with a local address for webhooks', { webhookUrl: 'http://localhost:4000/webhooks/1' }, 'webhookUrl'],
    ['with an unknown method', { method: 'cash' }, 'method'],
    ['with a method in another currency', { amount: { ...AMOUNT, currency: 'CHF' } }, 'method'],
    ['that needs the lines of a cart', { method: 'klarna' }, 'lines'],
    ['held by a method without captures', { captureMode: 'manual' }, 'captureMode'],
    ['with an unknown card token', { method: 'creditcard', cardToken: 'tkn_none' }, 'cardToken'],
    ['that stores its method for nobody', { sequenceType: 'first' }, 'customerId'],
    ['of an unknown customer', { customerId: 'cst_none' }, 'customerId'],
    ['to half an address', { billingAddress: { city: 'Amsterdam' } }, 'billingAddress'],
    ['in a language that Mollie lacks', { locale: 'uz_UZ' }, 'locale'],
    [
      'to a person of one letter',
      { billingAddress: { email: 'a@b.example', givenName: 'J' } },
      'billingAddress.givenName',
    ],
    [
      'to a number',
      { billingAddress: { email: 'a@b.example', familyName: '12' } },
      'billingAddress.familyName',
    ],
    ['with long metadata', { metadata: { text: 'x'.repeat(2_000) } }, 'metadata'],
    ['with a field that Mollie does not have', { capture: true }, 'capture'],
  ])('%s', async (_, more, field) => {
    const { call, double } = openBench();

    const { status, json } = await call('POST /v2/payments', { ...PAYMENT, ...more });

    expect({ status, field: json.field }).toEqual({ status: 422, field });
    expect(double.payments()).toEqual([]);
  });

  it('with a wrong key, or without JSON', async () => {
    const { call } = openBench();

    expect((await call('POST /v2/payments', PAYMENT, 'key', 'test_other')).status).toBe(401);
    expect((await call('POST /v2/payments', 'amount=10')).status).toBe(400);
  });
});

describe('the double refuses a follow-up', () => {
  it.each<[string, Body, string, Body | null, number]>([
    ['a capture of a sale', {}, 'captures', null, 422],
    ['a capture above the rest', HELD, 'captures', { amount: { ...AMOUNT, value: '10.01' } }, 422],
    ['a capture in another currency', HELD, 'captures', { amount: { ...AMOUNT, currency: 'USD' } }, 422],
    ['a refund above the payment', {}, 'refunds', { amount: { ...AMOUNT, value: '10.01' } }, 422],
    ['a refund of a held payment', HELD, 'refunds', { amount: AMOUNT }, 422],
    ['a refund without an amount', {}, 'refunds', {}, 422],
    ['a release of a sale', {}, 'release-authorization', null, 422],
  ])('%s', async (_, more, step, body, status) => {
    const { call, pay } = openBench();
    const id = await pay(more);

    expect((await call(`POST /v2/payments/${id}/${step}`, body)).status).toBe(status);
  });

  it('a cancel of a paid payment, and of an open one whose method has no cancels', async () => {
    const { call, pay } = openBench();
    const paid = await pay();
    const open = (await call('POST /v2/payments', PAYMENT)).json;

    expect((await call(`DELETE /v2/payments/${paid}`)).status).toBe(422);
    expect(open['isCancelable']).toBe(false);
    expect((await call(`DELETE /v2/payments/${open.id}`)).status).toBe(422);
  });

  it('a second equal refund in a moment', async () => {
    const { call, pay, pass } = openBench();
    const id = await pay();
    const refund = (key: string) =>
      call(`POST /v2/payments/${id}/refunds`, { amount: { ...AMOUNT, value: '1.00' } }, key);

    expect([(await refund('one')).status, (await refund('two')).status]).toEqual([201, 409]);
    pass(60_000);
    expect((await refund('three')).status).toBe(201);
  });

  it('a payment that Mollie does not have', async () => {
    const { call } = openBench();

    expect((await call('GET /v2/payments/tr_none')).status).toBe(404);
  });
});

describe('a key', () => {
  it('gives its first answer again for an hour', async () => {
    const { call, double, pass } = openBench();
    const first = await call('POST /v2/payments', PAYMENT, 'key');
    const again = await call('POST /v2/payments', PAYMENT, 'key');
    expect(again.json.id).toBe(first.json.id);
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });

    pass(61 * 60_000);

    expect((await call('POST /v2/payments', PAYMENT, 'key')).json.id).not.toBe(first.json.id);
    expect(double.payments()).toHaveLength(2);
  });

  it.each([
    ['other parameters', 'POST /v2/payments', { ...PAYMENT, description: 'Order 8' }],
    ['another call', 'POST /v2/customers', {}],
  ])('is refused with %s', async (_, name, body) => {
    const { call } = openBench();
    await call('POST /v2/payments', PAYMENT, 'key');

    expect((await call(name, body, 'key')).status).toBe(400);
  });

  it('is refused while its first request is under way', async () => {
    const { call, double } = openBench();
    double.failNext(['hang']);
    const first = call('POST /v2/payments', PAYMENT, 'key');

    expect((await call('POST /v2/payments', PAYMENT, 'key')).status).toBe(409);

    double.release();
    expect((await first).status).toBe(201);
  });

  it('means nothing to a deletion', async () => {
    const { call, pay } = openBench();
    const id = await pay(HELD);

    expect((await call(`DELETE /v2/payments/${id}`, null, 'key')).status).toBe(200);
    expect((await call(`DELETE /v2/payments/${id}`, null, 'key')).status).toBe(422);
  });
});

describe('a list', () => {
  it('has pages, newest first, with the place of the next', async () => {
    const { call } = openBench();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await call('POST /v2/payments', PAYMENT)).json.id);
    const { json } = await call('GET /v2/payments?limit=2');

    const { payments } = json['_embedded'] as { payments: readonly { id: string }[] };
    expect(payments.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const { next } = json['_links'] as { next: { href: string } };
    expect(new URL(next.href).searchParams.get('from')).toBe(ids[0]);
  });
});
