import { describe, expect, it } from '@jest/globals';
import { verify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { issueOf, money, openBench, ORDER, paymentsOf } from './double-client.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ORDERS = 'POST /v2/checkout/orders';

const withUnit = (unit: object): object => ({
  ...ORDER,
  purchase_units: [{ ...ORDER.purchase_units[0], ...unit }],
});

describe('access of the double', () => {
  it('issues a token for nine hours, and refuses every call without one', async () => {
    const { login, call, send, pass, double } = openBench();
    expect((await login()).json).toMatchObject({ token_type: 'Bearer', expires_in: 32_400 });
    expect((await call(ORDERS, ORDER)).status).toBe(200);
    const stranger = await send(ORDERS, { body: ORDER, headers: { authorization: 'Bearer other' } });
    expect([stranger?.status, stranger?.json]).toMatchObject([401, { error: 'invalid_token' }]);
    pass(9 * HOUR_MS);
    expect((await call(ORDERS, ORDER)).status).toBe(401);
    await login();
    expect((await call(ORDERS, ORDER)).status).toBe(200);
    expect(double.books().payments).toHaveLength(2);
  });

  it('ends a token early, and refuses the wrong client', async () => {
    const { login, call, double } = openBench();
    await login();
    double.failNext(['expired_token']);
    expect((await call(ORDERS, ORDER)).status).toBe(401);
    await login();
    expect((await call(ORDERS, ORDER)).status).toBe(200);
    const answer = await double.handle({
      ...{ method: 'POST', path: '/v1/oauth2/token', body: 'grant_type=client_credentials' },
      headers: {
        authorization: 'Basic b3RoZXI6b3RoZXI=',
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    expect([answer?.status, double.tokensIssued()]).toEqual([401, 2]);
  });
});

describe('request ids of the double', () => {
  it('answers a repeat with the latest state, for six hours of an order', async () => {
    const { call, pass, login, double } = openBench();
    const first = await call(ORDERS, ORDER, 'order-1');
    const id = String(first.json['id']);
    double.hands.decide(id, 'approve');
    pass(6 * HOUR_MS - 1);
    const second = await call(ORDERS, ORDER, 'order-1');
    expect([first.json['status'], second.json['status']]).toEqual(['PAYER_ACTION_REQUIRED', 'APPROVED']);
    expect([first.status, second.status, second.json['id']]).toEqual([200, 200, id]);
    expect(double.books().payments).toHaveLength(1);
    pass(1);
    await login();
    await call(ORDERS, ORDER, 'order-1');
    expect(double.books().payments).toHaveLength(2);
  });

  it('remembers a refund for 45 days, and captures once for an id', async () => {
    const { authorize, call, pass, login, double } = openBench();
    const { id } = await authorize();
    const path = `POST /v2/payments/authorizations/${id}/capture`;
    const body = { amount: money('4.00'), final_capture: false };
    const first = await call(path, body, 'capture-1');
    const second = await call(path, body, 'capture-1');
    expect([first.status, second.status, second.json['id']]).toEqual([201, 201, first.json['id']]);
    const refund = `POST /v2/payments/captures/${String(first.json['id'])}/refund`;
    await call(refund, { amount: money('1.00') }, 'refund-1');
    pass(45 * DAY_MS - 1);
    await login();
    await call(refund, { amount: money('1.00') }, 'refund-1');
    expect(double.books().payments[0]).toMatchObject({ captured: 400, refunded: 100 });
    pass(1);
    await login();
    await call(refund, { amount: money('1.00') }, 'refund-1');
    expect(double.books().payments[0]).toMatchObject({ captured: 400, refunded: 200 });
  });

  it('refuses an id in use, and one of 109 characters', async () => {
    const { call, login, double } = openBench();
    await login();
    double.failNext(['hang']);
    const first = call(ORDERS, ORDER, 'order-1');
    expect(issueOf(await call(ORDERS, ORDER, 'order-1'))).toEqual([409, 'PREVIOUS_REQUEST_IN_PROGRESS']);
    double.release();
    const { json } = await first;
    expect((await call(ORDERS, ORDER, 'order-1')).json['id']).toBe(json['id']);
    expect(issueOf(await call(ORDERS, ORDER, 'x'.repeat(109)))).toEqual([400, 'INVALID_STRING_LENGTH']);
    expect((await call(ORDERS, ORDER, 'x'.repeat(108))).status).toBe(200);
    expect(double.books().payments).toHaveLength(2);
  });

  it('does not keep a refusal', async () => {
    const { approve, call, double } = openBench();
    const id = await approve('AUTHORIZE');
    double.refuseNext('PAYER_CANNOT_PAY');
    const path = `POST /v2/checkout/orders/${id}/authorize`;
    expect(issueOf(await call(path, undefined, 'key-1'))).toEqual([422, 'PAYER_CANNOT_PAY']);
    expect((await call(path, undefined, 'key-1')).status).toBe(201);
    expect(double.books().payments[0]).toMatchObject({ authorized: 1000 });
  });
});

describe('validation of the double', () => {
  const ideal = { name: 'John Doe', country_code: 'NL' };

  it.each<readonly [string, object, readonly [number, string]]>([
    ['an unknown property', { ...ORDER, intnet: 'CAPTURE' }, [400, 'INVALID_PARAMETER']],
    [
      'a nested unknown property',
      withUnit({ amount: { currency_code: 'USD', value: '10.00', valeu: '1' } }),
      [400, 'INVALID_PARAMETER'],
    ],
    ['a null', withUnit({ custom_id: null }), [400, 'INVALID_PARAMETER_SYNTAX']],
    ['a long custom id', withUnit({ custom_id: 'x'.repeat(128) }), [400, 'INVALID_STRING_LENGTH']],
    ['no intent', { purchase_units: ORDER.purchase_units }, [400, 'MISSING_REQUIRED_PARAMETER']],
    ['a wrong word', { ...ORDER, intent: 'SALE' }, [400, 'INVALID_PARAMETER_VALUE']],
    ['no purchase unit', { ...ORDER, purchase_units: [] }, [400, 'INVALID_ARRAY_MIN_ITEMS']],
    [
      'a number as an amount',
      withUnit({ amount: { currency_code: 'USD', value: 10 } }),
      [400, 'INVALID_PARAMETER_SYNTAX'],
    ],
    ['no currency', withUnit({ amount: { value: '10.00' } }), [400, 'MISSING_REQUIRED_PARAMETER']],
    ['three decimals', withUnit({ amount: money('10.000') }), [422, 'DECIMAL_PRECISION']],
    ['decimals of a yen', withUnit({ amount: money('10.00', 'JPY') }), [422, 'DECIMALS_NOT_SUPPORTED']],
    ['decimals of a forint', withUnit({ amount: money('10.00', 'HUF') }), [422, 'DECIMALS_NOT_SUPPORTED']],
    ['nothing', withUnit({ amount: money('0.00') }), [422, 'CANNOT_BE_ZERO_OR_NEGATIVE']],
    ['a debt', withUnit({ amount: money('-1.00') }), [422, 'CANNOT_BE_ZERO_OR_NEGATIVE']],
    ['an unknown currency', withUnit({ amount: money('1.00', 'INR') }), [422, 'INVALID_CURRENCY_CODE']],
    [
      'a wrong sum',
      withUnit({ amount: { ...money('10.00'), breakdown: { item_total: money('9.00') } } }),
      [422, 'AMOUNT_MISMATCH'],
    ],
    [
      'a bank without a way back',
      { ...ORDER, intent: 'CAPTURE', ...withEuro(), payment_source: { ideal } },
      [422, 'RETURN_URL_REQUIRED'],
    ],
    [
      'a bank that should only authorise',
      { ...ORDER, ...withEuro(), payment_source: { ideal } },
      [422, 'UNSUPPORTED_INTENT_FOR_PAYMENT_SOURCE'],
    ],
    [
      'an unknown stored method without a request id',
      { ...ORDER, payment_source: { paypal: { vault_id: 'abc' } } },
      [400, 'PAYPAL_REQUEST_ID_REQUIRED'],
    ],
  ])('refuses %s', async (_, body, issue) => {
    const { call, double } = openBench();
    expect(issueOf(await call(ORDERS, body))).toEqual(issue);
    expect(double.books().payments).toEqual([]);
    expect(double.webhooks()).toEqual([]);
  });

  it('takes JSON alone, with a known preference', async () => {
    const { send, double } = openBench();
    const statusOf = async (headers: Readonly<Record<string, string>>): Promise<unknown> =>
      (await send(ORDERS, { body: ORDER, headers }))?.status;
    expect(await statusOf({ 'content-type': 'text/plain' })).toBe(415);
    expect(await statusOf({ prefer: 'return=everything' })).toBe(400);
    expect((await send('POST /v2/checkout/order', { body: ORDER }))?.status).toBe(404);
    expect(double.books().payments).toEqual([]);
  });

  it('answers with ids and links unless the whole is preferred', async () => {
    const { send } = openBench();
    const whole = await send(ORDERS, { body: ORDER });
    const minimal = await send(ORDERS, { body: ORDER, isMinimal: true });
    expect(whole?.json).toMatchObject({ purchase_units: [{ custom_id: 'operation-1' }] });
    expect(Object.keys(minimal?.json ?? {})).toEqual(['id', 'status', 'payment_source', 'links']);
  });

  function withEuro(): object {
    return { purchase_units: [{ amount: money('10.00', 'EUR') }] };
  }
});

describe('faults of the double', () => {
  it('loses and spoils answers, and refuses without the work', async () => {
    const { send, call, login, double } = openBench();
    await login();
    double.failNext(['lose_request', 'error_before_work', 'rate_limited', 'forbidden', 'maintenance']);
    expect(await send(ORDERS, { body: ORDER })).toBeNull();
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await call(ORDERS, ORDER)).status);
    expect(statuses).toEqual([500, 429, 403, 503]);
    expect(double.books().payments).toEqual([]);

    double.failNext(['lose_answer', 'error_after_work', 'truncated', 'unknown_word', 'other_amount']);
    expect(await send(ORDERS, { body: ORDER, key: 'key-1' })).toBeNull();
    expect((await call(ORDERS, ORDER, 'key-1')).status).toBe(500);
    expect((await call(ORDERS, ORDER, 'key-1')).text).not.toContain('create_time');
    expect((await call(ORDERS, ORDER, 'key-1')).json).toMatchObject({ status: 'QUANTUM_STATE' });
    expect((await call(ORDERS, ORDER, 'key-1')).json).toMatchObject({
      purchase_units: [{ amount: { value: '10.01' } }],
    });
    expect(double.books().payments).toHaveLength(1);
  });
});

describe('webhooks of the double', () => {
  it('signs each event with a certificate of a chain that ends at the test authority', async () => {
    const { approve, double } = openBench();
    const id = await approve('AUTHORIZE');
    const [owed, ...more] = double.webhooks();
    expect([owed?.type, more]).toEqual(['CHECKOUT.ORDER.APPROVED', []]);
    const { headers = {}, body = '' } = owed ?? {};
    expect(JSON.parse(body)).toMatchObject({ resource: { id, status: 'APPROVED' } });
    expect(headers['paypal-cert-url']).toMatch(/^https:\/\/api\.sandbox\.paypal\.com\//);

    const path = new URL(headers['paypal-cert-url'] ?? '').pathname;
    const served = await double.handle({ method: 'GET', path, headers: {}, body: '' });
    const [leaf, intermediate] = (served?.body ?? '')
      .split(/(?<=-----END CERTIFICATE-----\n)/)
      .map((pem) => new X509Certificate(pem));
    const root = new X509Certificate(double.certificate.root());
    expect(leaf?.checkHost('messageverificationcerts.paypal.com')).toBeDefined();
    expect(intermediate && leaf?.checkIssued(intermediate)).toBe(true);
    expect(intermediate && leaf?.verify(intermediate.publicKey)).toBe(true);
    expect(intermediate?.checkIssued(root) && intermediate.verify(root.publicKey)).toBe(true);
    expect([root.ca, intermediate?.ca, leaf?.ca]).toEqual([true, true, false]);

    const text = [
      ...[headers['paypal-transmission-id'], headers['paypal-transmission-time']],
      ...[double.webhookId, crc32(body)],
    ].join('|');
    const signature = Buffer.from(headers['paypal-transmission-sig'] ?? '', 'base64');
    const accepts = (signed: string): boolean =>
      leaf ? verify('sha256', Buffer.from(signed), leaf.publicKey, signature) : false;
    expect([accepts(text), accepts(`${text}0`)]).toEqual([true, false]);
  });

  it('checks a signature for a client', async () => {
    const { approve, call, double } = openBench();
    await approve('AUTHORIZE');
    const [owed] = double.webhooks();
    const { headers = {}, body = '' } = owed ?? {};
    const given = {
      ...{ auth_algo: headers['paypal-auth-algo'], cert_url: headers['paypal-cert-url'] },
      transmission_id: headers['paypal-transmission-id'],
      transmission_sig: headers['paypal-transmission-sig'],
      transmission_time: headers['paypal-transmission-time'],
      ...{ webhook_id: double.webhookId, webhook_event: JSON.parse(body) as object },
    };
    const verdictOf = async (more: object): Promise<unknown> =>
      (await call('POST /v1/notifications/verify-webhook-signature', { ...given, ...more })).json;
    expect(await verdictOf({})).toEqual({ verification_status: 'SUCCESS' });
    expect(await verdictOf({ webhook_id: 'OTHER' })).toEqual({ verification_status: 'FAILURE' });
  });
});

describe('HTTP of the double', () => {
  it('serves the API and the page of the buyer', async () => {
    const { double } = openBench();
    const listening = await double.listen();
    const basic = Buffer.from(`${double.clientId}:${double.clientSecret}`).toString('base64');
    const token = await fetch(`${listening.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token } = (await token.json()) as { readonly access_token: string };
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const created = await fetch(`${listening.url}/v2/checkout/orders`, {
      ...{ method: 'POST', headers, body: JSON.stringify(ORDER) },
    });
    const order = (await created.json()) as {
      readonly id: string;
      readonly links: readonly { readonly rel: string; readonly href: string }[];
    };
    const page = order.links.find(({ rel }) => rel === 'payer-action')?.href ?? '';
    const back = await fetch(`${page}&decision=approve`, { redirect: 'manual' });
    expect(back.headers.get('location')).toContain(`token=${order.id}&PayerID=`);
    const finished = await fetch(`${listening.url}/v2/checkout/orders/${order.id}/authorize`, {
      ...{ method: 'POST', headers: { ...headers, prefer: 'return=representation' } },
    });
    const json = (await finished.json()) as Readonly<Record<string, unknown>>;
    expect([finished.status, paymentsOf(json, 'authorizations')[0]?.status]).toEqual([201, 'CREATED']);
    await listening.close();
  });
});
