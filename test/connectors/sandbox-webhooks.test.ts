import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { sandboxWebhooks, SIGNATURE_HEADER } from '../../src/connectors/sandbox/webhook.ts';
import { readWebhook } from '../../src/connectors/reading/read-webhook.ts';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import {
  isOperationNotice,
  type Notice,
  type UnreadReason,
  type WebhookRequest,
} from '../../src/connectors/notices/webhook.ts';
import { ok, refuse } from '../../src/kernel/result.ts';
import { readNotices } from './read-notices.ts';
import { describeWebhookContract } from './webhook-contract.ts';

const SECRET = 'a webhook secret of the test';
const KEY = '019a0000-0000-7000-8000-00000000000a';

describeWebhookContract({
  connector: sandbox,
  credentials: { merchant_id: 'test', api_key: 'a secret of the test', webhook_secret: SECRET },
  body: (message) => JSON.stringify({ idempotency_key: KEY, event: 'refund.declined', message }),
  dispute: (words) =>
    JSON.stringify({
      ...{ event: 'dispute.created', payment_service_transaction_id: 'pay_1', dispute_reference: 'dp_1' },
      ...{ stage: 'chargeback', status: 'lost', reason_code: words, amount: 5, currency: 'EUR' },
    }),
  sign: (rawBody) => ({
    rawBody,
    headers: { [SIGNATURE_HEADER]: `sha256=${createHmac('sha256', SECRET).update(rawBody).digest('hex')}` },
  }),
});

const [definition] = sandbox.definitions;
if (!definition) throw new Error('No definition');

const unsigned = (body: unknown): WebhookRequest => ({
  headers: {},
  rawBody: Buffer.from(JSON.stringify(body)),
  credentials: { merchant_id: 'test' },
  definition,
  environment: 'sandbox',
  now: new Date(0),
});

function noticeOf(body: unknown): Notice {
  const read = readNotices(sandboxWebhooks, unsigned(body));
  if (!read.ok || !read.value[0] || !isOperationNotice(read.value[0])) throw new Error(JSON.stringify(read));
  return read.value[0];
}

const SAID = { rawResponseCode: null, rawResponseDescription: null };

