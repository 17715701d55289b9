import { describe, expect, it } from '@jest/globals';
import { ATTEMPTS_MAX } from './orders.ts';
import { issueOf, money, openBench, ORDER, paymentsOf, type Bench } from './double-client.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const typesOf = ({ double }: Bench): readonly string[] => double.webhooks().map(({ type }) => type);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

describe('orders of the double', () => {
  it('waits for the buyer, and authorises once', async () => {
    const bench = openBench();
    const created = await bench.call('POST /v2/checkout/orders', ORDER);
    const id = textOf(created.json['id']);
    expect(created.json['links']).toMatchObject([{ rel: 'self' }, { rel: 'payer-action' }]);
    const authorize = `POST /v2/checkout/orders/${id}/authorize`;
    expect(issueOf(await bench.call(authorize))).toEqual([422, 'ORDER_NOT_APPROVED']);
    const back = new URL(bench.double.hands.decide(id, 'approve') ?? '');
    expect([back.origin, back.searchParams.get('token')]).toEqual(['https://shop.example.com', id]);
    expect(issueOf(await bench.call(`POST /v2/checkout/orders/${id}/capture`))).toEqual([
      ...[422, 'ACTION_DOES_NOT_MATCH_INTENT'],
    ]);
    const authorized = await bench.call(authorize);
    expect(authorized.json).toMatchObject({ status: 'COMPLETED' });
    expect(paymentsOf(authorized.json, 'authorizations')).toMatchObject([
      { status: 'CREATED', custom_id: 'operation-1', amount: { currency_code: 'USD', value: '10.00' } },
    ]);
    expect(issueOf(await bench.call(authorize))).toEqual([422, 'ORDER_ALREADY_AUTHORIZED']);
    expect(typesOf(bench)).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.AUTHORIZATION.CREATED']);
    expect(bench.double.books().payments[0]).toMatchObject({ authorized: 1000, held: 1000, captured: 0 });
  });

  it('leaves an order alone that the buyer cancelled, and ends it after three hours', async () => {
    const { call, pass, double } = openBench();
    const { json } = await call('POST /v2/checkout/orders', ORDER);
    const id = textOf(json['id']);
    expect(double.hands.decide(id, 'cancel')).toBe(`https://shop.example.com/cancel?token=${id}`);
    double.hands.decide(id, 'approve');
    pass(3 * HOUR_MS);
    expect(issueOf(await call(`POST /v2/checkout/orders/${id}/authorize`))).toEqual([422, 'ORDER_EXPIRED']);
    expect(double.books().payments[0]).toMatchObject({ authorized: 0, held: 0 });
  });

  it('lets the buyer choose again after a declined instrument', async () => {
    const { approve, call, double } = openBench();
    const id = await approve('CAPTURE');
    double.refuseNext('INSTRUMENT_DECLINED', 'POST /v2/checkout/orders/');
    const capture = `POST /v2/checkout/orders/${id}/capture`;
    const declined = await call(capture);
    expect(issueOf(declined)).toEqual([422, 'INSTRUMENT_DECLINED']);
    expect(declined.json['links']).toMatchObject([{ rel: 'payer-action' }]);
    expect(issueOf(await call(capture))).toEqual([422, 'ORDER_NOT_APPROVED']);
    double.hands.decide(id, 'approve');
    expect((await call(capture)).status).toBe(201);
    expect(double.books().payments[0]).toMatchObject({ captured: 1000, authorized: 0 });
  });

  it.each([
    ['44.01', 1],
    ['44.02', ATTEMPTS_MAX],
  ])('declines the source of %s, %d times', async (value, declines) => {
    const { approve, call, double } = openBench();
    const id = await approve('CAPTURE', {
      purchase_units: [{ ...ORDER.purchase_units[0], amount: money(value) }],
    });
    const capture = `POST /v2/checkout/orders/${id}/capture`;
    for (let times = 0; times < declines; times += 1) {
      expect(issueOf(await call(capture))).toEqual([422, 'INSTRUMENT_DECLINED']);
      expect(issueOf(await call(capture))).toEqual([422, 'ORDER_NOT_APPROVED']);
      double.hands.decide(id, 'approve');
    }
    const last = await call(capture);
    const hasPaid = value === '44.01';
    expect(last.status).toBe(hasPaid ? 201 : 422);
    if (!hasPaid) expect(issueOf(last)).toEqual([422, 'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED']);
    expect(double.books().payments[0]).toMatchObject({ captured: hasPaid ? 4401 : 0 });
  });

  it('takes an invoice id once', async () => {
    const { approve, call, double } = openBench();
    const purchase_units = [{ ...ORDER.purchase_units[0], invoice_id: 'invoice-1' }];
    const ids = [await approve('CAPTURE', { purchase_units }), await approve('CAPTURE', { purchase_units })];
    expect((await call(`POST /v2/checkout/orders/${ids[0] ?? ''}/capture`)).status).toBe(201);
    expect(issueOf(await call(`POST /v2/checkout/orders/${ids[1] ?? ''}/capture`))).toEqual([
      ...[422, 'DUPLICATE_INVOICE_ID'],
    ]);
    expect(double.books().payments.map(({ captured }) => captured)).toEqual([1000, 0]);
  });

  it('sends the buyer to a bank, and captures upon the approval', async () => {
    const bench = openBench();
    const id = await bench.approve('CAPTURE', {
      processing_instruction: 'ORDER_COMPLETE_ON_PAYMENT_APPROVAL',
      purchase_units: [{ amount: money('10.00', 'EUR') }],
      payment_source: {
        ideal: {
          ...{ name: 'John Doe', country_code: 'NL' },
          experience_context: {
            return_url: 'https://shop.example.com/return',
            cancel_url: 'https://shop.example.com/cancel',
          },
        },
      },
    });
    expect((await bench.call(`GET /v2/checkout/orders/${id}`)).json['status']).toBe('COMPLETED');
    expect(bench.double.books().payments[0]).toMatchObject({ captured: 1000, currency: 'EUR' });
  });
});

