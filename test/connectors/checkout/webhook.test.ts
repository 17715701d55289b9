import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { checkout } from '../../../src/connectors/checkout/index.ts';
import { checkoutDefinitions } from '../../../src/connectors/checkout/definitions.ts';
import type { WebhookRequest } from '../../../src/connectors/notices/webhook.ts';
import { noticeWith } from '../kit/notices.ts';
import { theOnly } from '../paypal/stand.ts';
import { readNotices } from '../read-notices.ts';
import { describeWebhookContract } from '../webhook-contract.ts';

const KEY = '019af2b4-0000-7000-8000-00000000000a';
const OWN = '019af2b4-0000-7000-8000-00000000000b';
const SIGNATURE_KEY = 'c2lnbmF0dXJlLWtleS1vZi10aGUtdGVzdHM';
const PAYMENT = 'pay_bgv5tmah6fmuzcmcrcro6exe6m';
const ACTION = 'act_2f56bhkau5dubequbv5aa6w4qi';
const CREDENTIALS = {
  ...{ secret_key: 'sk_sbox_key', processing_channel_id: 'pc_own', signature_key: SIGNATURE_KEY },
};

const sign = (body: string | Buffer, key = SIGNATURE_KEY): string =>
  createHmac('sha256', key).update(body).digest('hex');

const namesOf = (verb: string, key = KEY) => ({ paygraph_operation: key, paygraph_verb: verb });

/** Builds the body of an event, in the documented form. */
const event = (type: string, data: object): string =>
  JSON.stringify({
    ...{ id: 'evt_1', type, version: '1.0.1', timestamp: '2026-11-24T12:00:00Z' },
    data: { id: PAYMENT, action_id: ACTION, amount: 1299, currency: 'EUR', ...data },
  });

const receiver = {
  credentials: CREDENTIALS,
  definition: theOnly(checkoutDefinitions),
  environment: 'sandbox',
} as const;

function read(body: string, changes: Partial<WebhookRequest> & { readonly signature?: string } = {}) {
  const { signature = sign(body), ...rest } = changes;
  return readNotices(checkout.webhooks, {
    ...{ headers: { 'cko-signature': signature }, rawBody: Buffer.from(body), credentials: CREDENTIALS },
    ...{ definition: theOnly(checkoutDefinitions), environment: 'sandbox', now: new Date(), ...rest },
  });
}

const noticesOf = (type: string, data: object) => {
  const result = read(event(type, data));
  if (!result.ok) throw new Error(result.refusals[0]);
  return result.value;
};

const BODY = event('payment_approved', { metadata: namesOf('authorize') });
const REFUSED = { ok: false, refusals: ['bad_signature'] };

describe('a signature', () => {
  it('of one of the keys is genuine, in any letters', () => {
    const credentials = { ...CREDENTIALS, signature_key: `old-key\n${SIGNATURE_KEY}` };
    for (const key of ['old-key', SIGNATURE_KEY])
      expect(read(BODY, { credentials, signature: sign(BODY, key).toUpperCase() })).toMatchObject({
        ok: true,
      });
  });

  it.each([
    ['of another key', sign(BODY, 'another')],
    ['of another body', sign(`${BODY} `)],
    ['that is cut', sign(BODY).slice(1)],
    ['in base64', Buffer.from(sign(BODY), 'hex').toString('base64')],
    ['that is empty', ''],
  ])('%s is refused', (_, signature) => expect(read(BODY, { signature })).toEqual(REFUSED));

  it('of an empty key is refused', () => {
    expect(read(BODY, { credentials: {}, signature: sign(BODY, '') })).toEqual(REFUSED);
  });
});