describe("the sandbox provider's webhook", () => {
  it('reports operations that nobody requested here', () => {
    const payment = { payment_service_transaction_id: 'pay_1' };
    const [money, paymentReference] = [{ amount: 900, currency: 'USD' }, 'pay_1'];
    const names = { ...payment, payment_service_reference: 'op_1' };
    const known = { key: null, reference: 'op_1', paymentReference };
    expect(noticeOf({ ...names, ...money, event: 'capture.succeeded', final: true })).toMatchObject({
      ...{ ...known, verb: 'capture', final: true, outcome: { kind: 'succeeded', money } },
    });
    const refund = { ...names, ...money, event: 'refund.succeeded', capture_reference: 'cap_1' };
    expect(noticeOf(refund)).toMatchObject({ ...known, verb: 'refund', captureReference: 'cap_1' });
    const increase = { ...names, event: 'increase.succeeded', total_amount: 900, currency: 'USD' };
    expect(noticeOf(increase)).toMatchObject({ ...known, total: money, outcome: { money: null } });
    expect(noticeOf({ ...payment, event: 'void.succeeded' })).toMatchObject({ key: null, paymentReference });
  });

  it('reports a payment by its id alone', () => {
    expect(noticeOf({ payment_service_transaction_id: 'pay_1', event: 'capture.succeeded' })).toEqual({
      eventKey: expect.stringMatching(/^sha256:[\w-]{43}$/),
      occurredAt: null,
      verb: 'capture',
      key: null,
      reference: null,
      paymentReference: 'pay_1',
      outcome: { kind: 'succeeded', money: null, ...SAID },
    });
  });

  it('reports an operation with our key and all its data', () => {
    const body = {
      id: 'evt_1',
      event: 'authorization.declined',
      idempotency_key: KEY.toUpperCase(),
      payment_service_transaction_id: 'pay_1',
      payment_service_reference: 'pay_1',
      amount: 1299,
      currency: 'USD',
      code: 'insufficient_funds',
      message: 'Not enough',
      occurred_at: '2026-11-21T12:00:00+01:00',
    };
    expect(noticeOf(body)).toEqual({
      eventKey: 'evt_1',
      occurredAt: new Date('2026-11-21T11:00:00Z'),
      verb: 'authorize',
      key: KEY,
      reference: 'pay_1',
      paymentReference: 'pay_1',
      outcome: {
        kind: 'declined',
        errorCode: 'insufficient_funds',
        rawResponseCode: 'insufficient_funds',
        rawResponseDescription: 'Not enough',
      },
    });
  });

  it.each([
    [
      'authorize.succeeded',
      'authorize',
      { kind: 'succeeded', money: { amount: 5, currency: 'EUR' }, ...SAID },
    ],
    ['capture.pending', 'capture', { kind: 'accepted', ...SAID }],
    ['refund.failed', 'refund', { kind: 'failed', errorCode: 'service_error', ...SAID }],
    ['void.declined', 'void', { kind: 'declined', errorCode: 'other_decline', ...SAID }],
    ['cancel.succeeded', 'cancel', { kind: 'succeeded', money: { amount: 5, currency: 'EUR' }, ...SAID }],
  ])('%s is its result', (event, verb, outcome) => {
    const notified = noticeOf({ idempotency_key: KEY, event, amount: 5, currency: 'EUR' });
    expect([notified.verb, notified.outcome]).toEqual([verb, outcome]);
  });

  it.each([
    [
      { event: 'capture.reversed', amount: 5, currency: 'EUR', reversal_reference: 'rev_1' },
      'capture',
      {
        ...{ kind: 'reversed', money: { amount: 5, currency: 'EUR' }, errorCode: 'service_error', ...SAID },
        reversalReference: 'rev_1',
      },
    ],
    [
      { event: 'refund.reversed', code: 'disputed_transaction' },
      'refund',
      {
        ...{ kind: 'reversed', money: null, errorCode: 'disputed_transaction' },
        ...{ rawResponseCode: 'disputed_transaction', rawResponseDescription: null },
      },
    ],
    [{ event: 'authorization.expired' }, 'authorize', { kind: 'expired', ...SAID }],
  ])('%j takes a success back', (body, verb, outcome) => {
    expect(noticeOf({ idempotency_key: KEY, ...body })).toMatchObject({ verb, outcome });
  });

  it('reports a dispute with all its data', () => {
    const body = {
      ...{ id: 'evt_1', event: 'dispute.updated', idempotency_key: KEY.toUpperCase() },
      dispute_reference: 'dp_1',
      ...{ stage: 'pre_arbitration', status: 'needs_response', reason: 'duplicate', reason_code: '12.6' },
      ...{ amount: 5, currency: 'EUR', occurred_at: '2026-11-21T10:00:00Z' },
      respond_by: '2026-11-28T10:00:00Z',
    };
    expect(readNotices(sandboxWebhooks, unsigned(body))).toEqual({
      ok: true,
      value: [
        {
          ...{ eventKey: 'evt_1', occurredAt: new Date('2026-11-21T10:00:00Z'), key: KEY },
          ...{ reference: null, paymentReference: null },
          dispute: {
            ...{ disputeReference: 'dp_1', stage: 'pre_arbitration', status: 'needs_response' },
            ...{ reason: 'duplicate', reasonCode: '12.6', money: { amount: 5, currency: 'EUR' } },
            respondBy: new Date('2026-11-28T10:00:00Z'),
          },
        },
      ],
    });
  });

  it.each([
    ['stage', 'second'],
    ['status', 'perhaps'],
    ['reason', 'regret'],
    ['amount', 0],
    ['currency', 'eur'],
    ['dispute_reference', ''],
    ['respond_by', 'tomorrow'],
  ])('is unreadable with a dispute whose %s is %j', (field, value) => {
    const body = {
      ...{ event: 'dispute.created', payment_service_transaction_id: 'pay_1', dispute_reference: 'dp_1' },
      ...{ stage: 'inquiry', status: 'closed', reason: 'general', amount: 5, currency: 'EUR' },
      [field]: value,
    };
    expect(readNotices(sandboxWebhooks, unsigned(body))).toEqual({
      ok: false,
      refusals: ['unreadable_body'],
    });
  });

  it('names a release by its authorisation alone', () => {
    expect(noticeOf({ event: 'void.succeeded', authorization_key: KEY.toUpperCase() })).toMatchObject({
      ...{ verb: 'void', key: null, reference: null, paymentReference: null },
      authorizationKey: KEY,
    });
  });

  it('has the same key in any formatting, and another one for other content', () => {
    const key = (body: unknown): string => noticeOf(body).eventKey;
    const first = key({ payment_service_transaction_id: 'pay_1', event: 'capture.succeeded' });
    expect(key({ event: 'capture.succeeded', payment_service_transaction_id: 'pay_1', more: 1 })).toBe(first);
    expect(key({ payment_service_transaction_id: 'pay_2', event: 'capture.succeeded' })).not.toBe(first);
  });

  it.each([
    ['an event of another kind', { event: 'dispute.opened', payment_service_transaction_id: 'pay_1' }],
    ['a key that cannot be ours', { event: 'capture.succeeded', idempotency_key: 'till 4' }],
    ['an authorisation that cannot be ours', { event: 'void.succeeded', authorization_key: 'till 4' }],
    ['a reversal of a void', { event: 'void.reversed', idempotency_key: KEY }],
    ['an expiry of a capture', { event: 'capture.expired', idempotency_key: KEY }],
  ])('is read and matches nothing here: %s', (_, body) => {
    expect(readNotices(sandboxWebhooks, unsigned(body))).toEqual(ok([]));
  });

  const good = { event: 'capture.succeeded', payment_service_transaction_id: 'pay_1' };
  it.each([
    { event: 'capture.succeeded' },
    { ...good, event: 7 },
    { ...good, event: 'x'.repeat(101) },
    { ...good, payment_service_transaction_id: '' },
    { ...good, payment_service_transaction_id: 'p'.repeat(256) },
    { ...good, payment_service_transaction_id: { id: 'pay_1' } },
    { ...good, id: 12 },
    { ...good, idempotency_key: null },
    { ...good, amount: 1299 },
    { ...good, amount: 12.5, currency: 'USD' },
    { ...good, amount: -1, currency: 'USD' },
    { ...good, amount: 100_000_000, currency: 'USD' },
    { ...good, amount: '1299', currency: 'USD' },
    { ...good, amount: 1299, currency: 'usd' },
    { ...good, occurred_at: 'yesterday' },
    { ...good, occurred_at: '2026-13-45T00:00:00Z' },
    { ...good, message: ['said'] },
  ])('is unreadable when it breaks the contract: %j', (body) => {
    expect(readNotices(sandboxWebhooks, unsigned(body))).toEqual({
      ok: false,
      refusals: ['unreadable_body'],
    });
  });

  it('is rejected unsigned when a definition is for more than the sandbox', () => {
    const request = { ...unsigned(good), definition: { ...definition, sandboxOnly: false } };
    expect(readNotices(sandboxWebhooks, request)).toEqual({ ok: false, refusals: ['bad_signature'] });
  });
});