describe('authorisations of the double', () => {
  it('captures several times, up to the amount', async () => {
    const { authorize, call, double } = openBench();
    const { id, orderId } = await authorize();
    const capture = `POST /v2/payments/authorizations/${id}/capture`;
    const first = await call(capture, { amount: money('4.00'), final_capture: false });
    expect(first.json).toMatchObject({
      ...{ status: 'COMPLETED', final_capture: false, custom_id: 'operation-1' },
      seller_receivable_breakdown: {
        gross_amount: money('4.00'),
        paypal_fee: money('0.63'),
        net_amount: money('3.37'),
      },
    });
    expect(issueOf(await call(capture, { amount: money('6.01') }))).toEqual([
      ...[422, 'MAX_CAPTURE_AMOUNT_EXCEEDED'],
    ]);
    expect(issueOf(await call(capture, { amount: money('1.00', 'EUR') }))).toEqual([
      ...[422, 'AUTH_CAPTURE_CURRENCY_MISMATCH'],
    ]);
    await call(capture, { amount: money('5.00'), final_capture: true });
    expect(issueOf(await call(capture, { amount: money('1.00') }))).toEqual([
      ...[422, 'AUTHORIZATION_ALREADY_CAPTURED'],
    ]);
    expect(issueOf(await call(`POST /v2/payments/authorizations/${id}/void`))).toEqual([
      ...[422, 'PREVIOUSLY_CAPTURED'],
    ]);
    const { json } = await call(`GET /v2/checkout/orders/${orderId}`);
    expect(paymentsOf(json, 'authorizations')).toMatchObject([{ status: 'CAPTURED' }]);
    expect(double.books().payments[0]).toMatchObject({ authorized: 1000, held: 0, captured: 900 });
  });

  it('voids once, and captures nothing afterwards', async () => {
    const bench = openBench();
    const { id } = await bench.authorize();
    bench.double.webhooks();
    const path = `POST /v2/payments/authorizations/${id}/void`;
    const voided = await bench.send(path, { isMinimal: true });
    expect([voided?.status, voided?.text]).toEqual([204, '']);
    expect(issueOf(await bench.call(path))).toEqual([422, 'PREVIOUSLY_VOIDED']);
    expect(issueOf(await bench.call(`POST /v2/payments/authorizations/${id}/capture`, {}))).toEqual([
      ...[422, 'AUTHORIZATION_VOIDED'],
    ]);
    expect(typesOf(bench)).toEqual(['PAYMENT.AUTHORIZATION.VOIDED']);
    expect(bench.double.books().payments[0]).toMatchObject({ authorized: 1000, held: 0, captured: 0 });
  });

  it('renews an authorisation from its fourth day, and lets it lapse after 29 days', async () => {
    const { authorize, call, pass, login, double } = openBench();
    const { id } = await authorize();
    const path = `POST /v2/payments/authorizations/${id}/reauthorize`;
    expect(issueOf(await call(path, {}))).toEqual([422, 'REAUTHORIZATION_NOT_SUPPORTED']);
    pass(3 * DAY_MS);
    await login();
    const renewed = await call(path, { amount: money('10.00') });
    expect([renewed.status, renewed.json['status']]).toEqual([201, 'CREATED']);
    const next = textOf(renewed.json['id']);
    expect(issueOf(await call(`POST /v2/payments/authorizations/${next}/reauthorize`, {}))).toEqual([
      ...[422, 'REAUTHORIZATION_NOT_SUPPORTED'],
    ]);
    expect(double.books().payments[0]).toMatchObject({ authorized: 1000, held: 1000 });
    pass(29 * DAY_MS);
    await login();
    expect(issueOf(await call(`POST /v2/payments/authorizations/${next}/capture`, {}))).toEqual([
      ...[422, 'AUTHORIZATION_EXPIRED'],
    ]);
    expect(double.books().payments[0]).toMatchObject({ held: 0, captured: 0 });
  });

  it('answers with a pending or a denied authorisation', async () => {
    const bench = openBench();
    bench.double.hands.answerNext('PENDING', 'PENDING_REVIEW');
    const { id, orderId } = await bench.authorize();
    expect((await bench.call(`GET /v2/payments/authorizations/${id}`)).json).toMatchObject({
      ...{ status: 'PENDING', status_details: { reason: 'PENDING_REVIEW' } },
    });
    expect(bench.double.books().payments[0]).toMatchObject({ id: orderId, authorized: 0 });
    bench.double.hands.complete(id);
    expect(bench.double.books().payments[0]).toMatchObject({ authorized: 1000, held: 1000 });
    bench.double.hands.answerNext('DENIED');
    await bench.authorize();
    expect(bench.double.books().payments[1]).toMatchObject({ status: 'COMPLETED', authorized: 0 });
    expect(typesOf(bench).slice(-1)).toEqual(['PAYMENT.AUTHORIZATION.DENIED']);
  });
});

