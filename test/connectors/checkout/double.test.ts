import { describe, expect, it } from '@jest/globals';
import { createCheckoutDouble, type CheckoutDoubleSettings } from './double.ts';
import { callDouble, paymentBody, saleAt } from './double-client.ts';
import { PAGE_MS } from './payments.ts';

/** Opens a double whose clock the test moves. */
function open(settings: CheckoutDoubleSettings = {}) {
  let nowMs = Date.UTC(2026, 10, 24);
  const double = createCheckoutDouble({ now: () => new Date(nowMs), ...settings });
  return {
    double,
    pass: (ms: number) => void (nowMs += ms),
    call: (name: string, body: object | null = null, key?: string) => callDouble(double, name, body, key),
    pay: (changes: object = {}, key?: string) =>
      callDouble(double, 'POST /payments', paymentBody(double, changes), key),
  };
}

const errors = (...codes: readonly string[]) => ({ status: 422, json: { error_codes: codes } });
const SOURCE = { type: 'card', number: '4242424242424242', expiry_month: 3, expiry_year: 2030 };
const HELD = { capture: false };
const NOT_ALLOWED = { status: 403, json: {} };

describe('the double of Checkout.com', () => {
  it.each([
    [{ amount: 12.99 }, 'amount_invalid'],
    [{ amount: 1_000_000_000 }, 'amount_invalid'],
    [{ amount: 1005, currency: 'KWD' }, 'amount_invalid'],
    [{ amount: 1050, currency: 'CLP' }, 'amount_invalid'],
    [{ currency: 'EURO' }, 'currency_invalid'],
    [{ currency: 'VES' }, 'currency_invalid'],
    [{ currency: undefined }, 'currency_required'],
    [{ processing_channel_id: 'pc_other' }, 'processing_channel_id_invalid'],
    [{ processing_channel_id: undefined }, 'processing_channel_id_required'],
    [{ reference: 'x'.repeat(51) }, 'reference_invalid'],
    [{ description: 'x'.repeat(101) }, 'description_invalid'],
    [{ metadata: { order: { id: 7 } } }, 'metadata_order_invalid'],
    [{ payment_type: 'Ecommerce' }, 'payment_type_invalid'],
    [{ billing_descriptor: { name: 'Shop' } }, 'billing_descriptor_city_required'],
    [{ success_url: 'shop' }, 'success_url_invalid'],
    [{ refrence: 'order-7' }, 'request_refrence_unknown'],
    [{ source: { ...SOURCE, number: '4242424242424241' } }, 'card_number_invalid'],
    [{ source: { ...SOURCE, expiry_month: '03' } }, 'card_expiry_month_invalid'],
    [{ source: { ...SOURCE, expiry_year: 2020 } }, 'card_expired'],
    [{ source: { ...SOURCE, cvv: '12' } }, 'cvv_invalid'],
    [{ source: { type: 'id', id: `src_${'a'.repeat(26)}` } }, 'source_id_invalid'],
    [{ source: { type: 'token', token: `tok_${'a'.repeat(26)}` } }, 'token_invalid'],
    [{ merchant_initiated: true, previous_payment_id: 'pay_unknown' }, 'previous_payment_id_invalid'],
  ])('refuses a payment with %j', async (changes, code) => {
    const { double, pay } = open();
    expect(await pay(changes)).toMatchObject(errors(code));
    expect(double.books()).toEqual([]);
  });

  it('refuses another key, and the secret key for the exchange of a token', async () => {
    const { double, call } = open();
    const headers = { authorization: `Bearer ${double.publicKey}` };
    expect(await double.handle({ method: 'GET', path: '/payments/pay_1', headers, body: '' })).toMatchObject({
      status: 401,
    });
    const exchange = { method: 'POST', path: '/tokens', body: '{}' };
    const secret = { authorization: `Bearer ${double.secretKey}`, 'content-type': 'application/json' };
    expect(await double.handle({ ...exchange, headers: secret })).toMatchObject({ status: 401 });
    expect(await call('POST /tokens', { type: 'applepay', token_data: {} })).toMatchObject({ status: 422 });
  });

  it('refuses a capture above the rest, after a void, and of another payment', async () => {
    const { double, pay, call } = open();
    const { json } = await pay(HELD);
    const payment = `POST /payments/${String(json['id'])}`;
    const TOO_MUCH = 'capture_value_greater_than_remaining_authorized';
    expect(await call(`${payment}/captures`, { amount: 1300 })).toMatchObject(errors(TOO_MUCH));
    expect(await call(`${payment}/captures`, { amount: 500, currency: 'USD' })).toMatchObject(
      errors('request_currency_unknown'),
    );
    await call(`${payment}/captures`, { amount: 500, capture_type: 'NonFinal' });
    // A capture without a decision reserves its amount.
    expect(await call(`${payment}/captures`, { amount: 800 })).toMatchObject(errors(TOO_MUCH));
    await call(`${payment}/voids`, {});
    expect(await call(`${payment}/captures`, { amount: 1 })).toEqual(NOT_ALLOWED);
    expect(await call(`${payment}/voids`, {})).toEqual(NOT_ALLOWED);
    expect(await call('POST /payments/pay_other/captures', {})).toEqual({ status: 404, json: {} });
    double.hands.decideOpen();
    expect(double.books()).toMatchObject([{ status: 'Captured', captured: 500, held: 0 }]);
  });

  it('releases the rest after a final capture, which is the default', async () => {
    const { double, pay, call } = open();
    const { json } = await pay(HELD);
    await call(`POST /payments/${String(json['id'])}/captures`, { amount: 500 });
    expect(await call(`POST /payments/${String(json['id'])}/captures`, { amount: 1 })).toEqual(NOT_ALLOWED);
    double.hands.decideOpen();
    expect(double.books()).toMatchObject([{ status: 'Captured', captured: 500, held: 0 }]);
  });

  it('refuses a refund before a capture, and above the captured money', async () => {
    const { double, pay, call } = open();
    const { json } = await pay(HELD);
    expect(await call(`POST /payments/${String(json['id'])}/refunds`, {})).toEqual(NOT_ALLOWED);
    const sale = await saleAt(double);
    await call(`POST /payments/${sale}/refunds`, { amount: 1000 });
    expect(await call(`POST /payments/${sale}/refunds`, { amount: 300 })).toMatchObject(
      errors('refund_amount_exceeds_balance'),
    );
    double.hands.decideOpen();
    expect(double.books().at(-1)).toMatchObject({ status: 'Partially Refunded', refunded: 1000 });
  });

  it('gives the money back to the balance if a change is declined', async () => {
    const { double, pay, call } = open();
    const { json } = await pay(HELD);
    double.hands.answerNext('Capture', '20005');
    await call(`POST /payments/${String(json['id'])}/captures`, {});
    double.hands.decideOpen();
    expect(double.books()).toMatchObject([{ status: 'Authorized', captured: 0, held: 1299 }]);
  });

  it('keeps the answer of a success for a day, and no refusal', async () => {
    const { double, pay, pass } = open();
    expect(await pay({ currency: 'VES' }, 'key-1')).toMatchObject({ status: 422 });
    const first = await pay(HELD, 'key-1');
    expect(first).toMatchObject({ status: 201 });
    expect(await pay({ ...HELD, amount: 1 }, 'key-1')).toEqual(first);
    expect(double.books()).toHaveLength(1);
    pass(24 * 3_600_000);
    await pay(HELD, 'key-1');
    expect(double.books()).toHaveLength(2);
  });

  it('answers 409 while the first request of a key is under way', async () => {
    const { double, pay } = open();
    double.failNext(['hang']);
    const first = pay(HELD, 'key-1');
    expect(await pay(HELD, 'key-1')).toEqual({ status: 409, json: {} });
    double.release();
    expect(await first).toMatchObject({ status: 201 });
  });

  it('ends the visit of a buyer after 15 minutes, and takes no late decision', async () => {
    const { double, pay, pass } = open();
    const { status, json } = await pay({ ...HELD, '3ds': { enabled: true } });
    expect({ status, word: json['status'] }).toEqual({ status: 202, word: 'Pending' });
    pass(PAGE_MS);
    expect(double.books()).toMatchObject([{ status: 'Declined', authorized: 0 }]);
    double.hands.decide(String(json['id']), 'approve');
    expect(double.books()).toMatchObject([{ status: 'Declined', authorized: 0 }]);
  });

  it('lets a person capture, refund and void by its own rules, and owes the events', async () => {
    const { double, pay } = open();
    const { json } = await pay(HELD);
    const id = String(json['id']);
    double.webhooks();
    double.elsewhere.capture(id, 500, false);
    double.elsewhere.refund(id, 200);
    double.elsewhere.void(id);
    expect(() => double.elsewhere.capture(id, 1)).toThrow('403');
    expect(() => double.elsewhere.refund(id, 301)).toThrow('refund_amount_exceeds_balance');
    expect(double.webhooks().map(({ type }) => type)).toEqual([
      ...['payment_captured', 'payment_refunded', 'payment_voided'],
    ]);
    expect(double.books()).toMatchObject([{ captured: 500, refunded: 200, held: 0 }]);
  });

  it('shows a person the page, and sends the buyer back', async () => {
    const { double, pay } = open();
    const back = 'https://shop.example/back';
    const { json } = await pay({ ...HELD, '3ds': { enabled: true }, success_url: back, failure_url: back });
    const page = (json['_links'] as { readonly redirect: { readonly href: string } }).redirect.href;
    const { pathname } = new URL(page);
    const visit = (query: string) =>
      double.handle({ method: 'GET', path: `${pathname}${query}`, headers: {}, body: '' });
    expect(await visit('')).toMatchObject({ status: 200, body: expect.stringContaining('decision=approve') });
    expect(await visit('?decision=approve')).toMatchObject({
      status: 302,
      headers: { location: expect.stringMatching(/^https:\/\/shop\.example\/back\?cko-session-id=sid_/) },
    });
    expect(double.books()).toMatchObject([{ status: 'Authorized', authorized: 1299 }]);
  });
});
