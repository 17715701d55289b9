import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { braintree } from '../../../src/connectors/braintree/index.ts';
import { digestOf } from '../../../src/connectors/braintree/webhooks/signature.ts';
import { readWebhook } from '../../../src/connectors/reading/read-webhook.ts';
import { describeWebhookContract } from '../webhook-contract.ts';
import { createBraintreeDouble } from './double.ts';
import { fieldsOf } from './start.ts';
import { formOf } from './webhooks.ts';
import { globalIdOf } from './world.ts';

const [definition] = braintree.definitions;
if (!definition) throw new Error('The connector has no definition');

const double = createBraintreeDouble();

/** Reads the body of a webhook as the core does. */
const readBody = (body: string | Buffer, credentials: Readonly<Record<string, string>> = fieldsOf(double)) =>
  readWebhook(
    braintree,
    {
      ...{ headers: {}, rawBody: Buffer.from(body), definition, environment: 'sandbox' },
      ...{ credentials, now: new Date() },
    },
    pino({ level: 'silent' }),
  );

const read = (xml: string) => readBody(double.sign(xml).body);

const notice = (kind: string, subject: string): string =>
  `<notification><kind>${kind}</kind><timestamp type="datetime">2026-11-01T00:00:00Z</timestamp><subject>${subject}</subject></notification>`;

const TRANSACTION = '<transaction>\n  <id>1abc2def</id><customer><id>77</id></customer></transaction>';

const naming = (...lookUps: readonly string[]) => ({
  ok: true,
  value: { notices: [], lookUps, unread: [], unsigned: 0 },
});

const BAD = { ok: false, refusals: ['bad_signature'] };

describe('a webhook', () => {
  it.each([
    ['transaction_settled', TRANSACTION],
    ['transaction_settlement_declined', TRANSACTION],
    ['transaction_retried', TRANSACTION],
    [
      'transaction_reviewed',
      '<transaction-review><transaction-id>1abc2def</transaction-id></transaction-review>',
    ],
    [
      'refund_failed',
      '<transaction><id>9zz</id><refunded-transaction-id>1abc2def</refunded-transaction-id></transaction>',
    ],
    ['dispute_opened', `<dispute><id>5dd</id><amount>1.00</amount>${TRANSACTION}</dispute>`],
    ['dispute_of_a_new_kind', `<dispute><id>5dd</id>${TRANSACTION}</dispute>`],
  ])('names the payment alone: %s', (kind, subject) => {
    expect(read(notice(kind, subject))).toEqual(naming(globalIdOf('transaction', '1abc2def')));
  });

  it.each([
    'check',
    'subscription_charged_successfully',
    'disbursement',
    'transaction_disbursed',
    'account_updater_daily_report',
  ])('about something else is taken, and names nothing: %s', (kind) => {
    expect(read(notice(kind, TRANSACTION))).toEqual(naming());
  });

  it.each([
    ['of an unknown kind about a payment', notice('transaction_teleported', TRANSACTION), 'unknown_kind'],
    ['without its transaction', notice('transaction_settled', '<transaction/>'), 'unreadable_item'],
    ['without a kind', '<notification/>', 'unreadable_body'],
    ['that is no XML', '{}', 'unreadable_body'],
  ])('%s is kept unread', (_, xml, reason) => {
    expect(read(xml)).toEqual({
      ok: true,
      value: { notices: [], lookUps: [], unread: [{ part: xml, reason }], unsigned: 0 },
    });
  });

  it('has the id of a transaction that the connector has as its reference', () => {
    // An example of Braintree's documentation.
    expect(globalIdOf('transaction', '1neqbx1p')).toBe('dHJhbnNhY3Rpb25fMW5lcWJ4MXA');
  });
});

describe('the signature of a webhook', () => {
  const xml = notice('transaction_settled', TRANSACTION);
  const { body } = double.sign(xml);

  it('is that of the service, among those of other public keys', () => {
    expect(readBody(body)).toMatchObject({ ok: true });
    const { publicKey } = double;
    expect(readBody(body, { ...fieldsOf(double), public_key: `${publicKey}2` })).toEqual(BAD);
    expect(readBody(body, { ...fieldsOf(double), private_key: 'another' })).toEqual(BAD);
    expect(readBody(body, { ...fieldsOf(double), private_key: '' })).toEqual(BAD);
  });

  it('is over the payload with a line feed, too', () => {
    const form = new URLSearchParams(body);
    form.set('bt_payload', form.get('bt_payload')?.trimEnd() ?? '');
    expect(readBody(form.toString())).toMatchObject({ ok: true });
  });

  it('covers the payload', () => {
    const form = new URLSearchParams(body);
    const other = new URLSearchParams(
      formOf(xml.replace('1abc2def', '1abc2deg'), { publicKey: 'x', privateKey: 'y' }).body,
    );
    form.set('bt_payload', other.get('bt_payload') ?? '');
    expect(readBody(form.toString())).toEqual(BAD);
  });

  it('is not made with the private key itself', () => {
    const form = new URLSearchParams(body);
    const payload = form.get('bt_payload') ?? '';
    const hex = createHmac('sha1', double.privateKey).update(payload).digest('hex');
    form.set('bt_signature', `${double.publicKey}|${hex}`);
    expect(readBody(form.toString())).toEqual(BAD);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no form', Buffer.from('{}')],
    ['no signature', Buffer.from('bt_payload=PG5v')],
    ['no payload', Buffer.from('bt_signature=a|b')],
    ['no UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ])('is missing in %s', (_, bytes) => {
    expect(readBody(bytes)).toEqual(BAD);
  });
});

describe('a text that anybody may have signed', () => {
  const challenge = '20f9f8ed05f77439fe955c977e4c8a53';
  const proof = braintree.webhooks?.challenge?.({ bt_challenge: challenge }, fieldsOf(double)) ?? '';

  it.each([challenge, `${challenge}\n`])('is no webhook: %j', (payload) => {
    expect(proof).toMatch(/\|[0-9a-f]{40}$/);
    const form = new URLSearchParams({ bt_signature: proof, bt_payload: payload });
    expect(readBody(form.toString())).toEqual(BAD);
  });

  it('is no webhook outside of base64', () => {
    const xml = notice('transaction_settled', TRANSACTION);
    const { publicKey, privateKey } = double;
    const hex = digestOf(xml, privateKey).toString('hex');
    const form = new URLSearchParams({ bt_signature: `${publicKey}|${hex}`, bt_payload: xml });
    expect(readBody(form.toString())).toEqual(BAD);
  });
});

describeWebhookContract({
  connector: braintree,
  credentials: fieldsOf(double),
  onlyNames: true,
  sign: (rawBody) => ({ headers: {}, rawBody: Buffer.from(formOf(rawBody, double).body) }),
  body: (words) => notice('transaction_settled', `${TRANSACTION}<note>${words}</note>`),
});

describe('the proof of an address', () => {
  const prove = (query: Readonly<Record<string, string>>) =>
    braintree.webhooks?.challenge?.(query, {
      public_key: 'integration_public_key',
      private_key: 'integration_private_key',
    });

  it('is a signature of the challenge', () => {
    // The example of Braintree's own software.
    expect(prove({ bt_challenge: '20f9f8ed05f77439fe955c977e4c8a53' })).toBe(
      'integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4',
    );
  });

  it.each([
    {},
    { bt_challenge: '' },
    { bt_challenge: 'payload that somebody wants signed' },
    { bt_challenge: 'a'.repeat(33) },
  ])('is refused for another text: %j', (query) => {
    expect(prove(query)).toBeNull();
  });
});
