import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { readWebhook } from '../../../src/connectors/reading/read-webhook.ts';
import type { WebhookRequest } from '../../../src/connectors/notices/webhook.ts';
import { describeWebhookContract } from '../webhook-contract.ts';
import { createChainKeys, issueChain, type TestChain, type Validity } from '../../support/certificates.ts';
import { money, openBench, ORDER, type Bench } from './double-client.ts';
import { signedText } from './signatures.ts';
import { theOnly, trusting } from './stand.ts';

const HOST = 'messageverificationcerts.sandbox.paypal.com';
const URL_OF_CHAIN = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270';
const NOW = new Date('2026-11-21T12:00:00Z');
const KEY = '0199fc3e-7d4a-7c55-9d3e-2f1b6a0c4d5e';
const CAPTURE_KEY = '0199fc3e-7d4a-7c55-9d3e-2f1b6a0c4d5f';
const REFUND_KEY = '0199fc3e-7d4a-7c55-9d3e-2f1b6a0c4d60';
const DAY_MS = 86_400_000;

const VALID: Validity = { from: new Date('2026-01-01'), until: new Date('2027-01-01') };
const keys = createChainKeys();
const chain = issueChain(HOST, VALID, keys);

const connector = trusting(chain.root);
const definition = theOnly(connector.definitions);

const pemOf = ({ leaf, intermediate }: TestChain): string => leaf + intermediate;

/** Signs a body as PayPal does. */
function signed(body: Buffer, by = chain, time = NOW, webhookId = 'WH-REGISTRATION') {
  const id = '69cd13f0-d67a-11e5-baa3-778b53f4ae55';
  const text = signedText({ id, time: time.toISOString(), webhookId, body: body as unknown as string });
  return {
    headers: {
      ...{ 'paypal-transmission-id': id, 'paypal-transmission-time': time.toISOString() },
      ...{ 'paypal-auth-algo': 'SHA256withRSA', 'paypal-cert-url': URL_OF_CHAIN },
      'paypal-transmission-sig': sign('sha256', Buffer.from(text), by.leafKey).toString('base64'),
    },
    rawBody: body,
    material: pemOf(by),
  };
}

const event = (event_type: string, resource: object): string =>
  JSON.stringify({ id: 'WH-1', event_type, create_time: '2026-11-21T11:59:00Z', resource });

const DISPUTE = {
  ...{ dispute_id: 'PP-D-1', update_time: '2026-11-21T11:58:00Z', reason: 'UNAUTHORISED' },
  ...{ status: 'WAITING_FOR_SELLER_RESPONSE', dispute_life_cycle_stage: 'CHARGEBACK' },
  ...{ dispute_amount: money('12.99', 'EUR'), seller_response_due_date: '2026-12-01T00:00:00Z' },
  disputed_transactions: [{ seller_transaction_id: 'CAPTURE1', custom: KEY }],
};

describeWebhookContract({
  connector,
  credentials: { client_secret: 'secret-of-the-client', webhook_id: 'WH-REGISTRATION' },
  sign: (rawBody, now) => signed(rawBody, chain, now),
  body: (words) =>
    event('PAYMENT.CAPTURE.COMPLETED', {
      ...{ id: 'CAPTURE1', status: 'COMPLETED', status_details: { reason: words }, invoice_id: KEY },
      amount: money('12.99', 'EUR'),
    }),
  dispute: (words) => event('CUSTOMER.DISPUTE.CREATED', { ...DISPUTE, external_reason_code: words }),
  expiresAfterMs: 4 * DAY_MS,
});

const LOG = pino({ level: 'silent' });
const REFUSED = { ok: false, refusals: ['bad_signature'] };
const NOTHING = { notices: [], lookUps: [], unread: [], unsigned: 0 };
const UNTRUSTED = { ok: false, refusals: ['untrusted_certificate'] };

const read = (webhook: ReturnType<typeof signed>, changes: Partial<WebhookRequest> = {}) =>
  readWebhook(
    connector,
    {
      ...{ ...webhook, credentials: { webhook_id: 'WH-REGISTRATION' }, definition },
      ...{ environment: 'sandbox', now: NOW, ...changes },
    },
    LOG,
  );

