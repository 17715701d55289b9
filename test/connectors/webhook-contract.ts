import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { Connector } from '../../src/connectors/connector.ts';
import type { Credentials } from '../../src/connectors/call-context.ts';
import type { Definition } from '../../src/connectors/definition.ts';
import { isDisputeNotice } from '../../src/connectors/disputes.ts';
import { readWebhook } from '../../src/connectors/read-webhook.ts';
import type { WebhookRequest } from '../../src/connectors/webhook.ts';

/** The test data of one connector for the contract of webhooks. */
export type WebhookSubject = {
  readonly connector: Connector;
  readonly credentials: Credentials;
  /** Builds a body about one operation, with these words in its message. */
  body(words: string): string;
  /** Builds a body about a dispute, with these words as its reason code. Absent if the provider reports none. */
  readonly dispute?: (words: string) => string;
  /** Returns the headers that sign bytes at a moment. */
  sign(rawBody: Buffer, now: Date): Readonly<Record<string, string>>;
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

/** Defines the tests that hold for every connector with webhooks, and each of its definitions. */
export function describeWebhookContract(subject: WebhookSubject): void {
  const { connector } = subject;
  describe.each(connector.definitions.map((definition) => [definition.id, definition] as const))(
    `webhooks of ${connector.id} as %s`,
    (_, definition) => {
      const read = (rawBody: Buffer, changes: Partial<WebhookRequest> = {}) =>
        readWebhook(connector, requestOf(subject, definition, rawBody, changes), LOG);

      it('are read when they are genuine, the same each time', () => {
        const rawBody = Buffer.from(subject.body('said'));
        const first = read(rawBody);
        if (!first.ok) throw new Error(first.refusals[0]);
        expect(first.value).toHaveLength(1);
        expect(first.value[0]?.eventKey).toMatch(/./);
        expect(read(rawBody)).toEqual(first);
      });

      if (subject.dispute) {
        const { dispute } = subject;
        it('about a dispute name the dispute and the payment, the same each time', () => {
          const rawBody = Buffer.from(dispute('10.4'));
          const first = read(rawBody);
          if (!first.ok) throw new Error(first.refusals[0]);
          const [notice, ...others] = first.value;
          if (!notice || !isDisputeNotice(notice)) throw new Error('The notice is about no dispute');
          expect(others).toEqual([]);
          expect(notice.dispute.disputeReference).toMatch(/./);
          expect(notice.dispute.money.amount).toBeGreaterThan(0);
          expect(notice.key ?? notice.reference ?? notice.paymentReference).toMatch(/./);
          expect(read(rawBody)).toEqual(first);
          expect(read(rawBody, { headers: {} })).toEqual({ ok: false, refusals: ['bad_signature'] });
        });

        it('about a dispute reveal neither a secret nor a possible card number', () => {
          const [secret = ''] = secretsOf(subject, definition);
          const notified = read(Buffer.from(dispute(`4111 1111 1111 1111 ${secret}`)));
          expect(notified.ok).toBe(true);
          for (const word of ['4111 1111', secret]) expect(JSON.stringify(notified)).not.toContain(word);
        });
      }

      it('are not genuine with another secret, another body, or no signature', () => {
        const rawBody = Buffer.from(subject.body('said'));
        const others = Object.fromEntries(
          Object.entries(subject.credentials).map(([key, value]) => [key, `${value} of another`]),
        );
        const changed = Buffer.from(`${subject.body('said')} `);
        const refused = { ok: false, refusals: ['bad_signature'] };
        expect(read(rawBody, { credentials: others })).toEqual(refused);
        expect(read(rawBody, { headers: {} })).toEqual(refused);
        expect(read(changed, { headers: subject.sign(rawBody, NOW) })).toEqual(refused);
      });

      it('unsigned are never genuine in production', () => {
        const rawBody = Buffer.from(subject.body('said'));
        expect(read(rawBody, { credentials: {}, headers: {}, environment: 'production' })).toEqual({
          ok: false,
          refusals: ['bad_signature'],
        });
      });

      it.each(HOSTILE)('are unreadable when they are genuine but %s', (_name, rawBody) => {
        expect(read(rawBody)).toEqual({ ok: false, refusals: ['unreadable'] });
      });

      it('reveal neither a secret nor a possible card number', () => {
        const secret = Object.values(subject.credentials).join(' ');
        const notified = read(Buffer.from(subject.body(`4111 1111 1111 1111 and ${secret}`)));
        expect(notified.ok).toBe(true);
        for (const word of ['4111 1111', ...secretsOf(subject, definition)])
          expect(JSON.stringify(notified)).not.toContain(word);
      });
    },
  );
}

const LOG = pino({ level: 'silent' });

const requestOf = (
  subject: WebhookSubject,
  definition: Definition,
  rawBody: Buffer,
  changes: Partial<WebhookRequest>,
): WebhookRequest => ({
  headers: subject.sign(rawBody, NOW),
  rawBody,
  credentials: subject.credentials,
  definition,
  environment: 'sandbox',
  now: NOW,
  ...changes,
});

const secretsOf = ({ credentials }: WebhookSubject, { fields }: Definition): readonly string[] =>
  fields.flatMap(({ key, secret }) => (secret ? (credentials[key] ?? []) : []));