describe('captures and refunds of the double', () => {
  it('refunds up to the capture and not more', async () => {
    const { capture, call, double } = openBench();
    const { id } = await capture();
    const path = `POST /v2/payments/captures/${id}/refund`;
    const first = await call(path, { amount: money('6.00'), custom_id: 'refund-1' });
    expect(first.json).toMatchObject({ status: 'COMPLETED', custom_id: 'refund-1' });
    expect(issueOf(await call(path, { amount: money('4.01') }))).toEqual([422, 'REFUND_AMOUNT_EXCEEDED']);
    expect(issueOf(await call(path, { amount: money('1.00', 'EUR') }))).toEqual([
      ...[422, 'REFUND_CAPTURE_CURRENCY_MISMATCH'],
    ]);
    expect((await call(path)).json).toMatchObject({ amount: money('4.00') });
    expect(issueOf(await call(path))).toEqual([422, 'CAPTURE_FULLY_REFUNDED']);
    expect((await call(`GET /v2/payments/captures/${id}`)).json['status']).toBe('REFUNDED');
    expect(double.books().payments[0]).toMatchObject({ captured: 1000, refunded: 1000, reversed: 0 });
  });

  it('decides about a pending capture and a pending refund later', async () => {
    const bench = openBench();
    bench.double.hands.answerNext('PENDING', 'ECHECK');
    const { id } = await bench.capture();
    const path = `POST /v2/payments/captures/${id}/refund`;
    expect(issueOf(await bench.call(path))).toEqual([422, 'PENDING_CAPTURE']);
    expect(bench.double.books().payments[0]).toMatchObject({ captured: 0 });
    bench.double.hands.complete(id);
    bench.double.hands.answerNext('PENDING', 'ECHECK');
    const refund = await bench.call(path, { amount: money('3.00') });
    bench.double.webhooks();
    bench.double.hands.deny(textOf(refund.json['id']));
    expect(typesOf(bench)).toEqual(['PAYMENT.REFUND.FAILED']);
    expect(bench.double.books().payments[0]).toMatchObject({ captured: 1000, refunded: 0 });
  });

  it('takes a capture back, and then refuses refunds', async () => {
    const bench = openBench();
    const { id } = await bench.capture();
    bench.double.webhooks();
    const reversal = bench.double.hands.reverse(id);
    const [owed] = bench.double.webhooks();
    expect([owed?.type, JSON.parse(owed?.body ?? '')]).toMatchObject([
      'PAYMENT.CAPTURE.REVERSED',
      { resource_type: 'refund', resource: { id: reversal, amount: money('10.00') } },
    ]);
    expect(issueOf(await bench.call(`POST /v2/payments/captures/${id}/refund`))).toEqual([
      ...[422, 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK'],
    ]);
    expect(bench.double.books().payments[0]).toMatchObject({ captured: 1000, refunded: 0, reversed: 1000 });
  });
});

describe('the vault of the double', () => {
  const STORES = {
    payment_source: {
      paypal: {
        ...ORDER.payment_source.paypal,
        attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } },
      },
    },
  };

  it('stores a method that pays at once, until it is deleted', async () => {
    const { capture, call, double } = openBench();
    const { orderId } = await capture(STORES);
    const { json } = await call(`GET /v2/checkout/orders/${orderId}`);
    const vault = (
      json['payment_source'] as {
        readonly paypal: { readonly attributes: { readonly vault: { readonly id: string } } };
      }
    ).paypal.attributes.vault;
    const again = {
      ...{ ...ORDER, intent: 'CAPTURE' },
      payment_source: {
        paypal: { vault_id: vault.id, stored_credential: { payment_initiator: 'MERCHANT' } },
      },
    };
    const paid = await call('POST /v2/checkout/orders', again, 'order-2');
    expect([paid.status, paid.json['status']]).toEqual([201, 'COMPLETED']);
    expect(double.books().payments.map(({ captured }) => captured)).toEqual([1000, 1000]);
    expect((await call(`DELETE /v3/vault/payment-tokens/${vault.id}`)).status).toBe(204);
    const refused = await call('POST /v2/checkout/orders', again, 'order-3');
    expect(issueOf(refused)).toEqual([422, 'TOKEN_ID_NOT_FOUND']);
    expect(double.books().payments).toHaveLength(2);
  });

  it('may name the stored method later', async () => {
    const bench = openBench({ vaultLagMs: 60_000 });
    const { orderId } = await bench.capture(STORES);
    expect((await bench.call(`GET /v2/checkout/orders/${orderId}`)).text).not.toContain('vault');
    bench.double.webhooks();
    bench.pass(60_000);
    expect(typesOf(bench)).toEqual(['VAULT.PAYMENT-TOKEN.CREATED']);
    expect((await bench.call(`GET /v2/checkout/orders/${orderId}`)).text).toContain('VAULTED');
  });
});