describe('an event about a payment', () => {
  const about = { verb: 'authorize', key: KEY, reference: PAYMENT, paymentReference: PAYMENT };

  it('tells the authorisation, with the names for later payments', () => {
    const metadata = { ...namesOf('authorize'), paygraph_stores: 'true' };
    const data = { metadata, scheme_id: '638284745624527', source: { id: 'src_1', type: 'card' } };
    expect(noticesOf('payment_approved', data)).toEqual([
      noticeWith({
        ...{ ...about, eventKey: 'evt_1', occurredAt: new Date('2026-11-24T12:00:00Z') },
        outcome: {
          ...{ kind: 'succeeded', money: { amount: 1299, currency: 'EUR' } },
          ...{ schemeTransactionId: '638284745624527', recurringToken: `src_1/${PAYMENT}` },
        },
      }),
    ]);
  });

  it.each([
    ['payment_pending', {}, { kind: 'accepted' }],
    ['payment_declined', { response_code: '20051' }, { kind: 'declined', errorCode: 'insufficient_funds' }],
    [
      'payment_declined',
      { '3ds': { enrolled: 'Y' } },
      { kind: 'declined', errorCode: 'failed_buyer_approval' },
    ],
    [
      'payment_declined',
      { response_code: '20152' },
      { kind: 'failed', errorCode: 'incomplete_buyer_approval' },
    ],
    ['payment_canceled', {}, { kind: 'failed', errorCode: 'canceled' }],
    ['payment_expired', { response_code: '20152' }, { errorCode: 'incomplete_buyer_approval' }],
    ['payment_expired', { auth_code: '858188' }, { kind: 'expired' }],
    ['payment_expired', { response_code: '10000' }, { kind: 'expired' }],
    ['payment_authentication_failed', {}, { kind: 'declined', errorCode: 'failed_buyer_approval' }],
    ['card_verified', { amount: 0 }, { kind: 'succeeded', money: null }],
    [
      'card_verification_declined',
      { amount: 0, response_code: '20054' },
      { errorCode: 'expired_payment_method' },
    ],
  ])('%s with %j tells it', (type, data, outcome) => {
    expect(noticesOf(type, { metadata: namesOf('authorize'), ...data })).toEqual([
      noticeWith({ ...about, outcome }),
    ]);
  });

  it('of a sale is the sale only after the capture', () => {
    const metadata = namesOf('sale');
    expect(noticesOf('payment_approved', { metadata })).toEqual([
      noticeWith({ ...about, outcome: { kind: 'accepted' } }),
    ]);
    expect(noticesOf('payment_captured', { metadata, reference: KEY })).toEqual([
      noticeWith({ ...about, outcome: { kind: 'succeeded', money: { amount: 1299, currency: 'EUR' } } }),
    ]);
    expect(noticesOf('payment_capture_pending', { metadata, response_code: '10000' })).toEqual([]);
  });

  it('of a sale is known by its reference alone', () => {
    expect(noticesOf('payment_captured', { reference: `${KEY}_sale` })).toEqual([
      noticeWith({ ...about, outcome: { kind: 'succeeded', money: { amount: 1299, currency: 'EUR' } } }),
    ]);
    expect(noticesOf('payment_approved', { reference: KEY })).toEqual([]);
  });

  it('of another system, or of another channel, tells nothing', () => {
    expect(noticesOf('payment_approved', { reference: 'order-7' })).toEqual([]);
    expect(
      noticesOf('payment_approved', { metadata: namesOf('authorize'), processing_channel_id: 'pc_other' }),
    ).toEqual([]);
  });
});

describe('an event that does not tell what became of the money', () => {
  it.each([
    ['payment_approved', { metadata: namesOf('authorize'), response_code: '10010' }],
    ['payment_expired', { metadata: namesOf('authorize'), response_code: null }],
    ['payment_capture_declined', { metadata: namesOf('sale'), reference: `${KEY}_sale` }],
    ['payment_voided', { metadata: namesOf('sale'), reference: `${KEY}_sale` }],
    ['payment_voided', { reference: `${KEY}_release` }],
    ['payment_void_declined', { metadata: namesOf('release'), reference: `${KEY}_release` }],
  ])('leads to a look-up: %s with %j', (type, data) => {
    const body = event(type, { response_code: '20005', ...data });
    expect(checkout.webhooks?.read(body, receiver)).toEqual({
      ok: true,
      value: [{ kind: 'look_up', reference: PAYMENT }],
    });
  });
});

