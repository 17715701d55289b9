import { pino } from 'pino';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import type { Credentials } from '../../src/connectors/interface/call-context.ts';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import { isDisputeNotice } from '../../src/connectors/notices/disputes.ts';
import { readWebhook } from '../../src/connectors/reading/read-webhook.ts';
import type { WebhookRequest } from '../../src/connectors/notices/webhook.ts';
import { describe, expect, it } from './runner.ts';

/** A webhook of the provider, signed. */
export type SignedWebhook = {
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBody: Buffer;
  /** The text that the check needs, such as a certificate. */
  readonly material?: string;
};

/** The test data of one connector for the contract of webhooks. */
export type WebhookSubject = {
  readonly connector: Connector;
  readonly credentials: Credentials;
  /**
   * Signs any bytes at a moment. A signature may be a part of the body. Bytes without a place for a signature then stay as
   * they are.
   */
  readonly sign: (rawBody: Buffer, now: Date) => SignedWebhook;
  /** Builds a body about one operation, with these words in its message. */
  readonly body: (words: string) => string;
  /** Builds a body about a dispute, with these words as its reason code. Absent if the provider reports none. */
  readonly dispute?: (words: string) => string;
  /** Changes a part that the signature covers. The default adds a space to the body. */
  readonly tamper?: (rawBody: Buffer) => Buffer;
  /** True if the signature is a part of the body. Bytes without a place for a signature are then never genuine. */
  readonly signsInside?: true;
  /** True if a webhook only names a payment. */
  readonly onlyNames?: true;
  /** The age at which a signature is no longer valid, in milliseconds. Absent if a signature is valid for ever. */
  readonly expiresAfterMs?: number;
};

const NOW = new Date('2026-11-21T12:00:00Z');

const HOSTILE: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['no JSON', Buffer.from('event=capture.succeeded')],
  ['no UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ['null', Buffer.from('null')],
  ['a number', Buffer.from('1e999')],
  ['a list', Buffer.from('[1, 2]')],
  ['an empty object', Buffer.from('{}')],
  ['a prototype', Buffer.from('{"__proto__":{"event":"capture.succeeded"},"constructor":1}')],
  ['100 000 lists in lists', Buffer.from('['.repeat(100_000) + ']'.repeat(100_000))],
  ['100 000 objects in objects', Buffer.from('{"event":'.repeat(20_000) + '1' + '}'.repeat(20_000))],
];

/** Defines the tests that hold for every connector with webhooks. All its definitions read the same webhooks. */
export function describeWebhookContract(subject: WebhookSubject): void {
  const { connector } = subject;
  const [definition] = connector.definitions;
  if (!definition) throw new Error(`${connector.id} has no definition`);

  describe(`webhooks of ${connector.id}`, () => {
    const read = (webhook: SignedWebhook, changes: Partial<WebhookRequest> = {}) =>
      readWebhook(connector, requestOf(subject, definition, webhook, changes), LOG);
    const deliver = (body: string | Buffer, at = NOW) => read(subject.sign(Buffer.from(body), at));
    describeReading(subject, deliver);
    describeForgeries(subject, read);
    describeSecrecy(subject, definition, deliver);
  });
}

type Read = (webhook: SignedWebhook, changes?: Partial<WebhookRequest>) => ReturnType<typeof readWebhook>;
type Deliver = (body: string | Buffer, at?: Date) => ReturnType<typeof readWebhook>;

const BAD = { ok: false, refusals: ['bad_signature'] } as const;