describe('disputes of the double', () => {
  it('holds the money, refuses a refund, and takes evidence with a file', async () => {
    const bench = openBench();
    const { id: captureId } = await bench.capture();
    const id = bench.double.hands.dispute(captureId);
    expect((await bench.call(`GET /v1/customer/disputes/${id}`)).json).toMatchObject({
      ...{ status: 'WAITING_FOR_SELLER_RESPONSE', dispute_life_cycle_stage: 'CHARGEBACK' },
      ...{ dispute_amount: money('10.00'), reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED' },
      disputed_transactions: [{ seller_transaction_id: captureId, custom: 'operation-1' }],
    });
    expect(issueOf(await bench.call(`POST /v2/payments/captures/${captureId}/refund`))).toEqual([
      ...[422, 'TRANSACTION_DISPUTED'],
    ]);
    const path = `/v1/customer/disputes/${id}/provide-evidence`;
    expect(await upload(bench, path, 'WRONG_WORD')).toBe(400);
    expect(await upload(bench, path, 'PROOF_OF_FULFILLMENT')).toBe(200);
    expect(await upload(bench, path, 'PROOF_OF_FULFILLMENT')).toBe(422);
    bench.double.hands.decideDispute(id, 'won');
    expect(bench.double.books().payments[0]).toMatchObject({
      ...{ captured: 1000, reversed: 0 },
      disputes: [{ id, amount: 1000, status: 'RESOLVED', outcome: 'RESOLVED_SELLER_FAVOUR' }],
    });
    expect(typesOf(bench).filter((type) => type.startsWith('CUSTOMER'))).toEqual([
      ...['CUSTOMER.DISPUTE.CREATED', 'CUSTOMER.DISPUTE.UPDATED', 'CUSTOMER.DISPUTE.RESOLVED'],
    ]);
  });

  it('gives the money up once, and loses a dispute without a response', async () => {
    const { capture, call, pass, double } = openBench();
    const accepted = double.hands.dispute((await capture()).id);
    const path = `POST /v1/customer/disputes/${accepted}/accept-claim`;
    expect((await call(path, { note: 'Agreed.', accept_claim_type: 'REFUND' })).status).toBe(200);
    expect((await call(path, { note: 'Agreed.' })).status).toBe(422);
    double.hands.dispute((await capture()).id);
    pass(10 * DAY_MS);
    expect(double.books().payments.map(({ reversed, disputes }) => [reversed, disputes[0]?.outcome])).toEqual(
      [
        [1000, 'ACCEPTED'],
        [1000, 'RESOLVED_BUYER_FAVOUR'],
      ],
    );
  });

  async function upload({ double, login }: Bench, path: string, evidence_type: string): Promise<unknown> {
    const input = JSON.stringify({ evidences: [{ evidence_type, documents: [{ name: 'proof.pdf' }] }] });
    const body = [
      ...['--b', 'Content-Disposition: form-data; name="input"', 'Content-Type: application/json', '', input],
      ...['--b', 'Content-Disposition: form-data; name="file1"; filename="proof.pdf"'],
      ...['Content-Type: application/pdf', '', '%PDF-1.7', '--b--', ''],
    ].join('\r\n');
    const { json } = await login();
    const answer = await double.handle({
      ...{ method: 'POST', path, body },
      headers: {
        authorization: `Bearer ${textOf(json['access_token'])}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
    });
    return answer?.status;
  }
});

describe('the transaction search of the double', () => {
  it('shows movements three hours late, in pages of at most 31 days', async () => {
    const { capture, call, pass, double } = openBench();
    const { id } = await capture();
    await call(`POST /v2/payments/captures/${id}/refund`, { amount: money('3.00'), custom_id: 'refund-1' });
    const search = async (more: string): Promise<Readonly<Record<string, unknown>>> => {
      const dates = 'start_date=2026-11-01T00:00:00Z&end_date=2026-11-30T00:00:00Z';
      return (await call(`GET /v1/reporting/transactions?${dates}&fields=all${more}`)).json;
    };
    expect(await search('')).toMatchObject({ transaction_details: [], total_items: 0 });
    pass(3 * HOUR_MS);
    expect(await search('&page_size=1&page=2')).toMatchObject({
      ...{ total_items: 2, total_pages: 2 },
      transaction_details: [
        {
          transaction_info: {
            ...{ transaction_event_code: 'T1107', transaction_status: 'S', custom_field: 'refund-1' },
            ...{ paypal_reference_id: id, transaction_amount: money('-3.00') },
          },
        },
      ],
    });
    const wide = 'start_date=2026-10-01T00:00:00Z&end_date=2026-11-30T00:00:00Z';
    expect((await call(`GET /v1/reporting/transactions?${wide}`)).status).toBe(400);
    expect((await call('GET /v1/reporting/transactions?fields=all')).status).toBe(400);
    expect(double.books().payments).toHaveLength(1);
  });
});
