import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { reasonOf } from './simulator/bank-debits.ts';
import { isSignedByKey, KEY_URL_HEADER } from './key-signature.ts';
import {
  listedCode,
  AMOUNT_MAX,
  ok,
  refuse,
  parseJson,
  type DeclineCode,
  type Result,
  type Verb,
  type SchemeCodes,
  type Notice,
  type NoticeOutcome,
  type WebhookNotice,
  type WebhookRequest,
  type Webhooks,
} from '../door.ts';
import { DISPUTE_EVENT, readSandboxDispute } from './dispute-webhook.ts';

/** The header with the signature: `sha256=` and a hex HMAC-SHA256 of the body's bytes under the webhook secret. */
export const SIGNATURE_HEADER = 'x-sandbox-signature';

/**
 * The reader of the sandbox provider's webhooks.
 *
 * The shortest body is `{ "payment_service_transaction_id", "event": "capture.succeeded" }`. All other fields
 * are optional.
 *
 * - With a webhook secret, only signed webhooks are accepted.
 * - Without a secret, the sandbox accepts every webhook and production accepts none.
 */
export const sandboxWebhooks: Pick<Webhooks, 'verify' | 'read'> = {
  verify: (request) =>
    isAuthentic(request)
      ? ok({ parts: [String(request.rawBody)], unsigned: 0, isSigned: isSigned(request) })
      : refuse('bad_signature'),
  read: (part) => {
    const read = readSandboxEvent(parseJson(part));
    return read.ok ? read : refuse('unreadable_body');
  },
};

/** Reads the body of a webhook, whoever sent the webhook. */
export function readSandboxEvent(given: unknown): Result<readonly WebhookNotice[], 'unreadable'> {
  const parsed = body.safeParse(given);
  if (!parsed.success) return refuse('unreadable');
  const fields = parsed.data;
  if (DISPUTE_EVENT.test(fields.event)) return readDispute(given, fields);
  const match = PATTERNS.flatMap((pattern) => pattern.exec(fields.event) ?? []);
  const key = fields.idempotency_key?.toLowerCase() ?? null;
  const authorizationKey = fields.authorization_key?.toLowerCase() ?? null;
  // A key that is not one of our ids belongs to another system's operation.
  if (match.length === 0 || [key, authorizationKey].some((one) => one !== null && !UUID.test(one)))
    return ok([]);
  const [, subject = '', result = ''] = match;
  return ok([
    {
      eventKey: fields.id ?? digestOf(fields),
      occurredAt: fields.occurred_at === undefined ? null : new Date(fields.occurred_at),
      // A token belongs to the authorisation that asked for the token.
      verb: subject === 'authorization' || subject === 'recurring_token' ? 'authorize' : (subject as Verb),
      key,
      reference: fields.payment_service_reference ?? null,
      paymentReference: fields.payment_service_transaction_id ?? null,
      ...(authorizationKey !== null && { authorizationKey }),
      ...(fields.final !== undefined && { final: fields.final }),
      ...(fields.capture_reference !== undefined && { captureReference: fields.capture_reference }),
      ...totalOf(fields),
      outcome: outcomeOf(result, fields),
    },
  ]);
}

function readDispute(given: unknown, fields: Body): Result<readonly WebhookNotice[], 'unreadable'> {
  const dispute = readSandboxDispute(given);
  const key = fields.idempotency_key?.toLowerCase() ?? null;
  if (!dispute) return refuse('unreadable');
  if (key !== null && !UUID.test(key)) return ok([]);
  return ok([
    {
      eventKey: fields.id ?? digestOf({ ...fields, ...dispute }),
      occurredAt: fields.occurred_at === undefined ? null : new Date(fields.occurred_at),
      key,
      reference: fields.payment_service_reference ?? null,
      paymentReference: fields.payment_service_transaction_id ?? null,
      dispute,
    },
  ]);
}

/** True for a genuine webhook that somebody signed. */
const isSigned = ({ headers, credentials }: WebhookRequest): boolean =>
  headers[KEY_URL_HEADER] !== undefined || Boolean(credentials['webhook_secret']);

/** The parts of a webhook that the signature check needs. */
type Signed = Omit<WebhookRequest, 'definition' | 'now'> & {
  readonly definition: Pick<WebhookRequest['definition'], 'sandboxOnly'>;
};

/**
 * True if the service's webhook secret or the provider's key signed the webhook. True as well for an unsigned webhook that
 * the service may accept.
 *
 * Digests of equal length are compared in constant time.
 */
