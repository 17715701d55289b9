import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { stripe } from '../../../src/connectors/stripe/index.ts';
import type { WebhookRequest } from '../../../src/connectors/notices/webhook.ts';
import { readNotices } from '../read-notices.ts';
import { describeWebhookContract } from '../webhook-contract.ts';
import { captured, dispute, intent, KEY, OTHER_KEY, refund, setup } from './objects.ts';
import { definitionOf } from './stub.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const NOW = new Date('2026-11-24T12:00:00Z');
const SECONDS = NOW.getTime() / 1_000;
const NAME = 'capture_01993c1e7d4a7c559d3e2f1b6a0c4d5e';
const OTHER_NAME = 'capture_01993c1e7d4a7c559d3e2f1b6a0c4d5f';

/** Signs by the reference's own words, without the SDK. */
const signatureOf = (body: string, secret = SECRET, time = SECONDS): string =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');

const event = (type: string, object: object, changes: object = {}): string =>
  JSON.stringify({
    ...{ id: 'evt_1', object: 'event', api_version: '2022-11-15', created: SECONDS - 5, livemode: false },
    type,
    ...{ data: { object }, request: { id: 'req_1', idempotency_key: null } },
    ...changes,
  });

function read(
  body: string,
  changes: Partial<WebhookRequest> & { readonly header?: string; readonly secret?: string } = {},
) {
  const { header = `t=${SECONDS},v1=${signatureOf(body)}`, secret = SECRET, ...rest } = changes;
  return readNotices(stripe.webhooks, {
    headers: { 'stripe-signature': header },
    rawBody: Buffer.from(body),
    credentials: { secret_key: 'sk_test_1', webhook_secret: secret },
    definition: definitionOf('stripe-card'),
    environment: 'production',
    now: NOW,
    ...rest,
  });
}

const noticesOf = (type: string, object: object, changes: object = {}) => {
  const result = read(event(type, object, changes));
  if (!result.ok) throw new Error(result.refusals[0]);
  return result.value;
};

const BODY = event('payment_intent.succeeded', captured({ capture_method: 'automatic' }));
const REFUSED = { ok: false, refusals: ['bad_signature'] };

describe('a signature', () => {
  it('by the SDK of Stripe is genuine', () => {
    const header = Stripe.webhooks.generateTestHeaderString({
      payload: BODY,
      secret: SECRET,
      timestamp: SECONDS,
    });
    expect(read(BODY, { header })).toMatchObject({ ok: true });
  });

  it.each([
    ['with another scheme beside', `t=${SECONDS},v0=${'0'.repeat(64)},v1=${signatureOf(BODY)}`],
    ['after one of another secret', `t=${SECONDS},v1=${signatureOf(BODY, OTHER)},v1=${signatureOf(BODY)}`],
    ['before one of another secret', `t=${SECONDS},v1=${signatureOf(BODY)},v1=${signatureOf(BODY, OTHER)}`],
    ['of 300 seconds ago', `t=${SECONDS - 300},v1=${signatureOf(BODY, SECRET, SECONDS - 300)}`],
    ['of 300 seconds ahead', `t=${SECONDS + 300},v1=${signatureOf(BODY, SECRET, SECONDS + 300)}`],
  ])('%s is genuine', (_, header) => {
    expect(read(BODY, { header })).toMatchObject({ ok: true });
  });

  it.each([
    ['of another secret', `t=${SECONDS},v1=${signatureOf(BODY, OTHER)}`],
    ['of another body', `t=${SECONDS},v1=${signatureOf(`${BODY} `)}`],
    ['of another time', `t=${SECONDS},v1=${signatureOf(BODY, SECRET, SECONDS - 1)}`],
    ['of 301 seconds ago', `t=${SECONDS - 301},v1=${signatureOf(BODY, SECRET, SECONDS - 301)}`],
    ['of 301 seconds ahead', `t=${SECONDS + 301},v1=${signatureOf(BODY, SECRET, SECONDS + 301)}`],
    ['of the test scheme alone', `t=${SECONDS},v0=${signatureOf(BODY)}`],
    ['without a time', `v1=${signatureOf(BODY)}`],
    ['cut short', `t=${SECONDS},v1=${signatureOf(BODY).slice(2)}`],
    ['that is empty', ''],
    ['that is nonsense', 't=now,v1=zz'],
  ])('%s is not genuine', (_, header) => {
    expect(read(BODY, { header })).toEqual(REFUSED);
  });

  it('is checked with every secret of the service, while one rolls', () => {
    const body = BODY;
    for (const secret of [`${OTHER}\n${SECRET}`, `${SECRET}\n${OTHER}`, ` ${SECRET} `, `${OTHER},${SECRET}`])
      expect(read(body, { secret })).toMatchObject({ ok: true });
  });

  it.each(['', ' ', '\n'])('under the secret %j is never genuine', (secret) => {
    const header = `t=${SECONDS},v1=${signatureOf(BODY, secret)}`;
    expect(read(BODY, { header, secret })).toEqual(REFUSED);
    const empty = `t=${SECONDS},v1=${signatureOf(BODY, '')}`;
    expect(read(BODY, { header: empty, secret })).toEqual(REFUSED);
  });

  it('covers the bytes, not their meaning', () => {
    const header = `t=${SECONDS},v1=${signatureOf(BODY)}`;
    expect(read(JSON.stringify(JSON.parse(BODY), null, 2), { header })).toEqual(REFUSED);
  });
});

