import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { mollie } from '../../../src/connectors/mollie/index.ts';
import { readWebhook } from '../../../src/connectors/reading/read-webhook.ts';

const [definition] = mollie.definitions;
if (!definition) throw new Error('The connector has no definition');

/** Reads a webhook as the core does. */
const read = (body: string | Buffer, signature?: string, secret = 'one\ntwo') =>
  readWebhook(
    mollie,
    {
      headers: signature === undefined ? {} : { 'x-mollie-signature': signature },
      ...{ rawBody: Buffer.from(body), definition, environment: 'sandbox' },
      ...{ credentials: { api_key: 'test_1', webhook_secret: secret }, now: new Date() },
    },
    pino({ level: 'silent' }),
  );

const signed = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const EVENT = JSON.stringify({ resource: 'event', type: 'payment.paid', entityId: 'tr_abc123' });
const REFUND = JSON.stringify({
  ...{ resource: 'event', type: 'refund.failed', entityId: 're_1' },
  _embedded: { entity: { id: 're_1', paymentId: 'tr_abc123' } },
});

const NAMED = { ok: true, value: { notices: [], lookUps: ['tr_abc123'], unread: [], unsigned: 0 } };
const NOTHING = { ok: true, value: { ...NAMED.value, lookUps: [] } };

describe('the webhook of a payment', () => {
  it.each([
    ['its id', 'id=tr_abc123', NAMED],
    ['more than its id', 'id=tr_abc123&status=paid', NAMED],
    ['a subscription', 'id=sub_1', NOTHING],
    ['a payment link', 'id=pl_1', NOTHING],
  ])('names the payment alone: %s', (_, body, expected) => {
    expect(read(body)).toEqual(expected);
  });

  it.each([
    ['nothing', ''],
    ['no id', 'status=paid'],
    ['a path', 'id=tr_1/../../refunds'],
    ['a long id', `id=tr_${'x'.repeat(100)}`],
    ['a list', '[1]'],
    ['a number', '17'],
    ['no UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ])('is refused: %s', (_, body) => {
    expect(read(body)).toEqual({ ok: false, refusals: ['unreadable'] });
  });
});

describe('the webhook of an organisation', () => {
  it.each([
    ['the first secret', EVENT, signed(EVENT, 'one')],
    ['the second secret', EVENT, signed(EVENT, 'two')],
    ['several signatures', EVENT, `${signed(EVENT, 'other')}, ${signed(EVENT, 'two')}`],
    ['a refund, by the name of its payment', REFUND, signed(REFUND, 'one')],
  ])('names the payment, signed with %s', (_, body, signature) => {
    expect(read(body, signature)).toEqual(NAMED);
  });

  it.each([
    ['another secret', signed(EVENT, 'other'), undefined],
    ['another body', signed(REFUND, 'one'), undefined],
    ['no digest', 'sha256=', undefined],
    ['another scheme', signed(EVENT, 'one').replace('sha256', 'sha1'), undefined],
    ['no secret of the service', signed(EVENT, ''), ''],
  ])('is refused: %s', (_, signature, secret) => {
    expect(read(EVENT, signature, secret)).toEqual({ ok: false, refusals: ['bad_signature'] });
  });

  it('is kept if it is signed and unreadable', () => {
    expect(read('{}', signed('{}', 'one'))).toMatchObject({
      ...{ ok: true, value: { lookUps: [], unread: [{ part: '{}', reason: 'unreadable_body' }] } },
    });
  });
});