const BODY = Buffer.from(event('CUSTOMER.DISPUTE.CREATED', DISPUTE));

describe('a webhook of PayPal is not genuine', () => {
  const by = (changed: TestChain) => read(signed(BODY, changed));

  it('for the registration of another webhook, nor without a registration', () => {
    expect(read(signed(BODY, chain, NOW, 'WH-OTHER'))).toEqual(REFUSED);
    expect(read(signed(BODY, chain, NOW, ''), { credentials: {} })).toEqual(REFUSED);
  });

  it('with a certificate of another host, also of a trusted authority', () => {
    expect(by(issueChain('shop.example.com', VALID, keys))).toEqual(REFUSED);
    expect(by(issueChain(`${HOST}.example.com`, VALID, keys))).toEqual(REFUSED);
  });

  it('with a certificate of an authority that nobody trusts', () => {
    expect(by(issueChain(HOST, VALID))).toEqual(UNTRUSTED);
  });

  it('with a certificate that has expired, or is not valid yet', () => {
    for (const changes of [
      { until: new Date(NOW.getTime() - 1_000) },
      { from: new Date(NOW.getTime() + 1_000) },
    ])
      expect(by(issueChain(HOST, { ...VALID, ...changes }, keys))).toEqual(UNTRUSTED);
  });

  it('with a broken chain, or without a certificate', () => {
    const webhook = signed(BODY);
    expect(read({ ...webhook, material: chain.leaf })).toEqual(UNTRUSTED);
    expect(read({ ...webhook, material: chain.leaf + issueChain(HOST, VALID).intermediate })).toEqual(
      UNTRUSTED,
    );
    // Only a genuine signature tells that the certificate is PayPal's own.
    const headers = { ...webhook.headers, 'paypal-transmission-sig': 'AAAA' };
    expect(read({ ...webhook, headers, material: chain.leaf })).toEqual(REFUSED);
    expect(read({ ...webhook, material: 'no certificate' })).toEqual(REFUSED);
    expect(read({ ...webhook, material: '' })).toEqual(REFUSED);
  });

  it('with a certificate of the sandbox in production', () => {
    const headers = {
      ...signed(BODY).headers,
      'paypal-cert-url': URL_OF_CHAIN.replace('api.sandbox', 'api'),
    };
    expect(read({ ...signed(BODY), headers }, { environment: 'production' })).toEqual(REFUSED);
  });

  it.each([
    ['paypal-auth-algo', 'SHA1withRSA'],
    ['paypal-transmission-id', 'another'],
    ['paypal-transmission-time', '2026-11-21T11:59:59.000Z'],
    ['paypal-transmission-time', 'now'],
    ['paypal-transmission-sig', 'AAAA'],
    ['paypal-cert-url', URL_OF_CHAIN.replace('api.sandbox.paypal.com', 'api.paypal.com')],
  ])('with the header %s of %s', (name, value) => {
    const webhook = signed(BODY);
    expect(read({ ...webhook, headers: { ...webhook.headers, [name]: value } })).toEqual(REFUSED);
  });
});