const KNOWN = {
  eventKey: 'evt_1',
  occurredAt: new Date((SECONDS - 5) * 1_000),
  reference: 'pi_1',
  paymentReference: 'pi_1',
};
const WORDS = { rawResponseCode: null, rawResponseDescription: null };
const USD = (amount: number) => ({ amount, currency: 'USD' });

describe('an event of a platform', () => {
  it.each([
    ['of the connected account', 'acct_1', 'acct_1', 1],
    ['of another connected account', 'acct_2', 'acct_1', 0],
    ['of a connected account, for a service of the platform itself', 'acct_2', '', 0],
    ['of the endpoint of the connected account itself', null, 'acct_1', 1],
  ])('%s', (_, account, stripe_account, count) => {
    const body = event('payment_intent.succeeded', captured({ capture_method: 'automatic' }), {
      ...(account !== null && { account }),
    });
    const credentials = { secret_key: 'sk_test_1', webhook_secret: SECRET, stripe_account };
    const result = read(body, { credentials });
    expect(result.ok && result.value.length).toBe(count);
  });
});

describe('an event about a payment', () => {
  it('tells an authorisation', () => {
    const stored = { customer: 'cus_1', setup_future_usage: 'off_session', latest_charge: 'ch_1' };
    expect(noticesOf('payment_intent.amount_capturable_updated', intent(stored))).toEqual([
      {
        ...{ ...KNOWN, verb: 'authorize', key: KEY },
        outcome: { kind: 'succeeded', money: USD(1099), ...WORDS, recurringToken: 'cus_1/pm_1' },
      },
    ]);
  });

  it('tells a sale', () => {
    const sale = captured({ capture_method: 'automatic', latest_charge: 'ch_1' });
    expect(noticesOf('payment_intent.succeeded', sale)).toEqual([
      { ...KNOWN, verb: 'authorize', key: KEY, outcome: { kind: 'succeeded', money: USD(1099), ...WORDS } },
    ]);
  });

  it('tells the capture that the payment names', () => {
    const metadata = { paygraph_operation: KEY, [OTHER_NAME]: '1099' };
    expect(noticesOf('payment_intent.succeeded', captured({ metadata, latest_charge: 'ch_1' }))).toEqual([
      {
        ...{ ...KNOWN, eventKey: `evt_1:${OTHER_KEY}`, reference: 'ch_1', verb: 'capture', key: OTHER_KEY },
        outcome: { kind: 'succeeded', money: USD(1099), ...WORDS },
      },
    ]);
  });

  it('tells every capture of several, and the whole authorisation', () => {
    const metadata = { paygraph_operation: KEY, [NAME]: '300', [OTHER_NAME]: '400' };
    const object = intent({ amount_capturable: 399, amount_received: 700, metadata, latest_charge: 'ch_1' });
    const notices = noticesOf('payment_intent.amount_capturable_updated', object);
    expect(notices).toMatchObject([
      { verb: 'authorize', key: KEY, outcome: { kind: 'succeeded', money: USD(1099) } },
      { verb: 'capture', key: KEY, outcome: { kind: 'succeeded', money: USD(300) } },
      { verb: 'capture', key: OTHER_KEY, outcome: { kind: 'succeeded', money: USD(400) } },
    ]);
    expect(new Set(notices.map(({ eventKey }) => eventKey)).size).toBe(3);
  });

  it('tells a capture without Paygraph by the payment alone', () => {
    const notices = noticesOf('payment_intent.succeeded', captured({ latest_charge: 'ch_1' }));
    expect(notices).toMatchObject([
      { verb: 'capture', key: null, reference: 'ch_1', outcome: { kind: 'succeeded', money: USD(1099) } },
    ]);
  });

  it('tells a decline', () => {
    const last_payment_error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'lost_card',
      message: 'No.',
      ...{ network_decline_code: '41', network_advice_code: '03' },
    };
    const object = intent({ status: 'requires_payment_method', last_payment_error, latest_charge: 'ch_1' });
    expect(noticesOf('payment_intent.payment_failed', object)).toMatchObject([
      {
        ...KNOWN,
        verb: 'authorize',
        key: KEY,
        outcome: {
          ...{ kind: 'declined', errorCode: 'refused_transaction' },
          ...{ networkResponseCode: '41', merchantAdviceCode: '03' },
        },
      },
    ]);
  });

  it('tells that a bank decides', () => {
    expect(noticesOf('payment_intent.processing', intent({ status: 'processing' }))).toMatchObject([
      { verb: 'authorize', key: KEY, outcome: { kind: 'accepted' } },
    ]);
  });

  it.each([
    ['requested_by_customer', 'void', 'ch_1'],
    ['abandoned', 'void', 'ch_1'],
    [null, 'void', 'ch_1'],
    ['duplicate', 'cancel', null],
  ])('canceled for %s tells a %s by the authorisation', (cancellation_reason, verb, latest_charge) => {
    const object = intent({ status: 'canceled', cancellation_reason, latest_charge });
    expect(noticesOf('payment_intent.canceled', object)).toMatchObject([
      {
        verb,
        key: null,
        reference: null,
        authorizationKey: KEY,
        outcome: { kind: 'succeeded', money: null },
      },
    ]);
  });

  it.each(['automatic', 'expired'])(
    'canceled as %s tells that the authorisation expired',
    (cancellation_reason) => {
      const object = intent({ status: 'canceled', cancellation_reason, latest_charge: 'ch_1' });
      expect(noticesOf('payment_intent.canceled', object)).toMatchObject([
        { verb: 'authorize', key: KEY, reference: 'pi_1', outcome: { kind: 'expired' } },
      ]);
    },
  );

  it.each([
    ['payment_intent.canceled', intent({ status: 'canceled', cancellation_reason: 'a_new_word' })],
    ['payment_intent.requires_action', intent({ status: 'requires_action' })],
    ['payment_intent.created', intent()],
    ['payment_intent.succeeded', intent()],
    ['payment_intent.amount_capturable_updated', intent({ status: 'canceled' })],
    ['payment_intent.succeeded', captured({ metadata: {}, capture_method: 'automatic' })],
    [
      'payment_intent.succeeded',
      captured({ metadata: { paygraph_operation: 'not ours' }, capture_method: 'automatic' }),
    ],
    ['charge.captured', { id: 'ch_1', object: 'charge' }],
    ['charge.refunded', { id: 'ch_1', object: 'charge' }],
    ['customer.created', { id: 'cus_1', object: 'customer' }],
  ])('%s that tells nothing gives no notice', (type, object) => {
    expect(noticesOf(type, object)).toEqual([]);
  });
});