export function isAuthentic(webhook: Signed): boolean {
  const { headers, rawBody, credentials, definition, environment } = webhook;
  if (headers[KEY_URL_HEADER] !== undefined) return isSignedByKey(webhook);
  const secret = credentials['webhook_secret'];
  if (!secret) return environment === 'sandbox' && definition.sandboxOnly;
  const [, given] = /^sha256=([0-9a-f]{64})$/i.exec(headers[SIGNATURE_HEADER] ?? '') ?? [];
  if (given === undefined) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(rawBody).digest(), Buffer.from(given, 'hex'));
}

const EVENT =
  /^(authorization|authorize|increase|reauthorize|capture|refund|void|cancel)\.(succeeded|declined|failed|pending)$/;

const TOKEN_CREATED = /^(recurring_token)\.(created)$/;

/** A success that is taken back. */
const REVERSED = /^(capture|refund)\.(reversed)$/;
const EXPIRED = /^(authorization|authorize)\.(expired)$/;

const PATTERNS = [EVENT, TOKEN_CREATED, REVERSED, EXPIRED];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const reference = z.string().min(1).max(255);
const words = z.string().max(500);

const body = z
  .object({
    id: z.string().min(1).max(255).optional(),
    event: z.string().max(100),
    payment_service_transaction_id: reference.optional(),
    payment_service_reference: reference.optional(),
    idempotency_key: words.optional(),
    authorization_key: words.optional(),
    reversal_reference: reference.optional(),
    capture_reference: reference.optional(),
    final: z.boolean().optional(),
    total_amount: z.int().min(0).max(AMOUNT_MAX).optional(),
    amount: z.int().min(0).max(AMOUNT_MAX).optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
    code: words.optional(),
    message: words.optional(),
    advice_code: words.optional(),
    network_response_code: words.optional(),
    scheme_transaction_id: reference.optional(),
    recurring_token: z.string().min(1).max(10_000).optional(),
    occurred_at: z.iso.datetime({ offset: true }).optional(),
  })
  .refine(
    (fields) =>
      fields.payment_service_transaction_id ??
      fields.payment_service_reference ??
      fields.idempotency_key ??
      fields.authorization_key,
  )
  .refine(
    ({ amount, total_amount: total, currency }) =>
      (amount === undefined && total === undefined) === (currency === undefined),
  )
  .refine((fields) => !TOKEN_CREATED.test(fields.event) || fields.recurring_token !== undefined);

type Body = z.output<typeof body>;

const totalOf = ({ total_amount: amount, currency }: Body): Pick<Notice, 'total'> =>
  amount === undefined || currency === undefined ? {} : { total: { amount, currency } };

function outcomeOf(result: string, body: Body): NoticeOutcome {
  const { amount, currency, code, message, scheme_transaction_id: scheme, recurring_token: token } = body;
  const response = { rawResponseCode: code ?? null, rawResponseDescription: message ?? null };
  const known = {
    ...(scheme !== undefined && { schemeTransactionId: scheme }),
    ...(token !== undefined && { recurringToken: token }),
  };
  const money = amount === undefined || currency === undefined ? null : { amount, currency };
  switch (result) {
    case 'succeeded':
      return { kind: 'succeeded', money, ...response, ...known };
    case 'pending':
      return { kind: 'accepted', ...response };
    case 'created':
      return { kind: 'token_created', recurringToken: token ?? null, ...response };
    case 'reversed':
      return {
        ...{ kind: 'reversed', money, errorCode: reversalReasonOf(body), ...response },
        ...(body.reversal_reference !== undefined && { reversalReference: body.reversal_reference }),
      };
    case 'expired':
      return { kind: 'expired', ...response };
    case 'declined':
      return {
        kind: 'declined',
        errorCode: listedCode(code, 'declined'),
        ...response,
        ...schemeCodesOf(body),
      };
    default:
      return {
        kind: 'failed',
        errorCode: code === undefined ? 'service_error' : listedCode(code, 'failed'),
        ...response,
        ...schemeCodesOf(body),
      };
  }
}

const schemeCodesOf = ({ advice_code: advice, network_response_code: code }: Body): SchemeCodes => ({
  ...(advice !== undefined && { merchantAdviceCode: advice }),
  ...(code !== undefined && { networkResponseCode: code }),
});

const reversalReasonOf = ({ code, payment_service_transaction_id: payment, ...body }: Body): DeclineCode =>
  reasonOf(payment ?? body.payment_service_reference, code ?? 'service_error', 'failed');

/**
 * Returns a digest of the parsed fields, in the schema's order. Whitespace and order in the body do not change
 * the digest.
 */
const digestOf = (fields: Body): string =>
  `sha256:${createHash('sha256').update(JSON.stringify(fields)).digest('base64url')}`;