describe('the one reader of webhooks', () => {
  const log = pino({ level: 'silent' });
  const notice = noticeOf({ ...{ event: 'capture.succeeded', payment_service_transaction_id: 'pay_1' } });
  const verified = ok({ parts: ['{}'], unsigned: 0, isSigned: true });
  const telling = (...notices: readonly Notice[]): Connector => ({
    ...sandbox,
    webhooks: { verify: () => verified, read: () => ok(notices) },
  });
  const read = (connector: Connector) => readWebhook(connector, unsigned({}), log);
  const throws = (): never => {
    throw new Error('4111111111111111');
  };
  const unread = (reason: UnreadReason) =>
    ok({ notices: [], lookUps: [], unread: [{ part: '{}', reason }], unsigned: 0 });

  it('refuses a webhook when the check of its signature throws, and keeps a part whose reader throws', () => {
    const refused = { ok: false, refusals: ['unreadable'] };
    expect(read({ ...sandbox, webhooks: { verify: throws, read: throws } })).toEqual(refused);
    const failed = read({ ...sandbox, webhooks: { verify: () => verified, read: throws } });
    expect(failed).toEqual(unread('reader_failed'));
  });

  it('keeps no part of a webhook that nobody signed', () => {
    const parts = { parts: ['a', 'b'], unsigned: 0, isSigned: false };
    const reading = (known: string): Connector => ({
      ...sandbox,
      webhooks: {
        verify: () => ok(parts),
        read: (part) => (part === known ? ok([notice]) : refuse('unreadable_body')),
      },
    });
    expect(read(reading('b'))).toEqual(ok({ notices: [notice], lookUps: [], unread: [], unsigned: 1 }));
    expect(read(reading('c'))).toEqual({ ok: false, refusals: ['unreadable'] });
  });

  it.each(['evt 4111111111111111', 'e'.repeat(300), 'evt\u0000'])(
    'stores a digest in place of an event id that cannot be stored: %j',
    (eventKey) => {
      const notified = read(telling({ ...notice, eventKey }));
      expect(notified.ok && notified.value.notices[0]?.eventKey).toMatch(/^sha256:[\w-]{43}$/);
    },
  );

  it('keeps notices without any way to find an operation, and too many of them, unread', () => {
    const lost = { ...notice, paymentReference: 'pay\u0000' };
    expect(read(telling(lost))).toEqual(unread('unusable_notice'));
    expect(read(telling(lost, notice))).toMatchObject({ ok: true, value: { notices: [notice] } });
    expect(read(telling(...Array.from({ length: 101 }, () => notice)))).toEqual(unread('too_many_notices'));
    expect(read(telling(...Array.from({ length: 100 }, () => notice)))).toMatchObject({ ok: true });
  });

  const taken = { kind: 'reversed', money: null, errorCode: 'service_error', ...SAID } as const;
  it.each<readonly [string, Partial<Notice>]>([
    ['a reversal of an authorisation', { verb: 'authorize', outcome: taken }],
    ['a reversal of a void', { verb: 'void', outcome: taken }],
    ['an expiry of a capture', { outcome: { kind: 'expired', ...SAID } }],
    ['a reversal of nothing', { outcome: { ...taken, money: { amount: 0, currency: 'USD' } } }],
    ['a negative reversal', { outcome: { ...taken, money: { amount: -1, currency: 'USD' } } }],
    ['a part of a minor unit', { outcome: { ...taken, money: { amount: 1.5, currency: 'USD' } } }],
    ['too large a reversal', { outcome: { ...taken, money: { amount: 100_000_000, currency: 'USD' } } }],
    ['a reversal in no currency', { outcome: { ...taken, money: { amount: 1, currency: 'usd' } } }],
    ['a key of no authorisation', { verb: 'void', paymentReference: null, authorizationKey: 'till 4' }],
  ])('keeps %s unread', (_, changes) => {
    expect(read(telling({ ...notice, ...changes }))).toEqual(unread('unusable_notice'));
  });

  it('cleans a reversal, and keeps the key of an authorisation for all but authorisations', () => {
    const dirty = {
      ...taken,
      errorCode: 'something',
      reversalReference: 'rev\u0000',
    } as unknown as Notice['outcome'];
    const given = { ...notice, authorizationKey: KEY };
    const notices: readonly Notice[] = [
      { ...given, outcome: dirty },
      { ...given, verb: 'cancel' },
      { ...given, verb: 'authorize' },
    ];
    expect(read(telling(...notices))).toMatchObject({
      value: {
        notices: [
          {
            authorizationKey: KEY,
            outcome: { ...taken, errorCode: 'unknown_error', reversalReference: null },
          },
          { authorizationKey: KEY },
          { authorizationKey: null },
        ],
      },
    });
  });
});