function describeReading(
  { body, dispute, signsInside, onlyNames, expiresAfterMs }: WebhookSubject,
  deliver: Deliver,
): void {
  it('are read when they are genuine, the same each time', () => {
    const first = deliver(body('said'));
    if (!first.ok) throw new Error(first.refusals[0]);
    const { notices, lookUps, ...rest } = first.value;
    expect(rest).toEqual({ unread: [], unsigned: 0 });
    const told = onlyNames ? lookUps : notices.map(({ eventKey }) => eventKey);
    expect([told, notices.length + lookUps.length]).toEqual([[expect.stringMatching(/./)], 1]);
    expect(deliver(body('said'))).toEqual(first);
  });

  if (dispute)
    it('about a dispute name the dispute and the payment, the same each time', () => {
      const first = deliver(dispute('10.4'));
      if (!first.ok) throw new Error(first.refusals[0]);
      const [notice, ...others] = first.value.notices;
      if (!notice || !isDisputeNotice(notice)) throw new Error('The notice is about no dispute');
      expect(others).toEqual([]);
      expect(notice.dispute.disputeReference).toMatch(/./);
      expect(notice.dispute.money.amount).toBeGreaterThan(0);
      expect(notice.key ?? notice.reference ?? notice.paymentReference).toMatch(/./);
      expect(deliver(dispute('10.4'))).toEqual(first);
    });

  if (expiresAfterMs !== undefined)
    it('are genuine until their signature expires', () => {
      const signedAgo = (ms: number): Date => new Date(NOW.getTime() - ms);
      expect(deliver(body('said'), signedAgo(expiresAfterMs - 1_000)).ok).toBe(true);
      expect(deliver(body('said'), signedAgo(expiresAfterMs + 1_000))).toEqual(BAD);
    });

  it.each(HOSTILE)('are kept unread when they are genuine but %s', (_name, rawBody) => {
    const kept = [{ part: String(rawBody), reason: 'unreadable_body' }];
    const unread = { ok: true, value: { notices: [], lookUps: [], unread: kept, unsigned: 0 } };
    const unreadable = { ok: false, refusals: ['unreadable'] };
    expect(signsInside ? [unreadable, BAD] : [unread]).toContainEqual(deliver(rawBody));
  });
}

function describeForgeries(
  { body, dispute, credentials, sign, tamper = addSpace }: WebhookSubject,
  read: Read,
): void {
  const bodies = (): readonly Buffer[] =>
    [body('said'), ...(dispute ? [dispute('10.4')] : [])].map((text) => Buffer.from(text));

  it('are not genuine with another secret', () => {
    // A field may hold several secrets, so no part of another one is the same.
    const others = Object.fromEntries(
      Object.entries(credentials).map(([key, value]) => [key, value.split('').toReversed().join('')]),
    );
    for (const bytes of bodies()) expect(read(sign(bytes, NOW), { credentials: others })).toEqual(BAD);
  });

  it('are not genuine with another body', () => {
    for (const bytes of bodies()) {
      const signed = sign(bytes, NOW);
      expect(read({ ...signed, rawBody: tamper(signed.rawBody) })).toEqual(BAD);
    }
  });

  it('are not genuine without a signature', () => {
    for (const rawBody of bodies()) expect(read({ headers: {}, rawBody })).toEqual(BAD);
  });

  it('unsigned are never genuine in production', () => {
    for (const rawBody of bodies())
      expect(read({ headers: {}, rawBody }, { credentials: {}, environment: 'production' })).toEqual(BAD);
  });
}

function describeSecrecy(subject: WebhookSubject, definition: Definition, deliver: Deliver): void {
  const secrets = secretsOf(subject, definition);
  const { body, dispute, credentials } = subject;

  it('reveal neither a secret nor a possible card number', () => {
    const secret = Object.values(credentials).join(' ');
    const notified = deliver(body(`4111 1111 1111 1111 and ${secret}`));
    expect(notified).toMatchObject({ ok: true, value: { unread: [] } });
    for (const word of ['4111 1111', ...secrets]) expect(JSON.stringify(notified)).not.toContain(word);
  });

  if (dispute)
    it('about a dispute reveal neither a secret nor a possible card number', () => {
      const [secret = ''] = secrets;
      const notified = deliver(dispute(`4111 1111 1111 1111 ${secret}`));
      expect(notified.ok).toBe(true);
      for (const word of ['4111 1111', secret]) expect(JSON.stringify(notified)).not.toContain(word);
    });
}

const addSpace = (rawBody: Buffer): Buffer => Buffer.concat([rawBody, Buffer.from(' ')]);

const LOG = pino({ level: 'silent' });

const requestOf = (
  { credentials }: WebhookSubject,
  definition: Definition,
  { headers, rawBody, material }: SignedWebhook,
  changes: Partial<WebhookRequest>,
): WebhookRequest => ({
  ...{ headers, rawBody, credentials, definition },
  environment: 'sandbox',
  now: NOW,
  ...(material !== undefined && { material }),
  ...changes,
});

const secretsOf = ({ credentials }: WebhookSubject, { fields }: Definition): readonly string[] =>
  fields.flatMap(({ key, secret }) => (secret ? (credentials[key] ?? []) : []));