describe('an event about a stored method', () => {
  it('tells its token', () => {
    expect(noticesOf('setup_intent.succeeded', setup())).toEqual([
      {
        ...{ ...KNOWN, reference: 'seti_1', paymentReference: 'seti_1', verb: 'authorize', key: KEY },
        outcome: { kind: 'succeeded', money: null, ...WORDS, recurringToken: 'cus_1/pm_1' },
      },
    ]);
  });

  it('tells a decline', () => {
    const last_setup_error = { type: 'card_error', code: 'expired_card' };
    const object = setup({ status: 'requires_payment_method', last_setup_error });
    expect(noticesOf('setup_intent.setup_failed', object)).toMatchObject([
      { outcome: { kind: 'declined', errorCode: 'expired_payment_method' } },
    ]);
  });
});

describe('an event about a refund', () => {
  it.each(['refund.created', 'refund.updated', 'charge.refund.updated'])('%s tells the refund', (type) => {
    expect(noticesOf(type, refund())).toEqual([
      {
        ...{ ...KNOWN, reference: 're_1', verb: 'refund', key: KEY },
        outcome: { kind: 'succeeded', money: USD(400), ...WORDS },
      },
    ]);
  });

  it('that is undecided says so', () => {
    expect(noticesOf('refund.created', refund({ status: 'pending' }))).toMatchObject([
      { verb: 'refund', outcome: { kind: 'accepted' } },
    ]);
  });

  const failed = refund({ status: 'failed', failure_reason: 'lost_or_stolen_card' });

  it('takes a success back, the same however often it is told', () => {
    for (const type of ['refund.failed', 'refund.updated', 'charge.refund.updated'])
      expect(noticesOf(type, failed)).toMatchObject([
        {
          key: KEY,
          outcome: {
            ...{ kind: 'reversed', money: null, errorCode: 'canceled_payment_method' },
            reversalReference: 're_1',
          },
        },
      ]);
  });

  it('fails a refund that was still undecided', () => {
    const changes = { data: { object: failed, previous_attributes: { status: 'pending' } } };
    expect(noticesOf('refund.updated', failed, changes)).toMatchObject([
      { outcome: { kind: 'failed', errorCode: 'canceled_payment_method' } },
    ]);
  });

  it('that was made at Stripe names its payment', () => {
    expect(noticesOf('refund.created', refund({ metadata: {} }))).toMatchObject([
      { key: null, reference: 're_1', paymentReference: 'pi_1' },
    ]);
  });

  it('is not named by the key of a request, which another program may have made', () => {
    const changes = { request: { id: 'req_1', idempotency_key: OTHER_KEY } };
    expect(noticesOf('refund.created', refund({ metadata: {} }), changes)).toMatchObject([
      { key: null, reference: 're_1', paymentReference: 'pi_1' },
    ]);
  });
});

