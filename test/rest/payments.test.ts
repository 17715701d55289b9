import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { restClient, type RestClient } from './client.ts';

let harness: Harness;
let send: RestClient;
beforeAll(async () => {
  harness = await startHarness();
  send = restClient(harness.server);
});
afterAll(() => harness.stop());

const CARD = {
  method: 'card',
  number: '4111 1111 1111 1111',
  expiration_date: '12/40',
  security_code: '123',
};
const payment = (amount: number, more: object = {}) => ({
  ...{ amount, currency: 'USD', country: 'US', payment_method: CARD },
  ...more,
});
const ABSENT = '018f3c2e-0000-7000-8000-000000000000';

describe('payments by the REST paths', () => {
  it('are found by their metadata, in one text or in several', async () => {
    const made = await send('POST /transactions', payment(100, { metadata: { shop: 'north', till: '4' } }));
    await send('POST /transactions', payment(100, { metadata: { shop: 'north', till: '5' } }));
    const found = (...maps: readonly string[]) =>
      send(`GET /transactions?${maps.map((each) => `metadata=${encodeURIComponent(each)}`).join('&')}`);

    expect((await found('{"shop":"north"}')).body.items.length).toBe(2);
    for (const maps of [['{"shop":"north","till":"4"}'], ['{"shop":"north"}', '{"till":"4"}']])
      expect((await found(...maps)).body.items.map(({ id }) => id)).toEqual([made.body.id]);
    for (const wrong of ['north', '["shop"]', '{"till":4}', '{"__proto__":{"till":"4"}}']) {
      const { status, body } = await found(wrong);
      expect(status).toBe(400);
      expect(body['details']).toEqual([expect.objectContaining({ location: 'query', pointer: '/metadata' })]);
    }
  });

  it('carry their order, and refuse totals that do not make the amount', async () => {
    const order = {
      ...{ cart_items: [{ name: 'Socks', quantity: 2, unit_amount: 500 }], tax_amount: 190, duty_amount: 0 },
      ...{ shipping_amount: 99, amount_includes_tax: false, purchase_order_number: 'PO 7' },
      ...{ customer_reference_number: 'C-7', merchant_tax_id: 'T-7', supplier_order_number: 'S-7' },
    };
    const made = await send('POST /transactions', payment(1289, order));
    const refused = await send('POST /transactions', payment(1290, order));

    const { cart_items: _, ...numbers } = order;
    expect([made.status, made.body]).toMatchObject([
      201,
      { ...numbers, order_totals: { item_amount: 1000 } },
    ]);
    expect([refused.status, refused.body['details']]).toMatchObject([
      400,
      [{ pointer: '/cart_items', message: expect.stringContaining('1 minor units more') }],
    ]);
    const token = await harness.server.mint({ scopes: ['transactions.read'] });
    const { status, body } = await send(`GET /transactions/${made.body.id}`, undefined, { token });
    expect([status, body]).toMatchObject([200, { purchase_order_number: 'PO 7' }]);
    expect(body).not.toHaveProperty('customer_reference_number');
  });

  it('have no totals for a cart whose sums are above every amount', async () => {
    const line = { name: 'Socks', quantity: 1, unit_amount: 99_999_999 };
    const cart_items = [
      ...Array.from({ length: 22 }, () => line),
      ...Array.from({ length: 21 }, () => ({ ...line, product_type: 'discount' })),
    ];
    const made = await send('POST /transactions', payment(99_999_999, { cart_items }));
    const refused = await send('POST /transactions', payment(99_999_999, { cart_items, tax_amount: 0 }));

    expect([made.status, made.body]).toMatchObject([
      201,
      { status: 'authorization_succeeded', order_totals: null },
    ]);
    expect([refused.status, refused.body['details']]).toMatchObject([
      400,
      [{ pointer: '/cart_items', message: 'The items of all lines must be at most 99999999.' }],
    ]);
  });

  it('are authorised, captured and refunded, and the graph shows them', async () => {
    const before = (await harness.eventNames()).length;
    const created = await send('POST /transactions', payment(1299, { external_identifier: 'order-1' }));
    const { id } = created.body;
    const captured = await send('POST /captures', { transaction_id: id, amount: 1000 });
    const refunded = await send('POST /refunds', { transaction_id: id, amount: 400, reason: 'returned' });

    expect([created.status, captured.status, refunded.status]).toEqual([201, 201, 201]);
    expect(created.body).toMatchObject({
      ...{
        type: 'transaction',
        status: 'authorization_succeeded',
        authorized_amount: 1299,
        session_token: null,
      },
      payment_method: { type: 'payment-method', method: 'card', scheme: 'visa', label: '1111' },
    });
    expect(captured.body).toMatchObject({ type: 'capture', status: 'succeeded', amount: 1000, final: true });
    expect(refunded.body).toMatchObject({
      ...{
        type: 'refund',
        status: 'succeeded',
        amount: 400,
        reason: 'returned',
        target_type: 'payment-method',
      },
    });
    const { body } = await harness.server.graphql(
      'query ($id: ID!) { transaction(id: $id) { status capturedAmount refundedAmount captures { id } refunds { id } } }',
      { id },
    );
    expect(body.data).toEqual({
      transaction: {
        ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1000, refundedAmount: 400 },
        ...{ captures: [{ id: captured.body.id }], refunds: [{ id: refunded.body.id }] },
      },
    });
    expect((await harness.eventNames()).slice(before)).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
      'refund.succeeded',
    ]);
    const paths = [
      `/transactions/${id}`,
      `/transactions/${id}/captures`,
      `/transactions/${id}/events`,
    ] as const;
    const [shown, captures, history] = await Promise.all(paths.map((path) => send(`GET ${path}`)));
    expect(shown?.body).toMatchObject({ id, captured_amount: 1000, refunded_amount: 400 });
    expect(captures?.body).toEqual({ items: [captured.body] });
    expect(history?.body.items.length).toBeGreaterThan(2);
    expect(history?.body).toMatchObject({ limit: 100, next_cursor: null });
    const one = await send(`GET /transactions/${id}/refunds/${refunded.body.id}`);
    expect(one.body).toEqual(refunded.body);
  });

  it('are voided', async () => {
    const { body } = await send('POST /transactions', payment(500));
    const voided = await send('POST /voids', { transaction_id: body.id });
    const again = await send(`POST /transactions/${body.id}/void`);

    expect([voided.status, voided.body.status]).toEqual([201, 'succeeded']);
    expect([again.status, again.body.reason]).toEqual([400, 'operation_not_allowed']);
  });

  it('are answered as the capture or the void that the request prefers', async () => {
    const { body } = await send('POST /transactions', payment(700));
    const prefer = (resource: string) => ({
      headers: { prefer: `respond-async, resource=${resource}` },
      key: body.id,
    });
    const capture = `POST /transactions/${body.id}/capture` as const;
    const captured = await send(capture, { amount: 300 }, prefer('transaction-capture'));
    const whole = await send(capture, { amount: 300 }, prefer('transaction-void'));
    const other = await send('POST /transactions', payment(700));
    const voided = await send(
      `POST /transactions/${other.body.id}/void`,
      undefined,
      prefer('transaction-void'),
    );

    expect([captured, whole, voided].map(({ status, body: { type } }) => [status, type])).toEqual([
      [200, 'capture'],
      [200, 'transaction'],
      [200, 'void'],
    ]);
    expect(captured.headers.get('preference-applied')).toBe('resource=transaction-capture');
    expect([whole.headers.get('preference-applied'), whole.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect((await send(`GET /transactions/${body.id}/captures`)).body.items).toEqual([captured.body]);
  });

  it('are refused without a call of the provider', async () => {
    const { body } = await send('POST /transactions', payment(500));
    const calls = harness.provider.calls.length;
    const answers = [
      await send('POST /captures', { transaction_id: body.id, amount: 501 }),
      await send('POST /captures', { transaction_id: ABSENT }),
      await send('POST /captures', { amount: 1 }),
      await send('POST /transactions', payment(500, { three_d_secure: { amount: 499 } })),
      await send('POST /transactions', payment(500, { payment_method: { ...CARD, number: '4111' } })),
      await send('POST /transactions', payment(500, { metadata: { note: '4111111111111111' } })),
      await send('POST /transactions', payment(500, { payment_method: { ...CARD, pin: '1' } })),
    ];

    const places = answers.map(({ status, body: { reason, details } }) => [
      ...[status, reason],
      ...(details as readonly { readonly location: string; readonly pointer: string }[]).map(
        ({ location, pointer }) => `${location} ${pointer}`,
      ),
    ]);
    expect(places).toEqual([
      [400, 'capture_too_large', 'body /amount'],
      [404, 'not_found', 'body /transaction_id'],
      [400, 'invalid_input', 'body /transaction_id'],
      [400, 'invalid_input', 'body /three_d_secure/amount'],
      [400, 'invalid_input', 'body /payment_method/number'],
      [400, 'invalid_input', 'body /metadata'],
      [400, 'invalid_input', 'body /payment_method'],
    ]);
    expect(harness.provider.calls.length).toBe(calls);
    for (const { text } of answers) expect(text).not.toContain('4111');
  });

  it('happen once for each key, whether it comes by REST or by GraphQL', async () => {
    const calls = harness.provider.calls.length;
    const made = await send('POST /transactions', payment(700), { key: 'pay-1' });
    const again = await send('POST /transactions', payment(700), { key: '"pay-1"' });
    const { body } = await harness.server.graphql(
      `mutation ($input: CreateTransactionInput!) {
        createTransaction(input: $input, idempotencyKey: "pay-1") { transaction { id } replayed } }`,
      {
        input: {
          ...{ amount: 700, currency: 'USD', country: 'US' },
          paymentMethod: {
            card: { number: '4111 1111 1111 1111', expirationDate: '12/40', securityCode: '123' },
          },
        },
      },
    );
    const other = await send('POST /transactions', payment(701), { key: 'pay-1' });

    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(made.text);
    expect(body.data).toEqual({ createTransaction: { transaction: { id: made.body.id }, replayed: true } });
    expect([other.status, other.body.reason]).toEqual([400, 'idempotency_key_reused']);
    expect(harness.provider.calls.length).toBe(calls + 1);
  });

  it('happen once when requests with one key race', async () => {
    const { body } = await send('POST /transactions', payment(900, { intent: 'capture' }));
    const refund = () => send('POST /refunds', { transaction_id: body.id, amount: 900 }, { key: 'race' });
    const answers = await Promise.all([refund(), refund(), refund(), refund()]);

    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body: { id } }) => id)).size).toBe(1);
    for (const { status, body: late } of answers)
      if (status !== 201) expect(late).toMatchObject({ code: 'concurrent_request', status: 409 });
    expect((await send(`GET /transactions/${body.id}`)).body).toMatchObject({ refunded_amount: 900 });
  });

  it('are unknown to other merchant accounts', async () => {
    const { body } = await send('POST /transactions', payment(300));
    const { token } = await harness.server.createMerchantAccount();
    const calls = harness.provider.calls.length;
    const foreign = [
      await send(`GET /transactions/${body.id}`, undefined, { token }),
      await send('POST /captures', { transaction_id: body.id }, { token }),
      await send('POST /voids', { transaction_id: body.id }, { token }),
      await send(`PUT /transactions/${body.id}`, { external_identifier: 'mine' }, { token }),
    ];

    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await send('GET /transactions', undefined, { token })).body.items).toEqual([]);
    expect(harness.provider.calls.length).toBe(calls);
  });

  it('are listed by filters, a hundred on a page', async () => {
    const { body } = await send('POST /transactions', payment(4321, { external_identifier: 'needle' }));
    const found = await send(
      'GET /transactions?limit=100&amount_gte=4321&amount_lte=4321&status=authorization_succeeded&currency=USD',
    );
    const none = await send('GET /transactions?external_identifier=needle&merchant_initiated=true');
    const wrong = await send('GET /transactions?status=gone');

    expect(found.body.items.map(({ id }) => id)).toEqual([body.id]);
    expect(found.body).toMatchObject({ limit: 100, next_cursor: null, previous_cursor: null });
    expect(none.body.items).toEqual([]);
    expect(wrong.body['details']).toMatchObject([{ location: 'query', pointer: '/status/0' }]);
  });
});
