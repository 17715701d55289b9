import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  ok,
  parseJson,
  refuse,
  type LookUpNotice,
  type Result,
  type UnreadReason,
  type VerifiedWebhook,
  type WebhookRefusal,
  type WebhookRequest,
  type Webhooks,
} from '../../door.ts';

/**
 * Mollie's webhooks, in two forms. Both lead to a look-up of the payment, so nothing but its id is believed.
 *
 * - The webhook of a payment: a form with the id, without a signature. Its address is that of the payment's creation.
 * - The webhook of an organisation: an event with a signature. A header that does not fit is refused.
 */
export const mollieWebhooks: Webhooks = { verify, read };

const SIGNATURE_HEADER = 'x-mollie-signature';

function verify(request: WebhookRequest): Result<VerifiedWebhook, WebhookRefusal> {
  const isSigned = request.headers[SIGNATURE_HEADER] !== undefined;
  if (isSigned && !isGenuine(request)) return refuse('bad_signature');
  return ok({ parts: [request.rawBody.toString('utf8')], unsigned: 0, isSigned });
}

/** True if one of the service's secrets made one of the signatures. While a secret rolls, Mollie signs with both. */
function isGenuine({ headers, rawBody, credentials }: WebhookRequest): boolean {
  const signatures = (headers[SIGNATURE_HEADER] ?? '')
    .split(',')
    .flatMap((part) => /^\s*sha256=([0-9a-f]{64})\s*$/i.exec(part)?.[1] ?? [])
    .slice(0, SIGNATURES_MAX)
    .map((hex) => Buffer.from(hex, 'hex'));
  // Without a short circuit, the time of the check tells nothing about the secrets.
  const matches = secretsOf(credentials['webhook_secret']).flatMap((secret) => {
    const digest = createHmac('sha256', secret).update(rawBody).digest();
    return signatures.map((signature) => timingSafeEqual(digest, signature));
  });
  return matches.includes(true);
}

const SIGNATURES_MAX = 10;

/** The secrets, one a line. An empty secret would accept everybody. */
const secretsOf = (field: string | undefined): readonly string[] =>
  (field ?? '').split(/[\r\n,]+/).flatMap((secret) => secret.trim() || []);

/** The events of an organisation that may concern a payment. */
const event = z.object({
  resource: z.literal('event'),
  type: z.string(),
  entityId: z.string().nullish().catch(null),
  _embedded: z
    .object({
      entity: z
        .object({ paymentId: z.string().nullish().catch(null) })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

function read(part: string): Result<readonly LookUpNotice[], UnreadReason> {
  const json = parseJson(part);
  if (json === null) {
    const id = new URLSearchParams(part).get('id') ?? '';
    return ID.test(id) ? ok(lookUpOf(id)) : refuse('unreadable_body');
  }
  const told = event.safeParse(json).data;
  if (!told) return refuse('unreadable_body');
  // A capture, a refund or a chargeback names its payment. Without the name, the payment's own webhook tells the same.
  return ok(lookUpOf(told._embedded?.entity?.paymentId ?? told.entityId ?? ''));
}

/** An id of Mollie: two letters or more for the kind, and the rest. */
const ID = /^[a-z]{2,20}_\w{1,60}$/;

const PAYMENT_ID = /^tr_\w{1,60}$/;

/** A subscription, a payment link or another object is none of our payments. */
const lookUpOf = (reference: string): readonly LookUpNotice[] =>
  PAYMENT_ID.test(reference) ? [{ kind: 'look_up', reference }] : [];