describe('an event about a dispute', () => {
  const disputed = (changes: object) => noticesOf('charge.dispute.updated', dispute(changes))[0];

  it('names the dispute, the charge and the payment', () => {
    expect(noticesOf('charge.dispute.created', dispute())).toEqual([
      {
        ...{ ...KNOWN, key: null, reference: 'ch_1' },
        dispute: {
          ...{ disputeReference: 'dp_1', stage: 'chargeback', status: 'needs_response' },
          reason: 'fraudulent',
          ...{ reasonCode: '10.4', money: USD(1099), respondBy: new Date(1_790_000_000_000) },
        },
      },
    ]);
  });

  it.each([
    ['warning_needs_response', 'inquiry', 'needs_response'],
    ['warning_under_review', 'inquiry', 'under_review'],
    ['warning_closed', 'inquiry', 'closed'],
    ['prevented', 'inquiry', 'closed'],
    ['needs_response', 'chargeback', 'needs_response'],
    ['under_review', 'chargeback', 'under_review'],
    ['won', 'chargeback', 'won'],
    ['lost', 'chargeback', 'lost'],
    ['appeal_needs_response', 'pre_arbitration', 'needs_response'],
    ['appeal_under_review', 'pre_arbitration', 'under_review'],
  ])('%s is the stage %s and the status %s', (status, stage, expected) => {
    expect(disputed({ status })).toMatchObject({ dispute: { stage, status: expected } });
  });

  it('that ended after an appeal stays in that stage', () => {
    const evidence = { appeal: { card: { reason_for_filing: 'x' } } };
    expect(disputed({ status: 'won', evidence })).toMatchObject({
      dispute: { stage: 'pre_arbitration', status: 'won', respondBy: null },
    });
  });

  it('whose time is over has expired', () => {
    expect(disputed({ evidence_details: { due_by: 1, past_due: true } })).toMatchObject({
      dispute: { status: 'expired', respondBy: null },
    });
  });

  it.each([
    ['product_not_received', 'product_not_received'],
    ['debit_not_authorized', 'fraudulent'],
    ['bank_cannot_process', 'processing_error'],
    ['insufficient_funds', 'general'],
    ['a_new_word', 'general'],
  ])('for %s has the reason %s', (reason, expected) => {
    expect(disputed({ reason, payment_method_details: null })).toMatchObject({
      dispute: { reason: expected, reasonCode: reason },
    });
  });

  it('in an unknown status is not read', () => {
    expect(() => noticesOf('charge.dispute.updated', dispute({ status: 'a_new_word' }))).toThrow(
      'unreadable_item',
    );
  });
});

describe('a signed body that is no event', () => {
  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"type":"payment_intent.succeeded"}',
    event('payment_intent.succeeded', {}),
  ])('%j is unreadable', (body) => {
    expect(read(body)).toMatchObject({ ok: false, refusals: [expect.stringMatching(/^unreadable_/)] });
  });
});

describeWebhookContract({
  connector: stripe,
  credentials: { secret_key: 'sk_test_contract_1234', webhook_secret: SECRET },
  body: (message) => {
    const last_payment_error = { type: 'card_error', code: 'card_declined', message };
    return event(
      'payment_intent.payment_failed',
      intent({ status: 'requires_payment_method', last_payment_error }),
    );
  },
  expiresAfterMs: 300_000,
  dispute: (reason) => event('charge.dispute.created', dispute({ network_reason_code: reason })),
  sign: (rawBody, now) => {
    const time = Math.floor(now.getTime() / 1_000);
    const digest = createHmac('sha256', SECRET).update(`${time}.`).update(rawBody).digest('hex');
    return { rawBody, headers: { 'stripe-signature': `t=${time},v1=${digest}` } };
  },
});