describe('an event about a change', () => {
  const about = { reference: ACTION, paymentReference: PAYMENT };
  const succeeded = { kind: 'succeeded', money: { amount: 1299, currency: 'EUR' } };

  it.each([
    ['payment_captured', 'capture', succeeded],
    ['payment_capture_declined', 'capture', { kind: 'declined', errorCode: 'issuer_decline' }],
    ['payment_capture_pending', 'capture', { kind: 'accepted' }],
    ['payment_refunded', 'refund', succeeded],
    ['payment_refund_declined', 'refund', { kind: 'declined', errorCode: 'issuer_decline' }],
    ['payment_refund_pending', 'refund', { kind: 'accepted' }],
    ['payment_voided', 'void', { kind: 'succeeded', money: null }],
    ['payment_void_declined', 'void', { kind: 'declined', errorCode: 'issuer_decline' }],
  ])('%s names our %s by its metadata or by its reference', (type, verb, outcome) => {
    const response_code = type.endsWith('declined') ? '20005' : '10000';
    const names = [
      { metadata: namesOf(verb, OWN), reference: `${OWN}_${verb}` },
      { metadata: namesOf('authorize'), reference: `${OWN}_${verb}` },
      { reference: `${OWN}_${verb}` },
    ];
    for (const named of names)
      expect(noticesOf(type, { ...named, response_code })).toEqual([
        noticeWith({ ...about, verb, key: OWN, outcome }),
      ]);
  });

  it('with the names of its payment is one that somebody else made', () => {
    const names = { metadata: namesOf('authorize'), reference: KEY };
    const balances = { available_to_capture: 0 };
    expect(noticesOf('payment_captured', { ...names, balances })).toEqual([
      noticeWith({ ...about, verb: 'capture', key: null, final: true, outcome: succeeded }),
    ]);
    expect(noticesOf('payment_refunded', names)).toEqual([
      noticeWith({ ...about, verb: 'refund', key: null, outcome: succeeded }),
    ]);
  });

  it('that is our cancel says so', () => {
    expect(noticesOf('payment_voided', { reference: `${OWN}_cancel` })).toEqual([
      noticeWith({ ...about, verb: 'cancel', key: OWN }),
    ]);
  });
});

describe('an event that cannot be read', () => {
  it.each([
    ['of a new kind', 'payment_rerouted', {}, ['unknown_kind']],
    ['of a new kind of dispute', 'dispute_reconsidered', {}, ['unknown_kind']],
    ['of a dispute that may need a response', 'dispute_arbitration_received', {}, ['unknown_kind']],
    ['without an amount', 'payment_captured', { amount: null }, ['unreadable_item']],
    ['without an action', 'payment_refunded', { action_id: null }, ['unreadable_item']],
    [
      'of an amount that nobody can express',
      'payment_captured',
      { amount: 1005, currency: 'CLP' },
      ['unreadable_item'],
    ],
  ])('is kept: %s', (_, type, data, refusals) => {
    expect(read(event(type, data))).toEqual({ ok: false, refusals });
  });

  it.each(['payment_instrument_verification_passed', 'payment_paid', 'dispute_received', 'transfer_made'])(
    'is ignored if it concerns nothing here: %s',
    (type) => expect(noticesOf(type, {})).toEqual([]),
  );
});

describeWebhookContract({
  connector: checkout,
  credentials: CREDENTIALS,
  sign: (rawBody) => ({ rawBody, headers: { 'cko-signature': sign(rawBody) } }),
  body: (words) =>
    event('payment_declined', {
      ...{ metadata: namesOf('authorize'), response_code: '20005', response_summary: words },
    }),
  dispute: (words) =>
    event('dispute_evidence_required', {
      ...{ id: 'dsp_bc94ebda8d275i461229', category: 'general', reason_code: words },
      ...{ payment_id: PAYMENT, payment_action_id: ACTION, evidence_required_by: '2026-12-10T00:00:00Z' },
    }),
});