describe('the certificate of a webhook', () => {
  it('is trusted without the authority between, if the operator names that authority', () => {
    const read = trusting(chain.intermediate).webhooks?.verify({
      ...{ ...signed(BODY), material: chain.leaf, credentials: { webhook_id: 'WH-REGISTRATION' } },
      definition,
      ...{ environment: 'sandbox', now: NOW },
    });
    expect(read).toMatchObject({ ok: true });
  });

  it('is checked with the authorities of NODE_EXTRA_CA_CERTS too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'paygraph-'));
    const file = join(folder, 'authority.pem');
    await writeFile(file, chain.intermediate);
    const script = `import { readPublicRoots } from './src/connectors/paypal/webhooks/certificate.ts';
      console.log(readPublicRoots().some(({ subject }) => subject.includes('Test Intermediate')));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { env: { NODE_EXTRA_CA_CERTS: file }, timeout: 60_000 },
    );
    await rm(folder, { recursive: true });
    expect(stdout.trim()).toBe('true');
  });

  const hostsOf = (url: string, environment: WebhookRequest['environment'] = 'sandbox') =>
    connector.webhooks?.material?.({
      ...{ headers: { 'paypal-cert-url': url }, rawBody: BODY, credentials: {}, definition },
      ...{ environment, now: NOW },
    })?.hosts;

  it('is fetched from the host of the environment alone', () => {
    expect(hostsOf(URL_OF_CHAIN)).toEqual(['api.sandbox.paypal.com']);
    expect(hostsOf(URL_OF_CHAIN, 'production')).toEqual([]);
    expect(hostsOf(URL_OF_CHAIN.replace('api.sandbox', 'api'), 'production')).toEqual(['api.paypal.com']);
  });

  it.each([
    'https://api.sandbox.paypal.com.example.com/v1/notifications/certs/CERT-1',
    'https://example.com/v1/notifications/certs/CERT-1?api.sandbox.paypal.com',
    'https://api.sandbox.paypal.com@example.com/v1/notifications/certs/CERT-1',
    'https://www.paypal.com/v1/notifications/certs/CERT-1',
    'http://api.sandbox.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.sandbox.paypal.com:8443/v1/notifications/certs/CERT-1',
    'https://api.sandbox.paypal.com/v1/notifications/certs/../../../CERT-1',
    'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1?to=https://example.com',
    'no address',
  ])('is not fetched from %s', (url) => {
    expect(hostsOf(url)).toEqual([]);
  });
});

/** Reads all webhooks that a double owes. */
function noticesOf({ double, now }: Bench, credentials: WebhookRequest['credentials'] = {}) {
  const trusted = trusting(double.certificate.root());
  return double.webhooks().flatMap(({ headers, body }) => {
    const request: WebhookRequest = {
      ...{ headers, rawBody: Buffer.from(body), material: double.certificate.chain(), definition },
      credentials: { webhook_id: double.webhookId, merchant_id: double.merchantId, ...credentials },
      ...{ environment: 'sandbox', now: now() },
    };
    const result = readWebhook(trusted, request, LOG);
    if (!result.ok) throw new Error(result.refusals[0]);
    return result.value.notices;
  });
}

/** The purchase unit of an order of ours. */
const OURS = { purchase_units: [{ ...ORDER.purchase_units[0], custom_id: KEY, invoice_id: KEY }] };
const USD = (amount: number) => ({ amount, currency: 'USD' });

describe('the webhooks of an authorisation', () => {
  it('name the order as the payment, and each capture by its key', async () => {
    const bench = openBench();
    const { orderId, id } = await bench.authorize(OURS);
    const capture = { amount: money('4.00'), invoice_id: CAPTURE_KEY, final_capture: false };
    const captured = await bench.call(`POST /v2/payments/authorizations/${id}/capture`, capture, CAPTURE_KEY);

    const payment = { paymentReference: orderId };
    expect(noticesOf(bench)).toMatchObject([
      { ...payment, verb: 'authorize', key: KEY, reference: orderId, outcome: { kind: 'accepted' } },
      { ...payment, verb: 'authorize', key: KEY, outcome: { kind: 'succeeded', money: USD(1000) } },
      {
        ...{ ...payment, verb: 'capture', key: CAPTURE_KEY, reference: captured.json['id'] },
        outcome: { kind: 'succeeded', money: USD(400) },
      },
    ]);
  });

  it('tell a void from an expiry by the time', async () => {
    const bench = openBench();
    const { id } = await bench.authorize(OURS);
    const second = await bench.authorize({
      purchase_units: [{ ...OURS.purchase_units[0], invoice_id: 'B' }],
    });
    noticesOf(bench);
    await bench.call(`POST /v2/payments/authorizations/${id}/void`);
    const [voided] = noticesOf(bench);
    expect(voided).toMatchObject({ verb: 'void', key: null, authorizationKey: KEY, reference: null });

    bench.pass(29 * DAY_MS);
    expect(noticesOf(bench)).toMatchObject([
      { verb: 'authorize', key: KEY, reference: second.orderId, outcome: { kind: 'expired' } },
    ]);
  });

  it('tell a review and its end', async () => {
    const bench = openBench();
    bench.double.hands.answerNext('PENDING', 'PENDING_REVIEW');
    const { id } = await bench.authorize(OURS);
    bench.double.hands.deny(id);
    expect(noticesOf(bench).slice(1)).toMatchObject([
      { verb: 'authorize', outcome: { kind: 'accepted', rawResponseCode: 'PENDING_REVIEW' } },
      { verb: 'authorize', outcome: { kind: 'declined', errorCode: 'service_decline' } },
    ]);
  });

  it('name the stored method alone', async () => {
    const bench = openBench({ vaultLagMs: 1_000 });
    const vault = { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' };
    const paypal = { ...ORDER.payment_source.paypal, attributes: { vault } };
    const { orderId } = await bench.authorize({ ...OURS, payment_source: { paypal } });
    noticesOf(bench);
    bench.pass(2_000);
    expect(noticesOf(bench)).toMatchObject([
      {
        ...{ verb: 'authorize', key: null, paymentReference: orderId },
        outcome: { kind: 'token_created', recurringToken: expect.stringMatching(/./) },
      },
    ]);
  });
});

describe('the webhooks of a sale', () => {
  it('tell the authorisation, which captured', async () => {
    const bench = openBench();
    bench.double.hands.answerNext('PENDING', 'ECHECK');
    const { orderId, id } = await bench.capture(OURS);
    bench.double.hands.complete(id);
    const common = { verb: 'authorize', key: KEY, reference: orderId, paymentReference: orderId };
    expect(noticesOf(bench).slice(1)).toMatchObject([
      { ...common, outcome: { kind: 'accepted', rawResponseCode: 'ECHECK' } },
      { ...common, outcome: { kind: 'succeeded', money: USD(1000) } },
    ]);
  });

  it('tell a reversal of its capture, with the id of the reversal', async () => {
    const bench = openBench();
    const { id } = await bench.capture(OURS);
    noticesOf(bench);
    const reversalReference = bench.double.hands.reverse(id);
    expect(noticesOf(bench)).toMatchObject([
      {
        ...{ verb: 'capture', key: null, authorizationKey: KEY, reference: id },
        outcome: { kind: 'reversed', money: USD(1000), reversalReference },
      },
    ]);
  });

  it('tell a refund, and its failure as a reversal', async () => {
    const bench = openBench();
    const { id } = await bench.capture(OURS);
    noticesOf(bench);
    const body = { amount: money('3.00'), custom_id: REFUND_KEY, invoice_id: REFUND_KEY };
    const { json } = await bench.call(`POST /v2/payments/captures/${id}/refund`, body, REFUND_KEY);
    bench.double.hands.deny(String(json['id']));
    const refund = { verb: 'refund', key: REFUND_KEY, reference: json['id'] };
    expect(noticesOf(bench)).toMatchObject([
      { ...refund, outcome: { kind: 'succeeded', money: USD(300) } },
      { ...refund, outcome: { kind: 'reversed', money: null, reversalReference: json['id'] } },
    ]);
  });

  it('of a refund in parts tell only failures of a part', async () => {
    const bench = openBench();
    const { id } = await bench.capture(OURS);
    noticesOf(bench);
    const name = `${REFUND_KEY}.2of2`;
    const body = { amount: money('3.00'), custom_id: name, invoice_id: name };
    const { json } = await bench.call(`POST /v2/payments/captures/${id}/refund`, body, name);
    expect(noticesOf(bench)).toEqual([]);
    bench.double.hands.deny(String(json['id']));
    expect(noticesOf(bench)).toMatchObject([
      { key: REFUND_KEY, reference: null, outcome: { kind: 'reversed', money: USD(300) } },
    ]);
  });

  it('are of no use to another merchant, and without our names', async () => {
    const bench = openBench();
    const { id } = await bench.capture(OURS);
    bench.double.hands.dispute(id);
    expect(noticesOf(bench, { merchant_id: 'OTHER' })).toEqual([]);
    await bench.capture();
    expect(noticesOf(bench)).toEqual([]);
  });
});

describe('an event', () => {
  const ofCapture = (changes: object) => ({
    ...{ id: 'CAPTURE1', status: 'COMPLETED', amount: money('12.99', 'EUR'), invoice_id: KEY },
    custom_id: KEY,
    ...changes,
  });
  const valueOf = (type: string, resource: object, credentials: object = {}) =>
    read(signed(Buffer.from(event(type, resource))), {
      credentials: { webhook_id: 'WH-REGISTRATION', ...credentials },
    });

  it('of a decline tells the codes of the processor', () => {
    const processor_response = { response_code: '5120', payment_advice_code: '02' };
    const told = valueOf('PAYMENT.CAPTURE.DECLINED', ofCapture({ status: 'DECLINED', processor_response }));
    expect(told).toMatchObject({
      ok: true,
      value: {
        notices: [
          {
            outcome: {
              ...{ kind: 'declined', errorCode: 'insufficient_funds' },
              ...{ networkResponseCode: '5120', merchantAdviceCode: '02' },
            },
          },
        ],
      },
    });
  });

  it.each([
    ['PAYMENT.CAPTURE.COMPLETED', ofCapture({ status: 'QUANTUM_STATE' })],
    ['PAYMENT.CAPTURE.COMPLETED', ofCapture({ amount: money('12.999', 'EUR') })],
    ['PAYMENT.AUTHORIZATION.CREATED', ofCapture({ status: 'QUANTUM_STATE' })],
    ['PAYMENT.CAPTURE.REFUNDED', ofCapture({ status: 'QUANTUM_STATE' })],
    ['CUSTOMER.DISPUTE.CREATED', { ...DISPUTE, status: 'OTHER' }],
    ['CUSTOMER.DISPUTE.CREATED', { ...DISPUTE, dispute_life_cycle_stage: 'QUANTUM_STAGE' }],
    ['PAYMENT.CAPTURE.REVERSED', ofCapture({ amount: money('12.999', 'EUR') })],
  ])('%s with an unknown word or amount decides nothing, and is kept', (type, resource) => {
    expect(valueOf(type, resource)).toMatchObject({
      ok: true,
      value: { notices: [], unread: [{ reason: 'unreadable_item' }] },
    });
  });

  it.each([
    ['CHECKOUT.ORDER.COMPLETED', []],
    ['constructor', []],
    ['PAYMENT.CAPTURE.TELEPORTED', [{ reason: 'unknown_kind' }]],
    ['CUSTOMER.DISPUTE.FORGOTTEN', [{ reason: 'unknown_kind' }]],
  ])('of the type %s decides nothing', (type, unread) => {
    expect(valueOf(type, ofCapture({}))).toMatchObject({ ok: true, value: { notices: [], unread } });
  });

  it('of a new type and another payee is of no use', () => {
    const resource = { form: 'new', payee: { merchant_id: 'OTHER' } };
    const readFor = (merchant_id: string) => valueOf('PAYMENT.CAPTURE.TELEPORTED', resource, { merchant_id });
    expect(readFor('OURS')).toEqual({ ok: true, value: NOTHING });
    expect(readFor('OTHER')).toMatchObject({ value: { unread: [{ reason: 'unknown_kind' }] } });
  });

  it('of another payee is of no use', () => {
    const resource = ofCapture({ payee: { merchant_id: 'OTHER' } });
    expect(valueOf('PAYMENT.CAPTURE.COMPLETED', resource, { merchant_id: 'OURS' })).toEqual({
      ...{ ok: true, value: NOTHING },
    });
    expect(valueOf('PAYMENT.CAPTURE.COMPLETED', resource, { merchant_id: 'OTHER' })).toMatchObject({
      value: { notices: [{ key: KEY }] },
    });
  });
});
