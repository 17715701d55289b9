import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  parseJson,
  ok,
  refuse,
  timeOf,
  type Result,
  type StoredMethodChange,
  type PartReceiver,
  type UnreadReason,
  type WebhookNotice,
} from '../../door.ts';
import { writeToken } from '../stored-token.ts';

const PREFIX = 'recurring.token.';

/** Adyen's webhooks about tokens have a form of their own, and tell no card. */
const webhook = z.object({ type: z.string().startsWith(PREFIX).max(100) });

const tokenEvent = webhook.extend({
  /** The id of the payment, or of another request, that caused the event. */
  eventId: z.string().min(1).max(255),
  createdAt: z.string().max(100).optional().catch(undefined),
  data: z.object({
    merchantAccount: z.string().max(255),
    shopperReference: z.string().min(1).max(256),
    storedPaymentMethodId: z.string().min(1).max(255),
  }),
});

type TokenEvent = z.output<typeof tokenEvent>;

/** True for a webhook about a token. Anybody may have sent it. */
export const isTokenWebhook = (body: string): boolean => webhook.safeParse(parseJson(body)).success;

/** Reads a webhook about a token. A token of another merchant account gives no notice, and neither does an unknown change. */
export function readTokenWebhook(
  body: string,
  { credentials }: Pick<PartReceiver, 'credentials'>,
): Result<readonly WebhookNotice[], UnreadReason> {
  const event = tokenEvent.safeParse(parseJson(body)).data;
  if (!event) return refuse('unreadable_body');
  return ok(event.data.merchantAccount === credentials['merchant_account'] ? noticesOf(event) : []);
}

/** The header with the signature of a webhook about a token. */
export const SIGNATURE_HEADER = 'hmacsignature';

/** True if one of the keys signed the bytes. Digests of equal length are compared in constant time. */
export function isSignedBody(signature: string | undefined, body: Buffer, keys: readonly Buffer[]): boolean {
  const given = Buffer.from(signature ?? '', 'base64');
  return keys.some((key) => {
    const expected = createHmac('sha256', key).update(body).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function noticesOf(event: TokenEvent): readonly WebhookNotice[] {
  const { type, eventId, createdAt, data } = event;
  const token = writeToken(data);
  const known = {
    eventKey: `${type}:${eventId}:${digestOf(event)}`,
    occurredAt: timeOf(createdAt),
  };
  const change = CHANGES[type.slice(PREFIX.length)];
  if (change) return [{ ...known, storedMethod: { token, change } }];
  if (!STORES.has(type)) return [];
  return [
    {
      ...{ ...known, verb: 'authorize', key: null, reference: eventId, paymentReference: eventId },
      outcome: {
        ...{ kind: 'token_created', recurringToken: token },
        ...{ rawResponseCode: type, rawResponseDescription: null },
      },
    },
  ];
}

/** One cause may change several tokens, and one token more than once. The key must not hold the token in clear. */
const digestOf = ({ data, createdAt = '' }: TokenEvent): string =>
  createHash('sha256').update(`${data.storedPaymentMethodId}:${createdAt}`).digest('base64url');

const CHANGES: Readonly<Partial<Record<string, StoredMethodChange>>> = {
  updated: { kind: 'updated', card: null },
  disabled: { kind: 'disabled' },
};

/** The events of a payment that stores its method. The shopper may have stored the same card before. */
const STORES: ReadonlySet<string> = new Set(['recurring.token.created', 'recurring.token.alreadyExisting']);
